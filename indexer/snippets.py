"""The passage of an entry that shows why it was found. PURE. Lines stand as in the file; `…` marks what was cut."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from indexer.analysis import tokens

MOST_CHARACTERS = 400
READ_CHARACTERS = 4_000

DECIDED = re.compile(
    r"^\W*(?:\d+\W+)?(?:the )?(?!decision drivers)(?:decisions?\b|chosen option|resolution|решени|entscheidung|décision"
    r"|decisi[oó]n|decisão|resultado da decisão|决策|决定|決定)",
    re.IGNORECASE,
)
"""Headings of the part of a record that says what was decided, in the languages that records are written in."""

LONGEST_WORD = 40
"""A passage is cut at a blank if there is one so near; Chinese and Japanese have few."""

COMMENT_OR_CODE = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)|\Z)|(?<!`)`++[^`\n]++`"
    r"|^ {0,3}<!--.*?(?:-->|\Z)|<!--(?:(?!<!--).){0,2000}?-->",
    re.MULTILINE | re.DOTALL,
)
"""What looks like a comment within code is none, so code is matched first. A block is hidden up to its end."""

UNDERLINE = re.compile(r"^([=\-~^\"'*+#`.:_])\1{2,}\s*$")


def snippet(text: str, wanted: Sequence[str], most: int = MOST_CHARACTERS) -> str:
    """The run of paragraphs from the one with the most distinct `wanted` tokens on, at most `most` characters."""
    paragraphs = _paragraphs(_visible(text)) or _paragraphs(text)
    if not paragraphs:
        return _cut(" ".join(text.split()), most)
    looked_for = set(wanted)
    counts = [len(looked_for.intersection(tokens(paragraph[:READ_CHARACTERS]))) for paragraph in paragraphs]
    best = counts.index(max(counts))
    passage = _around(paragraphs[best], looked_for, most)
    for following in paragraphs[best + 1 :]:
        if len(passage) + len(following) + 2 > most:
            break
        passage += "\n\n" + following
    return passage


def decision_snippet(text: str, wanted: Sequence[str], most: int = MOST_CHARACTERS) -> str:
    """What a whole record decided, and where room is left the passage that was looked for.

    The context of a record says how things were, which read alone is the opposite of what was decided.
    """
    decided = _paragraphs(_decided(_visible(text)))
    if not decided:
        return snippet(text, wanted, most)
    passage = _cut(decided[0], most)
    for following in decided[1:]:
        if len(passage) + len(following) + 2 > most:
            break
        passage += "\n\n" + following
    return passage


def _visible(text: str) -> str:
    """The text without HTML comments."""
    if "<!--" not in text:
        return text
    return COMMENT_OR_CODE.sub(lambda found: "" if found[0].lstrip(" ").startswith("<!--") else found[0], text)


def _decided(text: str) -> str:
    """The text under the first heading that names the decision, up to the next heading of any level."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if _is_heading(lines, number) and DECIDED.match(line.lstrip("#= ")):
            start = number + 1
            end = next((n for n in range(start + 1, len(lines)) if _is_heading(lines, n)), len(lines))
            section = "\n".join(lines[start:end])
            if _paragraphs(section):
                return section
    return ""


def _is_heading(lines: Sequence[str], number: int) -> bool:
    line = lines[number]
    if line.startswith("#") or re.match(r"^={1,6} \S", line):
        return True
    below = lines[number + 1] if number + 1 < len(lines) else ""
    return (
        bool(line.strip())
        and not UNDERLINE.match(line)
        and bool(UNDERLINE.match(below))
        and len(below) >= len(line) - 2
    )


def _paragraphs(text: str) -> list[str]:
    """The paragraphs that say something, each without headings, underlines and marks of front matter."""
    lines = text.splitlines()
    kept = [
        line
        for number, line in enumerate(lines)
        if not _is_heading(lines, number) and not UNDERLINE.match(line) and line.strip() not in {"---", "+++", "```"}
    ]
    paragraphs = [paragraph.strip("\n").rstrip() for paragraph in re.split(r"\n\s*\n", "\n".join(kept))]
    return [paragraph for paragraph in paragraphs if paragraph.strip("-=*_~`#>| \n")]


def _around(paragraph: str, wanted: set[str], most: int) -> str:
    """The paragraph, or when it is long the lines from the first that holds a wanted token."""
    if len(paragraph) <= most:
        return paragraph
    pieces = paragraph.splitlines() if "\n" in paragraph else paragraph.replace(". ", ".\n").splitlines()
    counts = [len(wanted.intersection(tokens(piece[:READ_CHARACTERS]))) for piece in pieces]
    start = counts.index(max(counts))
    before = "… " if start else ""
    return before + _cut("\n".join(pieces[start:]), most - len(before))


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    blank = text.rfind(" ", max(most - LONGEST_WORD, 0), most - 1)
    if blank > 0:
        return text[:blank] + " …"
    end = most - 1
    while end > most - LONGEST_WORD and _belongs_to_the_sign_before(text, end):
        end -= 1
    return text[:end] + "…"


def _belongs_to_the_sign_before(text: str, at: int) -> bool:
    """Accents, vowel signs, skin tones and what is joined to the picture before."""
    joiner = "\u200d"
    sign = text[at]
    return (
        sign == joiner
        or text[at - 1] == joiner
        or "\U0001f3fb" <= sign <= "\U0001f3ff"
        or unicodedata.category(sign).startswith("M")
    )
