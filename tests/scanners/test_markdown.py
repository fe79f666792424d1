"""The structure of Markdown: what is a heading, a link, a comment, and what only looks like one."""

from __future__ import annotations

import pytest

from scanners.markdown import parse, without_comments


def headings(text: str) -> list[tuple[int, str, int]]:
    return [(heading.level, heading.text, heading.line) for heading in parse(text).headings]


def links(text: str) -> list[tuple[str, str, int]]:
    return [(link.text, link.target, link.line) for link in parse(text).links]


@pytest.mark.parametrize(
    "text",
    [
        "```bash\n# install\n```",
        "~~~\n# a\n```\n# b\n~~~",
        "````\n```\n# a\n```\n````",
        "    # indented",
        "<!-- # hidden -->",
        "<!--\n# hidden\n\n## more\n-->",
        "> # quoted",
        "#hashtag",
        "| # | Title |\n| --- | --- |\n| 1 | x |",
        "**Status:** Accepted\n---\n",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert headings(text) == []


def test_headings_are_read_as_they_are_shown() -> None:
    text = "Title\n=====\n\n## C#\n\n## F##\n\n## Closed ##\n\n### `code` and *stress* and [link](x.md)\n\n## 😀\n"

    assert headings(text) == [
        (1, "Title", 1),
        (2, "C#", 4),
        (2, "F##", 6),
        (2, "Closed", 8),
        (3, "code and stress and link", 10),
        (2, "😀", 12),
    ]


def test_a_heading_right_after_an_html_tag_is_still_a_heading() -> None:
    assert headings('<a name="x"></a>\n## Here\n') == [(2, "Here", 2)]


def test_the_title_of_a_page_may_be_html() -> None:
    assert headings('<h1 align="center">Shop</h1>\n\n## Use\n') == [(1, "Shop", 1), (2, "Use", 3)]


def test_an_explicit_id_is_the_anchor_of_its_heading() -> None:
    heading = parse("## ADR-001: Sign {#adr-001}\n").headings[0]

    assert (heading.text, heading.anchor) == ("ADR-001: Sign", "adr-001")


def test_links_of_every_notation_are_found_on_their_lines() -> None:
    text = "[a](b.md) and\n<./c.md> and [d][e]\n[[Note|shown]] [f](<g h.md> 'title')\n\n[e]: e.md\n"

    assert links(text) == [
        ("a", "b.md", 1),
        ("./c.md", "./c.md", 2),
        ("d", "e.md", 2),
        ("shown", "wiki:Note", 3),
        ("f", "g h.md", 3),
    ]


def test_links_in_code_are_none() -> None:
    assert links("`[a](b.md)`\n\n```\n[c](d.md)\n```\n\n``[e](f.md) ` ``\n") == []


def test_code_spans_have_their_line() -> None:
    assert [(code.text, code.line) for code in parse("one `a`\ntwo ``b ` c``\n").codes] == [("a", 1), ("b ` c", 2)]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_do_not_move_anything(end: str) -> None:
    text = end.join(["---   ", "status: accepted", "---  ", "# 7. Use queues", "", "Text"])
    page = parse(text)

    assert page.matter[0].value == "accepted"
    assert [(heading.text, heading.line) for heading in page.headings] == [("7. Use queues", 4)]


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert parse("\ufeff---\ntitle: x\n---\n").matter[0].value == "x"


def test_a_comment_that_is_never_closed_hides_the_rest_and_a_closed_one_only_itself() -> None:
    assert headings("# A\n\n<!-- open\n\n## B\n") == [(1, "A", 1)]
    assert without_comments("a <!-- b\nc --> d") == "a \n d"


def test_org_keywords_at_the_top_are_metadata() -> None:
    page = parse("#+title: A\n#+status: accepted\n\n# A\n")

    assert [(field.key, field.value) for field in page.matter] == [("title", "A"), ("status", "accepted")]
    assert [heading.line for heading in page.headings] == [4]


def test_a_table_has_its_cells_and_lines() -> None:
    table = parse("text\n\n| a | b \\| c |\n|---|---|\n| 1 | 2 |\n").tables[0]

    assert table.rows == (("a", "b | c"), ("1", "2"))
    assert table.lines == (3, 5)
