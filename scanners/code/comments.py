"""Comments as text: where the comment above a definition begins, and what it says without its marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scanners.code.languages import Language

_MAX_LINES = 400
_MARK = re.compile(r"^\s*(?:/{2,}[!<]?|/\*+!?|\*+/|\*(?!\*)|#+[!:]?(?!\[)|--+[ \t]?[|^]?|;+|\{-+\|?)[ \t]?")
_CLOSING = re.compile(r"\s*(?:\*+/|-\})\s*$")
_RULER = re.compile(r"^[\W_]*$")
_DOCSTRING = re.compile(rb"\s*[rRuUbB]{0,2}(\"\"\"|'''|\"|')", re.DOTALL)
_NO_DOC = re.compile(r"copyright|licen[cs]e|spdx|all rights reserved|code generated|@generated|<auto-", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r"^\s*(?:#!|#\s*-\*-|//go:|// \+build|//nolint|// eslint|/\* eslint|// @ts-|#\s*pragma|<\?php|['\"]use strict"
    r"|#\s*(?:frozen_string_literal|encoding|coding|typed|rubocop|shellcheck)\b)"
)


def comment_above(lines: Sequence[str], row: int, language: Language) -> int:
    """Return the row where the comment begins that ends right above `row`, or `row` when there is none."""
    above = row - 1
    if above < 0:
        return row
    line = lines[above].strip()
    if line.endswith("*/") and language.block:
        return _block_start(lines, above, row)
    start = row
    while above >= 0 and row - above < _MAX_LINES and _is_comment(lines[above], language):
        start = above
        above -= 1
    return start


def clean(lines: Sequence[str]) -> str:
    """Return the words of comment lines, without marks, rulers and the indentation all lines share."""
    words = []
    for line in lines:
        said = _CLOSING.sub("", _MARK.sub("", line, count=1)).rstrip()
        words.append("" if _RULER.match(said) else said)
    return "\n".join(words).strip("\n")


def docstring(source: bytes, start: int, end: int) -> tuple[str, int]:
    """Return the string that opens the body in `source[start:end]` and where it ends; ("", start) when none does."""
    opening = _DOCSTRING.match(source, start, end)
    if opening is None:
        return "", start
    quotes = opening.group(1)
    close = source.find(quotes, opening.end(), end)
    if close < 0 or (len(quotes) == 1 and b"\n" in source[opening.end() : close]):
        return "", start
    said = source[opening.end() : close].decode(errors="replace")
    return "\n".join(line.strip() for line in said.strip().split("\n")), close + len(quotes)


def opening_comment(lines: Sequence[str], language: Language, taken: frozenset[int]) -> str:
    """Return the comment at the head of a file that speaks of the file.

    A licence and directives to tools are passed over, and so is a comment that begins in one of the rows `taken`,
    which belong to definitions.
    """
    row = 0
    while row < min(len(lines), _MAX_LINES):
        line = lines[row].strip()
        if not line or _DIRECTIVE.match(line):
            row += 1
            continue
        end = _comment_end(lines, row, language)
        if end == row or row in taken:
            return ""
        said = clean(lines[row:end])
        if said and not _NO_DOC.search(said):
            return said
        row = end
    return ""


def _block_start(lines: Sequence[str], above: int, row: int) -> int:
    """Return the row of the `/*` whose `*/` ends row `above`; a comment behind code belongs to that code."""
    for start in range(above, max(-1, above - _MAX_LINES), -1):
        if "/*" in lines[start]:
            return start if lines[start].lstrip().startswith("/*") else row
    return row


def _is_comment(line: str, language: Language) -> bool:
    line = line.lstrip()
    return line.startswith(language.comment) and not line.startswith(("#!", "//!", "#[", "#include", "#define"))


def _comment_end(lines: Sequence[str], row: int, language: Language) -> int:
    """Return the row after the comment that begins in `row`, or `row` when it is no comment."""
    line = lines[row].lstrip()
    if language.block and line.startswith(language.block):
        for end in range(row, min(len(lines), row + _MAX_LINES)):
            if "*/" in lines[end]:
                return end + 1
        return row
    end = row
    while end < len(lines) and lines[end].lstrip().startswith(language.comment):
        end += 1
    return end


def is_commented(lines: Sequence[str], row: int, column: int, language: Language) -> bool:
    """Say whether the place lies in a comment, or in a docstring that stands on lines of its own."""
    before = lines[row][:column]
    if any(mark in before for mark in (*language.comment, *language.block)):
        return True
    if language.block and before.strip()[:1] in {"", "*"}:
        for above in range(row - 1, max(-1, row - _MAX_LINES), -1):
            if "*/" in lines[above]:
                return False
            if "/*" in lines[above]:
                return True
    return language.docstring and _in_docstring(lines, row, before)


def _in_docstring(lines: Sequence[str], row: int, before: str) -> bool:
    quotes = sum(line.count('"""') + line.count("'''") for line in (*lines[:row], before))
    return quotes % 2 == 1
