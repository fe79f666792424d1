"""Markdown taken apart: headings, fences, comments, tables, links, code spans, front matter.

markdown-it-py finds the blocks; its inline rules are not run, because a hostile line makes them slow. Links and code
spans are found here in one pass over each paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from scanners import frontmatter
from scanners.inline import spans
from scanners.page import EXPLICIT_ID, MAX_LINES, Code, Field, Heading, Link, Page, cut_short, normal, plain
from scanners.tables import pipe_tables

if TYPE_CHECKING:
    from markdown_it.token import Token

ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(\S.*)$")
HTML_TITLE = re.compile(r"<h1\b[^<>]{0,200}>([^<>]{1,300})</h1>", re.IGNORECASE)
CLOSING_HASHES = re.compile(r"[ \t]+#+[ \t]*$")
UNDERLINE = re.compile(r"^={3,}\s*$")
NUMBERED_TITLE = re.compile(r"^\d{1,4}[.)] \S")
DEFINITION = re.compile(r"^ {0,3}\[([^\[\]]{1,200})\]:[ \t]*<?([^\s<>]{1,1000})>?")
ORG_KEYWORD = re.compile(r"^#\+(\w[\w-]{0,30}):[ \t]*(.*)$")
RAW_HTML = ("<pre", "<script", "<style", "<textarea", "<!--", "<?", "<!")
LINE_WISE = frozenset({"mdc"})


def parse(text: str, *, line_wise: bool = False) -> Page:
    """Take a Markdown text apart; `line_wise` for rule files whose front matter only looks like YAML."""
    return _parse(normal(text), line_wise)


@lru_cache(maxsize=2)
def _parse(text: str, line_wise: bool) -> Page:
    lines = tuple(text.split("\n"))
    matter = frontmatter.read(lines, line_wise=line_wise)
    keywords, skipped = _org_keywords(lines, matter.lines)
    body = [""] * skipped + list(lines[skipped:MAX_LINES])
    reading = _Reading(body, len(lines))
    reading.read()
    return Page(
        lines,
        tuple(reading.shown),
        tuple(reading.headings),
        tuple(reading.links),
        tuple(reading.codes),
        pipe_tables(reading.shown),
        (*matter.fields, *keywords),
        problems=(*matter.problems, *cut_short(lines)),
    )


def _org_keywords(lines: tuple[str, ...], start: int) -> tuple[list[Field], int]:
    """`#+key: value` lines at the top, as Org mode writes them, also in files that are Markdown otherwise."""
    fields, number = [], start
    for number in range(start, min(start + 40, len(lines))):
        match = ORG_KEYWORD.match(lines[number])
        if match:
            fields.append(Field(frontmatter.key_of(match[1]), (match[2].strip(),), number + 1, "header"))
        elif lines[number].strip():
            break
    return (fields, number) if fields else ([], start)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").disable("reference")


class _Reading:
    """The tokens of one text turned into the parts of a page."""

    def __init__(self, body: list[str], total: int) -> None:
        self.body = body
        self.shown = body + [""] * (total - len(body))
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.codes: list[Code] = []
        self._paragraphs: list[tuple[int, int]] = []

    def read(self) -> None:
        text = "\n".join(self.body)
        tokens: list[Token] = []
        parser = _parser()
        parser.block.parse(text, parser, {}, tokens)
        for at, token in enumerate(tokens):
            self._token(token, tokens[at + 1] if at + 1 < len(tokens) else token)
        self._underlined_items()
        self.headings.sort(key=lambda heading: heading.line)
        self._inline()

    def _token(self, token: Token, following: Token) -> None:
        if token.map is None:
            return
        start, end = token.map
        if token.type in {"fence", "code_block"}:
            self._blank(start, end)
        elif token.type == "html_block":
            self._html(start, end)
        elif token.type == "heading_open":
            self._heading(token, following, start, end)
            self._paragraphs.append((start, end))
        elif token.type == "paragraph_open":
            self._paragraphs.append((start, end))

    def _blank(self, start: int, end: int) -> None:
        self.shown[start:end] = [""] * (end - start)

    def _html(self, start: int, end: int) -> None:
        block = self.body[start:end]
        if block[0].lstrip().lower().startswith(RAW_HTML) and not block[0].lstrip().startswith("<!--"):
            self._blank(start, end)
            return
        visible = without_comments("\n".join(block), hides_rest=True).split("\n")
        self.shown[start:end] = visible
        for number, line in enumerate(visible, start=start + 1):
            if match := ATX.match(line):
                self.headings.append(_made(len(match[1]), match[2], number, number))
            elif not self.headings and (match := HTML_TITLE.search(line[:1_000])):
                self.headings.append(_made(1, match[1], number, number))
        self._paragraphs.append((start, end))

    def _heading(self, token: Token, following: Token, start: int, end: int) -> None:
        text = following.content
        setext = token.markup in {"=", "-"}
        if token.level or not text.strip() or (setext and not _is_setext(text, token.markup)):
            return
        self.headings.append(_made(int(token.tag[1:]), text, start + 1, end))

    def _underlined_items(self) -> None:
        """`1. Title` over a line of `=` is a list item to the grammar and a heading to everybody else."""
        for number, line in enumerate(self.shown[1:], start=1):
            above = self.shown[number - 1]
            if line[:1] == "=" and UNDERLINE.match(line) and NUMBERED_TITLE.match(above):
                self.headings.append(_made(1, above, number, number + 1))

    def _inline(self) -> None:
        definitions = dict(self._definitions())
        for start, end in self._paragraphs:
            block = "\n".join(self.shown[start:end])
            if "<!--" in block:
                block = without_comments(block)
                self.shown[start:end] = block.split("\n")
            links, codes = spans(block, start + 1, definitions)
            self.links.extend(links)
            self.codes.extend(codes)

    def _definitions(self) -> Iterator[tuple[str, str]]:
        for start, end in self._paragraphs:
            for line in self.shown[start:end]:
                if line.lstrip().startswith("[") and (match := DEFINITION.match(line)):
                    yield match[1].casefold(), match[2]


def _made(level: int, text: str, line: int, end: int) -> Heading:
    explicit = EXPLICIT_ID.search(text)
    text = CLOSING_HASHES.sub("", text.replace("\n", " "))
    return Heading(level, plain(without_comments(text)), line, end, explicit[1] if explicit else None)


def _is_setext(text: str, mark: str) -> bool:
    """A line of dashes under metadata or under several lines was meant as a rule, whatever the grammar says."""
    if mark == "=":
        return True
    return "\n" not in text and not re.match(r"^[*_>| ]*[\w ]{1,30}(?:\*\*)?[:\uff1a]", text) and "|" not in text


def without_comments(text: str, *, hides_rest: bool = False) -> str:
    """The text with HTML comments cut out, line breaks kept; one that is never closed is text, or hides the rest."""
    if "<!--" not in text:
        return text
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start + 4)
        stop = len(text) if end < 0 else end + 3
        if end < 0 and not hides_rest:
            break
        parts += [text[at:start], "\n" * text.count("\n", start, stop)]
        at = stop
    return "".join([*parts, text[at:]])
