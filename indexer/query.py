"""Text that a person or an agent typed -> Query. PURE. An own small grammar: no text can name a field or hang a search.

Words are looked for as they are; `"quoted words"` must stand together; `-word` must not occur. Nothing else is special:
`*`, `?`, brackets, `NOT` and `field:x` are just text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from indexer.analysis import tokens
from indexer.errors import BadInput

MAX_CHARACTERS = 2_000
MAX_TOKENS = 64
PHRASE = re.compile(r'"([^"]+)"')
EXCLUDED = re.compile(r"(?:^|(?<=\s))-(?=[^\W\d])([^\s\"]+)")


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for.

    `tokens` are distinct and in the order of the text. Texts in `phrases` must occur literally but for case and white
    space; no token in `excluded` may occur. `note` tells the user what of a long question was left out.
    """

    text: str
    tokens: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """Where to look: root names, kinds, statuses (empty means all), and a path whose neighbours are preferred."""

    roots: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    near: str | None = None


def parse(text: str) -> Query:
    """Read a question of any length; an empty one is `BadInput`."""
    if not text.strip():
        message = "the query is empty; say in a few words what to look for"
        raise BadInput(message)
    read = text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS].rpartition(" ")[0] or text[:MAX_CHARACTERS]
    phrases = tuple(plain(phrase) for phrase in PHRASE.findall(read) if phrase.strip())
    excluded = tuple(token for word in EXCLUDED.findall(read) for token in tokens(word)[-1:])
    found = tuple(dict.fromkeys(tokens(EXCLUDED.sub(" ", read))))
    note = None
    if len(text) > MAX_CHARACTERS or len(found) > MAX_TOKENS:
        note = f"the query is long: only its first {MAX_CHARACTERS} characters and {MAX_TOKENS} words were looked for"
    return Query(text, found[:MAX_TOKENS], phrases, excluded, note)


def plain(text: str) -> str:
    """`text` in one case and with single blanks, as phrases are compared."""
    return " ".join(text.casefold().split())
