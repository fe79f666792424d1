"""What the arguments of verbs may be. One table, since the verbs share their words; held for every way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from indexer.errors import BadInput

MOST_TEXT = 100_000
MOST_NUMBER = 2**40


def _text(value: object) -> bool:
    """Say whether this is text that can be stored and named: no NUL, no half of a pair."""
    if not isinstance(value, str) or len(value) > MOST_TEXT or "\0" in value:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(_text(one) for one in value)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_NUMBER


def _flag(value: object) -> bool:
    return isinstance(value, bool)


Check = Callable[[object], bool]
TEXTS = dict.fromkeys(("query", "root", "near", "cwd", "id", "target", "reader", "verdict", "at"), (_text, "a text"))
KNOWN: Mapping[str, tuple[Check, str]] = {
    **TEXTS,
    **dict.fromkeys(("kinds", "statuses", "roots"), (_texts, "a list of texts")),
    **dict.fromkeys(("limit", "undo"), (_number, "a whole number")),
    **dict.fromkeys(("peek", "dry_run"), (_flag, "true or false")),
}


def check(arguments: Mapping[str, Any]) -> None:
    """Raise `BadInput` for a value of the wrong shape; None means that the argument is left out."""
    for name, value in arguments.items():
        if value is None or name not in KNOWN:
            continue
        fits, expected = KNOWN[name]
        if not fits(value):
            message = f"{name} must be {expected}"
            raise BadInput(message)
