"""Sections: lasting anchors, exact lines, large ones split."""

from __future__ import annotations

from scanners.markdown import parse
from scanners.sections import MAX_CHARACTERS, Anchors, Section, cut, slug


def sections(text: str) -> list[Section]:
    page = parse(text)
    return cut(page, page.headings[0] if page.headings else None)


def anchors(text: str) -> list[str | None]:
    return [section.anchor for section in sections(text) if not section.is_empty]


def test_a_slug_is_that_of_the_forge() -> None:
    assert slug("D001: 2025-06-21 - Modelo de Negocio!") == "d001-2025-06-21---modelo-de-negocio"
    assert slug("Решение № 1") == "решение--1"


def test_equal_headings_are_told_apart_by_their_parent_and_then_by_number() -> None:
    text = "# T\n## A\n### Why\nx\n## B\n### Why\nx\n### Why\nx\n"

    assert anchors(text) == [None, "a/why", "b/why", "b/why-1"]


def test_an_anchor_stays_when_other_sections_come_and_go() -> None:
    assert anchors("# T\n## A\nx\n## C\nx\n")[-1] == anchors("# T\n## A\nx\n## B\nx\n\n## C\nx\ny\n")[-1]


def test_text_and_lines_of_a_section_agree() -> None:
    text = "# T\n\nIntro\n\n## A\n\none\n\n### B\n\ntwo\n\n\n## C\n"
    lines = text.split("\n")

    for section in sections(text):
        assert section.text == "\n".join(lines[section.line - 1 : section.end_line])
    assert [(s.anchor, s.line, s.end_line, s.is_empty) for s in sections(text)] == [
        (None, 1, 3, False),
        ("a", 5, 7, False),
        ("b", 9, 11, False),
        ("c", 14, 14, True),
    ]


def test_the_path_of_a_section_leaves_the_title_out() -> None:
    assert [section.path for section in sections("# T\n## A\n### B\nx\n# Chapter Two\n## C\nx\n")] == [
        (),
        ("A",),
        ("A", "B"),
        ("Chapter Two",),
        ("Chapter Two", "C"),
    ]


def test_a_large_section_is_split_at_blank_lines_and_its_parts_are_its_text() -> None:
    body = "\n\n".join(f"Paragraph {number} " + "word " * 60 for number in range(60))
    parts = sections(f"# T\n\n## Big\n\n{body}\n")[1:]

    assert [part.anchor for part in parts][:3] == ["big", "big~2", "big~3"]
    assert all(len(part.text) <= MAX_CHARACTERS for part in parts)
    assert all(part.text.startswith(("## Big", "\nParagraph")) for part in parts)
    assert "\n".join(part.text for part in parts) == f"## Big\n\n{body}"


def test_one_line_without_blanks_is_cut_by_characters() -> None:
    parts = sections("# T\n" + "x" * 20_000)

    assert "".join(part.text for part in parts[1:]) == "x" * 20_000
    assert {part.line for part in parts[1:]} == {2}
    assert all(len(part.text) <= MAX_CHARACTERS for part in parts)


def test_a_long_text_without_headings_is_split_too() -> None:
    parts = sections("word word word\n" * 2_000)

    assert [part.anchor for part in parts][:2] == ["~1", "~2"]
    assert max(len(part.text) for part in parts) <= MAX_CHARACTERS


def test_the_anchor_of_a_line_is_that_of_its_section() -> None:
    found = Anchors(sections("# T\nx\n## A\nx\n## B\n## C\ny\n"))

    assert [found.at(line) for line in range(1, 8)] == [None, None, "a", "a", None, "c", "c"]
