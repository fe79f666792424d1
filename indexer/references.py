"""The code that an entry names, looked up in the index as it is now."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator

from indexer.catalog import Stored
from indexer.freshness import CURRENT, MISSING, UNKNOWN, Checked
from indexer.graph import Claim, Graph
from scanners.model import Ref

KINDS = {"mentions", "links_to", "relates_to", "supersedes", "amends"}


def references(connection: sqlite3.Connection, stored: Stored) -> Iterator[Checked]:
    """Each file, folder or symbol that the entry names, in the order of the text, with its verdict.

    A symbol that the index does not know may belong to a library: it is unknown, not missing. A path that leads
    nowhere is missing when it was written as a path of this repository.
    """
    if stored.entry.kind == "symbol":
        return
    graph = Graph(connection, stored.root.id)
    seen: set[tuple[str, str]] = set()
    for claim in graph.claims(stored.path, stored.entry.anchor):
        name = (claim.target.kind, claim.target.name)
        if claim.kind in KINDS and claim.target.kind in {"file", "folder", "symbol"} and name not in seen:
            seen.add(name)
            yield _checked(claim, stored, graph)


def _checked(claim: Claim, stored: Stored, graph: Graph) -> Checked:
    if claim.node:
        anchor = f"#{claim.node.anchor}" if claim.node.anchor else ""
        return Checked(claim.target.name, claim.line, CURRENT, claim.node.path + anchor)
    if claim.candidates or (claim.target.kind != "symbol" and _on_disk(claim, stored)):
        return Checked(claim.target.name, claim.line, CURRENT)
    return Checked(claim.target.name, claim.line, MISSING if _is_ours(claim, graph) else UNKNOWN)


def _is_ours(claim: Claim, graph: Graph) -> bool:
    """Say whether a path was meant to lie in this repository: a link, or one that begins with a folder of the root."""
    if claim.target.kind != "file":
        return False
    first, slash, _ = claim.target.name.partition("/")
    return claim.target.exact or bool(slash and graph.resolve("", Ref("folder", first, exact=True)))


def _on_disk(claim: Claim, stored: Stored) -> bool:
    """Ignored and generated files are not in the index, yet they exist."""
    beside = (stored.root.path / stored.path).parent
    folders = (stored.root.path,) if claim.target.exact else (stored.root.path, beside)
    return any(os.path.exists(folder / claim.target.name) for folder in folders)
