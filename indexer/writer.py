"""Everything that writes, done in one thread: the daemon's loop, or a command while no daemon runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from indexer import catalog, ingest, usage
from indexer.answers import iso, root_json
from indexer.catalog import Root
from indexer.config import Config
from indexer.errors import BadInput, NotFound
from indexer.index import Index
from indexer.ingest import Progress, Tree
from indexer.usage import Change

log = logging.getLogger(__name__)

Clock = Callable[[], float]

FIRST_YEAR, LAST_YEAR = 1970, 3000


def _silent(root: str, done: int, total: int) -> None:
    del root, done, total


class Writer:
    """The index with the trees of its roots. `answer` runs a writing verb; the daemon also calls the steps directly."""

    def __init__(self, index: Index, config: Config, clock: Clock, progress: Progress = _silent) -> None:
        self.index = index
        self._config = config
        self._clock = clock
        self._progress = progress
        self._trees: dict[int, Tree] = {}

    def answer(self, verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run a verb that writes (or, like `verify`, wants that nobody writes meanwhile)."""
        return WRITES[verb](self, arguments)

    # Roots

    def roots(self) -> list[Root]:
        """All registered roots."""
        return catalog.roots(self.index.reader())

    def root(self, wanted: str) -> Root:
        """The root with this name or path."""
        path = ingest.canonical(wanted)
        found = [root for root in self.roots() if wanted == root.name or path == root.path]
        if not found:
            names = ", ".join(root.name for root in self.roots()) or "there are none"
            message = f"no root is named {wanted!r}; roots are {names}"
            raise NotFound(message)
        return found[0]

    def add_root(self, folder: str | Path) -> Root:
        """Register a folder; raises `BadInput` when it cannot be a root."""
        path = ingest.canonical(folder)
        check_folder(path, self.index.home)
        return self.index.add_root(path, self._clock())

    def tree(self, root: Root, *, anew: bool = False) -> Tree:
        """The tree of a root; `anew` when a rule file of it may have changed."""
        if anew or root.id not in self._trees:
            inner = [other.path for other in self.roots() if root.path in other.path.parents]
            self._trees[root.id] = Tree(root, self._config, inner)
        return self._trees[root.id]

    # Steps

    def reconcile(self, root: Root, *, thorough: bool = False) -> ingest.Report:
        """Make the index equal to the disk for one root."""
        tree = self.tree(root, anew=True)
        report = ingest.reconcile(self.index, tree, self._clock(), self._progress, thorough=thorough)
        log.info("%s: %d read, %d removed in %.1f s", root.name, report.read, report.removed, report.seconds)
        return report

    def refresh(self, root: Root, paths: Iterable[str]) -> ingest.Report:
        """Make the index equal to the disk at and below some paths."""
        return ingest.refresh(self.index, self.tree(root), paths, self._progress)

    def run_decay(self, at: float | None = None) -> dict[str, Any]:
        """Weigh all entries as of `at`, by default now."""
        now = self._clock() if at is None else at
        run, changes = self.index.decay(now, self._config.half_lives)
        return self._decay_json(run, now, changes)

    def _decay_json(self, run: int | None, now: float, changes: list[Change]) -> dict[str, Any]:
        faded = [change for change in changes if change.faded]
        revived = [change for change in changes if change.revived]
        return {
            "run": run,
            "at": iso(now),
            "faded": self._named(faded),
            "revived": self._named(revived),
            "changed": sum(change.before != change.after for change in changes),
            "unchanged": sum(change.before == change.after for change in changes),
        }

    def _named(self, changes: list[Change]) -> list[dict[str, Any]]:
        stored = catalog.stored_by_id(self.index.reader(), [change.entry for change in changes])
        return [
            {"id": stored[one.entry].public, "before": one.before, "after": round(one.after, 6)}
            for one in changes
            if one.entry in stored
        ]

    # Verbs

    def _scan(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        roots = [self.add_root(folder) for folder in arguments.get("roots") or ()] or self.roots()
        answers = []
        for root in dict.fromkeys(roots):
            report = self.reconcile(root, thorough=True)
            answer = root_json(self.index, self.root(root.name))
            answer["problems"] += [
                {"path": one.path, "line": one.line, "message": one.message} for one in self.tree(root).problems
            ]
            answers.append({**answer, "seconds": round(report.seconds, 3)})
        return {"roots": answers}

    def _add(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return self._scan(arguments)

    def _remove(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        gone = [self.root(str(wanted)) for wanted in arguments.get("roots") or ()]
        for root in gone:
            self.index.remove_root(root)
            self._trees.pop(root.id, None)
        return {"removed": [root.name for root in gone], "roots": [root_json(self.index, one) for one in self.roots()]}

    def _decay(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        at = moment(arguments["at"]) if arguments.get("at") else self._clock()
        if arguments.get("undo") is not None:
            run = int(arguments["undo"])
            changes = self.index.undo_decay(run)
            return {**self._decay_json(run, at, changes), "undone": run}
        if arguments.get("dry_run"):
            changes = usage.weigh(self.index.reader(), at, self._config.half_lives)
            return self._decay_json(None, at, changes)
        return self.run_decay(at)

    def _verify(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        del arguments
        found: dict[str, list[str]] = {"ghosts": [], "missing": [], "stale": []}
        for root in self.roots():
            for name, paths in ingest.verify(self.index, self.tree(root, anew=True)).items():
                found[name] += paths
        return found

    def _rebuild(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self.index.rebuild_fulltext()
        return self._scan(arguments)


WRITES: Mapping[str, Callable[[Writer, Mapping[str, Any]], dict[str, Any]]] = {
    "scan": Writer._scan,  # noqa: SLF001 - the table of verbs belongs to the class
    "roots-add": Writer._add,  # noqa: SLF001
    "roots-remove": Writer._remove,  # noqa: SLF001
    "decay": Writer._decay,  # noqa: SLF001
    "verify": Writer._verify,  # noqa: SLF001
    "rebuild": Writer._rebuild,  # noqa: SLF001
}


def check_folder(path: Path, home: Path) -> None:
    """Raise `BadInput` unless `path` is a folder that can be read and does not hold our own data."""
    message = None
    if not path.exists():
        message = f"{path} does not exist; name a folder"
    elif not path.is_dir():
        message = f"{path} is a file; name the folder of a repository"
    elif home.resolve() == path or path in home.resolve().parents:
        message = f"{path} holds lorewatch's own data folder {home}; set LOREWATCH_HOME to a place outside of it"
    else:
        try:
            next(path.iterdir(), None)
        except OSError as error:
            message = f"{path} cannot be read ({error.strerror}); check its permissions"
    if message:
        raise BadInput(message)


def moment(text: str) -> float:
    """An ISO 8601 date or time as seconds since the epoch; without a zone it is UTC."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        message = f"{text!r} is not an ISO date or time; write for example 2026-12-01 or 2026-12-01T03:30:00Z"
        raise BadInput(message) from None
    if not FIRST_YEAR < read.year < LAST_YEAR:
        message = f"{text} is too far away; years from {FIRST_YEAR + 1} to {LAST_YEAR - 1} are understood"
        raise BadInput(message)
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
