"""Uses, weights and the runs of the decay job. Functions over a connection; a caller holds the transaction."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass

from indexer import decay
from indexer.decay import Aging, HalfLives, Use
from indexer.errors import BadInput, NotFound

HOUR = 3600.0
UNSEEN_WEIGHT = 1.0
"""The weight of an entry that no run has weighed yet."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a run made of the weight of one entry; `before` is None when no run had weighed it."""

    entry: int
    before: float | None
    after: float

    @property
    def faded(self) -> bool:
        """Whether the entry fell below the line with this run."""
        return self.after < decay.FADED <= (UNSEEN_WEIGHT if self.before is None else self.before)

    @property
    def revived(self) -> bool:
        """Whether the entry rose above the line with this run."""
        return self.before is not None and self.before < decay.FADED <= self.after


def record(connection: sqlite3.Connection, entry: int, reader: str, at: float, verdict: str = "read") -> bool:
    """Note that `reader` opened or judged an entry; the same reader counts once an hour. Say whether it counted."""
    row = connection.execute(
        "SELECT 1 FROM uses WHERE entry = ? AND reader = ? AND verdict = ? AND at > ?",
        (entry, reader, verdict, at - HOUR),
    ).fetchone()
    if row is None:
        connection.execute("INSERT INTO uses VALUES (?, ?, ?, ?)", (entry, reader, at, verdict))
    return row is None


def weigh(connection: sqlite3.Connection, now: float, half_lives: HalfLives) -> list[Change]:
    """What a run at `now` would make of each entry, in the order of their ids. Writes nothing."""
    uses: dict[int, list[Use]] = defaultdict(list)
    for row in connection.execute("SELECT entry, at, verdict FROM uses"):
        uses[row["entry"]].append(Use(row["at"], row["verdict"]))
    sql = """SELECT e.id, e.kind, e.status, e.born, e.changed, w.weight
        FROM entries e LEFT JOIN weights w ON w.entry = e.id ORDER BY e.id"""
    return [
        Change(
            row["id"],
            row["weight"],
            decay.weight(
                uses.get(row["id"], ()),
                Aging(row["kind"], row["status"], row["born"], row["changed"]),
                now,
                half_lives,
            ),
        )
        for row in connection.execute(sql)
    ]


def store_run(connection: sqlite3.Connection, changes: list[Change], now: float) -> int:
    """Write the weights of a run and what it changed; return the id by which it can be undone."""
    run = connection.execute("INSERT INTO runs (at) VALUES (?)", (now,)).lastrowid
    moved = [change for change in changes if change.before != change.after]
    connection.executemany(
        "INSERT INTO run_changes VALUES (?, ?, ?, ?)", ((run, one.entry, one.before, one.after) for one in moved)
    )
    connection.executemany(
        "INSERT OR REPLACE INTO weights VALUES (?, ?)", ((change.entry, change.after) for change in moved)
    )
    return int(run or 0)


def undo(connection: sqlite3.Connection, run: int) -> list[Change]:
    """Put back every weight that `run` changed; only the newest run that still stands can be undone."""
    row = connection.execute("SELECT undone FROM runs WHERE id = ?", (run,)).fetchone()
    if row is None:
        message = f"there is no decay run {run}; `lorewatch status` names the last one"
        raise NotFound(message)
    newest = connection.execute("SELECT max(id) FROM runs WHERE undone = 0").fetchone()[0]
    if row["undone"] or run != newest:
        message = f"run {run} is undone already" if row["undone"] else f"undo run {newest} first; it came after {run}"
        raise BadInput(message)
    rows = connection.execute("SELECT entry, before, after FROM run_changes WHERE run = ?", (run,)).fetchall()
    for change in rows:
        if change["before"] is None:
            connection.execute("DELETE FROM weights WHERE entry = ?", (change["entry"],))
        else:
            connection.execute("INSERT OR REPLACE INTO weights VALUES (?, ?)", (change["entry"], change["before"]))
    connection.execute("UPDATE runs SET undone = 1 WHERE id = ?", (run,))
    back = [change for change in rows if change["before"] is not None]
    return [Change(change["entry"], change["after"], change["before"]) for change in back]


def last_run(connection: sqlite3.Connection) -> tuple[int, float] | None:
    """Id and moment of the newest run that still stands."""
    row = connection.execute("SELECT id, at FROM runs WHERE undone = 0 ORDER BY id DESC LIMIT 1").fetchone()
    return (row["id"], row["at"]) if row else None
