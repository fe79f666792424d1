"""All that can wake the daemon. One queue carries them to the one thread that writes."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any


@dataclass(frozen=True, slots=True)
class Settled:
    """Paths below a root that changed and have been quiet since; files or folders, there or gone."""

    root: int
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class ReconcileDue:
    """A root (None: every root) has to be compared whole; `why` is for the log."""

    root: int | None
    why: str


@dataclass(frozen=True, slots=True)
class DecayDue:
    """It is time to weigh the entries."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A user's command that writes; the answer or the error goes into `answer`."""

    verb: str
    arguments: Mapping[str, Any]
    answer: Future[dict[str, Any]] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Stop:
    """Finish what is being written, then end."""


Event = Settled | ReconcileDue | DecayDue | Asked | Stop

Events = SimpleQueue[Event]
