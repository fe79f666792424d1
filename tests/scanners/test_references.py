"""What a document points at, and which records it relates to."""

from __future__ import annotations

import pytest

from scanners import registry
from scanners.model import Document, Edge, Ref
from scanners.page import Link
from scanners.paths import name_of
from scanners.references import of_code, of_link

RECORD = "docs/adr/0007-x.md"


def edges(text: str, path: str = RECORD) -> list[Edge]:
    return list(registry.scan(Document(path, text)).edges)


def related(text: str, path: str = RECORD) -> list[tuple[str, bool, str]]:
    return [(edge.kind, edge.inverse, edge.target.name) for edge in edges(text, path)]


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("0005-y.md", Ref("file", "docs/adr/0005-y.md", exact=True)),
        ("./0005-y.md#why", Ref("file", "docs/adr/0005-y.md", exact=True)),
        ("../../src/a.py#L12", Ref("file", "src/a.py", exact=True, line=12)),
        ("/src/a.py", Ref("file", "src/a.py", exact=True)),
        ("mdc:src/a.py", Ref("file", "src/a.py", exact=True)),
        ("../guide/", Ref("file", "docs/guide", exact=True)),
        ("/adr/32", Ref("decision", "32", folder="docs/adr")),
        ("wiki:Some Note", Ref("file", "Some Note.md")),
        ("wiki:ADR-5", Ref("decision", "ADR-5", folder="docs/adr")),
        ("0005-help-comments", Ref("decision", "0005-help-comments", folder="docs/adr")),
        ("https://example.org/docs/adr/0005-y.md", None),
        ("mailto:ada@example.org", None),
        ("#here", None),
        ("../../../outside.md", None),
        ("", None),
    ],
)
def test_a_link_leads_to_a_place_in_the_root_or_nowhere(target: str, wanted: Ref | None) -> None:
    assert of_link(Link("text", target, 1), name_of(RECORD)) == wanted


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("internal/api/server.go", Ref("file", "internal/api/server.go")),
        ("server.go:30", Ref("file", "server.go", line=30)),
        ("a/b.py#L7", Ref("file", "a/b.py", line=7)),
        ("internal/api/", Ref("folder", "internal/api/")),
        ("Server.Start", Ref("symbol", "Server.Start")),
        ("Server::start()", Ref("symbol", "Server.start")),
        ("run_all", Ref("symbol", "run_all")),
        ("parseConfig", Ref("symbol", "parseConfig")),
        ("open(path, mode)", Ref("symbol", "open")),
        ("Foo#bar", Ref("symbol", "Foo.bar")),
        ("word", None),
        ("HTTP", None),
        ("Server", None),
        ("ab", None),
        ("a/b", None),
        ("go test ./...", None),
        ("--flag", None),
        ("/etc/passwd", None),
        ("https://example.org/a.md", None),
        ("**/*.py", None),
        ("$HOME/x.py", None),
        ("1.2.3", None),
    ],
)
def test_code_names_a_file_a_folder_a_symbol_or_nothing(code: str, wanted: Ref | None) -> None:
    assert of_code(code) == wanted


def test_paths_in_prose_are_mentions_and_those_in_fences_are_not() -> None:
    found = [
        edge.target.name for edge in edges("# X\n\nSee src/a.py.\n\n```\nsrc/b.py\n```\n\nhttps://x.org/c/d.py e.py\n")
    ]

    assert found == ["src/a.py"]


