from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.snippets import MOST_CHARACTERS, decision_snippet, snippet

RECORD = """# Use manual mapping

- Status: accepted

## Decision Drivers <!-- optional -->

- Fewer surprises

## Context

We currently use AutoMapper everywhere.

## Decision Outcome

Chosen option: "manual mapping", because it fails at compile time.

## Considered Options

AutoMapper
"""
RST = """1. Title
========

Status
------

**Accepted**

Decision
--------

We will encode with Avro.

Consequences
------------

More work.
"""


def test_a_whole_record_shows_what_was_decided_although_the_context_matches_better() -> None:
    assert decision_snippet(RECORD, ["automapp"]).startswith("Chosen option")
    assert decision_snippet(RST, ["accept"]).startswith("We will encode with Avro.")


def test_a_record_without_a_decision_section_shows_the_passage_that_was_looked_for() -> None:
    assert "pelicans" in decision_snippet("# A\n\nWe like walruses.\n\nWe feed pelicans.\n", ["pelican"])


def test_indentation_and_blank_lines_of_code_stay_as_they_are() -> None:
    code = 'class A:\n    """Doc."""\n\n    x = 1\n'
    assert snippet(code, ["x"], 400) in {"    x = 1", code.rstrip()}


def test_headings_and_underlines_are_no_passage() -> None:
    assert "---" not in snippet(RST, ["accept"])


@given(st.text(), st.lists(st.text(max_size=5), max_size=3))
def test_a_passage_is_never_longer_than_allowed(text: str, wanted: list[str]) -> None:
    assert len(snippet(text, wanted)) <= MOST_CHARACTERS
    assert len(decision_snippet(text, wanted)) <= MOST_CHARACTERS
