"""Index: the only door to stored data. It owns the SQLite file, the full-text index and the order of writes to both.

One process writes, behind the writer lock, from one thread. Readers of any thread or process see what was committed.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Self
from weakref import WeakSet

from indexer import catalog, db, usage
from indexer.catalog import Root, Stamp
from indexer.decay import HalfLives
from indexer.errors import Unavailable
from indexer.fulltext import FileKey, FullText, Row
from indexer.home import make_home
from indexer.lock import WriterLock
from indexer.postings import Snapshot
from indexer.usage import Change
from scanners.model import Entry, ScanResult

log = logging.getLogger(__name__)

REBUILDING = "rebuilding"

COMMIT_ENTRIES = 5_000
"""Entries after which a long batch is committed: few enough that progress is seen and little is lost by a kill."""


@dataclass(slots=True)
class Batch:
    """Changes to one or more roots that become visible together. Later calls for a path replace earlier ones.

    `entries` counts those that wait to be written.
    """

    replaced: dict[tuple[Root, str], tuple[Stamp, ScanResult]] = field(default_factory=dict)
    skipped: dict[tuple[Root, str], tuple[Stamp, str]] = field(default_factory=dict)
    removed: set[tuple[Root, str]] = field(default_factory=set)
    touched: dict[tuple[Root, str], Stamp] = field(default_factory=dict)
    entries: int = 0

    def replace(self, root: Root, path: str, stamp: Stamp, result: ScanResult) -> None:
        """Put what was found in a file in the place of all that was known of it."""
        self._forget(root, path)
        self.replaced[root, path] = (stamp, result)
        self.entries += len(result.entries)

    def skip(self, root: Root, path: str, stamp: Stamp, reason: str) -> None:
        """Note that a file is not indexed, and why; what was known of it goes."""
        self._forget(root, path)
        self.skipped[root, path] = (stamp, reason)

    def remove(self, root: Root, path: str) -> None:
        """Forget a file that is gone."""
        self._forget(root, path)
        self.removed.add((root, path))

    def touch(self, root: Root, path: str, stamp: Stamp) -> None:
        """Note a new time stamp of a file whose content is the same."""
        self.touched[root, path] = stamp

    def files(self) -> list[tuple[Root, str]]:
        """The files whose stored facts change."""
        return [*self.replaced, *self.skipped, *self.removed]

    def _forget(self, root: Root, path: str) -> None:
        _, dropped = self.replaced.pop((root, path), (None, ScanResult()))
        self.entries -= len(dropped.entries)
        self.skipped.pop((root, path), None)
        self.removed.discard((root, path))
        self.touched.pop((root, path), None)


class Index:
    """The stored data of one data folder.

    `write` takes the writer lock and may mend; without it nothing is changed but uses.
    """

    def __init__(self, home: Path, *, write: bool, patience: float = 0) -> None:
        make_home(home)
        self.home = home
        self.rebuilding = False
        self._local = threading.local()
        self._readers: WeakSet[_Reader] = WeakSet()
        self._writer: sqlite3.Connection | None = None
        self._lock = WriterLock(home) if write else None
        if self._lock:
            self._lock.acquire(patience)
        try:
            self._open(write=write)
        except BaseException:
            self.close()
            raise

    def _open(self, *, write: bool) -> None:
        self._writing = threading.Lock()
        if write:
            self._writer = db.connect(self.home, write=True)
            db.migrate(self._writer)
        elif not (self.home / db.FILE).exists() or not (self.home / db.FILE).stat().st_size:
            message = "nothing is indexed yet; run `lorewatch scan PATH` on a repository first"
            raise Unavailable(message)
        self.fulltext = FullText(self.home / "fulltext")
        trusted = self.fulltext.open(write=write)
        if self._writer and (not trusted or _is_marked(self._writer)):
            self.rebuild_fulltext()

    def close(self) -> None:
        """Give back the lock; the index must not be used afterwards."""
        for reader in list(self._readers):
            reader.close()
        if self._writer:
            self._writer.close()
            self._writer = None
        if self._lock:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading

    def reader(self) -> sqlite3.Connection:
        """Return the connection of this thread; it cannot write."""
        if not hasattr(self._local, "reader"):
            self._local.reader = _Reader(db.connect(self.home, write=False))
            self._readers.add(self._local.reader)
        reader: _Reader = self._local.reader
        return reader.connection

    def snapshot(self) -> Snapshot:
        """The full-text index as of the last commit; `Unavailable` when it cannot be trusted."""
        if self._writer is None:
            self.fulltext.refresh()
        if self.fulltext.snapshot is None:
            message = "the full-text index is damaged or being written anew; run `lorewatch rebuild`"
            raise Unavailable(message)
        return self.fulltext.snapshot

    # Writing

    @contextmanager
    def writing(self) -> Iterator[Batch]:
        """Collect changes; on leaving they are committed together, or not at all when the block raised."""
        batch = Batch()
        yield batch
        self.commit(batch)

    def commit(self, batch: Batch) -> None:
        """Write a batch: marks of intent, then the full text, then one transaction with all else.

        A crash before the last step leaves the files marked, so that they are read again whatever their stamps say.
        """
        files = batch.files()
        connection = self._connection()
        keys = [(root.id, path) for root, path in files]
        if files:
            with _transaction(connection):
                catalog.mark_dirty(connection, keys)
            gone = [FileKey(*one) for one in keys if _has_entries(connection, *one)]
            rows = [row for (root, path), (_, result) in batch.replaced.items() for row in _rows(root, path, result)]
            if gone or rows:
                self.fulltext.write(gone, rows)
        with _transaction(connection):
            for (root, path), (stamp, result) in batch.replaced.items():
                catalog.put_result(connection, root, path, stamp, result)
            for (root, path), (stamp, reason) in batch.skipped.items():
                catalog.remove_file(connection, root.id, path)
                catalog.put_file(connection, root.id, path, stamp, reason)
            for root, path in batch.removed:
                catalog.remove_file(connection, root.id, path)
            for (root, path), stamp in batch.touched.items():
                catalog.touch_file(connection, root.id, path, stamp)

    def add_root(self, path: Path, now: float) -> Root:
        """Register a folder, or return it as registered."""
        with _transaction(self._connection()) as connection:
            return catalog.add_root(connection, path, now)

    def remove_root(self, root: Root) -> None:
        """Forget a root; its files are not touched."""
        with _transaction(self._connection()) as connection:
            catalog.remove_root(connection, root.id)
        # Rows that a crash leaves here belong to no entry any more, and such rows are no hits.
        self.fulltext.drop_root(root.id)

    def mark_root(self, root: Root, *, reconciled: float | None = None, missing: bool = False) -> None:
        """Note when a root was last compared whole, or that its folder is not there."""
        with _transaction(self._connection()) as connection:
            connection.execute(
                "UPDATE roots SET missing = ?, reconciled = coalesce(?, reconciled) WHERE id = ?",
                (missing, reconciled, root.id),
            )

    def rebuild_fulltext(self) -> None:
        """Write the full-text index anew from the entries in SQLite."""
        self.rebuilding = True
        connection = self._connection()
        try:
            # A crash in between leaves the mark, and the next one that writes begins anew.
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, '1')", (REBUILDING,))
            self.fulltext.clear()
            rows: list[Row] = []
            for root, path, entries in self._documents():
                rows += _rows(root, path, ScanResult(entries=tuple(entries)))
                if len(rows) >= COMMIT_ENTRIES:
                    self.fulltext.write([], rows)
                    rows = []
            if rows:
                self.fulltext.write([], rows)
            connection.execute("DELETE FROM meta WHERE key = ?", (REBUILDING,))
        finally:
            self.rebuilding = False

    def _documents(self) -> Iterator[tuple[Root, str, list[Entry]]]:
        rows = catalog.stored(self._connection(), "ORDER BY e.root, e.path, e.line", ())
        for (_, path), group in groupby(rows, key=lambda one: one.document):
            found = list(group)
            yield found[0].root, path, [one.entry for one in found]

    def record_use(self, entry: int, reader: str, at: float, verdict: str = "read") -> bool:
        """Note that an entry was opened or judged; any process may. Say whether it counted."""
        with self._writing:
            connection = self._writer or db.connect(self.home, write=True)
            try:
                with _transaction(connection):
                    return usage.record(connection, entry, reader, at, verdict)
            finally:
                if connection is not self._writer:
                    connection.close()

    def decay(self, now: float, half_lives: HalfLives) -> tuple[int, list[Change]]:
        """Weigh every entry as of `now`; return the run's id and all weights with what they were before."""
        with _transaction(self._connection()) as connection:
            changes = usage.weigh(connection, now, half_lives)
            return usage.store_run(connection, changes, now), changes

    def undo_decay(self, run: int) -> list[Change]:
        """Put back exactly what a run changed."""
        with _transaction(self._connection()) as connection:
            return usage.undo(connection, run)

    def _connection(self) -> sqlite3.Connection:
        if self._writer is None:
            message = "this process opened the index to read only"
            raise Unavailable(message)
        return self._writer


