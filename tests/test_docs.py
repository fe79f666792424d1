"""The documentation against the program: what it names exists, and what exists is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click
import pytest

from indexer import cli, config
from scanners.model import KINDS, STATUSES
from scanners.registry import SCANNERS

TOP = Path(__file__).parent.parent
GUIDE = TOP / "docs" / "guide"
CLI_TEXT = TOP / "docs" / "cli.txt"


def text(path: str) -> str:
    return (TOP / path).read_text(encoding="utf-8")


def commands(group: click.Group, prefix: str = "") -> list[tuple[str, click.Command]]:
    found = []
    for name, command in sorted(group.commands.items()):
        found.append((f"{prefix}{name}", command))
        if isinstance(command, click.Group):
            found += commands(command, f"{prefix}{name} ")
    return found


def help_of(name: str, command: click.Command) -> str:
    settings = {**cli.cli.context_settings, "terminal_width": 100}
    context = click.Context(command, info_name=f"lorewatch {name}".strip(), **settings)
    return command.get_help(context)


def cli_text() -> str:
    parts = [help_of("", cli.cli), *(help_of(name, command) for name, command in commands(cli.cli))]
    return "\n\n".join(parts) + "\n"


def test_the_help_of_every_command_is_in_the_docs(update_expected: bool) -> None:
    if update_expected:
        CLI_TEXT.write_text(cli_text(), encoding="utf-8")
    assert CLI_TEXT.read_text(encoding="utf-8") == cli_text(), "run UPDATE_EXPECTED=1 make test"


@pytest.mark.parametrize("key", sorted(config.KEYS))
def test_every_setting_is_in_the_guide(key: str) -> None:
    assert f"| `{key}` |" in text("docs/guide/configuration.md")


def test_the_example_in_the_guide_is_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = re.findall(r"```toml\n(.*?)```", text("docs/guide/configuration.md"), re.DOTALL)
    assert example
    monkeypatch.setenv("LOREWATCH_HOME", str(tmp_path))
    (tmp_path / config.FILE).write_text(example[0], encoding="utf-8")
    assert config.load().decay_schedule == "0 4 * * 1"


@pytest.mark.parametrize("word", [*KINDS, *STATUSES])
def test_every_kind_and_status_is_in_the_guide(word: str) -> None:
    assert f"`{word}`" in text("docs/guide/entries.md")


@pytest.mark.parametrize("scanner", SCANNERS, ids=lambda scanner: scanner.name)
def test_every_scanner_is_in_the_guide(scanner: object) -> None:
    assert f"`{scanner.name}`" in text("docs/guide/entries.md")  # type: ignore[attr-defined] # a Scanner has a name


@pytest.mark.parametrize("name", [name for name, _ in commands(cli.cli)])
def test_every_command_is_in_the_readme_or_the_guide(name: str) -> None:
    guides = "".join(page.read_text(encoding="utf-8") for page in GUIDE.glob("*.md"))
    assert f"lorewatch {name}" in text("README.md") + guides


@pytest.mark.parametrize("page", [*sorted(GUIDE.glob("*.md")), *(TOP / name for name in ("README.md", "ARCHITECTURE.md",
    "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md"))], ids=lambda page: page.name)  # fmt: skip
def test_every_link_of_the_docs_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_module_of_the_architecture_exists_and_every_module_is_in_it() -> None:
    architecture = text("ARCHITECTURE.md")
    for package in ("scanners", "indexer", "mcp_bridge"):
        for module in (TOP / package).glob("*.py"):
            if not module.stem.startswith("__"):
                assert f"`{module.stem}`" in architecture, f"ARCHITECTURE.md does not know {package}/{module.name}"


def test_the_version_has_its_heading_in_the_changelog() -> None:
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    assert f"## {version}" in text("CHANGELOG.md")


def test_no_page_is_longer_than_a_person_reads() -> None:
    assert len(text("ARCHITECTURE.md").splitlines()) <= 200
    assert len(text("AGENTS.md").splitlines()) <= 80
