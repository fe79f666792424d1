"""Search speed of the numpy scorer beside Whoosh's own searcher, over the same index, in one run.

    python benchmarks/fulltext.py [ENTRIES ...]        default: 20000 100000

The texts are pieces of the Python standard library and of the installed packages, the queries two to eight words drawn
from them and looked for in three boosted fields. CPU time of this process. Whoosh's searcher now and then skips a block
that holds a better hit when it is asked for ten; such queries are counted, and `limit=None` shows who is right.
"""

from __future__ import annotations

import random
import re
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import quantiles

from whoosh import index as whoosh_index
from whoosh import query as whoosh_query
from whoosh import scoring

from indexer.analysis import tokens
from indexer.fulltext import FileKey, FullText, Row, row_batches, schema
from indexer.postings import Term

PIECE = 470
BOOSTS = {"title": 3.0, "names": 2.0, "body": 1.0}
QUERIES = 150
WHOOSH_QUERIES = 60
WORD = re.compile(r"[A-Za-z]{3,}")


def pieces(most: int) -> list[str]:
    """Texts of about `PIECE` characters from the Python files of this installation."""
    found: list[str] = []
    for folder in (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")):
        for file in sorted(Path(folder).rglob("*.py")):
            text = file.read_text(encoding="utf-8", errors="replace")
            found += [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
            if len(found) >= 2 * most:
                break
    random.Random(1).shuffle(found)
    while len(found) < most:  # small installations: the same words in another order
        found += [
            " ".join(random.Random(len(found)).sample(piece.split(), len(piece.split()))) for piece in found[:1000]
        ]
    return found[:most]


def rows(texts: Sequence[str]) -> list[Row]:
    """One entry a text, sixteen to a file, titled with its first words."""
    return [
        Row(number, FileKey(1, f"src/file{number // 16}.py"), "doc", "", " ".join(WORD.findall(text)[:6]), "", "", text)
        for number, text in enumerate(texts)
    ]


def questions(texts: Sequence[str], count: int) -> Iterator[list[Term]]:
    chance = random.Random(2)
    for _ in range(count):
        words = WORD.findall(chance.choice(texts)) or ["import"]
        wanted = dict.fromkeys(tokens(" ".join(chance.sample(words, min(len(words), chance.randrange(2, 9))))))
        yield [Term(field, token, boost) for token in wanted for field, boost in BOOSTS.items()]


def report(name: str, seconds: Sequence[float]) -> None:
    cuts = quantiles([1000 * one for one in seconds], n=100)
    times = f"p50 {cuts[49]:8.2f} ms   p95 {cuts[94]:8.2f} ms   p99 {cuts[98]:8.2f} ms"
    print(f"  {name:34} {times}   ({len(seconds)} queries)")


def measure(count: int) -> None:
    texts = pieces(count)
    with tempfile.TemporaryDirectory() as folder:
        index = FullText(Path(folder) / "fulltext")
        index.open(write=True)
        started = time.process_time()
        for batch in row_batches(rows(texts)):
            index.write([], batch)
        spent = time.process_time() - started
        print(f"{count:,} entries: written at {count / spent:,.0f} entries/s of CPU")
        started = time.process_time()
        reader = FullText(Path(folder) / "fulltext")
        assert reader.open(write=False)
        assert reader.snapshot is not None
        print(f"  opened and verified in {1000 * (time.process_time() - started):.0f} ms")
        asked = list(questions(texts, QUERIES))
        ours: list[list[float]] = []
        for name in ("numpy, cold", "numpy, warm"):
            times, ours = [], []
            for terms in asked:
                started = time.process_time()
                found = reader.snapshot.search(terms, {}, 10)
                times.append(time.process_time() - started)
                ours.append([match.score for match in found])
            report(name, times)
        searcher = whoosh_index.open_dir(index.folder, schema=schema()).searcher(weighting=scoring.BM25F())
        times = []
        lost = 0
        for terms, expected in list(zip(asked, ours, strict=True))[:WHOOSH_QUERIES]:
            query = whoosh_query.Or([whoosh_query.Term(t.field, t.token, boost=t.boost) for t in terms])
            started = time.process_time()
            found = [hit.score for hit in searcher.search(query, limit=10)]
            times.append(time.process_time() - started)
            if not same(found, expected):
                lost += 1
                complete = [hit.score for hit in searcher.search(query, limit=None)][:10]
                assert same(complete, expected), "the two disagree"
        report("Whoosh's own searcher", times)
        print(f"  queries where Whoosh's ten lost a better hit: {lost} of {len(times)}")


def same(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(abs(a - b) < 1e-4 for a, b in zip(one, other, strict=True))


if __name__ == "__main__":
    for wanted in [int(one) for one in sys.argv[1:]] or [20_000, 100_000]:
        measure(wanted)
