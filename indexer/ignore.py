"""What is not looked at: git's ignore rules, our own, the user's globs. One matcher for watching and walking.

The only importer of pathspec. Rules are those of git: in each folder `.gitignore` (and `.lorewatchignore`), the
innermost file decides, the last matching line in it, and nothing below an ignored folder can come back.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pathspec import GitIgnoreSpec

from indexer.reading import read_small

RULE_FILES = (".gitignore", ".lorewatchignore")
NEVER = frozenset(
    {".git", ".hg", ".svn", ".jj", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".nox", ".mypy_cache"}
    | {".pytest_cache", ".ruff_cache", ".gradle", ".terraform", ".next", ".nuxt", ".svelte-kit", "bower_components"}
)
"""Folders that hold no word of the repository's own, ignored also where git was not told so."""

MAX_RULES_BYTES = 1_000_000


class Ignore:
    """Decides for the paths of one root. Rule files are read once; build a new one when they change."""

    def __init__(self, root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        self._root = root
        self._include = GitIgnoreSpec.from_lines(filter(is_pattern, include)) if include else None
        self._exclude = GitIgnoreSpec.from_lines(filter(is_pattern, exclude))
        self._rules: dict[str, list[GitIgnoreSpec]] = {}
        self._folders: dict[str, bool] = {"": False}

    def ignores_folder(self, path: str) -> bool:
        """Say whether nothing below `path` is looked at.

        That is so when it or a folder above is ignored, or when it is a repository of its own.
        """
        if path not in self._folders:
            parent, _, name = path.rpartition("/")
            self._folders[path] = (
                self.ignores_folder(parent)
                or name in NEVER
                or self._matches(path + "/")
                or os.path.lexists(self._root / path / ".git")
                or os.path.lexists(self._root / path / "pyvenv.cfg")
            )
        return self._folders[path]

    def ignores(self, path: str) -> bool:
        """Say whether the file at `path` is not looked at."""
        if self.ignores_folder(path.rpartition("/")[0]) or self._matches(path):
            return True
        return self._include is not None and not self._include.match_file(path)

    def _matches(self, path: str) -> bool:
        if self._exclude.match_file(path):
            return True
        folder = path.rstrip("/").rpartition("/")[0]
        while True:
            inner = path[len(folder) + 1 :] if folder else path
            for spec in self._rules_of(folder):
                decision = spec.check_file(inner).include
                if decision is not None:
                    return decision
            if not folder:
                return False
            folder = folder.rpartition("/")[0]

    def _rules_of(self, folder: str) -> list[GitIgnoreSpec]:
        if folder not in self._rules:
            files = [self._root / folder / name for name in RULE_FILES]
            if not folder:
                files.append(self._root / ".git" / "info" / "exclude")
            self._rules[folder] = [spec for file in files if (spec := _read(file))]
        return self._rules[folder]


def _read(file: Path) -> GitIgnoreSpec | None:
    content = read_small(file, MAX_RULES_BYTES)
    if content is None:
        return None
    specs = [line for line in content.decode("utf-8-sig", "surrogateescape").splitlines() if is_pattern(line)]
    return GitIgnoreSpec.from_lines(specs) if specs else None


@lru_cache(maxsize=1_000)
def is_pattern(line: str) -> bool:
    """Say whether a line is a pattern; one that is none costs itself, not the file."""
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return bool(line.strip()) and not line.startswith("#")


@lru_cache(maxsize=2_000)
def _glob(pattern: str) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines([pattern])


def glob_matches(pattern: str, path: str) -> bool:
    """Say whether a rule's glob (`src/**/*.ts`, `*.rs`, `docs/`) covers `path`."""
    try:
        return _glob(pattern.strip()).match_file(path)
    except (ValueError, re.error):
        return False


def relative(root: Path, path: str) -> str | None:
    """`path` relative to `root` with `/`, None when it lies elsewhere."""
    base = os.fspath(root)
    if path == base:
        return ""
    return path[len(base) + 1 :].replace(os.sep, "/") if path.startswith(base + os.sep) else None
