"""Entities and edges: put, resolve, neighbours. Functions over a connection.

An edge is stored as its document names the target and resolved when it is asked, so that it is true of the files as
they are indexed now: a target that was renamed is dangling at once, one that came back stands again.
"""

from __future__ import annotations

import posixpath
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scanners.model import Edge, Entity, Ref

NUMBERED = re.compile(r"\W*(?:[^\W\d_]{1,10}[-_ #]*)?0*(\d+)\W*")
SHORTEST_WORD = 5
"""A shorter name of letters alone (`Get`, `read`) is a common word and never taken for a symbol."""

SERIES = re.compile(r"([^\W\d_]{2,10})[-_ #]*\d+$")

MOST = 2_000
"""Edges with one key that are looked at; more of them name something too common to mean anything."""


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """A place in a root that an edge leads to: a file, an entry in it, or (with a trailing `/`) a folder."""

    path: str
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """An edge as stored: `source` claims it, `node` is what it resolves to, None while that is nothing or unclear."""

    source: Node
    kind: str
    inverse: bool
    target: Ref
    line: int
    node: Node | None = None
    candidates: int = 0


@dataclass(frozen=True, slots=True)
class Said:
    """Where a claim stands."""

    path: str
    line: int


def key(kind: str, name: str) -> str:
    """What names that may mean the same have in common: file name, last part of a symbol, number of a record."""
    if kind in {"file", "folder"}:
        return name.rstrip("/").rpartition("/")[2]
    if kind == "symbol":
        return name.rpartition(".")[2]
    numbered = NUMBERED.fullmatch(name)
    return numbered[1] if kind == "decision" and numbered else name.casefold()


def put(
    connection: sqlite3.Connection, root: int, path: str, entities: Iterable[Entity], edges: Iterable[Edge]
) -> None:
    """Store what one document defines and claims."""
    connection.executemany(
        "INSERT INTO entities VALUES (?, ?, ?, ?, ?, ?)",
        ((root, path, one.kind, one.name, key(one.kind, one.name), one.anchor) for one in entities),
    )
    connection.executemany(
        "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                root, path, edge.anchor, edge.kind, edge.inverse, edge.target.kind, edge.target.name,
                edge.target.exact, edge.target.folder, key(edge.target.kind, edge.target.name), edge.target.line,
                edge.line,
            )
            for edge in edges
        ),
    )  # fmt: skip


