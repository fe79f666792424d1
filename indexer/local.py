"""The verbs without a daemon: this process opens the files itself, for writing only when the verb writes."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

from indexer import config, db
from indexer.answers import READS, Health
from indexer.index import Index
from indexer.ingest import Progress
from indexer.service import Service
from indexer.writer import WRITES, Writer

PATIENCE = 2.0
"""Seconds to wait for another command that writes."""


def answer(verb: str, arguments: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
    """The JSON value of a verb."""
    settings = config.load()
    if verb == "rebuild" and db.damaged(settings.home):
        roots = db.set_aside(settings.home)
        arguments = {"roots": [root for root in roots if os.path.isdir(root)]}
    with Index(settings.home, write=verb not in READS, patience=PATIENCE) as index:
        writer = Writer(index, settings, time.time, progress)
        return Service(index, Health(), writer.answer, frozenset(WRITES))(verb, arguments)
