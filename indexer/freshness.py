"""Does the code that an entry names still stand? PURE: a verdict from references that were looked up already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CURRENT, MISSING, UNKNOWN = "current", "missing", "unknown"
ORDER = (MISSING, "drifted", "moved", CURRENT)
"""The worst first: the verdict of an entry is the worst of its references."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A reference to code, where it stands in the document, and whether it leads anywhere now."""

    name: str
    line: int
    verdict: str
    target: str | None = None


def verdict(references: Sequence[Checked]) -> str:
    """The worst verdict that matters; `unknown` when the entry names no code that can be looked up."""
    found = {reference.verdict for reference in references}
    return next((one for one in ORDER if one in found), UNKNOWN)
