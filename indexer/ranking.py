"""Candidates -> hits in order, each with the named parts of its score. PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from indexer import decay

AUTHORITY: Mapping[str, float] = MappingProxyType(
    {
        "adr": 1.25,
        "rfc": 1.2,
        "rule": 1.15,
        "decision-log": 1.15,
        "skill": 1.0,
        "doc": 1.0,
        "memory-bank": 1.0,
        "symbol": 0.9,
        "index": 0.55,
        "template": 0.4,
    }
)
STATUS: Mapping[str, float] = MappingProxyType(
    {"accepted": 1.05, "rejected": 0.85, "superseded": 0.7, "deprecated": 0.75, "draft": 0.9}
)
NEAR = 0.3
COVERAGE_LOWEST = 0.1
SYMBOL_TEST = 0.7
PER_DOCUMENT = 2
WEIGHED_OPTION = 0.6
SIDE_PATHS = re.compile(
    r"(?:^|/)(?:tests?|testing|testdata|fixtures?|fakes?|mocks?|__tests__|__mocks__|__snapshots__|vendor|third_party)/",
    re.IGNORECASE,
)
OPTIONS = re.compile(
    r"\b(?:options?|alternatives?|rejected|variants?|pros and cons|варианты?|альтернатив\w*|optionen|alternativen"
    r"|alternativas?|opciones|opç\w+)\b|方案|选项|代替案|選択肢",
    re.IGNORECASE,
)
"""Headings under which a record weighs what it did not choose; such a section does not have the record's status."""
ENOUGH_COVERAGE = 0.34
"""A best hit that holds less than this share of what the words of the question weigh is no match."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that may answer, and all that ranking may look at.

    `coverage` is the share of the question's words, weighed by rarity, that the entry holds; `document` names its file;
    `option` says that it weighs what was not chosen, `aside` that it is a test, a fake or somebody else's code;
    `successors` are the ids of the live records that replace its document.
    """

    id: int
    document: tuple[int, str]
    text_score: float
    coverage: float
    kind: str
    status: str | None
    weight: float
    nearness: float = 0.0
    option: bool = False
    aside: bool = False
    successors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score and what made it: `why` holds the text score and the factors it was multiplied by."""

    candidate: Candidate
    score: float
    why: Mapping[str, float] = field(default_factory=dict)


def rank(candidates: Sequence[Candidate], limit: int, per_document: int = PER_DOCUMENT) -> list[Ranked]:
    """The best `limit` hits, best first, at most `per_document` of one document.

    A record that was replaced never stands above its successor when that is among the candidates.
    """
    scored = {candidate.id: _scored(candidate) for candidate in candidates}
    for ranked in list(scored.values()):
        for successor in ranked.candidate.successors:
            if successor in scored and scored[successor].score <= ranked.score:
                above = scored[successor]
                why = {**above.why, "replaces": ranked.score * 1.01 / max(above.score, 1e-9)}
                scored[successor] = replace(above, score=ranked.score * 1.01, why=why)
    order = sorted(scored.values(), key=lambda ranked: (-ranked.score, ranked.candidate.id))
    return _spread(order, limit, per_document)


def _scored(candidate: Candidate) -> Ranked:
    status = "superseded" if candidate.successors else (candidate.status or "")
    factors = {
        "coverage": COVERAGE_LOWEST + (1 - COVERAGE_LOWEST) * candidate.coverage,
        "authority": AUTHORITY.get(candidate.kind, 1.0) * (SYMBOL_TEST if candidate.aside else 1.0),
        "status": STATUS.get(status, 1.0),
        "weight": decay.factor(candidate.weight),
        "near": 1.0 + NEAR * candidate.nearness,
        "option": WEIGHED_OPTION if candidate.option else 1.0,
    }
    score = candidate.text_score
    for value in factors.values():
        score *= value
    kept = {name: value for name, value in factors.items() if value != 1.0 or name == "weight"}
    return Ranked(candidate, score, {"text": candidate.text_score, **kept})


def _spread(order: Sequence[Ranked], limit: int, per_document: int) -> list[Ranked]:
    taken: dict[tuple[int, str], int] = {}
    hits: list[Ranked] = []
    for ranked in order:
        count = taken.get(ranked.candidate.document, 0)
        if count < per_document:
            taken[ranked.candidate.document] = count + 1
            hits.append(ranked)
        if len(hits) == limit:
            break
    return hits


def is_option(kind: str, heading: Sequence[str]) -> bool:
    """Say whether a section of a record weighs options instead of saying what was decided."""
    return kind in {"adr", "rfc"} and any(OPTIONS.search(one) for one in heading)


def is_aside(path: str, tags: Sequence[str]) -> bool:
    """Say whether code is a test, a fake, generated or somebody else's: true, but seldom what was asked for."""
    return bool({"test", "generated"}.intersection(tags)) or bool(SIDE_PATHS.search(path))


def nearness(path: str, near: str | None) -> float:
    """How much of its folders `path` shares with `near`: 1 for the same file, 0 for nothing in common."""
    if not near:
        return 0.0
    if path == near:
        return 1.0
    ours, theirs = path.split("/")[:-1], near.split("/")[:-1]
    shared = 0
    for one, other in zip(ours, theirs, strict=False):
        if one != other:
            break
        shared += 1
    return 0.8 * shared / max(len(ours), len(theirs), 1)
