"""Front matter: read as written, bounded, and never a reason to lose the file."""

from __future__ import annotations

import pytest

from scanners.frontmatter import MAX_CHARACTERS, FrontMatter, parse_yaml, read


def matter(text: str, *, line_wise: bool = False) -> FrontMatter:
    return read(tuple(text.split("\n")), line_wise=line_wise)


def values(text: str, *, line_wise: bool = False) -> dict[str, tuple[str, ...]]:
    return {field.key: field.values for field in matter(text, line_wise=line_wise).fields}


def test_scalars_stay_as_they_are_written() -> None:
    text = "---\na: yes\nb: 010\nc: 12:30\nd: 2024-01-02\ne: null\nf: ~\ng: 1.10\n---\n"

    assert values(text) == {
        "a": ("yes",), "b": ("010",), "c": ("12:30",), "d": ("2024-01-02",), "e": ("null",), "f": ("~",),
        "g": ("1.10",),
    }  # fmt: skip


def test_keys_have_the_lines_they_stand_on() -> None:
    assert [(field.key, field.line) for field in matter("---\n\nstatus: a\ntags:\n  - b\n---\n").fields] == [
        ("status", 3),
        ("tags", 4),
    ]


def test_one_bad_key_costs_that_key() -> None:
    found = matter("---\nstatus: accepted\nowner: `C:\\x`\ntitle: *Italic*\ndate: 2024-01-02\n---\n")

    assert {field.key: field.value for field in found.fields} == {
        "status": "accepted",
        "owner": "`C:\\x`",
        "title": "*Italic*",
        "date": "2024-01-02",
    }
    assert [line for line, _ in found.problems] == [3, 4]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("globs: *.rs", ("*.rs",)),
        ("globs: **/*", ("**/*",)),
        ('globs: "a", "b"', ('"a", "b"',)),
        ("globs:", ()),
        ("globs: a,b", ("a,b",)),
        ("globs: [a, 'b']", ("a", "b")),
        ("globs:\n  - a\n  - b", ("a", "b")),
        ("globs: about: this", ("about: this",)),
    ],
)
def test_keys_that_are_no_yaml_are_read_line_by_line(line: str, wanted: tuple[str, ...]) -> None:
    assert values(f"---\n{line}\nalwaysApply: true\n---\n", line_wise=True) == {
        "globs": wanted,
        "alwaysapply": ("true",),
    }


@pytest.mark.parametrize(
    "text",
    [
        "---\nA rule, and text.\n\n---\n",
        "---\nstatus: a\n",
        "text\n---\nstatus: a\n---\n",
        "---\n" + "a: b\n" * (MAX_CHARACTERS // 5 + 9) + "---\n",
    ],
)
def test_dashes_that_open_no_front_matter_are_text(text: str) -> None:
    assert matter(text) == FrontMatter()


def test_a_list_at_the_top_is_a_problem_and_no_metadata() -> None:
    found = matter("---\n- a\n- key: b\n---\n")

    assert found.fields == ()


@pytest.mark.parametrize("text", ["[" * 5_000, "a: &x [*x]", "{a: " * 2_000, "a: " * 100, "\x00", "? a\n: b\n? a"])
def test_hostile_yaml_builds_nothing(text: str) -> None:
    assert len(str(parse_yaml(text))) < 100


def test_the_first_of_two_equal_keys_counts() -> None:
    assert values("---\nstatus: a\nstatus: b\n---\n") == {"status": ("a",)}


def test_toml_is_read_between_pluses() -> None:
    text = '+++\ntitle = "A, b"\ndate = 2024-05-06\ntags = [\n  "x",\n  "y",\n]\n[extra]\nstatus = \'accepted\'\n+++\n'

    assert values(text) == {"title": ("A, b",), "date": ("2024-05-06",), "tags": ("x", "y"), "status": ("accepted",)}
