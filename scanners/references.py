"""What a document points at: links, paths and code names, as references that the index resolves."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from scanners.model import Layout, Ref
from scanners.page import Link, Page
from scanners.paths import SERIES, Name, parts_of, series_folder
from scanners.series import in_decision_folder

SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]{1,20}:")
LINE = re.compile(r"#L(\d{1,7})|:(\d{1,7})(?:[-:]\d+)?$")
EXTENSION = re.compile(r"\.([A-Za-z][A-Za-z0-9]{0,9})$")
BARE_PATH = re.compile(
    r"(?<![\w@/.:(\[<`~-])((?:\.{1,2}/)?(?:[\w.-]{1,80}/){1,12}[\w.-]{1,80}\.[A-Za-z]{1,8})(?![\w/])"
)
PATH = re.compile(r"^(?:\.{1,2}/)*[\w.@+\[\]-][\w.@+\[\]/ -]{0,300}$")
SYMBOL = re.compile(r"^[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|#|->)[A-Za-z_$][\w$]{0,80}){0,8}(\([^()]{0,200}\))?$")
INSIDE = re.compile(r"[a-z0-9][A-Z]|_|\.|::|#|->")
MAX_PATH = 500
DEFINITION = re.compile(r"^\s{0,3}(?:\[[^\[\]]{1,200}\]:|:[\w-]+:|\.\. _)")
"""Lines that define a link or an attribute and are no text."""
SEPARATOR = re.compile(r"::|#|->")
UNNAMED = frozenset({"rfc", "pep", "bip", "eip", "task", "decision", "dr", "ad", "dec", "se", "st"})
"""Series of the whole world, and words that mean something else: references only within a series of that name."""
ID = re.compile(r"(?<![\w/.#-])(?:([A-Z][A-Za-z]{1,5})[-_ #]{0,2}|(adr|rfc)[-_ ])(\d{1,5})(?![\w.]*\w)")
FILE_KINDS = frozenset(
    {
        "py", "pyi", "js", "jsx", "ts", "tsx", "mjs", "cjs", "go", "rs", "java", "kt", "kts", "scala", "c", "h", "cc",
        "cpp", "hpp", "cs", "fs", "rb", "php", "swift", "m", "mm", "ex", "exs", "erl", "hs", "ml", "clj", "lua", "sh",
        "bash", "zsh", "fish", "ps1", "bat", "sql", "proto", "graphql", "yaml", "yml", "json", "jsonc", "toml", "ini",
        "cfg", "conf", "xml", "html", "css", "scss", "less", "vue", "svelte", "md", "mdx", "mdc", "rst", "adoc", "txt",
        "tf", "hcl", "gradle", "cmake", "lock", "csv", "svg", "dockerfile", "env", "j2", "tpl", "tmpl", "zig", "dart",
        "groovy", "ipynb",
    }
)  # fmt: skip


def of_link(link: Link, name: Name) -> Ref | None:
    """What a link points at inside the root; None for other sites and places in the same file."""
    target = link.target.strip()
    rooted = target.startswith("mdc:")
    target = target.removeprefix("mdc:")
    if target.startswith("wiki:"):
        return _of_wiki(target.removeprefix("wiki:"), name)
    if target.startswith("#") or not target:
        return None
    if SCHEME.match(target) or target.startswith("//"):
        return _of_url(link, target, name)
    line = LINE.search(target)
    path = re.split(r"[#?]", target, maxsplit=1)[0].replace("\\", "/")
    if not path or len(path) > MAX_PATH or "\n" in path:
        return None
    base = "" if rooted or path.startswith("/") else name.folder
    full = posixpath.normpath(posixpath.join(base, path.lstrip("/") if not base else path))
    here = None
    if not full.startswith("..") and full != ".":
        here = Ref("file", full, exact=True, line=int(line[1] or line[2]) if line else None)
    return _of_route(path, link.text, name) or here


def of_document(target: str, name: Name) -> Ref:
    """The file that `:doc:` names; a path from the top of the documentation may lie anywhere in the root."""
    if target.startswith("/"):
        return Ref("file", target.strip("/") + ".rst")
    return Ref("file", posixpath.normpath(posixpath.join(name.folder, target)) + ".rst", exact=True)


def ids(text: str, name: Name) -> Iterator[tuple[int, int, Ref]]:
    """The record ids in a text, with the places where they begin and end."""
    for match in ID.finditer(text):
        series = (match[1] or match[2]).casefold()
        if series == (name.series or "adr") or (series in SERIES and series not in UNNAMED):
            yield match.start(), match.end(), of_id(match[0], series, name)


def of_id(written: str, series: str, name: Name) -> Ref:
    """A bare id: `ADR` counts in the folder of the document's series, an id of a named series anywhere."""
    beside = series == "adr" and name.series in {"", "adr"} and _is_record(name)
    return Ref("decision", " ".join(written.split()), folder=series_folder(name) if beside else "")


