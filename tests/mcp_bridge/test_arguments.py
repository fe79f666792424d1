from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import BadInput
from mcp_bridge.arguments import checked
from mcp_bridge.tools import BY_NAME

SEARCH = BY_NAME["search"].input_schema


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ({"query": "a", "limit": "12"}, {"query": "a", "limit": 12}),
        ({"query": "a", "limit": 3.0}, {"query": "a", "limit": 3}),
        ({"query": "a", "limit": -3}, {"query": "a", "limit": 0}),
        ({"query": "a", "kinds": "adr"}, {"query": "a", "kinds": ["adr"]}),
        ({"query": "a", "kinds": "adr, doc"}, {"query": "a", "kinds": ["adr", "doc"]}),
        ({"query": "a", "kinds": ""}, {"query": "a", "kinds": []}),
        ({"query": "a", "root": None}, {"query": "a"}),
    ],
)
def test_what_is_certainly_meant_is_accepted(sent: dict[str, Any], meant: dict[str, Any]) -> None:
    assert checked(SEARCH, sent) == (meant, "")


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({}, "query must be given; arguments are: query, root, kinds"),
        ({"query": None}, "query must be given"),
        ({"query": 7}, "query must be a text"),
        ({"query": "a", "limit": "many"}, "limit must be a whole number"),
        ({"query": "a", "limit": True}, "limit must be a whole number"),
        ({"query": "a", "kinds": {"adr": 1}}, "kinds must be a list of texts, each one of: adr, rfc"),
        ({"query": "a", "kinds": ["recipe"]}, "kinds has no 'recipe'; it is one of: adr, rfc"),
        ({"query": "a", "statuses": [1]}, "statuses must be a text"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line_that_says_what_can(sent: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        checked(SEARCH, sent)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_argument_is_named_and_not_silently_dropped() -> None:
    arguments, note = checked(SEARCH, {"query": "a", "kind": "adr"})

    assert arguments == {"query": "a"}
    assert note.startswith("ignored unknown arguments ['kind']; arguments are: query, root, kinds")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.sampled_from(sorted(BY_NAME)),
    st.dictionaries(st.text() | st.sampled_from(sorted(SEARCH["properties"])), anything),
)
def test_any_json_is_either_understood_or_refused(tool: str, sent: dict[str, Any]) -> None:
    schema = BY_NAME[tool].input_schema
    try:
        arguments, _ = checked(schema, sent)
    except BadInput:
        return
    for name, value in arguments.items():
        expected = {"string": str, "integer": int, "array": list}[schema["properties"][name]["type"]]
        assert isinstance(value, expected)
