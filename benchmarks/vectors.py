"""How fast texts become vectors, and how fast and how well the nearest are found.

    python benchmarks/vectors.py [--rows 100000] [FOLDER]

FOLDER holds Markdown to embed, by default our own documentation. Recall compares the ten nearest by signs and rescoring
with the ten nearest by exact cosines, on clustered random vectors.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from indexer.embedding import Embedder, Floats, StaticEmbedder, UniversalEmbedder, normalised
from indexer.vectors import Vectors, VectorSet, quantised

QUESTIONS = 200


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent.parent / "docs")
    parser.add_argument("--rows", type=int, default=100_000)
    arguments = parser.parse_args()
    texts = [part for path in sorted(arguments.folder.rglob("*.md")) for part in sections(path)]
    for embedder in (StaticEmbedder(), UniversalEmbedder()):
        embed(embedder, texts)
    for dimensions in (StaticEmbedder.dimensions, UniversalEmbedder.dimensions):
        search(arguments.rows, dimensions)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def sections(path: Path) -> list[str]:
    """The text of a file, cut at headings of the second level."""
    return [part for part in path.read_text(encoding="utf-8", errors="replace").split("\n## ") if part.strip()]


def embed(embedder: Embedder, texts: Sequence[str]) -> None:
    """Print texts a second and milliseconds a question, in CPU time."""
    started = time.process_time()
    embedder.embed(["warm"])
    loaded = time.process_time()
    embedder.embed(texts[:2_000])
    done = time.process_time()
    for _ in range(QUESTIONS):
        embedder.embed(["why is there only one thread that writes"])
    asked = (time.process_time() - done) / QUESTIONS
    speed = len(texts[:2_000]) / (done - loaded)
    print(f"{embedder.name}: load {loaded - started:.2f} s, {speed:,.0f} texts/s, {1000 * asked:.2f} ms a question")


def search(rows: int, dimensions: int) -> None:
    """Print milliseconds a search, recall and memory."""
    random = np.random.default_rng(1)
    topics = random.normal(size=(max(rows // 100, 1), dimensions)).astype(np.float32)
    points = clustered(random, topics, rows)
    known = VectorSet(dimensions)
    for start in range(0, rows, 10_000):
        some = points[start : start + 10_000]
        known.put(range(start, start + len(some)), *quantised(some))
    now = known.now()
    shared, times = 0, []
    for question in clustered(random, topics, QUESTIONS):
        started = time.perf_counter()
        found = now.search(question, 10)
        times.append(1000 * (time.perf_counter() - started))
        exact = np.argpartition(-(points @ question), 10)[:10]
        shared += len({near.id for near in found}.intersection(exact.tolist()))
    p50, p95 = np.percentile(times, [50, 95])
    print(
        f"{rows:,} x {dimensions}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, recall@10 {shared / 10 / QUESTIONS:.3f}, "
        f"{size(now) / 1e6:.0f} MB"
    )


def clustered(random: np.random.Generator, topics: Floats, count: int) -> Floats:
    """Vectors around topics, as texts have them."""
    near = topics[random.integers(0, len(topics), count)]
    return normalised((near + 0.7 * random.normal(size=near.shape)).astype(np.float32))


def size(now: Vectors) -> int:
    """Bytes of the columns."""
    return int(sum(column.nbytes for column in (now.ids, now.signs, now.numbers, now.scales, now.live)))


if __name__ == "__main__":
    main()
