"""What kind of document a file is: by folder, file name, content and configuration together."""

from __future__ import annotations

import pytest

from scanners import registry
from scanners.model import Document, Entry, Layout

NYGARD = "# Cache\n\n## Status\n\nAccepted\n\n## Context\n\nc\n\n## Decision\n\nd\n"

DESIGN = "# Purpose\n\na\n\n# Goals\n\n# Alternatives Considered\n\nb\n\n# Proposed Solution\n\n# Drawbacks\n\nc\n"
FORM = "# NUMBER. TITLE\n\nDate: DATE\n\n## Status\n\nSTATUS\n\n## Context\n\n## Decision\n"


def head(path: str, text: str = "# Title\n\nText.\n", layout: Layout = Layout()) -> Entry:  # noqa: B008 - immutable
    return registry.scan(Document(path, text, layout=layout)).entries[0]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("docs/adr/0001-a.md", "adr"),
        ("docs/01_Architecture/ADRs/0001-a.md", "adr"),
        ("doc/architecture/decisions/0001-a.md", "adr"),
        ("docs/architecture-decisions/a.md", "adr"),
        ("packages/web/docs/adr/20240102-a.md", "adr"),
        (".agents/adr/0001-a.md", "adr"),
        ("docs/adr/deprecated/0001-a.md", "adr"),
        ("docs/adr/database/0001-a.md", "adr"),
        ("backlog/decisions/decision-1 - A.md", "adr"),
        ("docs/decision-records/2022-01-02-a/README.md", "adr"),
        ("docs/adr/012-a/index.md", "adr"),
        ("docs/adr/README.md", "index"),
        ("docs/decision-records/README.md", "index"),
        ("docs/adr/index.rst", "index"),
        ("docs/adr/template.md", "template"),
        ("docs/adr/0000-adr-template.md", "template"),
        ("docs/adr/adr.template.md", "template"),
        ("docs/adr/9999_template.md", "template"),
        ("docs/adr/EMPTY-ADR.md", "template"),
        ("docs/adr/0012-use-html-template-engine.md", "adr"),
        ("docs/adr/CHANGELOG.md", "doc"),
        ("docs/adr/LICENSE.md", "doc"),
        ("docs/adr/0011-reviewers-prd.md", "doc"),
        ("docs/adr/000-PENDING-x.md", "doc"),
        ("docs/decision-records/2022-01-02-a/notes.md", "doc"),
        ("rfcs/0004-a.md", "rfc"),
        ("text/0064-a.md", "rfc"),
        ("peps/pep-0276.rst", "rfc"),
        ("bip-0001.mediawiki", "rfc"),
        ("keps/sig-node/213-a/README.md", "rfc"),
        ("slep001/proposal.rst", "rfc"),
        ("jep/201/README.adoc", "rfc"),
        ("jep/227/compatibility.adoc", "doc"),
        ("oeps/architectural-decisions/oep-0003-a.rst", "rfc"),
        ("oeps/best/oep-0037/decisions/0002-a.rst", "adr"),
        ("withdrawn/0006-a.rst", "rfc"),
        ("openspec/changes/add-x/proposal.md", "rfc"),
        ("openspec/specs/auth/spec.md", "rfc"),
        (".kiro/specs/x/tasks.md", "rfc"),
        ("specs/003-x/plan.md", "rfc"),
        ("docs/superpowers/plans/2026-01-02-x.md", "rfc"),
        ("memory-bank/progress.md", "memory-bank"),
        ("memory_bank/notes.md", "memory-bank"),
        (".kilocode/rules/memory-bank/brief.md", "memory-bank"),
        (".serena/memories/a.md", "memory-bank"),
        (".planning/STATE.md", "memory-bank"),
        (".taskmaster/docs/prd [draft].txt", "memory-bank"),
        ("backlog/tasks/task-1 - A.md", "memory-bank"),
        ("docs/solutions/performance/a.md", "memory-bank"),
        ("CONTEXT.md", "memory-bank"),
        (".out-of-scope/limits.md", "memory-bank"),
        ("conductor/product.md", "memory-bank"),
        ("src/conductor/README.md", "doc"),
        ("docs/context.md", "doc"),
        ("AGENTS.md", "rule"),
        ("src/AGENTS.md", "rule"),
        ("CLAUDE.local.md", "rule"),
        (".cursor/rules/a/b.mdc", "rule"),
        ("rules/b.mdc", "rule"),
        (".cursorrules", "rule"),
        (".clinerules/coding.md", "rule"),
        (".clinerules-architect", "rule"),
        (".roo/rules-code/a.md", "rule"),
        (".github/copilot-instructions.md", "rule"),
        (".github/instructions/a.instructions.md", "rule"),
        (".claude/agents/reviewer.md", "rule"),
        (".kiro/steering/product.md", "rule"),
        (".specify/memory/constitution.md", "rule"),
        (".claude/skills/a/SKILL.md", "skill"),
        ("README.md", "doc"),
        ("docs/guide.adoc", "doc"),
        ("docs/guide.rst", "doc"),
        ("CHANGELOG", "doc"),
        ("llms.txt", "index"),
    ],
)
def test_the_path_tells_the_kind(path: str, kind: str) -> None:
    assert head(path).kind == kind


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("notes/cache.md", NYGARD, "adr"),
        ("adr-001-use.md", "# ADR: Use\n\n## Context\n\nc\n\n## Decision\n\nd\n", "adr"),
        ("src/test/ADR-3-useSpock.adoc", "## test\n\njust a test\n", "doc"),
        ("testdata/ADR_001_Normal.adoc", "= 001 A normal file\n\nNot a record.\n", "doc"),
        ("state-versioning.md", DESIGN, "rfc"),
        ("templates/constitution-template.md", "# [PROJECT_NAME] Constitution\n\n[PRINCIPLE_ONE]\n", "template"),
        ("src/template.md", FORM, "template"),
        ("docs/adr/0007-x.md", "# [short title of solved problem]\n\n* Status: [proposed | accepted]\n", "template"),
        ("docs/pipeline.md", "# Pipeline\n\n## Status\n\nGreen.\n", "doc"),
        ("docs/DECISIONS.md", "# D\n\n## D001: A\n\nx\n\n## D002: B\n\ny\n", "decision-log"),
        ("docs/adr.md", "# Records\n\n* [1](adr/0001-a.md)\n* [2](adr/0002-b.md)\n", "index"),
    ],
)  # fmt: skip
def test_the_content_tells_the_kind_where_the_path_does_not(path: str, text: str, kind: str) -> None:
    assert head(path, text).kind == kind


