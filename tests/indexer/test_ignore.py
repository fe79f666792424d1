"""Ignore rules against git itself as an independent oracle."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from indexer.ignore import Ignore, glob_matches, relative

git = pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle")


def run_git(folder: Path, *arguments: str, text: str = "") -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], input=text, capture_output=True, text=True, check=False,
        env=environment, encoding="utf-8",
    )  # fmt: skip
    return done.stdout


def write(folder: Path, path: str, text: str = "x") -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_an_anchored_pattern_hides_one_folder_and_a_negation_brings_a_file_back(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "/coverage\n*.log\n!docs/keep.log\n")
    ignore = Ignore(tmp_path)
    assert ignore.ignores("coverage/a.md")
    assert not ignore.ignores("src/routes/coverage/b.md")
    assert not ignore.ignores("docs/keep.log")


def test_folders_of_tools_and_nested_repositories_are_never_looked_at(tmp_path: Path) -> None:
    write(tmp_path, "vendor/tool/.git/HEAD")
    ignore = Ignore(tmp_path)
    assert ignore.ignores("a/node_modules/b.md")
    assert ignore.ignores("vendor/tool/README.md")
    assert ignore.ignores(".git/config")


def test_include_and_exclude_of_the_user_are_globs(tmp_path: Path) -> None:
    ignore = Ignore(tmp_path, include=["docs/**"], exclude=["docs/private/"])
    assert not ignore.ignores("docs/a.md")
    assert ignore.ignores("src/a.md")
    assert ignore.ignores("docs/private/a.md")


def test_a_line_that_is_no_pattern_costs_itself_only(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"!\n\xff\xfe\n***/\n*.tmp\n")
    assert Ignore(tmp_path).ignores("a.tmp")


@git
@pytest.mark.parametrize("seed", range(12))
def test_generated_trees_are_ignored_exactly_as_git_does(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    names = ["a", "b", "docs", "build", "x.md", "y.log", "z.md"]
    paths = sorted({"/".join([*chance.choices(names[:4], k=chance.randrange(4)), chance.choice(names[4:])])
                    for _ in range(60)})  # fmt: skip
    for path in paths:
        write(tmp_path, path)
    patterns = ["a/", "/b", "*.log", "!y.log", "docs/*", "!docs/x.md", "**/build", "a/**/z.md", "b/*.md", "!/b/", "# c",
                "x.[lm]d", "build/**", "/a/b", "\\!x.md", "docs/**/a/"]  # fmt: skip
    for folder in ["", *chance.sample(sorted({p.rpartition("/")[0] for p in paths if "/" in p}), 2)]:
        lines = chance.sample(patterns, chance.randrange(1, 6))
        write(tmp_path, f"{folder}/.gitignore".lstrip("/"), "\n".join(lines))
    run_git(tmp_path, "init", "-q")
    ignored = set(run_git(tmp_path, "check-ignore", "--stdin", text="\n".join(paths)).splitlines())
    ignore = Ignore(tmp_path)
    assert {path for path in paths if ignore.ignores(path)} == ignored


@pytest.mark.parametrize(
    ("glob", "path", "covered"),
    [
        ("src/**/*.ts", "src/a/b/c.ts", True),
        ("*.rs", "deep/inside/main.rs", True),
        ("docs/**", "docs/adr/1.md", True),
        ("src/api/", "src/api/server.go", True),
        ("src/**/*.ts", "lib/c.ts", False),
    ],
)
def test_globs_of_rules_cover_paths(glob: str, path: str, covered: bool) -> None:
    assert glob_matches(glob, path) is covered


def test_paths_outside_of_the_root_are_not_relative_to_it(tmp_path: Path) -> None:
    assert relative(tmp_path, str(tmp_path / "a" / "b.md")) == "a/b.md"
    assert relative(tmp_path, str(tmp_path) + "-other/b.md") is None
