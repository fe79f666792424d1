"""How fast written documents are taken apart, in one process and in as many as there are processors.

    python benchmarks/documents.py [FOLDER]

Scans every document below FOLDER, already read; by default this repository's own and those of the installed packages.
Figures are documents and megabytes a second of wall time, and the CPU time that all processes together took. Starting
the processes, each of which imports the scanners, is measured apart: a daemon would do it once.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scanners import registry
from scanners.model import Document

SUFFIXES = frozenset({".md", ".mdx", ".mdc", ".rst", ".adoc", ".txt"})
LARGEST = 2_000_000
CHUNK_BYTES = 30_000
ENOUGH = 3.0
"""Megabytes to scan at least; fewer are scanned several times over."""

TOP = Path(__file__).parent.parent

Written = tuple[str, str]
"""Path and text of a document, as they are sent to another process."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What scanning some documents gave and took."""

    entries: int = 0
    edges: int = 0
    problems: int = 0
    cpu: float = 0.0

    def __add__(self, other: Outcome) -> Outcome:
        """Both together."""
        return Outcome(
            self.entries + other.entries,
            self.edges + other.edges,
            self.problems + other.problems,
            self.cpu + other.cpu,
        )


def documents(folder: Path) -> Iterator[Written]:
    """All documents below a folder, links and hidden trees of tools left out."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in {".git", ".venv", "node_modules"})
        for name in sorted(files):
            file = Path(place, name)
            if file.suffix.lower() in SUFFIXES and not file.is_symlink() and 0 < file.stat().st_size <= LARGEST:
                path = file.relative_to(folder).as_posix()
                yield path, file.read_text(encoding="utf-8-sig", errors="replace")


def scan(chunk: Sequence[Written]) -> Outcome:
    started = time.process_time()
    results = [registry.scan(Document(path, text)) for path, text in chunk]
    return Outcome(
        sum(len(result.entries) for result in results),
        sum(len(result.edges) for result in results),
        sum(len(result.problems) for result in results),
        time.process_time() - started,
    )


def chunks(found: Iterable[Written]) -> Iterator[list[Written]]:
    """Runs of documents of about the same size: enough to be worth sending, few enough to end together."""
    chunk: list[Written] = []
    size = 0
    for document in found:
        chunk.append(document)
        size += len(document[1])
        if size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def megabytes(found: Iterable[Written]) -> float:
    return sum(len(text.encode(errors="replace")) for _, text in found) / 1e6


def report(name: str, found: Sequence[Written], wall: float, cpu: float) -> None:
    size = megabytes(found)
    speed = f"{len(found) / wall:8,.0f} documents/s {size / wall:7.2f} MB/s"
    print(f"  {name:22} {speed}   {wall:6.2f} s wall {cpu:6.2f} s CPU")


def measure(found: list[Written]) -> None:
    every, found = found, found * max(1, round(ENOUGH / megabytes(found)))
    started = time.perf_counter()
    alone = scan(found)
    report("one process", found, time.perf_counter() - started, alone.cpu)
    workers = os.cpu_count() or 1
    started = time.perf_counter()
    with ProcessPoolExecutor(workers) as pool:
        list(pool.map(scan, [found[:1]] * workers))
        ready = time.perf_counter()
        before = time.process_time()
        outcomes = list(pool.map(scan, chunks(found)))
        together = sum(outcomes, Outcome())
        wall = time.perf_counter() - ready
    ours = time.process_time() - before
    report(f"{workers} processes", found, wall, together.cpu + ours)
    print(f"  starting them took {ready - started:.2f} s; handing over documents {ours:.2f} s of CPU here")
    print(f"  {alone.entries:,} entries, {alone.edges:,} edges, {alone.problems:,} problems")
    assert (together.entries, together.edges) == (alone.entries, alone.edges), "the processes found something else"
    spent, (path, text) = max((scan([document]).cpu, document) for document in every)
    print(f"  slowest: {path}, {len(text) / 1000:,.0f} kB in {1000 * spent:.0f} ms")


def main() -> None:
    folders = [Path(one) for one in sys.argv[1:]] or [TOP, Path(sysconfig.get_path("purelib"))]
    found = [document for folder in folders for document in documents(folder)]
    print(f"{len(found):,} documents, {megabytes(found):.2f} MB, below {', '.join(map(str, folders))}")
    registry.scan(Document("a.md", "# A\n"))  # what is loaded by the first document is no part of the speed
    if found:
        measure(found)


if __name__ == "__main__":
    main()
