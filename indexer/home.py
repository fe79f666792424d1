"""Where Lorewatch keeps its own files. Light on purpose: the stdio bridge imports it before its first answer."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from indexer.errors import Unavailable

APPLICATION = "lorewatch"
OURS = ("lorewatch.sqlite", "lorewatch.toml", "daemon.json", "writer.lock", "key", "log")
"""A folder that holds any of these is a data folder already."""


def data_folder() -> Path:
    """The data folder: `LOREWATCH_HOME`, else the platform's place for application data of this user."""
    if home := os.environ.get("LOREWATCH_HOME"):
        return Path(home).expanduser().absolute()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(base) / APPLICATION
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / APPLICATION
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / APPLICATION


def make_home(home: Path) -> None:
    """Create the data folder; `Unavailable` when it cannot be, or when the folder holds other things.

    Narrowing the mode of a folder that others use would hurt them.
    """
    try:
        if home.is_dir() and any(home.iterdir()) and not any((home / name).exists() for name in OURS):
            message = f"{home} holds other things; set LOREWATCH_HOME to a folder of its own"
            raise Unavailable(message)
        make_private(home)
    except OSError as error:
        message = f"{home} cannot be the data folder ({error.strerror}); set LOREWATCH_HOME to another one"
        raise Unavailable(message) from error


def make_private(folder: Path) -> None:
    """Create `folder` for this user alone, whatever the umask; an existing one is narrowed to mode 0700."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)


def write_private(path: Path, content: bytes) -> None:
    """Replace `path` by a file of mode 0600 that is whole or absent, also after a crash."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


@dataclass(frozen=True, slots=True)
class Running:
    """How to reach the daemon of a data folder: the content of its `daemon.json`."""

    url: str
    token: str | None
    pid: int

    def write(self, home: Path) -> None:
        """Publish the daemon; readable by this user alone because of the token."""
        content = {"url": self.url, "token": self.token, "pid": self.pid}
        write_private(home / "daemon.json", json.dumps(content).encode())


def running(home: Path) -> Running | None:
    """What `daemon.json` says, or None when there is none or it cannot be read. The daemon may be gone all the same."""
    try:
        content = json.loads((home / "daemon.json").read_text(encoding="utf-8"))
        return Running(str(content["url"]), content["token"], int(content["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