def test_configuration_names_folders_of_records_and_kinds_of_files() -> None:
    layout = Layout(decision_folders=("docs/choices",), memory_folders=("notes",), kinds=(("wiki/**/*.md", "rfc"),))

    assert head("docs/choices/0001-a.md", layout=layout).kind == "adr"
    assert head("notes/a.md", layout=layout).kind == "memory-bank"
    assert head("wiki/deep/a.md", layout=layout).kind == "rfc"
    assert head("wiki/AGENTS.md", layout=layout).kind == "rfc"


def test_the_kinds_of_the_user_win_over_everything() -> None:
    layout = Layout(kinds=(("docs/adr/*", "doc"), ("*.rules.md", "rule")))

    assert head("docs/adr/0001-a.md", layout=layout).kind == "doc"
    assert head("x/y.rules.md", layout=layout).kind == "rule"


@pytest.mark.parametrize(
    ("path", "number", "title"),
    [
        ("docs/adr/0022-flags.md", 22, "Flags"),
        ("docs/adr/flags.md", 12, "Flags"),
        ("docs/adr/20240102-flags.md", None, "Flags"),
        ("docs/adr/2023-05-06_014-flags.md", 14, "Flags"),
        ("docs/adr/ADR_003-flags.md", 3, "Flags"),
        ("docs/adr/[Superseded] 0004-flags.md", 4, "Flags"),
    ],
)
def test_the_number_of_the_file_counts_before_that_of_the_heading(path: str, number: int | None, title: str) -> None:
    entry = head(path, "# Flags\n" if number != 12 else "# 12. Flags\n")

    assert (entry.number, entry.title) == (number, title)


