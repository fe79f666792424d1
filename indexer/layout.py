"""What the configuration files of other tools in a root say about where its records lie."""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path

from indexer.reading import read_small
from scanners.model import Layout

MAX_BYTES = 64_000
FOLDER_LINE = re.compile(r"^\s*(?:-\s*)?adrFolder\s*:\s*[\"']?([^\"'#\n]+)", re.MULTILINE)


def read_layout(root: Path) -> Layout:
    """Read `.adr-dir` (adr-tools) and `.log4brains.yml`; a file that is missing or odd says nothing."""
    folders = [line for line in _text(root / ".adr-dir").splitlines()[:1] if line.strip()]
    folders += FOLDER_LINE.findall(_text(root / ".log4brains.yml"))
    memory = ["backlog"] if os.path.isfile(root / "backlog" / "config.yml") else []
    if os.path.isfile(root / ".serena" / "project.yml"):
        memory.append(".serena/memories")
    return Layout(_inside(folders), _inside(memory))


def _inside(folders: list[str]) -> tuple[str, ...]:
    """Normalised, and only those that lie in the root."""
    normal = (posixpath.normpath(folder.strip().replace("\\", "/")) for folder in folders)
    return tuple(dict.fromkeys(f for f in normal if f != "." and not f.startswith(("/", ".."))))


def _text(file: Path) -> str:
    return (read_small(file, MAX_BYTES) or b"").decode("utf-8", "replace")
