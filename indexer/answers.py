"""What each reading verb answers, as the JSON values of the contract; the CLI and the daemon give the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from indexer import catalog, ingest, ranking, related, usage
from indexer.catalog import Root, Stored
from indexer.errors import BadInput, NotFound, Unavailable
from indexer.freshness import Checked
from indexer.gitfiles import branch
from indexer.graph import Claim, Graph
from indexer.index import Index
from indexer.lint import lint
from indexer.query import Filters, parse
from indexer.related import Evidence
from indexer.search import Hit, disk_state, hit, search
from scanners.model import KINDS, STATUSES, Entry

Arguments = Mapping[str, Any]
MAX_LIMIT = 100
INDEXED = "SELECT count(*) FROM files WHERE root = ? AND skip IS NULL"


@dataclass(slots=True)
class Health:
    """What the daemon knows of itself; without a daemon the defaults hold. `progress` is (root, done, to do)."""

    daemon: bool = False
    catching_up: bool = False
    pending: Callable[[], int] = lambda: 0
    overflows: int = 0
    watched: int = 0
    progress: tuple[str, int, int] | None = None
    notes: list[str] = field(default_factory=list)


def state(index: Index, health: Health) -> dict[str, Any]:
    """The state that every answer carries: `state`, `as_of`, `pending`."""
    connection = index.reader()
    roots = catalog.roots(connection)
    unfinished = connection.execute("SELECT count(*) FROM dirty").fetchone()[0]
    pending = health.pending()
    searchable = _searchable(index)
    compared = [root.reconciled for root in roots if root.reconciled]
    if index.rebuilding:
        word = "rebuilding"
    elif health.catching_up or pending or unfinished or len(compared) < len(roots):
        word = "catching_up"
    else:
        whole = searchable and not health.notes and not any(root.missing for root in roots)
        word = "ready" if whole else "degraded"
    as_of = time.time() if health.daemon and word == "ready" else min(compared, default=0.0)
    return {
        "state": word,
        "as_of": iso(as_of) if as_of else None,
        "pending": {"files": pending + unfinished, "vectors": 0},
    }


def _searchable(index: Index) -> bool:
    try:
        index.snapshot()
    except Unavailable:
        return False
    return True


def iso(moment: float) -> str:
    """A moment as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def answer_search(index: Index, health: Health, arguments: Arguments) -> dict[str, Any]:
    """Verb `search`."""
    started = time.perf_counter()
    query = parse(_text(arguments, "query"))
    chosen, reason = _roots(index, arguments)
    filters = Filters(
        tuple(root.name for root in chosen),
        _words(arguments, "kinds", KINDS),
        _words(arguments, "statuses", STATUSES),
        arguments.get("near"),
    )
    notes = [query.note, reason, *health.notes]
    limit = min(max(int(arguments.get("limit") or 10), 1), MAX_LIMIT)
    found = search(index, query, filters, limit)
    if not query.tokens:
        notes.append("the question has no word that could be looked for")
    return {
        "query": query.text,
        **state(index, health),
        "no_good_match": found.no_good_match,
        "roots": [root.name for root in chosen],
        "branch": {root.name: branch(root.path) for root in chosen},
        "note": "; ".join(note for note in notes if note) or None,
        "hits": [hit_json(one) for one in found.hits],
        "total": found.total,
        "took_ms": round(1000 * (time.perf_counter() - started), 1),
    }


def answer_read(index: Index, health: Health, arguments: Arguments) -> dict[str, Any]:
    """Verb `read`: counts as a use unless `peek`."""
    connection = index.reader()
    stored = _entry(index, _text(arguments, "id"))
    if disk_state(connection, stored) is None:
        message = f"{stored.public} is gone from the disk; the index is catching up"
        raise NotFound(message)
    if not arguments.get("peek"):
        index.record_use(stored.id, str(arguments.get("reader") or "cli"), time.time())
    found = hit(connection, stored)
    groups = related.related(connection, related.find_target(connection, stored.public, [stored.root]))
    relations = [
        {
            "kind": kind, "direction": "in" if kind.endswith("_by") else "out", "id": one.entry.public,
            "title": one.entry.entry.title, "status": one.entry.entry.status,
        }
        for kind, group in groups.items()
        for one in group
    ]  # fmt: skip
    return {
        "entry": {**entry_json(stored, _relations(index, stored)), "text": stored.entry.text, "stale": found.stale},
        "relations": relations,
        "freshness": {"verdict": found.freshness, "details": [_checked_json(one) for one in found.details]},
        **state(index, health),
        "branch": branch(stored.root.path),
    }


