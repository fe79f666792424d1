"""The passage of an entry that shows why it was found. PURE."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.analysis import tokens

MOST_CHARACTERS = 400


def snippet(text: str, wanted: Sequence[str], most: int = MOST_CHARACTERS) -> str:
    """The run of paragraphs with the most distinct `wanted` tokens, at most `most` characters, `…` where it was cut."""
    paragraphs = [paragraph.strip() for paragraph in text.split("\n\n") if _says_something(paragraph)]
    if not paragraphs:
        return _cut(" ".join(text.split()), most)
    looked_for = set(wanted)
    counts = [len(looked_for.intersection(tokens(paragraph[:4_000]))) for paragraph in paragraphs]
    best = counts.index(max(counts))
    passage = _around(paragraphs[best], looked_for, most)
    for following in paragraphs[best + 1 :]:
        if len(passage) + len(following) + 1 > most:
            break
        passage += "\n" + following
    return passage


def _says_something(paragraph: str) -> bool:
    """A heading, a rule or a mark of front matter alone explains nothing."""
    lines = [line for line in paragraph.strip().splitlines() if line.strip()]
    return any(not line.startswith("#") and line.strip("-=*_~`#>| ") for line in lines)


def _around(paragraph: str, wanted: set[str], most: int) -> str:
    """The paragraph, or when it is long the lines from the first that holds a wanted token."""
    paragraph = "\n".join(line for line in paragraph.splitlines() if not line.startswith("#"))
    if len(paragraph) <= most:
        return paragraph.strip()
    pieces = paragraph.splitlines() if "\n" in paragraph else paragraph.replace(". ", ".\n").splitlines()
    counts = [len(wanted.intersection(tokens(piece[:4_000]))) for piece in pieces]
    start = counts.index(max(counts))
    before = "… " if start else ""
    return before + _cut("\n".join(pieces[start:]), most - len(before))


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return text[: most - 2].rpartition(" ")[0] + " …" if " " in text[: most - 2] else text[: most - 1] + "…"
