"""What governs a path or symbol, and how a record stands to others. Answered from the edges as they resolve now."""

from __future__ import annotations

import posixpath
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from indexer import catalog
from indexer.catalog import Root, Stored
from indexer.errors import BadInput, NotFound
from indexer.graph import Claim, Graph, Node
from indexer.ignore import glob_matches, relative
from scanners.model import Ref

GOVERNING = {"adr", "rfc", "decision-log", "rule"}
MOST_MEANINGS = 3
SAYING = {"mentions", "links_to", "governs", "relates_to"}


@dataclass(frozen=True, slots=True)
class Target:
    """What was asked about: a folder (path with a trailing `/`), a file, or an entry in it."""

    root: Root
    path: str
    anchor: str | None = None
    symbol: str | None = None
    entry: Stored | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """An entry and the line on which the relation rests."""

    entry: Stored
    reason: str
    path: str
    line: int


Groups = dict[str, list[Evidence]]


def find_target(connection: sqlite3.Connection, text: str, roots: Sequence[Root]) -> Target:
    """Read an id, a path (of a root or absolute) or the name of a symbol; the roots are tried in order.

    Raises `NotFound` when it names nothing, `BadInput` when a symbol's name has several meanings.
    """
    if not text.strip():
        message = "name a path, a symbol or an id"
        raise BadInput(message)
    entry = catalog.stored_by_id(connection, [catalog.entry_id(text)]).get(catalog.entry_id(text))
    if entry and entry.public == text:
        return _target_of(entry)
    for root in roots:
        if target := _path_target(connection, root, text):
            return target
    found = [entry for root in roots for entry in _symbols(connection, root, text)]
    if not found:
        message = f"{text!r} is no path, symbol or id in {_names(roots)}; `search` finds ids by words"
        raise NotFound(message)
    if len({(*one.document, one.entry.symbol) for one in found}) > 1:
        some = ", ".join(one.public for one in found[:5])
        message = f"{text!r} has {len(found)} meanings; ask with one of {some}"
        raise BadInput(message)
    return _target_of(found[0])


def _names(roots: Sequence[Root]) -> str:
    return ", ".join(root.name for root in roots) or "any root"


def _target_of(entry: Stored) -> Target:
    return Target(entry.root, entry.path, entry.entry.anchor, entry.entry.symbol, entry)


def _path_target(connection: sqlite3.Connection, root: Root, text: str) -> Target | None:
    inside = relative(root.path, text.rstrip("/")) if text.startswith("/") else text
    if inside is None:
        return None
    path = posixpath.normpath(inside.replace("\\", "/").rstrip("/") or ".")
    if catalog.known_file(connection, root.id, path):
        return Target(root, path, entry=_document(connection, root, path))
    nodes = Graph(connection, root.id).resolve("", Ref("folder", path, exact=True))
    return Target(root, path + "/") if nodes else None


def _document(connection: sqlite3.Connection, root: Root, path: str) -> Stored | None:
    return _entry(connection, root, Node(path))


def _entry(connection: sqlite3.Connection, root: Root, node: Node) -> Stored | None:
    number = catalog.entry_id(catalog.public_id(root.name, node.path, node.anchor))
    return catalog.stored_by_id(connection, [number]).get(number)


def _symbols(connection: sqlite3.Connection, root: Root, name: str) -> list[Stored]:
    nodes = Graph(connection, root.id).resolve("", Ref("symbol", name.removesuffix("()").replace("::", ".")))
    return [entry for node in nodes if (entry := _entry(connection, root, node))]


def related(connection: sqlite3.Connection, target: Target) -> Groups:
    """All groups of relations of `target`; a group without entries is empty, not absent."""
    graph = Graph(connection, target.root.id)
    mentioned_by = list(_mentioned_by(connection, graph, target))
    groups: Groups = {
        "governed_by": _governed_by(connection, graph, target, mentioned_by),
        "supersedes": [],
        "superseded_by": [],
        "amends": [],
        "amended_by": [],
        "relates_to": [],
        "mentions": [],
        "mentioned_by": mentioned_by,
        "defined_in": [],
    }
    if not target.path.endswith("/"):
        _own_claims(connection, graph, target, groups)
    if target.symbol and (document := _document(connection, target.root, target.path)):
        groups["defined_in"].append(Evidence(document, "defines it", target.path, document.entry.line))
    return {name: _distinct(found, target) for name, found in groups.items()}


