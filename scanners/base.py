"""The protocol of a scanner, and nothing else."""

from __future__ import annotations

from typing import Protocol

from scanners.model import Document, ScanResult


class Scanner(Protocol):
    """Finds facts in one kind of document.

    Raising `version` makes the index re-read the files this scanner claims.
    """

    @property
    def name(self) -> str:
        """A short constant name, shown to users beside problems."""

    @property
    def version(self) -> int:
        """Grows whenever the same document would give another result."""

    def claims(self, path: str) -> bool:
        """Say by the path alone whether this scanner wants to see the document."""

    def companions(self, path: str) -> tuple[str, ...]:
        """Name the files to be read together with this one, relative to the root."""

    def scan(self, document: Document) -> ScanResult | None:
        """Return the facts, or None when the text shows that another scanner should have it. Never raises."""
