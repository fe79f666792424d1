"""A root on disk with its index, and the documents that tests put into it."""

from __future__ import annotations

from pathlib import Path

from indexer.answers import Health
from indexer.config import Config
from indexer.index import Index
from indexer.service import Service
from indexer.writer import WRITES, Writer

ADR = "# {number}. {title}\n\nDate: 2026-01-02\n\n## Status\n\n{status}\n\n## Decision\n\n{text}\n"
CLEAN: dict[str, list[str]] = {"ghosts": [], "missing": [], "stale": []}
NOW = 1_800_000_000.0


class Project:
    """A root on disk with its index: write files, reconcile, ask."""

    def __init__(self, folder: Path, index: Index) -> None:
        self.folder = folder
        self.index = index
        self.now = NOW
        self.writer = Writer(index, Config(home=index.home), lambda: self.now)
        self.answer = Service(index, Health(), self.writer.answer, frozenset({*WRITES}))

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file of the root; folders are made."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def reconcile(self) -> None:
        """Make the index equal to the disk."""
        self.writer.reconcile(self.writer.add_root(self.folder))

    def paths(self, query: str, **arguments: object) -> list[str]:
        """The paths of the hits for a question, best first."""
        hits = self.answer("search", {"query": query, **arguments})["hits"]
        return [hit["path"] for hit in hits]

    def verify(self) -> dict[str, list[str]]:
        """Where index and disk differ."""
        return self.writer.answer("verify", {})


def adr(number: int, title: str, text: str = "We do so.", status: str = "Accepted") -> str:
    """A decision record as adr-tools writes it."""
    return ADR.format(number=number, title=title, text=text, status=status)
