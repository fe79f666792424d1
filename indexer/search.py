"""A question -> ranked hits: candidates from the full text, successors from the graph, checked on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from indexer import catalog, ranking
from indexer.analysis import tokens
from indexer.catalog import Known, Stored
from indexer.freshness import Checked, verdict
from indexer.graph import Graph
from indexer.index import Index
from indexer.postings import Match, Term
from indexer.query import Filters, Query, plain
from indexer.ranking import Candidate, Ranked
from indexer.references import references
from indexer.snippets import decision_snippet, snippet

BOOSTS = {"title": 0.7, "heading": 0.2, "names": 0.7, "body": 1.0, "path": 0.15}
CANDIDATES = 200
CHAINS = 60
"""How many of the best candidates are asked for their successors."""

RECORDS = {"adr", "rfc", "decision-log"}


@dataclass(frozen=True, slots=True)
class Hit:
    """An answer: an entry as it stands on disk now, its score and what made it.

    `stale` says that its file has changed since it was read; `superseded_by` are the records that replace it.
    """

    stored: Stored
    score: float
    why: Mapping[str, float]
    snippet: str
    freshness: str
    details: tuple[Checked, ...]
    superseded_by: tuple[str, ...]
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a search, best first; `total` counts all entries that hold a word of the question."""

    hits: tuple[Hit, ...]
    total: int
    no_good_match: bool


def search(index: Index, query: Query, filters: Filters, limit: int) -> Found:
    """Answer `query`. Nothing near is an honest `no_good_match` without hits, not the least bad entries."""
    connection = index.reader()
    matches = _matches(index, query, filters, max(CANDIDATES, 10 * limit))
    stored = catalog.stored_by_id(connection, [match.id for match in matches])
    kept = [match for match in matches if match.id in stored and _literally(stored[match.id], query)]
    if not kept or max(match.coverage for match in kept) < ranking.ENOUGH_COVERAGE:
        return Found((), len(kept), no_good_match=True)
    candidates, stored = _candidates(connection, kept, stored, filters)
    hits: list[Hit] = []
    for ranked in ranking.rank(candidates, 2 * limit):
        hit = _hit(connection, ranked, stored[ranked.candidate.id], query)
        if hit and len(hits) < limit:
            hits.append(hit)
    return Found(tuple(hits), len(kept), no_good_match=not hits)


def _matches(index: Index, query: Query, filters: Filters, limit: int) -> list[Match]:
    terms = [Term(name, token, boost) for token in query.tokens for name, boost in BOOSTS.items()]
    only: dict[str, Sequence[str]] = {}
    if filters.roots:
        names = {root.name: str(root.id) for root in catalog.roots(index.reader())}
        only["root"] = [names[name] for name in filters.roots]
    if filters.kinds:
        only["kind"] = filters.kinds
    if filters.statuses:
        only["status"] = filters.statuses
    return index.snapshot().search(terms, only, limit)


def _literally(stored: Stored, query: Query) -> bool:
    """Say whether the quoted phrases stand in the entry and the excluded words do not."""
    if not query.phrases and not query.excluded:
        return True
    text = plain(f"{stored.entry.title}\n{stored.entry.text}\n{stored.path}")
    words = set(tokens(text)) if query.excluded else set()
    return all(phrase in text for phrase in query.phrases) and not words.intersection(query.excluded)


def _candidates(
    connection: sqlite3.Connection, matches: Sequence[Match], stored: dict[int, Stored], filters: Filters
) -> tuple[list[Candidate], dict[int, Stored]]:
    """The matches, and the successors of those that were replaced, which are pulled in even when they do not match."""
    by_match = {match.id: match for match in matches}
    successors = _successors(connection, [stored[match.id] for match in matches[:CHAINS]])
    pulled = {one.id: one for group in successors.values() for one in group if _asked_for(one, filters)}
    everything = {**pulled, **{number: stored[number] for number in by_match}}
    candidates = []
    for number, one in everything.items():
        match = by_match.get(number, Match(number, 0.0, 0.0))
        candidates.append(
            Candidate(
                id=number, document=one.document, text_score=match.score, coverage=match.coverage,
                kind=one.entry.kind, status=one.entry.status, weight=one.weight,
                nearness=ranking.nearness(one.path, filters.near),
                option=ranking.is_option(one.entry.kind, one.entry.heading),
                aside=one.entry.kind == "symbol" and ranking.is_aside(one.path, one.entry.tags),
                successors=tuple(successor.id for successor in successors.get(one.document, ())),
            )
        )  # fmt: skip
    return candidates, everything


def _asked_for(stored: Stored, filters: Filters) -> bool:
    """Say whether an entry passes the filters that the full text applies to all others."""
    kinds, statuses = filters.kinds, filters.statuses
    return (not kinds or stored.entry.kind in kinds) and (not statuses or stored.entry.status in statuses)


def _successors(connection: sqlite3.Connection, stored: Sequence[Stored]) -> dict[tuple[int, str], list[Stored]]:
    found: dict[tuple[int, str], list[Stored]] = {}
    graphs: dict[int, Graph] = {}
    for one in stored:
        if one.entry.kind not in RECORDS or one.document in found:
            continue
        graph = graphs.setdefault(one.root.id, Graph(connection, one.root.id))
        ids = [catalog.entry_id(catalog.public_id(one.root.name, path, None)) for path in graph.successors(one.path)]
        found[one.document] = list(catalog.stored_by_id(connection, ids).values()) if ids else []
    return found


def _hit(connection: sqlite3.Connection, ranked: Ranked, stored: Stored, query: Query) -> Hit | None:
    """The hit, or None when its file is gone from the disk."""
    stale = disk_state(connection, stored)
    if stale is None:
        return None
    return hit(connection, stored, query.tokens, stale=stale, score=ranked.score, why=ranked.why)


def hit(
    connection: sqlite3.Connection,
    stored: Stored,
    wanted: Sequence[str] = (),
    *,
    stale: bool = False,
    score: float = 0.0,
    why: Mapping[str, float] | None = None,
) -> Hit:
    """An entry as an answer, with its freshness and what replaces its record."""
    details = tuple(references(connection, stored))
    entry = stored.entry
    graph = Graph(connection, stored.root.id)
    replaced_by = graph.replaced_by(stored.path) if entry.kind in RECORDS else []
    text = entry.text if entry.search_text is None else entry.text or entry.search_text
    shown = decision_snippet if entry.kind in RECORDS and entry.anchor is None else snippet
    return Hit(
        stored, score, why or {}, shown(text, wanted), verdict(details), details,
        tuple(catalog.public_id(stored.root.name, path, None) for path in replaced_by), stale,
    )  # fmt: skip


def disk_state(connection: sqlite3.Connection, stored: Stored) -> bool | None:
    """None when the entry's file is gone, else whether it has changed since it was read."""
    known: Known | None = catalog.known_file(connection, stored.root.id, stored.path)
    try:
        status = (stored.root.path / stored.path).stat(follow_symlinks=False)
    except (OSError, ValueError):
        return None
    return known is None or (known.stamp.size, known.stamp.mtime_ns) != (status.st_size, status.st_mtime_ns)
