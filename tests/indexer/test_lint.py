from __future__ import annotations

from tests.project import Project, adr


def findings(project: Project) -> set[tuple[str, str]]:
    project.reconcile()
    return {(one["path"], one["rule"]) for one in project.answer("lint", {})["findings"]}


def test_records_that_agree_with_each_other_have_nothing_to_mend(project: Project) -> None:
    project.write("docs/adr/0001-a.md", adr(1, "Use A", status="Superseded by [2](0002-b.md)"))
    project.write("docs/adr/0002-b.md", adr(2, "Use B", status="Accepted\n\nSupersedes [1](0001-a.md)"))
    assert findings(project) == set()


def test_a_supersession_said_on_one_side_only_is_named(project: Project) -> None:
    project.write("docs/adr/0001-a.md", adr(1, "Use A"))
    project.write("docs/adr/0002-b.md", adr(2, "Use B", status="Accepted\n\nSupersedes [1](0001-a.md)"))
    assert findings(project) == {("docs/adr/0002-b.md", "one-sided")}


def test_a_link_that_leads_nowhere_is_named_and_one_to_an_ignored_file_is_not(project: Project) -> None:
    project.write(".gitignore", "built.md\n")
    project.write("built.md", "# Built\n")
    project.write("docs/adr/0001-a.md", adr(1, "Use A", "See [gone](../gone.md) and [built](../../built.md)."))
    assert findings(project) == {("docs/adr/0001-a.md", "dangling")}


def test_two_records_with_one_number_are_both_named(project: Project) -> None:
    project.write("docs/adr/0001-a.md", adr(1, "Use A"))
    project.write("docs/adr/0001-b.md", adr(1, "Use B"))
    project.write("other/adr/0001-c.md", adr(1, "Use C"))
    assert findings(project) == {("docs/adr/0001-a.md", "same-number"), ("docs/adr/0001-b.md", "same-number")}


def test_a_record_without_status_and_one_that_contradicts_itself_are_named(project: Project) -> None:
    project.write("docs/adr/0001-a.md", "# 1. Use A\n\n## Context\n\nWe need A.\n\n## Decision\n\nWe use A.\n")
    project.write("docs/adr/0002-b.md", "---\nstatus: proposed\n---\n" + adr(2, "Use B", status="Rejected"))
    assert findings(project) == {("docs/adr/0001-a.md", "no-status"), ("docs/adr/0002-b.md", "contradiction")}


def test_an_index_that_misses_a_record_is_named(project: Project) -> None:
    for number, name in ((1, "a"), (2, "b"), (3, "c")):
        project.write(f"docs/adr/{number:04}-{name}.md", adr(number, f"Use {name}"))
    lines = "* [1. Use a](0001-a.md)\n* [2. Use b](0002-b.md)\n"
    project.write("docs/adr/README.md", "# Decisions\n\n" + lines)
    assert findings(project) == {("docs/adr/README.md", "not-listed")}


def test_a_rule_file_that_imports_a_missing_file_is_named(project: Project) -> None:
    project.write("CLAUDE.md", "# Rules\n\n@AGENTS.md\n@docs/gone.md\n")
    project.write("AGENTS.md", "# Agents\n\nBe kind.\n")
    assert findings(project) == {("CLAUDE.md", "dangling")}
