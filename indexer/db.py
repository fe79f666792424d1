"""The SQLite file that holds the truth about what was read: connection, pragmas, ordered migrations."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from indexer.errors import Unavailable

FILE = "lorewatch.sqlite"

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE roots (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path TEXT NOT NULL UNIQUE,
    added REAL NOT NULL, reconciled REAL, missing INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE files (
    root INTEGER NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, scanner TEXT NOT NULL, skip TEXT, PRIMARY KEY (root, path)
) WITHOUT ROWID;
CREATE INDEX files_name ON files (root, name);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, root INTEGER NOT NULL, path TEXT NOT NULL, anchor TEXT, kind TEXT NOT NULL, subkind TEXT,
    title TEXT NOT NULL, number TEXT, status TEXT, status_raw TEXT, date TEXT, deciders TEXT NOT NULL,
    heading TEXT NOT NULL, headings TEXT NOT NULL, tags TEXT NOT NULL, scope TEXT NOT NULL, language TEXT, symbol TEXT,
    signature TEXT, line INTEGER NOT NULL, end_line INTEGER NOT NULL, text TEXT NOT NULL, search_text TEXT,
    born REAL NOT NULL, changed REAL NOT NULL
);
CREATE INDEX entries_path ON entries (root, path);
CREATE TABLE entities (
    root INTEGER NOT NULL, path TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, anchor TEXT
);
CREATE INDEX entities_path ON entities (root, path);
CREATE INDEX entities_key ON entities (root, kind, key);
CREATE TABLE edges (
    root INTEGER NOT NULL, path TEXT NOT NULL, anchor TEXT, kind TEXT NOT NULL, inverse INTEGER NOT NULL,
    target_kind TEXT NOT NULL, target TEXT NOT NULL, exact INTEGER NOT NULL, folder TEXT NOT NULL, key TEXT NOT NULL,
    target_line INTEGER, line INTEGER NOT NULL
);
CREATE INDEX edges_path ON edges (root, path);
CREATE INDEX edges_key ON edges (root, key);
CREATE TABLE problems (root INTEGER NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL, message TEXT NOT NULL);
CREATE INDEX problems_path ON problems (root, path);
CREATE TABLE dirty (root INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (root, path)) WITHOUT ROWID;
CREATE TABLE uses (entry INTEGER NOT NULL, reader TEXT NOT NULL, at REAL NOT NULL, verdict TEXT NOT NULL);
CREATE INDEX uses_entry ON uses (entry, at);
CREATE TABLE weights (entry INTEGER PRIMARY KEY, weight REAL NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, undone INTEGER NOT NULL DEFAULT 0);
CREATE TABLE run_changes (
    run INTEGER NOT NULL, entry INTEGER NOT NULL, before REAL, after REAL, PRIMARY KEY (run, entry)
) WITHOUT ROWID;
"""


def _first_schema(connection: sqlite3.Connection) -> None:
    for statement in SCHEMA.split(";"):
        connection.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first_schema,)
"""Applied in order, each once, each in the transaction that raises `user_version`."""

VERSION = len(MIGRATIONS)


def connect(home: Path, *, write: bool) -> sqlite3.Connection:
    """Open the file of `home`; a reader's connection refuses to write. Use it in one thread at a time.

    Raises `Unavailable` when the file is of a newer version of Lorewatch or is no database.
    """
    path = home / FILE
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL" if write else "PRAGMA query_only = ON")
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError as error:
        message = f"{path} cannot be read ({error}); run `lorewatch rebuild` to set it aside and read the roots anew"
        raise Unavailable(message) from error
    if version > VERSION:
        connection.close()
        message = (
            f"{home} was written by a newer lorewatch (format {version}, this one knows {VERSION}); "
            "upgrade lorewatch, or set LOREWATCH_HOME to another folder"
        )
        raise Unavailable(message)
    return connection


def damaged(home: Path) -> bool:
    """Say whether the file is there and cannot be trusted; reads all of it."""
    if not (home / FILE).exists():
        return False
    try:
        connection = sqlite3.connect(home / FILE, timeout=10)
        try:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok")
        finally:
            connection.close()
    except sqlite3.DatabaseError:
        return True


def set_aside(home: Path) -> list[str]:
    """Move a damaged file out of the way; return the paths of the roots as far as it still tells them."""
    roots: list[str] = []
    with contextlib.suppress(sqlite3.DatabaseError), contextlib.closing(sqlite3.connect(home / FILE)) as connection:
        roots = [str(row[0]) for row in connection.execute("SELECT path FROM roots")]
    for suffix in ("", "-wal", "-shm"):
        file = home / (FILE + suffix)
        if file.exists():
            file.replace(home / f"{FILE}{suffix}.damaged")
    return roots


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to `VERSION`; a crash in between leaves it at the version before or after, never between."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    for number, migration in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        migration(connection)
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
