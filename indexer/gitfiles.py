"""What plain files tell of a git work tree. git itself is not run: a repository could make it run programs."""

from __future__ import annotations

import os
from pathlib import Path

from indexer.reading import read_small

SHORT = 12
MOST = 4_096


def branch(root: Path) -> str | None:
    """The branch that is checked out, a short commit id when none is, None when `root` is no work tree."""
    head = _head(root / ".git")
    if head.startswith("ref: refs/heads/"):
        return head.removeprefix("ref: refs/heads/")
    return head[:SHORT] or None


def _head(git: Path) -> str:
    pointer = "" if os.path.isdir(git) else _first_line(git)
    if pointer.startswith("gitdir: "):
        git = git.parent / pointer.removeprefix("gitdir: ")
    return _first_line(git / "HEAD")


def _first_line(file: Path) -> str:
    content = read_small(file, MOST) or b""
    return content.decode("utf-8", "replace").partition("\n")[0].strip()
