"""The people that a metadata value names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scanners.page import plain

MAX = 60
ADDRESS = re.compile(
    r"<[^<>]{0,200}@[^<>]{0,200}>|\([^()]{0,200}@[^()]{0,200}\)|<https?://[^<>]{0,300}>|\(https?://[^()]{0,300}\)"
)
BARE_ADDRESS = re.compile(r"(?<![\w.])[\w.+-]{1,80}@[\w-]{1,80}\.[\w.]{1,80}")
SPLIT = re.compile(
    r"\s*(?:[,;、\uff0c\uff1b\n]|\s\|\s|\s&\s|\s\+\s|\band\b|\bund\b|\bet\b(?!\s+al)|\by\b|(?<!\w)и(?!\w)|(?:^|\s)[-*•](?=\s))\s*"
)
ROLE_LINK = re.compile(r"(?:link:|mailto:|https?:)[^\s\[\]]{1,300}\[([^\[\]]{0,100})\]")
NOBODY = re.compile(
    r"^(?:tbd|tba|todo|n/?a|none|unknown|-+|—|–|et al\.?|others?|others? to be determined\.?|null|nobody|you|\?+|name)$"
)
PLACEHOLDER = re.compile(r"^[\[{<].{0,300}[\]}>]$|\blist everyone\b|…")


def names(values: Iterable[str]) -> tuple[str, ...]:
    """The names in order, without addresses, each once; placeholders are nobody."""
    return tuple(dict.fromkeys(_names(values)))


def _names(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        yield from (name for line in value[:4_000].split("\n") for name in _in_line(line.strip()))


def _in_line(text: str) -> Iterator[str]:
    """The names on one line."""
    if text:
        if PLACEHOLDER.search(text) and "](" not in text:
            return
        if BARE_ADDRESS.fullmatch(text):
            yield text.partition("@")[0]
            return
        text = BARE_ADDRESS.sub("", ADDRESS.sub("", plain(ROLE_LINK.sub(r"\1", text))))
        for part in SPLIT.split(text):
            name = _cleaned(part)
            if name and len(name) <= MAX and not NOBODY.match(name.casefold()):
                yield name


def _cleaned(part: str) -> str:
    name = re.sub(r"\([^()]{0,80}\)", "", part)
    return " ".join(name.strip(" .:'\"()[]|-").split())
