"""The full-text index on disk: Whoosh analyses, stores and merges; `postings` scores. Derived from SQLite, never truth.

Whoosh's files are pickles, and opening one runs it. So a list of keyed checksums is verified before anything is opened;
what does not agree is set aside, and the index is written anew from the entries in SQLite.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import logging
import os
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import Any

from whoosh import fields, index, query
from whoosh.analysis import IDTokenizer
from whoosh.formats import Frequency
from whoosh.index import EmptyIndexError

from indexer.analysis import tokens
from indexer.home import make_private, write_private
from indexer.postings import Snapshot

log = logging.getLogger(__name__)

TEXT_FIELDS = ("title", "heading", "names", "body", "path")
FILTER_FIELDS = ("root", "kind", "status")

FORMAT = "1"
"""Grows when the schema or the analysis changes; an index of another format is written anew."""

MERGE_ABOVE = 12
"""Segments at which a commit also merges the small ones."""

MEMORY_MB = 256
LIST = "checksums.json"
KEY = "key"
_count = Struct("!I")


class Tokens(fields.TEXT):  # type: ignore[misc] # whoosh ships no usable types
    """A text field that takes its tokens from our analysis, already counted; no positions, nothing stored."""

    def __init__(self) -> None:
        super().__init__(analyzer=IDTokenizer(), phrase=False, spelling=False)
        self.format = Frequency()

    def index(self, value: str, **_: object) -> Iterator[tuple[bytes, int, float, bytes]]:
        """Yield (token, count, weight, encoded count) for each distinct token."""
        for token, count in Counter(tokens(value)).items():
            yield token.encode(), count, float(count), _count.pack(count)


def schema() -> fields.Schema:
    """The fields: texts to score, terms to filter by, and the entry's id, which alone is stored."""
    texts = {name: Tokens() for name in TEXT_FIELDS}
    filters = {name: fields.ID() for name in FILTER_FIELDS}
    return fields.Schema(id=fields.STORED(), file=fields.ID(), **filters, **texts)


@dataclass(frozen=True, slots=True)
class FileKey:
    """A file of a root, as the index names it."""

    root: int
    path: str

    @property
    def term(self) -> str:
        """The token by which all rows of the file are found."""
        return f"{self.root}:{self.path}"


@dataclass(frozen=True, slots=True)
class Row:
    """What the full-text index knows of one entry."""

    id: int
    file: FileKey
    kind: str
    status: str
    title: str
    heading: str
    names: str
    body: str


