"""The numpy scorer against Whoosh's own searcher: the same ids, the same scores."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from whoosh import index as whoosh_index
from whoosh import query as whoosh_query
from whoosh import scoring

from indexer import postings
from indexer.fulltext import TEXT_FIELDS, FileKey, FullText, Row, schema
from indexer.postings import Posting, Term

WORDS = [f"word{number}" for number in range(300)]
BOOSTS = {"title": 3.0, "heading": 1.5, "names": 2.0, "body": 1.0, "path": 0.7}


def some_text(chance: random.Random, most: int) -> str:
    """Words with a skewed frequency, as in prose."""
    return " ".join(WORDS[int(len(WORDS) * chance.random() ** 3)] for _ in range(chance.randrange(1, most)))


def row(number: int, chance: random.Random) -> Row:
    file = FileKey(1 + number % 2, f"folder{number % 7}/file{number // 5}.md")
    kind = chance.choice(["adr", "doc", "symbol"])
    texts = [some_text(chance, most) for most in (6, 10, 4, 60)]
    return Row(number, file, kind, chance.choice(["accepted", ""]), *texts)


@pytest.fixture(scope="module")
def fulltext(tmp_path_factory: pytest.TempPathFactory) -> FullText:
    """Five segments with deletions in each but the last."""
    chance = random.Random(7)
    index = FullText(tmp_path_factory.mktemp("parity") / "fulltext")
    index.open(write=True)
    rows = [row(number, chance) for number in range(1_500)]
    for start in range(0, 1_200, 300):
        index.write([], rows[start : start + 300])
    gone = {one.file for one in chance.sample(rows[:1_200], 120)}
    index.write(gone, rows[1_200:])
    return index


def whoosh_scores(searcher: Any, terms: list[Term], limit: int) -> list[tuple[int, float]]:
    """The best hits by Whoosh; asked for all, since with a limit it now and then skips a block with a better one."""
    query = whoosh_query.Or([whoosh_query.Term(t.field, t.token, boost=t.boost) for t in terms])
    return [(hit["id"], hit.score) for hit in searcher.search(query, limit=None)][:limit]


def test_there_are_several_segments_and_deletions(fulltext: FullText) -> None:
    assert fulltext.snapshot is not None
    assert len(fulltext.snapshot.segments) >= 5
    assert len(fulltext.snapshot) < sum(segment.size for segment in fulltext.snapshot.segments)


@pytest.mark.timeout(300)
def test_two_thousand_random_queries_give_the_ids_and_scores_of_whoosh(fulltext: FullText) -> None:
    assert fulltext.snapshot is not None
    chance = random.Random()
    searcher = whoosh_index.open_dir(fulltext.folder, schema=schema()).searcher(weighting=scoring.BM25F())
    for _ in range(2_000):
        tokens = dict.fromkeys(some_text(chance, 8).split())
        fields = chance.sample(TEXT_FIELDS, chance.randrange(1, 6))
        terms = [Term(field, token, BOOSTS[field]) for token in tokens for field in fields]
        ours = [(match.id, match.score) for match in fulltext.snapshot.search(terms, {}, 10)]
        theirs = whoosh_scores(searcher, terms, 10)
        assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], abs=1e-4), terms
        assert settled(ours) == settled(theirs), terms


def settled(hits: list[tuple[int, float]]) -> set[int]:
    """Ids whose place does not depend on how a tie at the end of the list is broken."""
    return {number for number, score in hits if score > hits[-1][1] + 1e-6}


def test_a_filter_keeps_only_what_holds_one_of_its_tokens(fulltext: FullText) -> None:
    assert fulltext.snapshot is not None
    terms = [Term("body", word, 1.0) for word in WORDS[:20]]
    everything = {match.id for match in fulltext.snapshot.search(terms, {}, 5_000)}
    by_root = [{match.id for match in fulltext.snapshot.search(terms, {"root": [root]}, 5_000)} for root in ("1", "2")]
    assert by_root[0] | by_root[1] == everything
    assert not by_root[0] & by_root[1]
    assert fulltext.snapshot.search(terms, {"kind": ["rule"]}, 10) == []


def test_coverage_is_one_when_every_word_is_held_and_lower_for_unknown_words(fulltext: FullText) -> None:
    assert fulltext.snapshot is not None
    best = fulltext.snapshot.search([Term("body", "word0", 1.0)], {}, 1)[0]
    assert best.coverage == pytest.approx(1.0)
    terms = [Term("body", "word0", 1.0), Term("body", "nowhere", 1.0)]
    assert fulltext.snapshot.search(terms, {}, 1)[0].coverage < 0.5


def test_the_public_way_to_read_postings_gives_the_same(fulltext: FullText, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fulltext.snapshot is not None
    segment = fulltext.snapshot.segments[0]
    quick = segment.decode("body", "word1")
    monkeypatch.setattr(postings, "_columns", postings._columns_slowly)
    slow = segment.decode("body", "word1")
    assert isinstance(quick, Posting)
    assert isinstance(slow, Posting)
    assert quick.documents.tolist() == slow.documents.tolist()
    assert quick.weights.tolist() == slow.weights.tolist()


def test_a_cache_that_is_full_forgets_and_answers_the_same(
    tmp_path: Path, fulltext: FullText, monkeypatch: pytest.MonkeyPatch
) -> None:
    del tmp_path
    monkeypatch.setattr(postings, "CACHE_BYTES", 100)
    assert fulltext.snapshot is not None
    terms = [Term("body", word, 1.0) for word in WORDS[:10]]
    once = fulltext.snapshot.search(terms, {}, 10)
    assert fulltext.snapshot.search(terms, {}, 10) == once
