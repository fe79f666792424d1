"""The product on its own repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.answers import Health
from indexer.config import Config
from indexer.index import Index
from indexer.service import Answer, Service
from indexer.writer import WRITES, Writer

TOP = Path(__file__).parent.parent
NOW = 1_800_000_000.0


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answer]:
    home = tmp_path_factory.mktemp("dogfood")
    with Index(home, write=True) as index:
        writer = Writer(index, Config(home=home, exclude=("fixtures/",)), lambda: NOW)
        writer.reconcile(writer.add_root(TOP))
        yield Service(index, Health(), writer.answer, frozenset(WRITES))


def test_our_own_repository_indexes_without_a_problem(answer: Answer) -> None:
    root = answer("roots", {})["roots"][0]
    assert root["problems"] == []
    assert root["symbols"] > 100


def test_our_own_decisions_are_listed_with_number_title_and_status(answer: Answer) -> None:
    entries = answer("entries", {"kinds": ["adr"]})["entries"]
    records = [one for one in entries if one["anchor"] is None]
    files = sorted((TOP / "docs/decisions").glob("[0-9]*.md"))
    assert len(records) == len(files)
    assert [one["number"] for one in records] == list(range(1, len(files) + 1))
    assert {one["status"] for one in records} <= {"accepted", "superseded", "proposed"}


@pytest.mark.parametrize(
    ("question", "record"),
    [
        ("why whoosh", "0003"),
        ("which tree-sitter package", "0004"),
        ("what happens after a crash between SQLite and Whoosh", "0002"),
        ("what counts as a use", "0008"),
        ("why one thread that writes", "0005"),
    ],
)
def test_a_question_about_ourselves_is_answered_by_the_record_first(answer: Answer, question: str, record: str) -> None:
    hits = answer("search", {"query": question})["hits"]
    assert hits[0]["path"].startswith(f"docs/decisions/{record}")


def test_the_record_that_names_a_module_governs_it(answer: Answer) -> None:
    groups = answer("related", {"target": "indexer/postings.py"})["groups"]
    assert "docs/decisions/0003-use-whoosh-in-its-whoosh3-variant.md" in {hit["path"] for hit in groups["governed_by"]}
