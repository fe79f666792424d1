"""One written document taken apart: what Markdown, reStructuredText, AsciiDoc and MediaWiki have in common.

The parsers fill a `Page`; everything that looks for records, relations or references reads only that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MARKS = re.compile(r"`|\*|~~|(?<!\w)_+|_+(?!\w)")
COMMENT = re.compile(r"<!--[^>]{0,2000}-->")
TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
TEXT_OF_LINK = re.compile(r"!?\[([^\[\]]{0,400})\](?:\([^()]{0,1000}\)|\[[^\[\]]{0,200}\])")
ESCAPE = re.compile(r"\\([^\w\s])")
MAX_LINES = 40_000
"""Lines whose structure is read; what follows is text of the last section."""
MAX_PLAIN = 2_000
EXPLICIT_ID = re.compile(r"\s*\{#([^{}]{1,100})\}\s*$")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` 1 is the outermost, `line` its first line and `end` its last (underline)."""

    level: int
    text: str
    line: int
    end: int
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written; `target` may be a path, a URL, a site route or the name of a label."""

    text: str
    target: str
    line: int


@dataclass(frozen=True, slots=True)
class Code:
    """A run of text that the author marked as code."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Field:
    """A piece of metadata; `key` is canonical (see `vocabulary`), `source` says where it stood."""

    key: str
    values: tuple[str, ...]
    line: int
    source: str

    @property
    def value(self) -> str:
        """The values as one text."""
        return ", ".join(self.values)


@dataclass(frozen=True, slots=True)
class Table:
    """A table; each row is a tuple of cells and has the line it stands on. The head is the first row."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A document taken apart.

    `lines` are all lines as written; `shown` has as many, with code blocks, comments and front matter blanked, so that
    what is found in it was meant. `matter` are the fields of the front matter or header, by their keys as written;
    `labels` are the names by which other documents refer to this one.
    """

    lines: tuple[str, ...]
    shown: tuple[str, ...]
    headings: tuple[Heading, ...]
    links: tuple[Link, ...] = ()
    codes: tuple[Code, ...] = ()
    tables: tuple[Table, ...] = ()
    matter: tuple[Field, ...] = ()
    labels: tuple[str, ...] = ()
    problems: tuple[tuple[int, str], ...] = ()

    def between(self, first: int, last: int) -> Iterator[tuple[int, str]]:
        """The shown lines from `first` to `last`, numbered."""
        for number in range(max(first, 1), min(last, len(self.shown)) + 1):
            yield number, self.shown[number - 1]

    def matter_of(self, *names: str) -> Field | None:
        """The first field of the front matter with one of `names`."""
        return next((field for name in names for field in self.matter if field.key == name and field.value), None)


def cut_short(lines: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """The problem that the structure of a very long text was not read to its end."""
    if len(lines) <= MAX_LINES:
        return ()
    return ((MAX_LINES, f"the structure after line {MAX_LINES} was not read"),)


def plain(text: str) -> str:
    """The text without comments, tags, link targets, emphasis and escapes."""
    text = text[:MAX_PLAIN]
    if "<" in text:
        text = TAG.sub("", COMMENT.sub("", text))
    if "[" in text:
        text = TEXT_OF_LINK.sub(r"\1", text)
    kept = EXPLICIT_ID.sub("", text)
    return " ".join(ESCAPE.sub(r"\1", MARKS.sub("", kept)).split())


def normal(text: str) -> str:
    r"""Only `\n` as line end and no byte order mark, so that line numbers agree with an editor's."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
