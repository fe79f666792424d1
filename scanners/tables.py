"""Tables as people type them: pipes in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scanners.page import Table

DELIMITER = re.compile(r"^[\s|:-]+$")
MAX_CELLS = 30


def pipe_tables(shown: Sequence[str]) -> tuple[Table, ...]:
    """The pipe tables of a text: a line with pipes, a line of dashes and pipes, more lines with pipes."""
    tables, at = [], 1
    while at < len(shown):
        if "|" not in shown[at - 1] or not _is_delimiter(shown[at]):
            at += 1
            continue
        rows, lines = [cells(shown[at - 1])], [at]
        at += 1
        while at < len(shown) and "|" in shown[at]:
            rows.append(cells(shown[at]))
            lines.append(at + 1)
            at += 1
        tables.append(Table(tuple(rows), tuple(lines)))
    return tuple(tables)


def _is_delimiter(line: str) -> bool:
    return "|" in line and "-" in line and bool(DELIMITER.match(line))


def cells(line: str) -> tuple[str, ...]:
    """The cells of one row; an escaped pipe, or one in a code span, is text."""
    line = line.strip().removeprefix("|")
    parts = [part.strip() for part in re.split(r"(?<!\\)\|", line, maxsplit=MAX_CELLS)]
    if parts and not parts[-1]:
        parts.pop()
    return tuple(part.replace("\\|", "|") for part in parts)
