"""Questions over inline documents, through the door that everybody uses."""

from __future__ import annotations

import pytest

from indexer.errors import BadInput, NotFound
from tests.project import Project, adr


@pytest.fixture
def shop(project: Project) -> Project:
    project.write("docs/adr/0001-use-kafka.md", adr(1, "Use Kafka for events", "Events go through kafka.",
                                                    "Superseded by [2. Use NATS](0002-use-nats.md)"))  # fmt: skip
    project.write("docs/adr/0002-use-nats.md", adr(2, "Use NATS", "NATS replaces the old broker in `src/broker.py`."))
    project.write("docs/adr/0003-one-database.md", adr(3, "One database per service", "See `src/gone.py`."))
    project.write(
        "src/broker.py", '"""Send events."""\n\n\ndef publish_event(name: str) -> None:\n    """Publish."""\n'
    )
    project.write("AGENTS.md", "# Rules\n\nAlways write tests for brokers.\n")
    project.write("docs/guide.md", "# Guide\n\n## Очереди\n\nСообщения лежат в очередях.\n")
    project.reconcile()
    return project


def hits(project: Project, query: str, **arguments: object) -> list[dict[str, object]]:
    found: list[dict[str, object]] = project.answer("search", {"query": query, **arguments})["hits"]
    return found


def test_the_successor_of_a_superseded_record_stands_above_it_although_it_does_not_match(shop: Project) -> None:
    found = hits(shop, "kafka events")
    assert found[0]["path"] == "docs/adr/0002-use-nats.md"
    old = next(hit for hit in found if hit["path"] == "docs/adr/0001-use-kafka.md")
    assert old["superseded_by"] == ["shop:docs/adr/0002-use-nats.md"]


def test_every_hit_says_whether_the_code_it_names_still_stands(shop: Project) -> None:
    found = hits(shop, "NATS database service broker", kinds=["adr"])
    verdicts = {hit["id"]: hit["freshness"] for hit in found}
    assert verdicts["shop:docs/adr/0002-use-nats.md"] == "current"
    assert verdicts["shop:docs/adr/0003-one-database.md"] == "missing"


def test_a_symbol_is_found_by_its_parts_and_names_its_line(shop: Project) -> None:
    found = hits(shop, "publish event", kinds=["symbol"])
    assert (found[0]["symbol"], found[0]["line"]) == ("publish_event", 4)


def test_a_russian_word_finds_its_inflected_forms(shop: Project) -> None:
    assert shop.paths("очередь")[0] == "docs/guide.md"


def test_words_that_occur_nowhere_give_no_good_match_instead_of_padding(shop: Project) -> None:
    answer = shop.answer("search", {"query": "quaternion marshmallow"})
    assert (answer["no_good_match"], answer["hits"]) == (True, [])


def test_a_question_of_stop_words_finds_nothing_and_says_why(shop: Project) -> None:
    answer = shop.answer("search", {"query": "the of and"})
    assert answer["hits"] == []
    assert "no word" in answer["note"]


def test_filters_by_kind_status_and_root(shop: Project) -> None:
    assert {hit["kind"] for hit in hits(shop, "use", kinds=["adr"])} == {"adr"}
    assert {hit["status"] for hit in hits(shop, "use", statuses=["superseded"])} <= {"superseded"}
    assert hits(shop, "kafka", root="shop")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [({"kinds": ["adrs"]}, "not one of the kinds"), ({"statuses": ["done"]}, "not one of the statuses")],
)
def test_an_unknown_filter_names_the_known_ones(shop: Project, arguments: dict[str, object], expected: str) -> None:
    with pytest.raises(BadInput, match=expected):
        hits(shop, "kafka", **arguments)


def test_an_unknown_root_names_the_known_ones(shop: Project) -> None:
    with pytest.raises(NotFound, match="roots are shop"):
        hits(shop, "kafka", root="nope")


def test_a_caller_is_answered_for_the_root_it_works_in(shop: Project) -> None:
    answer = shop.answer("search", {"query": "kafka", "cwd": str(shop.folder / "src")})
    assert "where the caller works" in answer["note"]


@pytest.mark.parametrize(
    "query", ["*", "? ( ) NOT", 'field:x "', "root:shop", "NOT " * 500, "w*", "[a TO z]", "x" * 9_999]
)
def test_odd_questions_are_answered(shop: Project, query: str) -> None:
    assert shop.answer("search", {"query": query})["state"] == "ready"


def test_quoted_words_must_stand_together_and_excluded_ones_must_not_occur(shop: Project) -> None:
    assert set(shop.paths('"old broker"')) == {"docs/adr/0002-use-nats.md"}
    assert shop.paths('"broker old"') == []
    assert "docs/adr/0002-use-nats.md" not in shop.paths("broker -nats")


