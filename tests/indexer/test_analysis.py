from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis import MAX_TOKEN, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserById", {"get", "user", "id", "getuserbyid"}),
        ("parseHTTPResponse", {"pars", "http", "respons", "parsehttpresponse"}),
        ("MAX_RETRY_COUNT", {"max", "retri", "count", "max_retry_count"}),
        ("my-kebab-name", {"kebab", "name", "my-kebab-name"}),
        ("HCA060T", {"hca", "60", "hca060t"}),
        ("C++ C# .NET", {"c++", "c#", ".net"}),
        ("std::vec::Vec", {"std", "vec", "std::vec::vec"}),
        ("docs/adr/0007-use-queues.md", {"doc", "adr", "7", "queue", "0007-use-queues.md"}),
        ("src\\win\\path.cs", {"src", "win", "path.cs"}),
        ("naïve Müller", {"naiv", "muller"}),
    ],
)
def test_identifiers_are_split_and_kept_whole(text: str, expected: set[str]) -> None:
    assert expected <= set(tokens(text))


def test_inflected_forms_of_a_word_share_a_token() -> None:
    assert tokens("queues") == tokens("queue") == tokens("QUEUE")
    assert tokens("очередями") == tokens("Очередь") == tokens("очереди")
    assert tokens("ёлка") == tokens("елка")


def test_a_japanese_sentence_becomes_bigrams_beside_its_latin_words() -> None:
    assert tokens("東京都 Rust") == ["東京", "京都", "rust"]


def test_stop_words_leave_nothing() -> None:
    assert tokens("why is it the and или не") == []


def test_a_line_of_base64_leaves_no_long_token() -> None:
    assert all(len(token) <= MAX_TOKEN for token in tokens("QUJD" * 6_000))


@given(st.text())
def test_any_text_gives_tokens_without_white_space_and_the_same_ones_again(text: str) -> None:
    found = tokens(text)
    assert found == tokens(text)
    assert all(token and not any(c.isspace() for c in token) for token in found)


@given(st.from_regex(r"[a-zA-Z][a-zA-Z0-9]*([_-][a-zA-Z0-9]+){0,3}", fullmatch=True))
def test_every_identifier_finds_itself_in_any_case(identifier: str) -> None:
    if len(identifier) <= MAX_TOKEN:
        found = set(tokens(f"the {identifier} here"))
        assert set(tokens(identifier)) <= found
