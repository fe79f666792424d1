"""The people that a metadata value names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scanners.page import plain

MAX = 60
ADDRESS = re.compile(r"<[^<>]{0,200}@[^<>]{0,200}>|\([^()]{0,200}@[^()]{0,200}\)|<https?://[^<>]{0,300}>|\(https?://[^()]{0,300}\)")
BARE_ADDRESS = re.compile(r"(?<![\w.])[\w.+-]{1,80}@[\w-]{1,80}\.[\w.]{1,80}")
SPLIT = re.compile(r"\s*(?:[,;、，；\n]|\s&\s|\s\+\s|\band\b|\bund\b|\bet\b(?!\s+al)|\by\b|(?<!\w)и(?!\w)|(?:^|\s)[-*•](?=\s))\s*")
NOBODY = re.compile(
    r"^(?:tbd|tba|todo|n/?a|none|unknown|-+|—|–|et al\.?|others?|others? to be determined\.?|null|nobody|you|\?+|name)$"
)
PLACEHOLDER = re.compile(r"^[\[{<].{0,300}[\]}>]$|\blist everyone\b|…")


def names(values: Iterable[str]) -> tuple[str, ...]:
    """The names in order, without addresses, each once; placeholders are nobody."""
    return tuple(dict.fromkeys(_names(values)))


def _names(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        text = value[:4_000].strip()
        if PLACEHOLDER.search(text) and "](" not in text:
            continue
        if BARE_ADDRESS.fullmatch(text):
            yield text.partition("@")[0]
            continue
        text = BARE_ADDRESS.sub("", ADDRESS.sub("", plain(text)))
        for part in SPLIT.split(text):
            name = _cleaned(part)
            if name and len(name) <= MAX and not NOBODY.match(name.casefold()):
                yield name


def _cleaned(part: str) -> str:
    name = re.sub(r"\([^()]{0,80}\)", "", part)
    return " ".join(name.strip(" .:'\"()[]|-").split())
