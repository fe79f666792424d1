from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.ranking import Candidate, nearness, rank


def candidate(number: int, **changes: object) -> Candidate:
    values: dict[str, object] = {
        "document": (1, f"{number}.md"), "text_score": 10.0, "coverage": 1.0, "kind": "adr", "status": "accepted",
        "weight": 1.0,
    }  # fmt: skip
    return Candidate(id=number, **{**values, **changes})  # type: ignore[arg-type] # values by name


def order(*candidates: Candidate) -> list[int]:
    return [ranked.candidate.id for ranked in rank(candidates, 10)]


def test_a_superseded_record_never_stands_above_its_successor() -> None:
    old = candidate(1, text_score=50.0, successors=(2,))
    assert order(old, candidate(2, text_score=0.0)) == [2, 1]


def test_an_accepted_record_stands_before_a_proposal_on_equal_terms() -> None:
    assert order(candidate(1, status="proposed"), candidate(2)) == [2, 1]


def test_templates_and_indexes_come_last() -> None:
    assert order(candidate(1, kind="template", status=None), candidate(2, kind="index", status=None), candidate(3)) == [
        3,
        2,
        1,
    ]


def test_an_unused_entry_falls_behind_but_stays() -> None:
    assert order(candidate(1, weight=0.2), candidate(2)) == [2, 1]


def test_one_document_has_at_most_two_places() -> None:
    same = [candidate(number, document=(1, "a.md")) for number in range(5)]
    assert len(rank([*same, candidate(9)], 10)) == 3


def test_the_score_is_the_text_score_times_the_named_factors() -> None:
    ranked = rank([candidate(1, coverage=0.5, status="draft", nearness=0.5)], 1)[0]
    product = 1.0
    for part in ranked.why.values():
        product *= part
    assert abs(product - ranked.score) < 1e-9


def test_nearness_is_one_for_the_file_itself_and_falls_with_each_folder() -> None:
    assert nearness("a/b/c.py", "a/b/c.py") == 1.0
    assert 1.0 > nearness("a/b/d.py", "a/b/c.py") > nearness("a/x/d.py", "a/b/c.py") > nearness("z.py", "a/b/c.py") == 0


@given(st.lists(st.tuples(st.floats(0, 1e4), st.floats(0, 1), st.floats(0, 1)), max_size=20), st.integers(1, 10))
def test_hits_are_in_the_order_of_their_scores(values: list[tuple[float, float, float]], limit: int) -> None:
    found = rank([candidate(n, text_score=s, coverage=c, weight=w) for n, (s, c, w) in enumerate(values)], limit)
    assert len(found) == min(limit, len(values))
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
