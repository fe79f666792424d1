"""What plain files tell of a git work tree. git itself is not run: a repository could make it run programs."""

from __future__ import annotations

from pathlib import Path

SHORT = 12
MOST = 4_096


def branch(root: Path) -> str | None:
    """The branch that is checked out, a short commit id when none is, None when `root` is no work tree."""
    head = _head(root / ".git")
    if head.startswith("ref: refs/heads/"):
        return head.removeprefix("ref: refs/heads/")
    return head[:SHORT] or None


def _head(git: Path) -> str:
    pointer = _first_line(git) if git.is_file() else ""
    if pointer.startswith("gitdir: "):
        git = (git.parent / pointer.removeprefix("gitdir: ")).resolve()
    return _first_line(git / "HEAD")


def _first_line(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            return opened.readline(MOST).strip()
    except OSError:
        return ""
