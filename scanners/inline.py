"""Links and code spans of one paragraph of Markdown, found in one pass whose time grows with the length only."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from scanners.page import Code, Link

TOKEN = re.compile(r"\\[^\w\s]|`+|\[|\]|<")
TICKS = re.compile(r"`+")
BARE = re.compile(r"(?:[^()\s]++|\([^()\s]{0,300}\))*+")
MAX_TARGET = 2_000
MAX_TEXT = 1_000
AUTOLINK = re.compile(r"<([^\s<>]{2,1000})>")
INNER_LABEL = re.compile(r"\[([^\[\]\n]{0,200})\]")


def spans(text: str, line: int, definitions: Mapping[str, str]) -> tuple[list[Link], list[Code]]:
    """The links and code spans of a paragraph that begins on `line`."""
    reading = _Spans(text, definitions)
    reading.read()
    starts = _Lines(text, line)
    links = [Link(label, target, starts.at(position)) for position, label, target in sorted(reading.links)]
    starts = _Lines(text, line)
    codes = [Code(code, starts.at(position)) for position, code in sorted(reading.codes)]
    return links, codes


class _Lines:
    """The line of each position; positions must be asked in ascending order."""

    def __init__(self, text: str, line: int) -> None:
        self._text = text
        self._line = line
        self._seen = 0

    def at(self, position: int) -> int:
        self._line += self._text.count("\n", self._seen, position)
        self._seen = position
        return self._line


@dataclass(slots=True)
class _Spans:
    text: str
    definitions: Mapping[str, str]
    links: list[tuple[int, str, str]] = field(default_factory=list)
    codes: list[tuple[int, str]] = field(default_factory=list)
    _open: list[int] = field(default_factory=list)
    _runs: dict[int, list[int]] = field(default_factory=dict)

    def read(self) -> None:
        at = 0
        while match := TOKEN.search(self.text, at):
            mark = match[0]
            at = match.end()
            if mark[0] == "`":
                at = self._code(match.start(), len(mark), at)
            elif mark == "[":
                self._open.append(match.start())
            elif mark == "]" and self._open:
                at = self._link(self._open.pop(), match.start())
            elif mark == "<":
                at = self._autolink(match.start(), at)

    def _code(self, start: int, ticks: int, after: int) -> int:
        """The end of the code span that opens here, or the place after the ticks when it is never closed."""
        closers = self._ticks().get(ticks, [])
        at = bisect_left(closers, after)
        if at == len(closers):
            return after
        content = " ".join(self.text[after : min(closers[at], after + MAX_TEXT)].split())
        if content and closers[at] - after <= MAX_TEXT:
            self.codes.append((start, content))
        return closers[at] + ticks

    def _ticks(self) -> dict[int, list[int]]:
        """The places of all runs of ticks, by their length."""
        if not self._runs:
            for match in TICKS.finditer(self.text):
                self._runs.setdefault(len(match[0]), []).append(match.start())
        return self._runs

    def _link(self, opening: int, closing: int) -> int:
        label = self.text[opening + 1 : closing] if closing - opening <= MAX_TEXT else ""
        following = self.text[closing + 1 : closing + 2]
        if following == "(":
            target, stop = _destination(self.text, closing + 2)
            if target is not None:
                self.links.append((opening, " ".join(label.split()), target))
                return stop
        if following == "[" and (inner := INNER_LABEL.match(self.text, closing + 1)):
            self._reference(opening, label, inner[1] or label)
            return inner.end()
        if following == "]" and self.text[opening - 1 : opening] == "[":
            name, _, shown = label.partition("|")
            self.links.append((opening, shown or name, f"wiki:{name.strip()}"))
            return closing + 2
        if following != ":":
            self._reference(opening, label, label)
        return closing + 1

    def _reference(self, opening: int, label: str, name: str) -> None:
        target = self.definitions.get(" ".join(name.split()).casefold())
        if target:
            self.links.append((opening, " ".join(label.split()), unquote(target)))

    def _autolink(self, start: int, after: int) -> int:
        match = AUTOLINK.match(self.text, start)
        if not match:
            return after
        if "/" in match[1][1:] and not match[1].startswith("/"):
            self.links.append((start, match[1], match[1]))
        return match.end()


def _destination(text: str, start: int) -> tuple[str | None, int]:
    """The target of `](target "title")` and where it ends; None when it is none."""
    at = start
    while text[at : at + 1] in {" ", "\n"}:
        at += 1
    if text[at : at + 1] == "<":
        end = text.find(">", at, at + MAX_TARGET)
        if end < 0:
            return None, start
        target, at = text[at + 1 : end], end + 1
    else:
        bare = BARE.match(text, at)
        target = bare[0] if bare else ""
        at += len(target)
        if len(target) > MAX_TARGET:
            return None, start
    closing = text.find(")", at, at + MAX_TARGET)
    if closing < 0:
        return None, start
    return unquote(target.strip()), closing + 1
