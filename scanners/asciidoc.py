"""AsciiDoc taken apart: headings, attributes, tables, links, blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from scanners.frontmatter import key_of
from scanners.page import MAX_LINES, Code, Field, Heading, Link, Page, Table, cut_short, normal, plain

HEADING = re.compile(r"^(={1,6}|#{1,6})[ \t]+(\S.*)$")
ATTRIBUTE = re.compile(r"^:([\w][\w-]{0,60}):(?:[ \t]+(.*)|)$")
FENCE = re.compile(r"^(-{4,}|\.{4,}|`{3,}|/{4,}|\+{4,})\s*\w*$")
LINK = re.compile(
    r"(?:link:|xref:|include::)([^\s\[\]]{1,500})\[([^\[\]]{0,300})\]|<<([^<>,\n]{1,200})(?:,([^<>\n]{0,200}))?>>"
)
MACRO = re.compile(r"(?:image|link|xref|footnote):{1,2}[^\s\[\]]{0,300}\[([^\[\]]{0,200})\]")
CODE = re.compile(r"(?<![\w`])`\+?([^`\n]{1,300}?)\+?`(?![\w`])")
TABLE = re.compile(r"^[|!,:]={3,}\s*$")
CELL = re.compile(r"(?:^|\s)(?:[.\d<>^+]{0,6}[aehlmdsv]?)\|")
IDENTIFIER = re.compile(r"^\[(?:#|\[)([\w:.-]{1,100})\]?\]?\s*$")


def parse(text: str) -> Page:
    """Take an AsciiDoc text apart."""
    return _parse(normal(text))


@lru_cache(maxsize=2)
def _parse(text: str) -> Page:
    lines = tuple(text.split("\n"))
    shown = _shown(lines[:MAX_LINES])
    shown += [""] * (len(lines) - len(shown))
    headings, matter = list[Heading](), list[Field]()
    for number, line in enumerate(shown, start=1):
        if match := HEADING.match(line):
            headings.append(Heading(len(match[1]), plain(MACRO.sub(r"\1", match[2][:400])), number, number))
        elif match := ATTRIBUTE.match(line):
            matter.append(Field(key_of(match[1]), (match[2] or "",), number, "header"))
    links = tuple(link for number, line in enumerate(shown, start=1) for link in _links(line[:4_000], number))
    codes = tuple(
        Code(match[1], number)
        for number, line in enumerate(shown, start=1)
        if "`" in line
        for match in CODE.finditer(line[:4_000])
    )
    tables = tuple(_tables(shown))
    return Page(lines, tuple(shown), tuple(headings), links, codes, tables, tuple(matter), problems=cut_short(lines))


def _shown(lines: Sequence[str]) -> list[str]:
    """The lines without listings and comments."""
    shown, fence = list[str](), ""
    for line in lines:
        mark = FENCE.match(line)
        if fence:
            if line.strip() == fence:
                fence = ""
            shown.append("")
        elif mark:
            fence = mark[1]
            shown.append("")
        else:
            shown.append("" if line.startswith("//") else line)
    return shown


def _links(line: str, number: int) -> Iterator[Link]:
    if "[" not in line and "<<" not in line:
        return
    for match in LINK.finditer(line):
        if match[1]:
            yield Link(match[2] or match[1], match[1], number)
        elif match[3] and ".adoc" in match[3]:
            yield Link(match[4] or match[3], match[3], number)


def _tables(shown: Sequence[str]) -> Iterator[Table]:
    """Tables with all cells of a row on one line, or one cell a line and rows by the number of columns."""
    at = 0
    while at < len(shown):
        if not TABLE.match(shown[at]):
            at += 1
            continue
        mark, start = shown[at].strip(), at
        at += 1
        rows, lines = list[tuple[str, ...]](), list[int]()
        while at < len(shown) and shown[at].strip() != mark:
            if "|" in shown[at]:
                line = LINK.sub(lambda match: match[2] or match[1] or "", shown[at][:2_000])
                parts = [part.strip() for part in CELL.split(line)]
                rows.append(tuple(part for part in parts[1:]))
                lines.append(at + 1)
            elif rows and shown[at].strip():
                rows[-1] = (*rows[-1][:-1], f"{rows[-1][-1]} {shown[at].strip()}".strip()) if rows[-1] else rows[-1]
            at += 1
        at += 1
        if rows:
            yield _paired(rows, lines, shown[start - 1] if start else "")


def _paired(rows: list[tuple[str, ...]], lines: list[int], attributes: str) -> Table:
    """One cell a line: two of them make a row, as metadata tables have."""
    if all(len(row) == 1 for row in rows) and len(rows) > 1:
        columns = max(2, attributes.count(",") + 1 if "cols" in attributes and "," in attributes else 2)
        columns = 2 if columns > 4 else columns  # noqa: PLR2004 - wider than metadata
        cells = [row[0] for row in rows]
        return Table(
            tuple(tuple(cells[at : at + columns]) for at in range(0, len(cells), columns)), tuple(lines[::columns])
        )
    return Table(tuple(rows), tuple(lines))
