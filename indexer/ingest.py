"""The pipeline from disk to index, told in order: walk, compare with the catalog, read, scan, commit.

`reconcile` (a whole root) and `refresh` (what a watcher reported) differ only in what they compare.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from indexer import catalog, reading
from indexer.catalog import Known, Root, Stamp
from indexer.config import Config
from indexer.errors import BadInput
from indexer.ignore import Ignore
from indexer.index import COMMIT_ENTRIES, Batch, Index
from indexer.layout import read_layout
from indexer.reading import Look
from scanners import registry
from scanners.model import Document, Layout, ScanResult

COMMIT_BYTES = 4_000_000
"""Bytes read after which a long batch is committed: the full text needs thirty times as much memory until then."""

COMPANION_SUFFIXES = (".yaml", ".yml", ".json")

Progress = Callable[[str, int, int], None]
"""Called with the root's name, the files done and the files to do."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one reconcile or refresh found and did."""

    root: str
    read: int
    removed: int
    seconds: float


class Tree:
    """A root as it is configured now: what is ignored, where its records lie. Made anew when a rule file changes.

    `inner` are roots of their own that lie in it; each file belongs to the innermost.
    """

    def __init__(self, root: Root, config: Config, inner: Sequence[Path] = ()) -> None:
        settings = config.for_root(root.path)
        others = tuple(f"/{path.relative_to(root.path).as_posix()}/" for path in inner)
        self.root = root
        self.problems = settings.problems
        self.ignore = Ignore(root.path, settings.include, (*settings.exclude, *others))
        self.layout: Layout = replace(read_layout(root.path), kinds=settings.kinds)
        self._mark = hashlib.blake2b(repr(self.layout).encode(), digest_size=4).hexdigest()

    def scanner(self, path: str) -> str:
        """What the catalog keeps as the scanner of a path: it changes when the same text may be read otherwise."""
        fingerprint = registry.fingerprint(path)
        return f"{fingerprint}|{self._mark}" if fingerprint else ""

    def walk(self, start: str = "") -> Iterator[tuple[str, Look]]:
        """All files at or below `start` that are not ignored, each with a first look. Links are not followed."""
        if self.ignore.ignores_folder(start):
            return
        waiting = [start]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(self.root.path / folder) as found:
                    children = sorted(found, key=lambda child: child.name)
            except OSError:
                continue
            for child in children:
                path = posixpath.join(folder, child.name) if folder else child.name
                if child.is_dir(follow_symlinks=False):
                    if not self.ignore.ignores_folder(path):
                        waiting.append(path)
                elif not _is_text(path):
                    yield path.encode("utf-8", "backslashreplace").decode(), Look(0, 0, reading.BAD_NAME)
                elif (seen := self.look(path)) is not None:
                    yield path, seen

    def lies_here(self, path: str) -> bool:
        """Say whether the folder of `path` is one of this root and no link to elsewhere, nor below one."""
        folder = (self.root.path / path).parent
        return os.path.realpath(folder) == str(folder)

    def look(self, path: str) -> Look | None:
        """A first look at one file, None when it is ignored, gone or a folder."""
        try:
            status = (self.root.path / path).stat(follow_symlinks=False)
        except (OSError, ValueError):
            return None
        if self.ignore.ignores(path):
            return None
        return reading.look(path, status, claimed=bool(registry.fingerprint(path)))


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def reconcile(index: Index, tree: Tree, now: float, progress: Progress, *, thorough: bool = False) -> Report:
    """Make the index equal to the disk for one root. `thorough` reads every file, whatever its time stamp says.

    A root that is not there is marked missing and keeps its entries: an unmounted disk is not "all deleted".
    """
    started = time.monotonic()
    root = tree.root
    if not os.path.isdir(root.path):
        index.mark_root(root, missing=True)
        return Report(root.name, 0, 0, time.monotonic() - started)
    known = catalog.known_files(index.reader(), root.id)
    found = dict(tree.walk())
    changes = _compare(index, tree, found, known, thorough=thorough)
    report = _apply(index, tree, changes, known, progress)
    index.mark_root(root, reconciled=now)
    return Report(root.name, report.read, report.removed, time.monotonic() - started)


