"""Watching folders: what changed, filtered and settled, goes to the queue. The only importer of watchdog.

watchdog loses events without a word, so it is trusted with nothing but speed: an event only marks a path, a lost one is
healed by a reconcile, and an overflow, which watchdog tells its log alone, posts one for every root.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch

from indexer.events import Event, ReconcileDue, Settled
from indexer.ignore import Ignore, relative

log = logging.getLogger(__name__)

WANTED: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileClosedEvent,
    FileModifiedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
]
"""Without this filter watchdog also hears itself opening folders and falls into an endless overflow."""

SURROGATES = re.compile("[\ud800-\udfff]")

RULES = {".gitignore", ".lorewatchignore", ".lorewatch.toml", ".adr-dir", ".log4brains.yml", "pyvenv.cfg", ".git"}
RULE_PATHS = {".git/HEAD", ".git/info/exclude", "backlog/config.yml", ".serena/project.yml"}
"""A change of one of these files may change what any other file is."""

Post = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class _Watched:
    """A watched root; `identity` is device and inode of its folder, which tell a new folder of the same name."""

    watch: ObservedWatch
    path: Path
    ignore: Ignore
    identity: tuple[int, int]


class Watch:
    """Watches roots and posts `Settled` batches: after `settle` quiet seconds, at the latest after `longest_wait`."""

    def __init__(self, post: Post, settle: float, longest_wait: float) -> None:
        self._post = post
        self._settle = settle
        self._longest_wait = longest_wait
        self._observer = Observer()
        self._watched: dict[int, _Watched] = {}
        self._pending: dict[int, set[str]] = {}
        self._first = self._last = 0.0
        self._changed = threading.Condition()
        self._stopping = False
        self._settler = threading.Thread(target=self._settle_loop, name="settle", daemon=True)
        self._overflow = _OverflowListener(self._overflowed)
        self.overflows = 0

    def start(self) -> None:
        """Begin to watch; roots may be added before and after."""
        logging.getLogger("watchdog").addHandler(self._overflow)
        self._observer.start()
        self._settler.start()

    def stop(self) -> None:
        """End all threads; what had not settled is left to the next reconcile."""
        logging.getLogger("watchdog").removeHandler(self._overflow)
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join(timeout=5)
        if self._settler.is_alive():
            self._settler.join(timeout=5)

    def add(self, root: int, path: Path, ignore: Ignore) -> bool:
        """Watch a root, or with new ignore rules go on; say whether it could be watched."""
        if root in self._watched:
            self._watched[root] = replace(self._watched[root], ignore=ignore)
            return True
        try:
            identity = _identity(path)
            watch = self._observer.schedule(
                _Marker(lambda event: self._mark(root, event)), str(path), recursive=True, event_filter=WANTED
            )
        except OSError as error:
            log.warning("%s cannot be watched (%s); it is compared on a schedule instead", path, error)
            return False
        self._watched[root] = _Watched(watch, path, ignore, identity)
        return True

    def remove(self, root: int) -> None:
        """Watch a root no longer."""
        if root in self._watched:
            self._observer.unschedule(self._watched.pop(root).watch)

    def pending(self) -> int:
        """How many changed paths have not settled yet."""
        with self._changed:
            return sum(len(paths) for paths in self._pending.values())

    @property
    def roots(self) -> int:
        """How many roots are watched."""
        return len(self._watched)

    def alive(self, root: int) -> bool:
        """Say whether a root is still heard: its thread ends with its folder, and goes along when that is moved."""
        if root not in self._watched:
            return False
        watched = self._watched[root]
        try:
            same = _identity(watched.path) == watched.identity
        except OSError:
            same = False
        return same and any(one.watch == watched.watch and one.is_alive() for one in self._observer.emitters)

    def _mark(self, root: int, event: FileSystemEvent) -> None:
        if root not in self._watched:
            return
        watched = self._watched[root]
        for name in (event.src_path, event.dest_path):
            path = relative(watched.path, _text(name)) if name else None
            if path is not None and not SURROGATES.search(path):  # such a file is skipped for its name
                self._mark_path(root, path, watched.ignore, is_folder=event.is_directory)

    def _mark_path(self, root: int, path: str, ignore: Ignore, *, is_folder: bool) -> None:
        if path in RULE_PATHS or (path.rpartition("/")[2] in RULES and path != ".git"):
            self._add(root, "")
        elif not path.startswith(".git/") and path != ".git" and not _ignored(ignore, path, is_folder=is_folder):
            self._add(root, path)

    def _add(self, root: int, path: str) -> None:
        with self._changed:
            now = time.monotonic()
            if not self._pending:
                self._first = now
            self._last = now
            self._pending.setdefault(root, set()).add(path)
            self._changed.notify()

    def _settle_loop(self) -> None:
        while True:
            with self._changed:
                while not self._pending and not self._stopping:
                    self._changed.wait()
                if self._stopping:
                    return
                due = min(self._last + self._settle, self._first + self._longest_wait)
                left = due - time.monotonic()
                if left > 0:
                    self._changed.wait(left)
                    continue
                pending, self._pending = self._pending, {}
            for root, paths in pending.items():
                if "" in paths:
                    self._post(ReconcileDue(root, "a branch was switched or a rule file changed"))
                else:
                    self._post(Settled(root, frozenset(paths)))

    def _overflowed(self) -> None:
        self.overflows += 1
        self._post(ReconcileDue(None, "the watcher lost events"))


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _ignored(ignore: Ignore, path: str, *, is_folder: bool) -> bool:
    return ignore.ignores_folder(path) if is_folder else ignore.ignores(path)


def _text(name: bytes | str) -> str:
    return name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name


class _Marker(FileSystemEventHandler):
    """Hands every event on; runs in watchdog's thread, so it must be quick."""

    def __init__(self, mark: Callable[[FileSystemEvent], None]) -> None:
        self._mark = mark

    def on_any_event(self, event: FileSystemEvent) -> None:
        self._mark(event)


class _OverflowListener(logging.Handler):
    """watchdog tells of lost events in its log only."""

    def __init__(self, overflowed: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._overflowed = overflowed

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.getMessage().lower():
            self._overflowed()