class FullText:
    """The index in `folder`. One process writes; each process that reads holds a snapshot and refreshes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.snapshot: Snapshot | None = None
        self._index: Any = None
        self._generation: object = None

    def open(self, *, write: bool) -> bool:
        """Open what is on disk and say whether it could be trusted; if not, it is empty and wants `Index.rebuild`.

        A writer sets a damaged index aside and starts a new one. A reader leaves the disk alone.
        """
        make_private(self.folder)
        if self._verified(write=write):
            with contextlib.suppress(EmptyIndexError):
                self._index = index.open_dir(self.folder, schema=schema())
                self._refresh()
                return True
        if write:
            self._set_aside()
            self._index = index.create_in(self.folder, schema())
            self._seal()
            self._refresh()
        return False

    def write(self, gone: Iterable[FileKey], rows: Iterable[Row]) -> None:
        """Replace: drop all rows of the files `gone`, add `rows`; one commit, on disk when this returns."""
        writer = self._index.writer(limitmb=MEMORY_MB, timeout=10)
        try:
            terms = [query.Term("file", key.term) for key in gone]
            if terms:
                writer.delete_by_query(query.Or(terms))
            for row in rows:
                writer.add_document(
                    id=row.id, file=row.file.term, root=str(row.file.root), kind=row.kind, status=row.status,
                    title=row.title, heading=row.heading, names=row.names, body=row.body, path=row.file.path,
                )  # fmt: skip
        except BaseException:
            writer.cancel()
            raise
        self._commit(writer)

    def drop_root(self, root: int) -> None:
        """Forget all rows of a root."""
        writer = self._index.writer(limitmb=MEMORY_MB, timeout=10)
        writer.delete_by_term("root", str(root))
        self._commit(writer)

    def clear(self) -> None:
        """Start again with an empty index."""
        self._index = index.create_in(self.folder, schema())
        self._seal()
        self._refresh()

    def refresh(self) -> None:
        """See what another process has committed since."""
        if self._index is None:
            self.open(write=False)
        elif self._index.latest_generation() != self._generation and self._verified(write=False):
            self._refresh()

    def _commit(self, writer: Any) -> None:  # noqa: ANN401 - whoosh ships no usable types
        merge = self.snapshot is not None and len(self.snapshot.segments) > MERGE_ABOVE
        writer.commit(merge=merge)
        self._seal()
        self._refresh()

    def _refresh(self) -> None:
        self._generation = self._index.latest_generation()
        self.snapshot = Snapshot(self._index.reader(), self.snapshot)

    # Checksums

    def _key(self) -> bytes:
        path = self.folder.parent / KEY
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_bytes(32))
        return path.read_bytes()

    def _files(self) -> list[Path]:
        return sorted(p for p in self.folder.iterdir() if p.suffix in {".toc", ".seg"} and not p.name.startswith("."))

    def _seal(self) -> None:
        """Write the list of checksums; files it already holds are immutable and not read again."""
        known = self._listed() or {}
        key = self._key()
        sums = {path.name: known.get(path.name) or _checksum(key, path) for path in self._files()}
        for path in self._files():
            if path.name not in known:
                _sync(path)
        body = {"format": FORMAT, "files": sums}
        mac = hmac.new(key, json.dumps(body, sort_keys=True).encode(), hashlib.blake2b).hexdigest()
        write_private(self.folder / LIST, json.dumps({**body, "mac": mac}).encode())
        _sync(self.folder)

    def _listed(self) -> dict[str, str] | None:
        try:
            content = json.loads((self.folder / LIST).read_text(encoding="utf-8"))
            body = {"format": content["format"], "files": content["files"]}
            mac = hmac.new(self._key(), json.dumps(body, sort_keys=True).encode(), hashlib.blake2b).hexdigest()
            genuine = hmac.compare_digest(mac, str(content["mac"])) and body["format"] == FORMAT
            return dict(body["files"]) if genuine else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _verified(self, *, write: bool) -> bool:
        """Say whether every file that Whoosh would open is one of ours, unchanged."""
        for _ in range(1 if write else 5):  # a reader may look between a commit and its list: then look again
            listed = self._listed()
            if listed is not None and self._agrees(listed, write=write):
                return True
            if not write:
                time.sleep(0.02)
        return False

    def _agrees(self, listed: dict[str, str], *, write: bool) -> bool:
        found = {path.name: path for path in self._files()}
        if write:
            # A crash between commit and list leaves files that nobody vouches for; without them the index is as it
            # was before that commit, and its files are marked dirty and are read again.
            for name in set(found) - set(listed):
                found.pop(name).unlink()
        key = self._key()
        try:
            return set(found) == set(listed) and all(
                hmac.compare_digest(_checksum(key, path), listed[name]) for name, path in found.items()
            )
        except OSError:
            return False

    def _set_aside(self) -> None:
        if not any(self.folder.iterdir()):
            return
        aside = self.folder.with_name(f"{self.folder.name}.damaged")
        shutil.rmtree(aside, ignore_errors=True)
        self.folder.rename(aside)
        make_private(self.folder)
        log.warning("the full-text index was damaged; it is kept in %s and written anew", aside)


def _checksum(key: bytes, path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(key=key, digest_size=32)).hexdigest()


def _sync(path: Path) -> None:
    """Push a file or folder to the disk; Whoosh itself never does."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def row_batches(rows: Sequence[Row], size: int = 20_000) -> Iterator[Sequence[Row]]:
    """Cut `rows` into commits of a size that Whoosh writes best."""
    return (rows[start : start + size] for start in range(0, len(rows), size))
