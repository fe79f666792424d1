"""A page cut into sections: anchors that last, exact line ranges, large sections split at paragraph borders."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scanners.page import Heading, Page

MAX_CHARACTERS = 6_000
SLUG_DROPS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Section:
    """A run of lines under one heading, or a part of one; `text` is exactly the lines from `line` to `end_line`."""

    anchor: str | None
    title: str
    path: tuple[str, ...]
    line: int
    end_line: int
    text: str
    is_empty: bool = False


def slug(text: str) -> str:
    """The fragment GitHub gives a heading."""
    return SLUG_DROPS.sub("", text.strip().casefold()).replace(" ", "-")


def cut(page: Page, title: Heading | None, keep_whole: Sequence[Heading] = ()) -> list[Section]:
    """All sections in order, the head before the first one included (anchor None).

    A heading in `keep_whole` takes everything up to the next one of its level or above, with the headings below it;
    it need not be a heading of the page.
    """
    headings = sorted({*page.headings, *keep_whole}, key=lambda heading: heading.line)
    wholes = {heading.line: _last_line_of(page, headings, heading) for heading in keep_whole}
    tops, hidden_to = [], 0
    for heading in headings:
        if heading is title or heading.line <= hidden_to:
            continue
        tops.append(heading)
        hidden_to = wholes.get(heading.line, hidden_to)
    paths = _paths(headings, title)
    anchors = _anchors(tops, paths)
    first = tops[0].line if tops else len(page.lines) + 1
    found = list(_parts(page, Section(None, title.text if title else "", (), 1, first - 1, "")))
    for number, heading in enumerate(tops):
        end = tops[number + 1].line - 1 if number + 1 < len(tops) else len(page.lines)
        empty = not any(line.strip() for line in page.lines[heading.end : end])
        whole = Section(anchors[number], heading.text, paths[heading.line], heading.line, end, "", empty)
        found += _parts(page, whole)
    return found


class Anchors:
    """The anchor of the section that each line stands in; None in the head."""

    def __init__(self, found: Sequence[Section]) -> None:
        ordered = sorted(found, key=lambda section: section.line)
        self._lines = [section.line for section in ordered]
        self._anchors = [None if section.is_empty else section.anchor for section in ordered]

    def at(self, line: int) -> str | None:
        """The anchor for `line`."""
        at = bisect_right(self._lines, line) - 1
        return self._anchors[at] if at >= 0 else None


def _last_line_of(page: Page, headings: Sequence[Heading], heading: Heading) -> int:
    following = (other.line for other in headings if other.line > heading.line and other.level <= heading.level)
    return next(following, len(page.lines) + 1) - 1


def _paths(headings: Sequence[Heading], title: Heading | None) -> dict[int, tuple[str, ...]]:
    """The path of each heading, by its line: the nearest heading of each outer level, the title left out."""
    paths, open_headings = {}, list[Heading]()
    for heading in headings:
        while open_headings and open_headings[-1].level >= heading.level:
            open_headings.pop()
        open_headings.append(heading)
        paths[heading.line] = tuple(one.text for one in open_headings if one is not title)
    return paths


def _anchors(headings: Sequence[Heading], paths: dict[int, tuple[str, ...]]) -> list[str]:
    plain = [heading.anchor or slug(heading.text) or "section" for heading in headings]
    repeated = {name for name, count in Counter(plain).items() if count > 1}
    seen: Counter[str] = Counter()
    anchors = []
    for heading, name in zip(headings, plain, strict=True):
        above = paths[heading.line][:-1]
        anchor = f"{slug(above[-1])}/{name}" if name in repeated and above else name
        count = seen[anchor]
        seen[anchor] += 1
        while count and f"{anchor}-{count}" in seen:
            count += 1
        if count:
            anchor = f"{anchor}-{count}"
            seen[anchor] += 1
        anchors.append(anchor)
    return anchors


def _parts(page: Page, whole: Section) -> Iterator[Section]:
    """The section itself, or its parts when it is too large: `slug`, `slug~2`, `slug~3`."""
    last = whole.end_line
    while last > whole.line and not page.lines[last - 1].strip():
        last -= 1
    chunks = list(_chunks(page, whole.line, last))
    for number, (first, end, text) in enumerate(chunks, start=1):
        anchor = whole.anchor
        if len(chunks) > 1 and anchor is None:
            anchor = f"~{number}"
        elif number > 1:
            anchor = f"{anchor}~{number}"
        yield Section(anchor, whole.title, whole.path, first, end, text, whole.is_empty)


def _chunks(page: Page, first: int, last: int) -> Iterator[tuple[int, int, str]]:
    """Runs of lines of at most `MAX_CHARACTERS`, cut before a blank line if one is near; long lines are cut too."""
    start, size, blank = first, 0, 0
    for number in range(first, last + 1):
        length = len(page.lines[number - 1]) + 1
        if length > MAX_CHARACTERS:
            yield from _run(page, start, number - 1)
            yield from _slices(page, number)
            start, size, blank = number + 1, 0, 0
            continue
        if number > start and size + length > MAX_CHARACTERS:
            cut_at = blank if blank > start else number
            yield from _run(page, start, cut_at - 1)
            start, blank = cut_at, 0
            size = sum(len(page.lines[n - 1]) + 1 for n in range(start, number))
        if not page.lines[number - 1].strip():
            blank = number
        size += length
    yield from _run(page, start, last)


def _run(page: Page, first: int, last: int) -> Iterator[tuple[int, int, str]]:
    text = "\n".join(page.lines[first - 1 : last])
    if first <= last and (text.strip() or first == 1):
        yield first, last, text


def _slices(page: Page, number: int) -> Iterator[tuple[int, int, str]]:
    text = page.lines[number - 1]
    for at in range(0, len(text), MAX_CHARACTERS):
        yield number, number, text[at : at + MAX_CHARACTERS]