def answer_related(index: Index, health: Health, arguments: Arguments) -> dict[str, Any]:
    """Verb `related`."""
    connection = index.reader()
    chosen, _ = _roots(index, arguments)
    others = [root for root in catalog.roots(connection) if root not in chosen]
    target = related.find_target(connection, _text(arguments, "target"), [*chosen, *others])
    groups = related.related(connection, target)
    entry = target.entry.entry if target.entry else None
    return {
        "target": {
            "id": target.entry.public if target.entry else None, "root": target.root.name, "path": target.path,
            "kind": entry.kind if entry else "folder" if target.path.endswith("/") else "file",
            "title": entry.title if entry else target.path, "symbol": target.symbol,
            "status": entry.status if entry else None,
        },
        "groups": {name: [_evidence_json(index, one) for one in group] for name, group in groups.items()},
        **state(index, health),
        "branch": branch(target.root.path),
    }  # fmt: skip


def answer_entries(index: Index, health: Health, arguments: Arguments) -> dict[str, Any]:
    """Verb `entries`: every entry, or those of a root or kind, in the order of paths and lines."""
    del health
    conditions = ["1 = 1"]
    values: list[object] = []
    if arguments.get("root"):
        chosen, _ = _roots(index, arguments)
        conditions.append("e.root = ?")
        values.append(chosen[0].id)
    if kinds := _words(arguments, "kinds", KINDS):
        conditions.append(f"e.kind IN ({', '.join('?' * len(kinds))})")
        values += kinds
    where = f"WHERE {' AND '.join(conditions)} ORDER BY e.root, e.path, e.anchor IS NOT NULL, e.line"
    return {"entries": list(_entry_lines(index, where, values))}


def _entry_lines(index: Index, where: str, values: Sequence[object]) -> Iterator[dict[str, Any]]:
    connection = index.reader()
    for stored in list(catalog.stored(connection, where, values)):
        related_to_others = stored.entry.anchor is None and stored.entry.kind != "symbol"
        yield entry_json(stored, _relations(index, stored) if related_to_others else {})


def answer_status(index: Index, health: Health, arguments: Arguments) -> dict[str, Any]:
    """Verb `status`."""
    del arguments
    connection = index.reader()
    run = usage.last_run(connection)
    return {
        **state(index, health),
        "daemon": health.daemon,
        "roots": [root_json(index, root) for root in catalog.roots(connection)],
        "watches": health.watched,
        "overflows": health.overflows,
        "progress": health.progress,
        "last_decay": {"run": run[0], "at": iso(run[1])} if run else None,
        "notes": health.notes,
    }


def answer_feedback(index: Index, health: Health, arguments: Arguments) -> dict[str, Any]:
    """Verb `feedback`: an agent's judgement moves the strength of an entry at the next decay run."""
    del health
    verdict = _text(arguments, "verdict")
    if verdict not in {"useful", "stale", "wrong"}:
        message = f'verdict "{verdict}" is not known; say useful, stale or wrong'
        raise BadInput(message)
    stored = _entry(index, _text(arguments, "id"))
    recorded = index.record_use(stored.id, str(arguments.get("reader") or "cli"), time.time(), verdict)
    return {"id": stored.public, "verdict": verdict, "recorded": recorded}


def answer_roots(index: Index, health: Health, arguments: Arguments) -> dict[str, Any]:
    """Verb `roots`."""
    del health, arguments
    return {"roots": [root_json(index, root) for root in catalog.roots(index.reader())]}


def answer_lint(index: Index, health: Health, arguments: Arguments) -> dict[str, Any]:
    """Verb `lint`."""
    chosen, _ = _roots(index, arguments)
    findings = lint(index.reader(), chosen)
    return {**state(index, health), "findings": [asdict(finding) for finding in findings]}


READS = {
    "search": answer_search,
    "read": answer_read,
    "related": answer_related,
    "entries": answer_entries,
    "status": answer_status,
    "feedback": answer_feedback,
    "roots": answer_roots,
    "lint": answer_lint,
}


# Shapes


def hit_json(one: Hit) -> dict[str, Any]:
    """A hit as the contract has it."""
    stored, entry = one.stored, one.stored.entry
    return {
        "id": stored.public, "root": stored.root.name, "path": stored.path, "line": entry.line,
        "end_line": entry.end_line, "kind": entry.kind, "title": entry.title, "heading": list(entry.heading),
        "symbol": entry.symbol, "status": _status(entry), "date": entry.date, "score": round(one.score, 4),
        "weight": round(stored.weight, 4), "freshness": one.freshness, "superseded_by": list(one.superseded_by),
        "stale": one.stale, "snippet": one.snippet, "why": {name: round(part, 4) for name, part in one.why.items()},
    }  # fmt: skip


def _status(entry: Entry) -> str | None:
    """The status to show: a section that weighs options does not have that of its record."""
    return None if ranking.is_option(entry.kind, entry.heading) else entry.status


