"""The metadata of a record, wherever it stands: front matter, lines, list items, tables, sections of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scanners.page import Field, Heading, Page, Table, plain
from scanners.vocabulary import OUTCOME_SECTIONS, key_of, section_word

ITEM = re.compile(r"^[\s>]{0,40}(?:[-*+•]|\d{1,2}[.)])[ \t]+")
COLON = re.compile(r"[:\uff1a]")
SEPARATORS = re.compile(r"\s+[|·•]\s+|<br\s*/?>|(?<=\S)\s{2,}(?=\*\*\w)|(?<=[\w.)])\s+(?=\*\*[\w ]{2,30}:\*\*)")
BOLD_KEY = re.compile(r"^\*\*([^*\n]{2,40})\*\*[ \t]*(?:[-–—=][ \t]+)?(\S.*)$")
METADATA_SECTIONS = frozenset(
    {"metadata", "meta", "meta data", "document control", "header", "info", "adr metadata", "document information"}
)
FOOTER_LINES = 12
HEAD_LINES = 80
"""Further down a text without headings, `Key: value` lines are text."""
FIRM = frozenset({"status", "date"})
"""Keys that a section of their own tells as well as the head does."""
MAX_LISTED = 12
MAX_VALUE = 120


def collect(page: Page, first: int, last: int, title: Heading | None) -> list[Field]:
    """The fields between `first` and `last`, those of the front matter first when the range begins the file."""
    headings = [h for h in page.headings if first <= h.line <= last and h is not title]
    found = [*_matter(page)] if first == 1 else []
    for start, end in _heads(page, headings, first, last):
        tables = [table for table in page.tables if start <= table.lines[0] <= end]
        found += _lines(page, start, end, tables)
        for table in tables:
            found += _table(table)
    for heading, end in _with_ends(headings, last):
        key = key_of(section_word(heading.text))
        said = None if key else _pair(heading.text)
        if said and said[0] in FIRM and said[1]:
            found.append(Field(said[0], (said[1],), heading.line, "section"))
        if key in FIRM or (key and not of(found, key)):
            found += _section(page, key, heading, end)
    if first == 1 and last == len(page.lines):
        found += [field for field in _lines(page, last - FOOTER_LINES, last, ()) if field.key in {"created", "updated"}]
    return found


def of(fields: Sequence[Field], *keys: str) -> list[Field]:
    """The fields with one of `keys` that have a value, in the order of `keys`."""
    return [field for key in keys for field in fields if field.key == key and field.value.strip()]


def paragraphs(page: Page, first: int, last: int) -> Iterator[tuple[int, list[str]]]:
    """The runs of shown lines that are not blank, with the line each begins on."""
    start, run = first, list[str]()
    for number, line in page.between(first, last):
        if line.strip():
            if not run:
                start = number
            run.append(line)
        elif run:
            yield start, run
            run = []
    if run:
        yield start, run


def _matter(page: Page) -> Iterator[Field]:
    for field in page.matter:
        key = key_of(field.key)
        if key:
            yield Field(key, field.values, field.line, field.source)


def _with_ends(headings: Sequence[Heading], last: int) -> Iterator[tuple[Heading, int]]:
    for number, heading in enumerate(headings):
        yield heading, headings[number + 1].line - 1 if number + 1 < len(headings) else last


def _heads(page: Page, headings: Sequence[Heading], first: int, last: int) -> Iterator[tuple[int, int]]:
    """The ranges in which a `Key: value` line is metadata: before the first section, and in one that says so."""
    end = headings[0].line - 1 if headings else last
    start = next((number for number, line in page.between(first, end) if line.strip()), first)
    yield first, min(end, start + HEAD_LINES)
    for heading, end in _with_ends(headings, last):
        if section_word(heading.text) in METADATA_SECTIONS:
            yield heading.end + 1, end


def _lines(page: Page, first: int, last: int, tables: Sequence[Table]) -> Iterator[Field]:
    in_tables = {line for table in tables for line in table.lines}
    pending: tuple[str, list[str], int, str, int] | None = None
    for number, line in page.between(first, last):
        if number in in_tables:
            continue
        indent = len(line) - len(line.lstrip())
        found = list(_pairs(line))
        if found or not line.strip():
            if pending and (found or pending[1]):
                yield _field(pending)
                pending = None
            source = "list" if ITEM.match(line) else "line"
            for key, value in found:
                if pending:
                    yield _field(pending)
                pending = (key, [value] if value else [], number, source, indent)
        elif pending and _continues(pending, line, indent):
            pending[1].append(ITEM.sub("", line).strip())
        elif pending:
            yield _field(pending)
            pending = None
    if pending:
        yield _field(pending)


def _continues(pending: tuple[str, list[str], int, str, int], line: str, indent: int) -> bool:
    """Say whether a line goes on with the value above: it is deeper, or the value ends in the middle of something."""
    key, values, _, _, above = pending
    if COLON.search(line[:40]):
        return False
    if indent > above:
        return True
    open_end = not values or values[-1].rstrip().endswith((",", ";"))
    return not ITEM.match(line) and (key == "status" or open_end)


def _field(pending: tuple[str, list[str], int, str, int]) -> Field:
    key, values, line, source, _ = pending
    if key in {"status", "title"} or (values and values[0].rstrip().endswith((",", ";"))):
        values = [" ".join(values)]
    return Field(key, tuple(values), line, source)


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    """The known keys of a line with their values; most lines have none."""
    if len(line) > 1_000 and not COLON.search(line[:80]):  # noqa: PLR2004 - a paragraph on one line
        return
    text = ITEM.sub("", line).strip().removeprefix("> ").strip()
    parts = [text]
    if text.count(":") + text.count("\uff1a") > 1:
        split = SEPARATORS.split(text[:2_000])
        if sum(_pair(part) is not None for part in split) > 1:
            parts = split
    for part in parts:
        pair = _pair(part)
        if pair:
            yield pair


def _pair(text: str) -> tuple[str, str] | None:
    match = COLON.search(text[:80])
    if match:
        name, value = text[: match.start()], text[match.end() :]
        key = key_of(plain(name))
        if key is None:
            return None
        if name.count("**") == 1 or name.count("__") == 1:
            value = value.replace("**" if "**" in name else "__", "", 1)
        return key, value.strip()
    bold = BOLD_KEY.match(text[:400])
    key = key_of(bold[1]) if bold else None
    return (key, bold[2].strip()) if bold and key else None


def _table(table: Table) -> Iterator[Field]:
    """A table of keys and values, downwards or (one record) across."""
    head, *body = table.rows
    columns = [key_of(plain(cell)) for cell in head]
    if any(section_word(plain(cell)) in OUTCOME_SECTIONS for cell in head):
        return
    across = len(body) == 1 and sum(column is not None for column in columns) > 1
    if across and not key_of(plain(body[0][0] if body[0] else "")):
        for key, value in zip(columns, body[0], strict=False):
            if key:
                yield Field(key, (value,), table.lines[1], "table")
        return
    for row, line in zip(table.rows, table.lines, strict=True):
        key = key_of(plain(row[0])) if row else None
        if key and len(row) > 1 and row[1]:
            yield Field(key, (row[1],), line, "table")


def _section(page: Page, key: str, heading: Heading, end: int) -> Iterator[Field]:
    """A section whose heading is a key: its first paragraph that says something, a list item by item."""
    runs = [
        run for run in paragraphs(page, heading.end + 1, end) if not all(line.lstrip()[:1] == ">" for line in run[1])
    ]
    runs = runs or list(paragraphs(page, heading.end + 1, end))
    for start, run in runs[:3]:
        lines = [ITEM.sub("", line).strip() for line in run]
        inner = [pair for line in lines if (pair := _pair(line))]
        if inner and all(name != key for name, _ in inner) and key != "status":
            continue
        values = [value for name, value in inner if name == key] or lines
        if key not in FIRM and not _is_listed(run):
            return
        if key in {"status", "date", "created", "updated", "title", "number"}:
            values = [" ".join(values)]
        yield Field(key, tuple(values), start, "section")
        return


def _is_listed(run: Sequence[str]) -> bool:
    """Say whether a paragraph lists values and is no prose."""
    return len(run) <= MAX_LISTED and (
        all(ITEM.match(line) for line in run) or (len(run) == 1 and len(run[0]) < MAX_VALUE)
    )
