"""One door for every verb: `answer(verb, arguments)`, the same for the CLI, the HTTP routes and the MCP tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from indexer import arguments as arguments_of_verbs
from indexer.answers import READS, Health
from indexer.errors import BadInput
from indexer.index import Index

Answer = Callable[[str, Mapping[str, Any]], dict[str, Any]]


class Service:
    """Answers reading verbs from the index in the calling thread, and hands writing verbs to `write`."""

    def __init__(self, index: Index, health: Health, write: Answer, writes: frozenset[str]) -> None:
        self._index = index
        self._health = health
        self._write = write
        self._writes = writes

    def __call__(self, verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON value of a verb; raises `IndexerError` for what the user must act on."""
        arguments_of_verbs.check(arguments)
        if verb in READS:
            return READS[verb](self._index, self._health, arguments)
        if verb in self._writes:
            return self._write(verb, arguments)
        message = f"there is no verb {verb!r}; verbs are {', '.join(sorted({*READS, *self._writes}))}"
        raise BadInput(message)


def local_answer(home: Path, note: str | None = None) -> Answer:
    """Answer reading verbs from the files of `home` without a daemon; `note` is said in every state."""
    health = Health(notes=[note] if note else [])
    return Service(Index(home, write=False), health, _refuse, frozenset())


def _refuse(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    del arguments
    message = f"{verb} needs the daemon; start it with `lorewatch serve`"
    raise BadInput(message)
