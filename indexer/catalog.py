"""What was read: roots, files, entries, problems. Functions over a connection; a caller holds the transaction."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from indexer import graph
from scanners.model import Entry, Problem, ScanResult


@dataclass(frozen=True, slots=True)
class Root:
    """A registered folder. `name` is unique and never changes; `reconciled` is when it was last compared whole."""

    id: int
    name: str
    path: Path
    added: float
    reconciled: float | None
    missing: bool


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells whether a file must be read again; `mtime_ns` and `size` are a first look, `digest` decides."""

    digest: str
    size: int
    mtime_ns: int
    scanner: str

    @property
    def modified(self) -> float:
        """When the file was written, in seconds since the epoch."""
        return self.mtime_ns / 1e9


@dataclass(frozen=True, slots=True)
class Known:
    """What the catalog holds of a file: its stamp, and why it is not indexed if it is not."""

    stamp: Stamp
    skip: str | None


def public_id(root: str, path: str, anchor: str | None) -> str:
    """The id by which users and agents name an entry."""
    place = path.replace("#", "%23")  # what follows a # is the anchor, whatever file names hold
    return f"{root}:{place}" if anchor is None else f"{root}:{place}#{anchor}"


def entry_id(public: str) -> int:
    """The same id as a number for the stores: 63 bits, so that it survives re-indexing and rebuilding by itself."""
    return int.from_bytes(hashlib.blake2b(public.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


def roots(connection: sqlite3.Connection) -> list[Root]:
    """All registered roots by name."""
    rows = connection.execute("SELECT * FROM roots ORDER BY name")
    return [
        Root(row["id"], row["name"], Path(row["path"]), row["added"], row["reconciled"], bool(row["missing"]))
        for row in rows
    ]


def add_root(connection: sqlite3.Connection, path: Path, now: float) -> Root:
    """Register `path`, or return it as it is registered. Its name is the folder's, numbered when taken."""
    known = {root.path: root for root in roots(connection)}
    if path in known:
        return known[path]
    taken = {root.name for root in known.values()}
    base = path.name.replace(":", "-").replace("#", "-") or "root"
    name = next(n for n in (base, *(f"{base}-{i}" for i in range(2, len(taken) + 3))) if n not in taken)
    connection.execute("INSERT INTO roots (name, path, added) VALUES (?, ?, ?)", (name, str(path), now))
    return next(root for root in roots(connection) if root.path == path)


def remove_root(connection: sqlite3.Connection, root: int) -> None:
    """Forget a root and all that was read in it."""
    for table in ("files", "entries", "entities", "edges", "problems", "dirty"):
        connection.execute(f"DELETE FROM {table} WHERE root = ?", (root,))  # noqa: S608 - names from the line above
    connection.execute("DELETE FROM roots WHERE id = ?", (root,))


def known_files(connection: sqlite3.Connection, root: int) -> dict[str, Known]:
    """All files of a root by path."""
    rows = connection.execute("SELECT * FROM files WHERE root = ?", (root,))
    return {row["path"]: _known(row) for row in rows}


def known_file(connection: sqlite3.Connection, root: int, path: str) -> Known | None:
    """One file, None when it was never seen."""
    row = connection.execute("SELECT * FROM files WHERE root = ? AND path = ?", (root, path)).fetchone()
    return _known(row) if row else None


def _known(row: sqlite3.Row) -> Known:
    return Known(Stamp(row["digest"], row["size"], row["mtime_ns"], row["scanner"]), row["skip"])


def dirty(connection: sqlite3.Connection, root: int) -> set[str]:
    """Files of which a write was begun and not finished; they are read again whatever their stamp says."""
    return {row[0] for row in connection.execute("SELECT path FROM dirty WHERE root = ?", (root,))}


def mark_dirty(connection: sqlite3.Connection, files: Iterable[tuple[int, str]]) -> None:
    """Note that a write of `files` begins."""
    connection.executemany("INSERT OR IGNORE INTO dirty VALUES (?, ?)", files)


def remove_file(connection: sqlite3.Connection, root: int, path: str) -> None:
    """Forget a file and all that was found in it."""
    for table in ("files", "entries", "entities", "edges", "problems", "dirty"):
        connection.execute(
            f"DELETE FROM {table} WHERE root = ? AND path = ?",  # noqa: S608 - names from the line above
            (root, path),
        )


def put_file(connection: sqlite3.Connection, root: int, path: str, stamp: Stamp, skip: str | None) -> None:
    """Note a file as read, or as skipped with its reason."""
    name = path.rpartition("/")[2]
    row = (root, path, name, stamp.digest, stamp.size, stamp.mtime_ns, stamp.scanner, skip)
    connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def touch_file(connection: sqlite3.Connection, root: int, path: str, stamp: Stamp) -> None:
    """Note a new time stamp of a file whose content is the same."""
    connection.execute(
        "UPDATE files SET size = ?, mtime_ns = ? WHERE root = ? AND path = ?", (stamp.size, stamp.mtime_ns, root, path)
    )


def put_result(connection: sqlite3.Connection, root: Root, path: str, stamp: Stamp, result: ScanResult) -> None:
    """Replace all that is known of a file by what a scanner found in it now."""
    rows = connection.execute(
        "SELECT id, born, changed, text FROM entries WHERE root = ? AND path = ?", (root.id, path)
    )
    before = {row["id"]: row for row in rows}
    remove_file(connection, root.id, path)
    put_file(connection, root.id, path, stamp, None)
    for entry in result.entries:
        number = entry_id(public_id(root.name, path, entry.anchor))
        old = before.get(number)
        born = old["born"] if old else stamp.modified
        changed = old["changed"] if old and old["text"] == entry.text else stamp.modified
        _insert(connection, "entries", (number, root.id, path, *_columns(entry), born, changed))
    graph.put(connection, root.id, path, result.entities, result.edges)
    _put_problems(connection, root.id, result.problems)


def _put_problems(connection: sqlite3.Connection, root: int, problems: Sequence[Problem]) -> None:
    for problem in problems:
        _insert(connection, "problems", (root, problem.path, problem.line, problem.message))


def _insert(connection: sqlite3.Connection, table: str, row: Sequence[object]) -> None:
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)  # noqa: S608 - our own table names


def _columns(entry: Entry) -> tuple[object, ...]:
    lists = (entry.deciders, entry.heading, entry.headings, entry.tags, entry.scope)
    return (
        entry.anchor, entry.kind, entry.subkind, entry.title,
        json.dumps(entry.number) if entry.number is not None else None,
        entry.status, entry.status_raw, entry.date,
        *(json.dumps(values, ensure_ascii=False) for values in lists),
        entry.language, entry.symbol, entry.signature, entry.line, entry.end_line, entry.text, entry.search_text,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stored:
    """An entry as the catalog holds it, with what surrounds it."""

    id: int
    root: Root
    path: str
    entry: Entry
    born: float
    changed: float
    weight: float

    @property
    def public(self) -> str:
        """The id that users see."""
        return public_id(self.root.name, self.path, self.entry.anchor)

    @property
    def document(self) -> tuple[int, str]:
        """What all entries of one file share."""
        return (self.root.id, self.path)


SELECT = "SELECT e.*, coalesce(w.weight, 1.0) AS weight FROM entries e LEFT JOIN weights w ON w.entry = e.id "


def stored(connection: sqlite3.Connection, where: str, arguments: Sequence[object]) -> Iterator[Stored]:
    """The entries that meet an SQL condition over `e`, in the order that the condition gives."""
    by_id = {root.id: root for root in roots(connection)}
    for row in connection.execute(SELECT + where, arguments):
        if row["root"] in by_id:
            yield _stored(row, by_id[row["root"]])


def stored_by_id(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Stored]:
    """The entries with these ids; an id that is gone is absent."""
    found: dict[int, Stored] = {}
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        marks = ", ".join("?" * len(some))
        found |= {one.id: one for one in stored(connection, f"WHERE e.id IN ({marks})", some)}
    return found


def _stored(row: sqlite3.Row, root: Root) -> Stored:
    entry = Entry(
        anchor=row["anchor"], kind=row["kind"], subkind=row["subkind"], title=row["title"],
        number=json.loads(row["number"]) if row["number"] is not None else None,
        status=row["status"], status_raw=row["status_raw"], date=row["date"],
        deciders=tuple(json.loads(row["deciders"])), heading=tuple(json.loads(row["heading"])),
        headings=tuple(json.loads(row["headings"])), tags=tuple(json.loads(row["tags"])),
        scope=tuple(json.loads(row["scope"])), language=row["language"], symbol=row["symbol"],
        signature=row["signature"], line=row["line"], end_line=row["end_line"], text=row["text"],
        search_text=row["search_text"],
    )  # fmt: skip
    return Stored(row["id"], root, row["path"], entry, row["born"], row["changed"], row["weight"])