def _is_record(name: Name) -> bool:
    return name.number is not None or name.date is not None or in_decision_folder(name, Layout())


def of_number(number: str, name: Name) -> Ref:
    """A bare number: it counts in the series of the document."""
    return Ref("decision", number, folder=series_folder(name))


def mentions(page: Page) -> Iterator[tuple[int, Ref]]:
    """The paths and code names of a page, each once a line, with their lines."""
    seen = set()
    for code in page.codes:
        ref = of_code(code.text)
        if ref and (code.line, ref) not in seen:
            seen.add((code.line, ref))
            yield code.line, ref
    for number, line in page.between(1, len(page.shown)):
        if "/" not in line or "." not in line or DEFINITION.match(line):
            continue
        for match in BARE_PATH.finditer(line[:4_000]):
            ref = _of_path(match[1])
            if ref and (number, ref) not in seen:
                seen.add((number, ref))
                yield number, ref


def of_code(text: str) -> Ref | None:
    """The path or symbol that a code span names, None for commands, words and values."""
    text = text.strip().strip("\"'")
    if not text or len(text) > 300 or text[0] in "-/~$<{":  # noqa: PLR2004 - no name is as long
        return None
    extension = EXTENSION.search(LINE.sub("", text))
    if "/" in text or (extension and extension[1].casefold() in FILE_KINDS):
        return _of_path(text)
    match = SYMBOL.match(text)
    if not match or len(text) < 3:  # noqa: PLR2004 - shorter names mean anything
        return None
    bare = text[: match.start(1)] if match[1] else text
    if not (match[1] or INSIDE.search(bare)):
        return None
    return Ref("symbol", SEPARATOR.sub(".", bare))


def _of_path(text: str) -> Ref | None:
    line = LINE.search(text)
    path = LINE.sub("", text).split("#")[0]
    if not PATH.match(path) or SCHEME.match(path) or " " in path:
        return None
    if path.endswith("/"):
        return Ref("folder", posixpath.normpath(path) + "/") if path.strip("./") else None
    extension = EXTENSION.search(path)
    if not extension or not _is_file_kind(extension[1], path):
        return None
    return Ref("file", posixpath.normpath(path), line=int(line[1] or line[2]) if line else None)


def _is_file_kind(extension: str, path: str) -> bool:
    """Say whether a path ends like a file: `.Core` ends a namespace, and `.md` alone is a kind of file."""
    if path.rpartition("/")[2] == f".{extension}" and extension != "env":
        return extension not in FILE_KINDS and "/" in path
    return extension.casefold() in FILE_KINDS or ("/" in path and extension.islower())


def _of_wiki(target: str, name: Name) -> Ref | None:
    note = target.split("#", maxsplit=1)[0].strip()
    if not note:
        return None
    if any(True for _ in ids(note, name)) and len(note) < 12:  # noqa: PLR2004 - an id, not a title
        return next(ids(note, name))[2]
    return Ref("file", note if EXTENSION.search(note) else f"{note}.md")


def _of_url(link: Link, target: str, name: Name) -> Ref | None:
    """An address of this repository on its forge is known by the folder of the series in it."""
    path = re.split(r"[#?]", target, maxsplit=1)[0]
    folder, _, base = path.rpartition("/")
    own = series_folder(name)
    stem = base.rpartition(".")[0] or base
    number = parts_of(stem)[0]
    if number is None or not own or not name.number or "/blob/" not in path or not folder.endswith("/" + own):
        return None
    return Ref("file", f"{own}/{base}", exact=True) if link.text else None


def _of_route(path: str, text: str, name: Name) -> Ref | None:
    """A path without extension that ends in a number or a record's name: a route of a documentation site."""
    last = path.rstrip("/").rpartition("/")[2]
    if EXTENSION.search(last) or not last:
        return None
    number, _, _, slug = parts_of(last)
    if path.startswith("/") and number is not None and not slug:
        return of_number(last, name)
    if number is not None and slug and not path.endswith("/") and not path.startswith("/"):
        return Ref("decision", last, folder=posixpath.normpath(posixpath.join(name.folder, posixpath.dirname(path))))
    if path.startswith("/") and (found := next(ids(text, name), None)):
        return found[2]
    return None
