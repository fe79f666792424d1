"""The scanners in order of precedence, and the one way to run them."""

from __future__ import annotations

import logging

from scanners.base import Scanner
from scanners.code import CodeScanner
from scanners.decisions import DecisionScanner
from scanners.docs import DocScanner
from scanners.memory_bank import MemoryBankScanner
from scanners.model import Document, Problem, ScanResult
from scanners.rules import RuleScanner

log = logging.getLogger(__name__)

SCANNERS: tuple[Scanner, ...] = (
    RuleScanner(),
    MemoryBankScanner(),
    DecisionScanner(),
    DocScanner(),
    CodeScanner(),
)
"""The first that claims a path and does not pass the document on, has it."""


def fingerprint(path: str) -> str:
    """Name and version of each scanner that claims `path`, "" when none does; a change makes the file stale."""
    return ",".join(f"{s.name}:{s.version}" for s in SCANNERS if s.claims(path))


def companions(path: str) -> tuple[str, ...]:
    """Paths of the files that belong to `path` and are read with it."""
    wanted = [c for s in SCANNERS if s.claims(path) for c in s.companions(path)]
    return tuple(dict.fromkeys(wanted))


def scan(document: Document) -> ScanResult:
    """Give `document` to the scanners in order; one that raises costs us its own view of this file, no more."""
    problems: tuple[Problem, ...] = ()
    for scanner in SCANNERS:
        if not scanner.claims(document.path):
            continue
        try:
            result = scanner.scan(document)
        except Exception as error:  # a scanner's bug must stop neither the other scanners nor the other files
            log.exception("%s scanner failed on %s", scanner.name, document.path)
            problems += (Problem(document.path, 1, f"{scanner.name} scanner failed: {type(error).__name__}"),)
            continue
        if result is not None:
            return result
    return ScanResult(problems=problems)