class Graph:
    """The edges of one root, read over `connection`; answers within one question are kept."""

    def __init__(self, connection: sqlite3.Connection, root: int) -> None:
        self._connection = connection
        self._root = root
        self._resolved: dict[tuple[str, Ref], list[Node]] = {}

    def claims(self, path: str, anchor: str | None = None) -> list[Claim]:
        """What a document (or with `anchor` one entry of it) says, resolved, in the order of the text."""
        sql = "SELECT * FROM edges WHERE root = ? AND path = ?"
        arguments: list[object] = [self._root, path]
        if anchor is not None:
            sql += " AND anchor = ?"
            arguments.append(anchor)
        rows = self._connection.execute(sql + " ORDER BY line", arguments)
        return [self._claim(row) for row in rows]

    def claims_about(self, path: str, symbols: Sequence[str] = (), kinds: Sequence[str] = ()) -> Iterator[Claim]:
        """What other documents say about a file or folder, or about one of `symbols` defined in it."""
        names = {key("file", path), *(key("symbol", symbol) for symbol in symbols)}
        names |= {row[0] for row in self._decision_keys(path)}
        marks = ", ".join("?" * len(names))
        sql = f"SELECT * FROM edges WHERE root = ? AND key IN ({marks}) LIMIT {MOST}"  # noqa: S608 - marks only
        for row in self._connection.execute(sql, (self._root, *names)):
            if row["path"] == path or (kinds and row["kind"] not in kinds):
                continue
            claim = self._claim(row)
            if claim.node and claim.node.path == path:
                yield claim

    def symbols(self, path: str) -> list[str]:
        """The names of all symbols that a file defines."""
        rows = self._connection.execute(
            "SELECT name FROM entities WHERE root = ? AND path = ? AND kind = 'symbol'", (self._root, path)
        )
        return [row[0] for row in rows]

    def successors(self, path: str) -> list[str]:
        """The records that replace the one at `path`, chains followed to their end, by whichever side says so."""
        return self._chain(path, towards_new=True)

    def replaced_by(self, path: str) -> dict[str, Said]:
        """The records that directly replace the one at `path`, each with where that is said."""
        return self._step(path, towards_new=True)

    def replaces(self, path: str) -> dict[str, Said]:
        """The records that the one at `path` directly replaces, each with where that is said."""
        return self._step(path, towards_new=False)

    def _chain(self, path: str, *, towards_new: bool) -> list[str]:
        seen, ends, open_ends = {path}, [], [path]
        while open_ends:
            following = [one for one in self._step(open_ends.pop(), towards_new=towards_new) if one not in seen]
            seen.update(following)
            for one in following:
                if self._step(one, towards_new=towards_new):
                    open_ends.append(one)
                else:
                    ends.append(one)
        return ends

    def _step(self, path: str, *, towards_new: bool) -> dict[str, Said]:
        found: dict[str, Said] = {}
        for claim in self.claims(path):
            if claim.kind == "supersedes" and claim.inverse == towards_new and claim.node:
                found.setdefault(claim.node.path, Said(path, claim.line))
        for claim in self.claims_about(path, kinds=("supersedes",)):
            if claim.inverse != towards_new:
                found.setdefault(claim.source.path, Said(claim.source.path, claim.line))
        found.pop(path, None)
        return found

    def _decision_keys(self, path: str) -> Iterator[tuple[str]]:
        yield from self._connection.execute(
            "SELECT key FROM entities WHERE root = ? AND path = ? AND kind = 'decision'", (self._root, path)
        )

    def _claim(self, row: sqlite3.Row) -> Claim:
        target = Ref(row["target_kind"], row["target"], bool(row["exact"]), row["folder"], row["target_line"])
        nodes = self.resolve(row["path"], target)
        node = nodes[0] if len(nodes) == 1 else None
        source = Node(row["path"], row["anchor"])
        return Claim(source, row["kind"], bool(row["inverse"]), target, row["line"], node, len(nodes))

    # Resolving

    def resolve(self, path: str, target: Ref) -> list[Node]:
        """What `target`, named in the document at `path`, can mean: nothing, one node, or several when unclear."""
        known = (path if target.kind in {"file", "folder"} else target.folder, target)
        if known not in self._resolved:
            self._resolved[known] = self._look_up(path, target)
        return self._resolved[known]

    def _look_up(self, path: str, target: Ref) -> list[Node]:
        match target.kind:
            case "file":
                return self._files(path, target)
            case "folder":
                return self._folders(path, target)
            case "symbol":
                return self._symbols(target)
            case "decision":
                return self._decisions(target)
            case _:
                return []

    def _files(self, path: str, target: Ref) -> list[Node]:
        name = posixpath.normpath(target.name)
        exact = self._file(name) or ([] if target.exact else self._file(_beside(path, name)))
        if exact:
            return exact
        if target.exact:
            return self._folder(name)
        rows = self._connection.execute(
            "SELECT path FROM files WHERE root = ? AND name = ?", (self._root, key("file", name))
        )
        return [Node(row[0]) for row in rows if ("/" + row[0]).endswith("/" + name)]

    def _file(self, path: str) -> list[Node]:
        row = self._connection.execute("SELECT 1 FROM files WHERE root = ? AND path = ?", (self._root, path))
        return [Node(path)] if row.fetchone() else []

    def _folders(self, path: str, target: Ref) -> list[Node]:
        name = posixpath.normpath(target.name.rstrip("/") or ".")
        return self._folder(name) or ([] if target.exact else self._folder(_beside(path, name)))

    def _folder(self, path: str) -> list[Node]:
        """The folder, or the record that lives in its README or index file."""
        sql = "SELECT path FROM files WHERE root = ? AND path > ? AND path < ? LIMIT 1"
        if not self._connection.execute(sql, (self._root, path + "/", path + "0")).fetchone():
            return []
        for name in ("README.md", "index.md", "readme.md"):
            if record := self._file(f"{path}/{name}"):
                return record
        return [Node(path + "/")]

    def _symbols(self, target: Ref) -> list[Node]:
        rows = self._connection.execute(
            "SELECT path, name, anchor FROM entities WHERE root = ? AND kind = 'symbol' AND key = ?",
            (self._root, key("symbol", target.name)),
        ).fetchall()
        if len(target.name) < SHORTEST_WORD and target.name.isalpha():
            return []
        for same in (
            [row for row in rows if row["name"] == target.name],
            [row for row in rows if row["name"].endswith("." + target.name)],
            [row for row in rows if _qualified_by_path(target.name, row["name"], row["path"])],
        ):
            if same:
                return [Node(row["path"], row["anchor"]) for row in same]
        return []

    def _decisions(self, target: Ref) -> list[Node]:
        rows = self._connection.execute(
            "SELECT DISTINCT path, anchor FROM entities WHERE root = ? AND kind = 'decision' AND key = ?",
            (self._root, key("decision", target.name)),
        ).fetchall()
        nodes = [Node(row["path"], row["anchor"]) for row in rows if _in_series(row["path"], target.name)]
        return [node for node in nodes if _in_folder(node.path, target.folder)] if target.folder else nodes


def _qualified_by_path(name: str, symbol: str, path: str) -> bool:
    """Say whether `name` is `symbol` with the module or package in front of it, as its path shows."""
    before, dot, _ = name.rpartition("." + symbol)
    places = {*path.split("/")[:-1], path.rpartition("/")[2].partition(".")[0]}
    return bool(dot) and before.rpartition(".")[2] in places


def _beside(path: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))


def _in_series(path: str, name: str) -> bool:
    """Say whether a record may be of the series that an id names: `OEP-3` is never ADR 3."""
    series = SERIES.match(name)
    return not series or series[1].casefold() in {"adr", "decision"} or series[1].casefold() in path.casefold()


def _in_folder(path: str, folder: str) -> bool:
    """Say whether a record lies in `folder`, directly or as the README of a folder in it."""
    parent = posixpath.dirname(path)
    return parent == folder or (posixpath.dirname(parent) == folder and key("file", path).lower() in _RECORD_NAMES)


_RECORD_NAMES = {"readme.md", "index.md", "readme.rst", "index.rst", "readme.adoc", "proposal.rst"}