def refresh(index: Index, tree: Tree, paths: Iterable[str], progress: Progress) -> Report:
    """Make the index equal to the disk at and below `paths`, files or folders that may have changed or gone."""
    started = time.monotonic()
    root = tree.root
    connection = index.reader()
    known: dict[str, Known] = {}
    found: dict[str, Look] = {}
    for path in paths:
        known |= _known_at(connection, root.id, path)
        if not tree.lies_here(path):
            continue
        if os.path.isdir(root.path / path) and not os.path.islink(root.path / path):
            found |= dict(tree.walk(path))
        elif seen := tree.look(path):
            found[path] = seen
    for path in _accompanied(connection, root.id, [*found, *known]):
        if seen := tree.look(path):
            found[path] = seen
            known.pop(path, None)
    changes = _compare(index, tree, found, known, thorough=True)
    report = _apply(index, tree, changes, known, progress)
    return Report(root.name, report.read, report.removed, time.monotonic() - started)


@dataclass(frozen=True, slots=True)
class Changes:
    """The difference between disk and catalog."""

    read: Mapping[str, Look]
    gone: frozenset[str]


def _compare(
    index: Index, tree: Tree, found: Mapping[str, Look], known: Mapping[str, Known], *, thorough: bool
) -> Changes:
    unfinished = catalog.dirty(index.reader(), tree.root.id)
    stale = {
        path: seen
        for path, seen in found.items()
        if path in unfinished or _differs(seen, known.get(path), tree.scanner(path), thorough=thorough)
    }
    return Changes(stale, frozenset(set(known) - set(found)) | (unfinished - set(found)))


def _differs(seen: Look, known: Known | None, scanner: str, *, thorough: bool) -> bool:
    if known is None or known.stamp.scanner != scanner:
        return True
    if seen.skip or known.skip in {reading.LINK, reading.NOT_REGULAR, reading.TOO_LARGE}:
        return seen.skip != known.skip
    return thorough or (seen.size, seen.mtime_ns) != (known.stamp.size, known.stamp.mtime_ns)


def _apply(index: Index, tree: Tree, changes: Changes, known: Mapping[str, Known], progress: Progress) -> Report:
    unfinished = catalog.dirty(index.reader(), tree.root.id)
    batch = Batch()
    for path in changes.gone:
        batch.remove(tree.root, path)
    total, size = len(changes.read), 0
    for number, (path, seen) in enumerate(sorted(changes.read.items()), start=1):
        _refresh_file(batch, tree, path, seen, None if path in unfinished else known.get(path))
        progress(tree.root.name, number, total)
        size += 0 if seen.skip else seen.size
        if batch.entries >= COMMIT_ENTRIES or size >= COMMIT_BYTES:
            index.commit(batch)
            batch, size = Batch(), 0
    if batch.files() or batch.touched:
        index.commit(batch)
    return Report(tree.root.name, total, len(changes.gone), 0.0)


def _refresh_file(batch: Batch, tree: Tree, path: str, seen: Look, known: Known | None) -> None:
    scanner = tree.scanner(path)
    if seen.skip:
        batch.skip(tree.root, path, Stamp("", seen.size, seen.mtime_ns, scanner), seen.skip)
        return
    read = reading.read(tree.root.path, path)
    stamp = Stamp(read.digest, read.size, read.mtime_ns, scanner)
    companions = {name: text for name in registry.companions(path) if (text := _companion(tree, name)) is not None}
    if companions:
        digest = hashlib.blake2b(repr((read.digest, sorted(companions.items()))).encode(), digest_size=16)
        stamp = Stamp(digest.hexdigest(), read.size, read.mtime_ns, scanner)
    if known and (known.stamp.digest, known.stamp.scanner) == (stamp.digest, scanner) and known.skip == read.skip:
        if known.stamp != stamp:
            batch.touch(tree.root, path, stamp)
    elif read.text is None:
        batch.skip(tree.root, path, stamp, read.skip or reading.UNREADABLE)
    else:
        document = Document(path, read.text, stamp.digest, stamp.modified, tree.layout, companions)
        result = registry.scan(document)
        problems = (*read.problems, *result.problems)
        batch.replace(tree.root, path, stamp, ScanResult(result.entries, result.entities, result.edges, problems))


