"""What the path of a document says about it: format, number, date, slug, the words of its folders."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache

from scanners import dates

MARKDOWN = frozenset({".md", ".markdown", ".mdx", ".mdc", ".mkd", ".mdown"})
FORMATS = {
    **dict.fromkeys(MARKDOWN, "markdown"),
    ".rst": "restructuredtext",
    ".rest": "restructuredtext",
    ".adoc": "asciidoc",
    ".asciidoc": "asciidoc",
    ".asc": "asciidoc",
    ".mediawiki": "mediawiki",
    ".wiki": "mediawiki",
    ".org": "org",
    ".txt": "text",
}
FOLDER_NAMES_IT = frozenset({"readme", "index", "proposal", "_index"})
"""A record with such a file name has its number, date and slug in the name of its folder."""
SPECS = frozenset({"proposal", "design", "requirements", "spec", "plan", "tasks", "research"})
"""Parts of a specification that has a folder of its own."""
NUMBERED = re.compile(r"^(?:(?P<series>[^\W\d_]{1,10})(?P<joint>[-_ ]?))??(?P<number>\d{1,5})(?:[-_ .]+(?P<slug>.*))?$")
SERIES = frozenset(
    {"adr", "rfc", "pep", "oep", "dep", "sep", "kep", "tep", "jep", "bip", "slep", "klip", "eip", "tip", "rfd", "nep",
    "cep",
     "cip", "gep", "lip", "ddr", "madr", "decision", "dr", "ad", "dec", "se", "st", "task", "loep"}
)  # fmt: skip
CHAPTER = re.compile(r"^\d{1,2}[-_ ](?=\d{3,5}[-_ ])")
MARKED = re.compile(
    r"^\[?(superseded|deprecated|rejected|accepted|s|d|r)\]?[-_ ]+(?=(?:[a-z]{2,5}[-_ ]?)?\d)", re.IGNORECASE
)
MARKS = {"s": "superseded", "d": "deprecated", "r": "rejected"}


@dataclass(frozen=True, slots=True)
class Name:
    """The parts of a path; `file` is without its extension, `folders` are in small letters, outermost first."""

    path: str
    folder: str
    file: str
    extension: str
    folders: tuple[str, ...]
    number: int | None = None
    date: str | None = None
    series: str = ""
    slug: str = ""

    @property
    def names_folder(self) -> bool:
        """Say whether the record is named by its folder."""
        return self.file.casefold() in FOLDER_NAMES_IT


@lru_cache(maxsize=512)
def name_of(path: str) -> Name:
    """Take a path apart."""
    folder, base = posixpath.split(path)
    file, extension = posixpath.splitext(base)
    if base.startswith(".") and not file.strip("."):
        file, extension = base, ""
    folders = tuple(part for part in folder.casefold().split("/") if part)
    naming = posixpath.basename(folder) if file.casefold() in FOLDER_NAMES_IT and folder else file
    number, date, series, slug = parts_of(naming)
    if not series and naming.isdecimal() and len(folders) > 1 and folders[-2].rstrip("s") in SERIES:
        series = folders[-2].rstrip("s")
    if file.casefold() in SPECS and folder:
        slug = posixpath.basename(folder)
    return Name(path, folder, file, extension.casefold(), folders, number, date, series, slug or naming)


def parts_of(naming: str) -> tuple[int | None, str | None, str, str]:
    """Number, date, series and slug in the name of a file or folder."""
    rest = CHAPTER.sub("", MARKED.sub("", naming))
    dated = dates.leading(rest)
    date, rest = dated or (None, rest)
    match = NUMBERED.match(rest)
    if not match or (date and match["series"]) or not _is_series(match):
        return None, date, "", rest
    return int(match["number"]), date, (match["series"] or "").casefold(), match["slug"] or ""


def _is_series(match: re.Match[str]) -> bool:
    """Letters before a number are a series when it is a known one, or when they look like an id: `abc-0012`."""
    letters = (match["series"] or "").casefold()
    return not letters or letters in SERIES or (len(letters) > 1 and match["joint"] == "-" and len(match["number"]) > 2)  # noqa: PLR2004


def state_in(name: Name) -> str | None:
    """The state that a mark before the file name gives a record: `[Superseded] 0005-x`, `S-0005-x`."""
    marked = MARKED.match(name.file)
    return MARKS.get(marked[1].casefold(), marked[1].casefold()) if marked else None


def series_folder(name: Name) -> str:
    """The folder in which the records of the same series lie."""
    return posixpath.dirname(name.folder) if name.names_folder and name.number is not None else name.folder


def words(part: str) -> str:
    """A folder name as folder words are compared: without number prefix, with single hyphens."""
    return re.sub(r"[\s_.-]+", "-", re.sub(r"^\d{1,3}[-_. ]+", "", part.casefold())).strip("-")