def _own_claims(connection: sqlite3.Connection, graph: Graph, target: Target, groups: Groups) -> None:
    for name, steps in (
        ("supersedes", graph.replaces(target.path)),
        ("superseded_by", graph.replaced_by(target.path)),
    ):
        for path, said in steps.items():
            if record := _document(connection, target.root, path):
                groups[name].append(Evidence(record, name.replace("_", " "), said.path, said.line))
    for claim in graph.claims(target.path, target.anchor):
        group = _group(claim)
        for node in _meant(graph, claim) if group else ():
            if group and (entry := _entry(connection, target.root, node)):
                reason = claim.kind.replace("_", " ") if claim.node else f"may be meant by {claim.target.name}"
                groups[group].append(Evidence(entry, reason, target.path, claim.line))
    for claim in graph.claims_about(target.path, kinds=("amends",)):
        if source := _entry(connection, target.root, Node(claim.source.path)):
            groups["amended_by"].append(Evidence(source, "amends it", claim.source.path, claim.line))


def _meant(graph: Graph, claim: Claim) -> list[Node]:
    """What a claim leads to; the few candidates of an unclear one, and nothing when it could mean anything."""
    if claim.node:
        return [claim.node]
    return graph.resolve(claim.source.path, claim.target) if claim.candidates <= MOST_MEANINGS else []


def _group(claim: Claim) -> str | None:
    if claim.kind == "amends":
        return "amended_by" if claim.inverse else "amends"
    if claim.kind == "relates_to":
        return "relates_to"
    return "mentions" if claim.kind in SAYING else None


def _mentioned_by(connection: sqlite3.Connection, graph: Graph, target: Target) -> Iterator[Evidence]:
    symbols = [target.symbol] if target.symbol else graph.symbols(target.path)
    for claim in graph.claims_about(target.path, symbols):
        about_symbol = claim.node is not None and claim.node.anchor is not None
        if claim.kind not in SAYING or (target.symbol and not (about_symbol and claim.node == _node(target))):
            continue
        if source := _entry(connection, target.root, claim.source):
            yield Evidence(source, f"names {claim.target.name}", claim.source.path, claim.line)


def _node(target: Target) -> Node:
    return Node(target.path, target.anchor)


def _governed_by(
    connection: sqlite3.Connection, graph: Graph, target: Target, mentioned_by: Iterable[Evidence]
) -> list[Evidence]:
    """Rules whose scope covers the path, then records that name it, its file and its folders, nearest first."""
    found = _rules(connection, target)
    found += [one for one in mentioned_by if one.entry.entry.kind in GOVERNING]
    above = [target.path] if target.symbol else []
    folder = posixpath.dirname(target.path.rstrip("/"))
    while folder:
        above.append(folder + "/")
        folder = posixpath.dirname(folder)
    for path in above:
        wider = Target(target.root, path)
        found += [one for one in _mentioned_by(connection, graph, wider) if one.entry.entry.kind in GOVERNING]
    return list(_now_valid(connection, graph, target.root, [_whole(connection, one) for one in found]))


def _whole(connection: sqlite3.Connection, one: Evidence) -> Evidence:
    """The record instead of the section of it that holds the evidence."""
    return replace(one, entry=_document(connection, one.entry.root, one.entry.path) or one.entry)


def _rules(connection: sqlite3.Connection, target: Target) -> list[Evidence]:
    rules = catalog.stored(connection, "WHERE e.root = ? AND e.kind = 'rule' AND e.anchor IS NULL", (target.root.id,))
    found = []
    for rule in rules:
        scope = next((glob for glob in rule.entry.scope if glob_matches(glob, target.path)), None)
        if scope:
            found.append((-len(scope), Evidence(rule, f"its scope {scope} covers the path", rule.path, 1)))
        elif not rule.entry.scope:
            found.append((0, Evidence(rule, "a rule for the whole repository", rule.path, 1)))
    return [evidence for _, evidence in sorted(found, key=lambda pair: (pair[0], pair[1].path))]


def _now_valid(
    connection: sqlite3.Connection, graph: Graph, root: Root, found: Iterable[Evidence]
) -> Iterator[Evidence]:
    """The same with each superseded record replaced by the one that is valid now."""
    for one in found:
        successors = graph.successors(one.entry.path) if one.entry.entry.kind != "rule" else []
        if not successors:
            yield one
        for path in successors:
            if record := _document(connection, root, path):
                reason = f"supersedes {one.entry.path}, which {one.reason}"
                yield Evidence(record, reason, one.path, one.line)


def _distinct(found: Iterable[Evidence], target: Target) -> list[Evidence]:
    """One line per document, the first and best reason kept; never the target itself."""
    kept: dict[str, Evidence] = {}
    for one in found:
        if one.entry.document == (target.root.id, target.path) and one.reason != "defines it":
            continue
        kept.setdefault(one.entry.path if one.entry.entry.kind != "symbol" else one.entry.public, one)
    return list(kept.values())