def _companion(tree: Tree, path: str) -> str | None:
    if path.startswith("../") or (tree.root.path / path).is_symlink():
        return None
    return reading.read(tree.root.path, path).text


def _known_at(connection: sqlite3.Connection, root: int, path: str) -> dict[str, Known]:
    rows = connection.execute(
        "SELECT path FROM files WHERE root = ?1 AND (path = ?2 OR (path > ?3 AND path < ?4))",
        (root, path, path + "/", path + "0"),
    ).fetchall()
    found = {row[0]: catalog.known_file(connection, root, row[0]) for row in rows}
    return {path: known for path, known in found.items() if known}


def _accompanied(connection: sqlite3.Connection, root: int, changed: Iterable[str]) -> Iterator[str]:
    """Documents that are read together with a changed file beside them."""
    for path in changed:
        if not path.endswith(COMPANION_SUFFIXES):
            continue
        folder = posixpath.dirname(path)
        rows = connection.execute(
            "SELECT path FROM files WHERE root = ? AND path > ? AND path < ? AND skip IS NULL",
            (root, folder + "/" if folder else "", folder + "0" if folder else "\U0010ffff"),
        ).fetchall()
        yield from (row[0] for row in rows if path in registry.companions(row[0]))


def verify(index: Index, tree: Tree) -> dict[str, list[str]]:
    """Compare the index with the disk by reading everything anew.

    `ghosts` are indexed and not there, `missing` there and not indexed, `stale` indexed with another text.
    """
    connection = index.reader()
    known = catalog.known_files(connection, tree.root.id)
    found = dict(tree.walk()) if os.path.isdir(tree.root.path) else {}
    with_rows = {
        row[0] for row in connection.execute("SELECT DISTINCT path FROM entries WHERE root = ?", (tree.root.id,))
    }
    name = tree.root.name
    ghosts = {path for path in {*known, *with_rows} if path not in found}
    missing = {path for path in found if path not in known}
    stale = {path for path in found if path in known and _is_stale(tree, path, found[path], known[path])}
    stale |= catalog.dirty(connection, tree.root.id) - ghosts
    stale |= _unsearchable(index, tree.root.id) - ghosts
    return {
        "ghosts": [f"{name}:{path}" for path in sorted(ghosts)],
        "missing": [f"{name}:{path}" for path in sorted(missing)],
        "stale": [f"{name}:{path}" for path in sorted(stale)],
    }


def _unsearchable(index: Index, root: int) -> set[str]:
    """Files of which an entry is not in the full-text index."""
    searchable = index.snapshot().ids()
    rows = index.reader().execute("SELECT id, path FROM entries WHERE root = ?", (root,))
    return {row["path"] for row in rows if row["id"] not in searchable}


def _is_stale(tree: Tree, path: str, seen: Look, known: Known) -> bool:
    probe = Batch()
    _refresh_file(probe, tree, path, seen, known)
    if seen.skip:
        return seen.skip != known.skip
    return bool(probe.files())


def skipped(connection: sqlite3.Connection, root: int) -> Counter[str]:
    """How many files of a root are not indexed, by reason."""
    rows = connection.execute(
        "SELECT skip, count(*) AS n FROM files WHERE root = ? AND skip IS NOT NULL GROUP BY skip", (root,)
    )
    return Counter({row["skip"]: row["n"] for row in rows})


def canonical(path: str | os.PathLike[str]) -> Path:
    """The path under which a folder is registered: absolute, links resolved."""
    try:
        return Path(path).expanduser().resolve()
    except (RuntimeError, OSError, ValueError) as error:
        message = f"{path} cannot be a folder: {error}"
        raise BadInput(message) from error