def test_an_edge_knows_the_section_it_stands_in() -> None:
    found = edges("# X\n\n`a/head.py`\n\n## Why\n\n`a/why.py`\n\n## Why\n\n`a/again.py`\n")

    assert [(edge.anchor, edge.line) for edge in found] == [(None, 3), ("why", 7), ("why-1", 11)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Superseded by [9. Y](0009-y.md)", ("supersedes", True, "docs/adr/0009-y.md")),
        ("Superceded by ADR-0009", ("supersedes", True, "ADR-0009")),
        ("Supersedes [2. Y](0002-y.md)", ("supersedes", False, "docs/adr/0002-y.md")),
        ("Replaced by <./0009-y.md>", ("supersedes", True, "docs/adr/0009-y.md")),
        ("Replaced by `0009-y.md`", ("supersedes", True, "docs/adr/0009-y.md")),
        ("Amends [2. Y](0002-y.md)", ("amends", False, "docs/adr/0002-y.md")),
        ("Amended by [9. Y](0009-y.md)", ("amends", True, "docs/adr/0009-y.md")),
        ("Ersetzt durch [ADR 9](0009-y.md)", ("supersedes", True, "docs/adr/0009-y.md")),
        ("Remplacé par [ADR 9](0009-y.md)", ("supersedes", True, "docs/adr/0009-y.md")),
        ("Reemplazada por ADR-009", ("supersedes", True, "ADR-009")),
        ("Substituído por ADR-009", ("supersedes", True, "ADR-009")),
        ("Заменено на [ADR-9](0009-y.md)", ("supersedes", True, "docs/adr/0009-y.md")),
        ("被 [ADR-9](0009-y.md) 取代", ("supersedes", True, "docs/adr/0009-y.md")),
    ],
)
def test_a_status_section_says_what_replaces_what(text: str, wanted: tuple[str, bool, str]) -> None:
    assert related(f"# X\n\n## Status\n\n{text}\n") == [wanted]


def test_several_successors_are_named_by_one_verb() -> None:
    assert related("# X\n\n## Status\n\nSuperseded by [ADR 9](0009-y.md), ADR-10 and ADR-11\n") == [
        ("supersedes", True, "docs/adr/0009-y.md"),
        ("supersedes", True, "ADR-10"),
        ("supersedes", True, "ADR-11"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "ADR-3 was superseded by ADR-9.",
        "The flag was replaced by a service. See ADR-9.",
        "It replaces the old table, which is slow, and more; ADR-9 says why.",
        "Example: `superseded by ADR-9`" + "x" * 40,
    ],
)
def test_prose_about_other_records_is_no_supersession(text: str) -> None:
    assert not [one for one in related(f"# X\n\n## Context\n\n{text}\n") if one[0] == "supersedes"]


def test_a_record_that_names_its_successor_is_superseded_and_the_contradiction_is_a_problem() -> None:
    result = registry.scan(
        Document(RECORD, "# X\n\n* Status: accepted\n\n## Links\n\n* Superseded by [Y](0009-y.md)\n")
    )

    assert result.entries[0].status == "superseded"
    assert result.entries[0].status_raw == "accepted"
    assert [problem.message for problem in result.problems] == ["says it is accepted and names a successor"]


def test_front_matter_fields_relate_records_by_number_slug_and_path() -> None:
    text = "---\nstatus: final\nreplaces: [3, 0004-y]\nsuperseded-by: ../rfc/0012-z.md\n---\n# X\n"

    assert related(text) == [
        ("supersedes", False, "3"),
        ("supersedes", False, "0004-y"),
        ("supersedes", True, "docs/rfc/0012-z.md"),
    ]


def test_a_record_does_not_relate_to_itself() -> None:
    assert related("# ADR-0007: X\n\nThis is ADR-7, [here](0007-x.md).\n") == []


def test_other_series_are_looked_up_anywhere_and_those_of_the_world_nowhere() -> None:
    found = edges("# X\n\nOEP-50, ADR-3 and RFC 2119.\n")

    assert [edge.target for edge in found] == [
        Ref("decision", "OEP-50"),
        Ref("decision", "ADR-3", folder="docs/adr"),
    ]


def test_an_index_lists_and_relates_nothing() -> None:
    text = "# ADRs\n\n* [1](0001-a.md) superseded by [2](0002-b.md)\n"

    assert related(text, "docs/adr/README.md") == [
        ("links_to", False, "docs/adr/0001-a.md"),
        ("links_to", False, "docs/adr/0002-b.md"),
    ]
