"""What a maintainer of records should mend. Reads the index; judges what documents say against each other."""

from __future__ import annotations

import os
import posixpath
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indexer import catalog
from indexer.catalog import Root, Stored
from indexer.graph import Claim, Graph

RECORDS = {"adr", "rfc"}
JUDGED = RECORDS | {"decision-log", "index", "rule", "skill", "memory-bank"}
RELATIONS = {"supersedes", "amends", "relates_to"}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something to mend: where, which rule is broken, and what to do."""

    root: str
    path: str
    line: int
    rule: str
    message: str


def lint(connection: sqlite3.Connection, roots: Sequence[Root]) -> list[Finding]:
    """All findings of some roots, by path and line."""
    return sorted({finding for root in roots for finding in _root(connection, root)})


def _root(connection: sqlite3.Connection, root: Root) -> Iterator[Finding]:
    where = "WHERE e.root = ? AND e.anchor IS NULL AND e.kind != 'symbol' ORDER BY e.path"
    documents = list(catalog.stored(connection, where, (root.id,)))
    judged = [one for one in documents if one.entry.kind in JUDGED]
    graph = Graph(connection, root.id)
    for document in judged:
        claims = graph.claims(document.path)
        yield from _dangling(document, claims)
        if document.entry.kind in RECORDS:
            yield from _one_sided(document, claims, graph)
            yield from _without_status(document)
    yield from _same_numbers([one for one in judged if one.entry.kind in RECORDS])
    yield from _incomplete_indexes(judged, graph)
    yield from _problems(connection, root, {one.path for one in judged})


def _dangling(document: Stored, claims: Sequence[Claim]) -> Iterator[Finding]:
    for claim in claims:
        lost = claim.node is None and not claim.candidates
        if lost and _must_resolve(claim) and not os.path.exists(document.root.path / claim.target.name):
            yield _finding(document, claim.line, "dangling", f"names {claim.target.name}, which is not there")


def _must_resolve(claim: Claim) -> bool:
    """A link or import must lead somewhere; a bare id in passing (OEP-50) may belong to a series elsewhere."""
    if claim.kind in {"links_to", "imports"}:
        return claim.target.exact
    return claim.kind in {"supersedes", "amends"} or (claim.kind == "relates_to" and claim.target.exact)


def _one_sided(document: Stored, claims: Sequence[Claim], graph: Graph) -> Iterator[Finding]:
    for claim in claims:
        if claim.kind != "supersedes" or claim.node is None or claim.node.path == document.path:
            continue
        back = [
            other
            for other in graph.claims(claim.node.path)
            if other.kind == "supersedes" and other.inverse != claim.inverse
            and other.node and other.node.path == document.path
        ]  # fmt: skip
        if not back:
            verb, answer = ("superseded by", "supersedes") if claim.inverse else ("supersedes", "superseded by")
            message = f"says it is {verb} {claim.node.path}, which does not say {answer}"
            yield _finding(document, claim.line, "one-sided", message.replace("it is supersedes", "it supersedes"))


def _without_status(document: Stored) -> Iterator[Finding]:
    if document.entry.status in (None, "unknown") and document.entry.status_raw is None:
        yield _finding(document, 1, "no-status", "has no status")


def _same_numbers(records: Sequence[Stored]) -> Iterator[Finding]:
    by_number: dict[tuple[str, str], list[Stored]] = defaultdict(list)
    for record in records:
        if record.entry.number is not None:
            by_number[_series(record.path), str(record.entry.number)].append(record)
    for (_, number), same in by_number.items():
        for record in same if len(same) > 1 else ():
            others = ", ".join(one.path for one in same if one is not record)
            yield _finding(record, 1, "same-number", f"shares the number {number} with {others}")


def _series(path: str) -> str:
    """The folder in which a number should be unique: for a record that is a README the one above."""
    folder, name = posixpath.split(path)
    return posixpath.dirname(folder) if name.lower().startswith(("readme.", "index.")) else folder


def _incomplete_indexes(judged: Sequence[Stored], graph: Graph) -> Iterator[Finding]:
    records = [one for one in judged if one.entry.kind in RECORDS]
    for index in (one for one in judged if one.entry.kind == "index"):
        folder = posixpath.dirname(index.path)
        listed = {claim.node.path for claim in graph.claims(index.path) if claim.node}
        beside = [one for one in records if _series(one.path) == folder]
        missing = [one.path for one in beside if one.path not in listed]
        # A page that lists none of them is a text about the folder, or is made by a tool when the site is built.
        if beside and listed and len(missing) < len(beside):
            for path in missing:
                yield _finding(index, 1, "not-listed", f"does not list {path}")


def _problems(connection: sqlite3.Connection, root: Root, paths: set[str]) -> Iterator[Finding]:
    for row in connection.execute("SELECT path, line, message FROM problems WHERE root = ?", (root.id,)):
        if row["path"] in paths:
            yield Finding(root.name, row["path"], row["line"], "contradiction", row["message"])


def _finding(document: Stored, line: int, rule: str, message: str) -> Finding:
    return Finding(document.root.name, document.path, line, rule, message)
