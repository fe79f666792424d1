from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import BadInput
from indexer.query import MAX_TOKENS, parse


def test_an_empty_question_is_refused_with_advice() -> None:
    with pytest.raises(BadInput, match="say in a few words"):
        parse("  \n")


def test_a_very_long_question_is_cut_and_says_so() -> None:
    query = parse("alpha beta gamma " * 700)
    assert query.tokens == ("alpha", "beta", "gamma")
    assert query.note is not None


def test_more_words_than_the_limit_are_left_out_and_said() -> None:
    query = parse(" ".join(f"word{number}" for number in range(200)))
    assert len(query.tokens) == MAX_TOKENS
    assert query.note is not None


@pytest.mark.parametrize("text", ["*", "?", '"', "( )", "NOT", "?? .- NOT NOT ??", "[a TO z]", "NOT " * 500])
def test_signs_of_query_languages_are_just_text(text: str) -> None:
    assert parse(text).excluded == ()


def test_a_field_name_in_the_text_is_a_word() -> None:
    assert set(parse("root:secret").tokens) >= {"root", "secret"}


def test_quoted_words_stand_together_and_a_minus_excludes() -> None:
    query = parse('"Event  Driven" queue -kafka well-known -100821')
    assert query.phrases == ("event driven",)
    assert query.excluded == ("kafka",)
    assert "kafka" not in query.tokens
    assert "well-known" in query.tokens
    assert "100821" in query.tokens


@given(st.text(min_size=1))
def test_any_text_is_a_question_or_refused(text: str) -> None:
    try:
        query = parse(text)
    except BadInput:
        assert not text.strip()
    else:
        assert len(query.tokens) <= MAX_TOKENS