class _Reader:
    """The connection of one thread; it is closed when that thread ends, since only the thread holds it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def close(self) -> None:
        """Close the connection; harmless when that is done already."""
        self.connection.close()

    def __del__(self) -> None:
        self.close()


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _is_marked(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM meta WHERE key = ?", (REBUILDING,)).fetchone() is not None


def _has_entries(connection: sqlite3.Connection, root: int, path: str) -> bool:
    sql = """SELECT 1 FROM files WHERE root = ?1 AND path = ?2 AND skip IS NULL
        UNION ALL SELECT 1 FROM dirty WHERE root = ?1 AND path = ?2 LIMIT 1"""
    return connection.execute(sql, (root, path)).fetchone() is not None


def _rows(root: Root, path: str, result: ScanResult) -> Sequence[Row]:
    """What the full-text index gets of one document; a section carries the title of its document as heading."""
    document = next((entry for entry in result.entries if entry.anchor is None), None)
    return [_row(root, path, entry, document) for entry in result.entries]


def _row(root: Root, path: str, entry: Entry, document: Entry | None) -> Row:
    name = path.rpartition("/")[2]
    heading = " ".join(entry.heading)
    if entry.anchor is not None and document and not entry.symbol:
        heading = f"{document.title} {heading}"
    names = (entry.symbol or "", name if entry.anchor is None else "", str(entry.number or ""), *entry.tags)
    return Row(
        id=catalog.entry_id(catalog.public_id(root.name, path, entry.anchor)),
        file=FileKey(root.id, path),
        kind=entry.kind,
        status=entry.status or "",
        title=entry.title,
        heading=heading,
        names=" ".join(filter(None, names)),
        body=entry.search_text if entry.search_text is not None else entry.text,
    )
