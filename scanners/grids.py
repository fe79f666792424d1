"""Tables of reStructuredText: grids, simple tables and list tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scanners.page import Table

GRID = re.compile(r"^\s*\+[-=+]{3,}\+\s*$")
LIST_TABLE = re.compile(r"^(\s*)\.\.[ \t]+list-table::")
ROW = re.compile(r"^(\s*)\*\s+-\s*(.*)$")
CELL = re.compile(r"^(\s*)-\s+(.*)$")


def rst_tables(shown: Sequence[str]) -> tuple[Table, ...]:
    """The tables of an RST text in the order they stand."""
    tables, at = [], 0
    while at < len(shown):
        if GRID.match(shown[at]):
            table, at = _grid(shown, at)
        elif LIST_TABLE.match(shown[at]):
            table, at = _list_table(shown, at)
        else:
            at += 1
            continue
        if table:
            tables.append(table)
    return tuple(tables)


def _grid(shown: Sequence[str], start: int) -> tuple[Table | None, int]:
    rows, lines, cells, at = [], [], list[str](), start
    first = start + 2
    while at < len(shown) and shown[at].strip()[:1] in {"+", "|"}:
        if GRID.match(shown[at]):
            if cells:
                rows.append(tuple(cells))
                lines.append(first)
            cells, first = [], at + 2
        else:
            parts = [part.strip() for part in shown[at].strip().strip("|").split("|")]
            if len(parts) == len(cells):
                cells = [f"{old}\n{new}".strip() for old, new in zip(cells, parts, strict=True)]
            elif not cells:
                cells = parts
        at += 1
    return (Table(tuple(rows), tuple(lines)) if rows else None), max(at, start + 1)


def _list_table(shown: Sequence[str], start: int) -> tuple[Table | None, int]:
    indent = len(shown[start]) - len(shown[start].lstrip())
    rows, lines, at = list[list[str]](), list[int](), start + 1
    while at < len(shown):
        line = shown[at]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        if row := ROW.match(line):
            rows.append([row[2].strip()])
            lines.append(at + 1)
        elif (cell := CELL.match(line)) and rows:
            rows[-1].append(cell[2].strip())
        elif line.strip() and rows and not line.strip().startswith(":"):
            rows[-1][-1] = f"{rows[-1][-1]}\n{line.strip()}".strip()
        at += 1
    return (Table(tuple(tuple(row) for row in rows), tuple(lines)) if rows else None), at