def entry_json(stored: Stored, relations: Mapping[str, list[str]]) -> dict[str, Any]:
    """An entry as a line of `entries`."""
    entry = stored.entry
    return {
        "id": stored.public, "anchor": entry.anchor, "root": stored.root.name, "path": stored.path,
        "line": entry.line, "end_line": entry.end_line, "kind": entry.kind, "subkind": entry.subkind,
        "title": entry.title, "number": entry.number, "status": entry.status, "status_raw": entry.status_raw,
        "date": entry.date, "deciders": list(entry.deciders), "supersedes": relations.get("supersedes", []),
        "superseded_by": relations.get("superseded_by", []), "relates_to": relations.get("relates_to", []),
        "headings": list(entry.headings), "language": entry.language, "symbol": entry.symbol,
        "signature": entry.signature, "weight": round(stored.weight, 6),
    }  # fmt: skip


def root_json(index: Index, root: Root) -> dict[str, Any]:
    """A root with its counts."""
    connection = index.reader()

    def count(sql: str) -> int:
        return int(connection.execute(sql, (root.id,)).fetchone()[0])

    skipped = dict(ingest.skipped(connection, root.id))
    problems = connection.execute(
        "SELECT path, line, message FROM problems WHERE root = ? ORDER BY path, line", (root.id,)
    )
    return {
        "root": root.name, "name": root.name, "path": str(root.path), "branch": branch(root.path),
        "missing": not os.path.isdir(root.path), "files": count(INDEXED),
        "entries": count("SELECT count(*) FROM entries WHERE root = ?"),
        "symbols": count("SELECT count(*) FROM entries WHERE root = ? AND kind = 'symbol'"),
        "edges": count("SELECT count(*) FROM edges WHERE root = ?"), "skipped": skipped,
        "problems": [dict(row) for row in problems],
        "last_reconcile": iso(root.reconciled) if root.reconciled else None,
    }  # fmt: skip


def _evidence_json(index: Index, one: Evidence) -> dict[str, Any]:
    shape = hit_json(hit(index.reader(), one.entry))
    return {**shape, "evidence": {"reason": one.reason, "path": one.path, "line": one.line}}


def _checked_json(checked: Checked) -> dict[str, Any]:
    return {"name": checked.name, "line": checked.line, "verdict": checked.verdict, "target": checked.target}


def _relations(index: Index, stored: Stored) -> dict[str, list[str]]:
    """Relations as paths relative to the root; a target that does not resolve is named as its document names it."""
    graph = Graph(index.reader(), stored.root.id)
    found: dict[str, list[str]] = {
        "supersedes": [],
        "superseded_by": list(graph.replaced_by(stored.path)),
        "relates_to": [],
    }
    for claim in graph.claims(stored.path):
        group = _relation(claim)
        if group:
            name = claim.node.path if claim.node else claim.target.name
            if name not in found[group] and name != stored.path:
                found[group].append(name)
    for path in graph.replaces(stored.path):
        if path not in found["supersedes"]:
            found["supersedes"].append(path)
    return found


def _relation(claim: Claim) -> str | None:
    if claim.kind == "supersedes":
        return "superseded_by" if claim.inverse else "supersedes"
    return "relates_to" if claim.kind in {"relates_to", "amends"} else None


# Arguments


def _entry(index: Index, public: str) -> Stored:
    number = catalog.entry_id(public)
    stored = catalog.stored_by_id(index.reader(), [number]).get(number)
    if stored is None:
        message = f"no entry has the id {public!r}; `search` answers with ids, and an id changes when its heading does"
        raise NotFound(message)
    return stored


def _roots(index: Index, arguments: Arguments) -> tuple[list[Root], str]:
    """The roots to answer for, named or the one the caller works in, and what the caller should know of the choice."""
    every = catalog.roots(index.reader())
    if not every:
        message = "no root is registered; run `lorewatch scan PATH` on a repository first"
        raise NotFound(message)
    if wanted := arguments.get("root"):
        found = [root for root in every if wanted == root.name or ingest.canonical(wanted) == root.path]
        if not found:
            message = f"no root is named {wanted!r}; roots are {', '.join(root.name for root in every)}"
            raise NotFound(message)
        return found, ""
    if cwd := arguments.get("cwd"):
        inside = [root for root in every if Path(cwd).is_relative_to(root.path)]
        if inside:
            nearest = max(inside, key=lambda root: len(root.path.parts))
            return [nearest], f"searched in {nearest.name}, where the caller works"
        names = ", ".join(root.name for root in every)
        return every, f"{cwd} is not indexed; looked in all roots: {names}. `lorewatch roots add` adds it"
    return every, ""


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str):
        message = f"{name} is missing; it must be a text"
        raise BadInput(message)
    return value


def _words(arguments: Arguments, name: str, known: Sequence[str]) -> tuple[str, ...]:
    words = tuple(arguments.get(name) or ())
    for word in words:
        if word not in known:
            message = f"{word!r} is not one of the {name}: {', '.join(known)}"
            raise BadInput(message)
    return words
