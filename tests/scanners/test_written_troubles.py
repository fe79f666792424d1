"""Troubles that other tools had with written documents, each as the smallest document that shows it."""

from __future__ import annotations

import pytest

from scanners import registry
from scanners.model import Document, Entry
from scanners.sections import MAX_CHARACTERS


def entries(text: str, path: str = "docs/adr/0007-x.md") -> list[Entry]:
    return list(registry.scan(Document(path, text)).entries)


@pytest.mark.parametrize(
    "line",
    [
        "owner: `C:\\Users\\x`",
        "title: *Italic*",
        "- '[[wikilink]]suffix'",
        "type:",
        "type: null",
        "tags: 7",
        "tags: {a: {b: c}}",
    ],
)
def test_odd_front_matter_costs_neither_the_text_nor_the_other_keys(line: str) -> None:
    found = entries(f"---\nstatus: accepted\n{line}\n---\n\n# Use queues\n\n## Why\n\nBecause.\n")

    assert found[0].text.endswith("Because.\n")
    assert found[0].status == "accepted"
    assert found[-1].anchor == "why"


def test_a_rule_of_dashes_at_the_top_is_no_front_matter() -> None:
    found = entries("---\n\nSome text.\n\n---\n\n# Use queues\n\nMore.\n")

    assert found[0].title == "Use queues"


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_leave_no_sign_in_a_title(end: str) -> None:
    found = entries(end.join(["# 7. Use queues", "", "## Status", "", "Accepted"]))

    assert (found[0].number, found[0].title, found[0].status) == (7, "Use queues", "accepted")
    assert (found[1].line, found[1].end_line) == (3, 5)


def test_comments_in_a_fence_do_not_become_chapters() -> None:
    text = (
        "# Guide\n\n## Setup\n\n```bash\n# install deps\n```\n\n### Details\n\nx\n\n# Chapter Two\n\n## More\n\ny\n"
        + "\n" * 10
    )
    found = {entry.anchor: entry for entry in entries(text, "docs/guide.md")}

    assert found["details"].heading == ("Setup", "Details")
    assert found["more"].heading == ("Chapter Two", "More")
    assert all(entry.text.strip() for entry in found.values())
    assert "chapter-two" not in found


@pytest.mark.parametrize("end", ["<!-- -->\n", "<!-- never closed\n", "`-->` in code\n"])
def test_a_comment_at_the_end_hurts_nothing(end: str) -> None:
    found = entries(f"# X\n\n## Decision\n\nQueues.\n\n{end}")

    assert [entry.anchor for entry in found] == [None, "decision"]


def test_a_table_of_contents_between_records_is_an_index() -> None:
    kinds = [
        entries(text, f"docs/adr/{name}")[0].kind
        for name, text in (
            ("0001-a.md", "# A\n"),
            ("0002-b.md", "# B\n"),
            ("README.md", "* [A](0001-a.md)\n"),
            ("template.md", "# Title\n"),
            ("index.md", "x\n"),
        )
    ]

    assert kinds == ["adr", "adr", "index", "template", "index"]


def test_two_records_with_one_number_define_it_both() -> None:
    results = [registry.scan(Document(f"docs/adr/ADR-027-{name}.md", "# X\n")) for name in "ab"]

    assert all("27" in [entity.name for entity in result.entities] for result in results)


@pytest.mark.parametrize("text", ["x" * 2_000_000, "```\n" + "QUJD" * 6_000 + "\n```\n"])
def test_a_line_without_blanks_gives_no_part_above_the_limit(text: str) -> None:
    assert all(len(entry.text) <= MAX_CHARACTERS for entry in entries(f"# X\n\n{text}\n")[1:])


def test_pictures_and_scripts_of_all_kinds_stay_whole() -> None:
    text = "# 😀\n\n```\n😀 e\u0301 中文\n```\n\n## 🎉🎉\n\nשלום\n\n## 中文\n\n好\n"
    found = entries(text, "docs/a.md")

    assert found[0].headings == ("🎉🎉", "中文")
    assert [entry.text for entry in found[1:]] == ["## 🎉🎉\n\nשלום", "## 中文\n\n好"]
    assert [entry.title for entry in found[1:]] == ["🎉🎉", "中文"]


def test_the_text_after_the_readable_lines_is_kept_and_the_user_is_told() -> None:
    result = registry.scan(Document("docs/a.md", "# X\n\n" + "line\n" * 45_000 + "## Last\n\nend\n"))

    assert result.entries[0].text.endswith("## Last\n\nend\n")
    assert [problem.line for problem in result.problems] == [40_000]