def test_reading_counts_as_a_use_and_peeking_does_not(shop: Project) -> None:
    def uses() -> int:
        return int(shop.index.reader().execute("SELECT count(*) FROM uses").fetchone()[0])

    entry = "shop:docs/adr/0002-use-nats.md"
    shop.answer("read", {"id": entry, "peek": True})
    assert uses() == 0
    for _ in range(3):
        shop.answer("read", {"id": entry, "reader": "one"})
    shop.answer("read", {"id": entry, "reader": "two"})
    assert uses() == 2


def test_reading_shows_text_relations_and_freshness(shop: Project) -> None:
    answer = shop.answer("read", {"id": "shop:docs/adr/0002-use-nats.md"})
    assert "NATS replaces" in answer["entry"]["text"]
    assert ("supersedes", "shop:docs/adr/0001-use-kafka.md") in {
        (relation["kind"], relation["id"]) for relation in answer["relations"]
    }
    assert answer["freshness"]["verdict"] == "current"


def test_an_unknown_id_is_a_clear_no(shop: Project) -> None:
    with pytest.raises(NotFound, match="no entry has the id"):
        shop.answer("read", {"id": "shop:nope.md"})


def test_what_governs_a_file_is_the_record_that_names_it_and_the_rules(shop: Project) -> None:
    groups = shop.answer("related", {"target": "src/broker.py"})["groups"]
    assert {hit["path"] for hit in groups["governed_by"]} == {"docs/adr/0002-use-nats.md", "AGENTS.md"}
    assert groups["mentioned_by"][0]["evidence"]["path"] == "docs/adr/0002-use-nats.md"


def test_a_record_shows_both_directions_of_supersession(shop: Project) -> None:
    old = shop.answer("related", {"target": "docs/adr/0001-use-kafka.md"})["groups"]
    new = shop.answer("related", {"target": "shop:docs/adr/0002-use-nats.md"})["groups"]
    assert [hit["path"] for hit in old["superseded_by"]] == ["docs/adr/0002-use-nats.md"]
    assert [hit["path"] for hit in new["supersedes"]] == ["docs/adr/0001-use-kafka.md"]
    assert "src/broker.py" in {hit["path"] for hit in new["mentions"]}


def test_a_symbol_is_a_target_with_the_place_where_it_is_defined(shop: Project) -> None:
    answer = shop.answer("related", {"target": "publish_event"})
    assert answer["target"]["path"] == "src/broker.py"
    assert [hit["path"] for hit in answer["groups"]["defined_in"]] == ["src/broker.py"]


def test_a_target_that_names_nothing_is_a_clear_no(shop: Project) -> None:
    with pytest.raises(NotFound, match="no path, symbol or id"):
        shop.answer("related", {"target": "src/nope.py"})


def test_feedback_is_recorded_and_a_wrong_word_is_refused(shop: Project) -> None:
    entry = "shop:docs/adr/0002-use-nats.md"
    assert shop.answer("feedback", {"id": entry, "verdict": "useful"})["recorded"] is True
    with pytest.raises(BadInput, match="useful, stale or wrong"):
        shop.answer("feedback", {"id": entry, "verdict": "great"})


def test_a_decay_run_can_be_undone_exactly_and_a_dry_run_changes_nothing(shop: Project) -> None:
    def weights() -> list[tuple[object, ...]]:
        return [tuple(row) for row in shop.index.reader().execute("SELECT * FROM weights ORDER BY entry")]

    shop.answer("decay", {"at": "2027-06-01"})
    before = weights()
    assert before
    dry = shop.answer("decay", {"at": "2040-01-01", "dry_run": True})
    assert (dry["run"], weights()) == (None, before)
    run = shop.answer("decay", {"at": "2040-01-01"})["run"]
    assert weights() != before
    shop.answer("decay", {"undo": run})
    assert weights() == before
    with pytest.raises(BadInput, match="undone already"):
        shop.answer("decay", {"undo": run})


def test_the_weight_of_a_run_is_what_a_search_explains(shop: Project) -> None:
    shop.answer("decay", {"at": "2060-01-01"})
    guide = next(hit for hit in hits(shop, "очередь") if hit["path"] == "docs/guide.md")
    assert guide["weight"] == pytest.approx(0.4, abs=1e-3)
    why = guide["why"]
    assert isinstance(why, dict)
    assert why["weight"] == pytest.approx(0.65, abs=1e-3)


def test_entries_are_listed_with_their_relations_as_paths(shop: Project) -> None:
    entries = shop.answer("entries", {"kinds": ["adr"]})["entries"]
    documents = {one["path"]: one for one in entries if one["anchor"] is None}
    assert len(documents) == 3
    old = documents["docs/adr/0001-use-kafka.md"]
    assert (old["number"], old["status"], old["date"]) == (1, "superseded", "2026-01-02")
    assert old["superseded_by"] == ["docs/adr/0002-use-nats.md"]
    assert documents["docs/adr/0002-use-nats.md"]["supersedes"] == ["docs/adr/0001-use-kafka.md"]


def test_a_removed_root_is_forgotten(shop: Project) -> None:
    shop.answer("roots-remove", {"roots": ["shop"]})
    with pytest.raises(NotFound, match="no root is registered"):
        hits(shop, "kafka")