def test_a_mark_in_the_name_or_a_folder_gives_the_state_of_a_record_without_one() -> None:
    assert head("docs/adr/S-0004-flags.md").status == "superseded"
    assert head("accepted/0004-flags.rst").status == "accepted"
    assert head("accepted/0004-flags.rst", "Flags\n=====\n\n:Status: Draft\n").status == "draft"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Status: accepted\n", "accepted"),
        ("**Status** : accepted\n", "accepted"),
        ("- **Status:** accepted\n", "accepted"),
        ("> Status: accepted\n", "accepted"),
        ("**Status**: accepted | **Date**: 2024-01-02\n", "accepted"),
        ("📌 Status (of this record): accepted\n", "accepted"),
        ("| Status | accepted |\n| --- | --- |\n| Date | 2024-01-02 |\n", "accepted"),
        ("| Status | Date |\n| --- | --- |\n| accepted | 2024-01-02 |\n", "accepted"),
        ("## Status\n\nAccepted\n", "accepted"),
        ("## 1. Status\n\n- **Accepted**\n", "accepted"),
        ("## Status: accepted\n", "accepted"),
        ("## Status\n\n- [ ] proposed\n- [x] accepted\n", "accepted"),
        ("## Status\n\n~~Proposed~~ Accepted\n", "accepted"),
        ("## Status\n\n> How to fill this in.\n\nAccepted\n", "accepted"),
        ("## Status — Phase 1 shipped\n\nAccepted by nobody.\n", "unknown"),
        ("## Context\n\nStatus: accepted\n", "unknown"),
        ("```\nStatus: accepted\n```\n", "unknown"),
        ("<!-- Status: accepted -->\n", "unknown"),
    ],
)
def test_the_state_is_found_where_people_write_it(text: str, status: str) -> None:
    assert head("docs/adr/0001-x.md", f"# X\n\n{text}").status == status


def test_only_decisions_have_a_state() -> None:
    assert head("README.md", "# X\n\nStatus: accepted\n").status is None
    assert head("docs/adr/0001-x.md", "# X\n").status == "unknown"


def test_sections_carry_what_filters_need() -> None:
    section = registry.scan(Document("docs/adr/0003-cache.md", "# Cache\n\nDate: 2024-01-02\n" + NYGARD[7:])).entries[
        -1
    ]

    assert (section.anchor, section.title, section.heading) == ("decision", "Decision", ("Decision",))
    assert (section.kind, section.number, section.status, section.date) == ("adr", 3, "accepted", "2024-01-02")


def test_a_document_without_a_title_goes_by_its_name() -> None:
    assert head("docs/adr/20201028-no-title.md", "## Context\n\nx\n\n## Decision\n\ny\n").title == "no-title"
    assert head("openspec/changes/add-x/proposal.md", "## Why\n\nx\n").title == "add-x"
    assert head("docs/adr/0016-empty.md", "").title == "empty"


@pytest.mark.parametrize(
    ("path", "claimed"),
    [
        ("a.md", True),
        ("a.MDX", True),
        ("a.rst", True),
        ("notes.txt", True),
        ("requirements.txt", False),
        ("CMakeLists.txt", False),
        (".windsurfrules", True),
        (".roo/rules-code/1_flow.xml", True),
        ("pom.xml", False),
        ("a.png", False),
        ("Makefile", False),
    ],
)
def test_documents_are_claimed_by_extension_or_name(path: str, claimed: bool) -> None:
    prose = [scanner for scanner in registry.SCANNERS if scanner.name != "code"]

    assert (
        any(scanner.claims(path) for scanner in prose[-1:])
        or any(scanner.claims(path) for scanner in prose[:1] if path.startswith(".")) is claimed
    )


def test_metadata_files_are_read_with_the_document_beside_them() -> None:
    assert registry.companions("keps/sig-node/213-a/README.md") == ("keps/sig-node/213-a/kep.yaml",)
    assert registry.companions("openspec/changes/add-x/specs/auth/spec.md") == (
        "openspec/changes/add-x/.openspec.yaml",
    )
    assert registry.companions("openspec/changes/archive/2025-01-02-x/design.md") == (
        "openspec/changes/archive/2025-01-02-x/.openspec.yaml",
    )
    assert registry.companions("README.md") == ()
