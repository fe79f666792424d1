"""An index that answers from memory, for tests of the bridge."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from indexer.errors import NotFound
from indexer.home import Running
from mcp_bridge.server import make_server

TOKEN = "t0ken-of-the-tests"
STATE: dict[str, Any] = {
    "state": "ready",
    "as_of": "2026-12-01T03:00:00Z",
    "pending": {"files": 0, "vectors": 0},
}


def hit(number: int = 1, **changes: object) -> dict[str, Any]:
    path = f"docs/adr/{number:04}-use-sqlite.md"
    return {
        "id": f"shop:{path}", "root": "shop", "path": path, "line": 1, "end_line": 20, "kind": "adr",
        "title": f"{number}. Use SQLite", "heading": [], "symbol": None, "status": "accepted", "date": "2026-01-02",
        "score": 1.5, "weight": 1.0, "freshness": "current", "superseded_by": [], "stale": False,
        "snippet": "We keep everything in SQLite.", "why": {"text": 1.5}, **changes,
    }  # fmt: skip


def found(*hits: Mapping[str, Any], **changes: object) -> dict[str, Any]:
    return {
        "query": "sqlite", **STATE, "no_good_match": not hits, "roots": ["shop"], "branch": {"shop": "main"},
        "note": None, "hits": list(hits), "total": len(hits), "took_ms": 1.0, **changes,
    }  # fmt: skip


def opened(text: str = "# 1. Use SQLite\n\nAccepted\n", **changes: object) -> dict[str, Any]:
    entry = {**hit(), "anchor": None, "text": text, "superseded_by": [], "deciders": []}
    entry["end_line"] = 1 + text.count("\n")
    return {
        "entry": entry, "relations": [], "freshness": {"verdict": "unknown", "details": []}, **STATE, "branch": "main",
        **changes,
    }  # fmt: skip


def relatives(**groups: list[dict[str, Any]]) -> dict[str, Any]:
    names = ("governed_by", "supersedes", "superseded_by", "mentions", "mentioned_by", "defined_in")
    return {
        "target": {"id": None, "root": "shop", "path": "src/store.py", "kind": "file", "title": "src/store.py",
                   "symbol": None, "status": None},
        "groups": {name: groups.get(name, []) for name in names}, **STATE, "branch": "main",
    }  # fmt: skip


class FakeIndex:
    """Answers every verb, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.threads: set[str] = set()
        self.answers: dict[str, Any] = {
            "search": found(*map(hit, range(1, 4))),
            "read": opened(),
            "related": relatives(governed_by=[hit()]),
            "status": {**STATE, "roots": [{"name": "shop", "branch": "main", "files": 3, "entries": 9, "symbols": 4}]},
            "feedback": {"id": "shop:a.md", "verdict": "useful", "recorded": True},
            "roots": {"roots": []},
        }

    def __call__(self, verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self.asked.append((verb, dict(arguments)))
        self.threads.add(threading.current_thread().name)
        if verb not in self.answers:
            message = f"there is no verb {verb!r}"
            raise NotFound(message)
        answer = self.answers[verb]
        if isinstance(answer, Exception):
            raise answer
        return dict(answer)

    def last(self, verb: str) -> dict[str, Any]:
        return [arguments for asked, arguments in self.asked if asked == verb][-1]


def listening() -> socket.socket:
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen(16)
    return bound


@contextmanager
def daemon(index: FakeIndex, home: Path, token: str | None = TOKEN) -> Iterator[Running]:
    """A server over `index` that `home` leads to, as a daemon would be."""
    bound = listening()
    served = Running(f"http://127.0.0.1:{bound.getsockname()[1]}", token, 1)
    server = make_server(index, token, bound)
    server.start()
    home.mkdir(exist_ok=True)
    served.write(home)
    try:
        yield served
    finally:
        server.stop()
