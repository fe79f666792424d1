"""MediaWiki text taken apart: headings, the header in a `<pre>` block, links."""

from __future__ import annotations

import re
from functools import lru_cache

from scanners.frontmatter import key_of
from scanners.page import MAX_LINES, Code, Field, Heading, Link, Page, cut_short, normal, plain

HEADING = re.compile(r"^(={1,6})\s*([^=\n].{0,300}?)\s*\1\s*$")
HEADER_LINE = re.compile(r"^\s{0,8}([A-Z][\w -]{1,40}):\s*(.*)$")
LINK = re.compile(r"\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{0,300}))?\]\]|\[([^\s\[\]]{1,500})\s+([^\[\]\n]{1,300})\]")
CODE = re.compile(r"<(?:code|tt)>([^<>\n]{1,300})</(?:code|tt)>")


def parse(text: str) -> Page:
    """Take a MediaWiki text apart."""
    return _parse(normal(text))


@lru_cache(maxsize=2)
def _parse(text: str) -> Page:
    lines = tuple(text.split("\n"))
    shown, matter = list[str](), list[Field]()
    block = ""
    for number, line in enumerate(lines[:MAX_LINES], start=1):
        low = line.strip().casefold()
        opened = next((tag for tag in ("pre", "source", "syntaxhighlight") if low.startswith(f"<{tag}")), "")
        if block or opened:
            if (block or opened) == "pre" and not _has_heading(shown):
                matter += _header(line, number, matter)
            block = "" if f"</{block or opened}>" in low else block or opened
            shown.append("")
        else:
            shown.append(line)
    shown += [""] * (len(lines) - len(shown))
    headings = tuple(
        Heading(len(match[1]), plain(match[2].strip("'")), number, number)
        for number, line in enumerate(shown, start=1)
        if (match := HEADING.match(line[:400]))
    )
    links = tuple(
        Link(match[2] or match[4] or match[1], match[1] or match[3], number)
        for number, line in enumerate(shown, start=1)
        if "[" in line
        for match in LINK.finditer(line[:4_000])
    )
    codes = tuple(Code(match[1], n) for n, line in enumerate(shown, start=1) for match in CODE.finditer(line[:4_000]))
    return Page(lines, tuple(shown), headings, links, codes, (), tuple(matter), problems=cut_short(lines))


def _has_heading(shown: list[str]) -> bool:
    return any(line.startswith("=") for line in shown)


def _header(line: str, number: int, matter: list[Field]) -> list[Field]:
    match = HEADER_LINE.match(line.replace("<pre>", ""))
    if match:
        return [Field(key_of(match[1]), (match[2].strip(),), number, "header")]
    if matter and line.strip() and not line.strip().startswith("<"):
        last = matter.pop()
        return [Field(last.key, (*last.values, line.strip()), last.line, last.source)]
    return []
