"""The writer lock: at most one process writes a data folder. The only importer of filelock.

The kernel frees the lock when its process dies, however it dies, so a stale lock cannot exist.
"""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from indexer.errors import Unavailable
from indexer.home import running


class WriterLock:
    """Held by the process that writes; `acquire` refuses at once when another one does."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock = FileLock(home / "writer.lock", mode=0o600)

    def acquire(self, patience: float = 0) -> None:
        """Take the lock within `patience` seconds or raise `Unavailable` that says who has it."""
        try:
            self._lock.acquire(timeout=patience)
        except Timeout:
            daemon = running(self._home)
            who = f"a daemon (pid {daemon.pid}, {daemon.url})" if daemon else "another lorewatch process"
            message = f"{who} already writes {self._home}; stop it first, or set LOREWATCH_HOME to another folder"
            raise Unavailable(message) from None

    def release(self) -> None:
        """Give the lock back; harmless when it is not held."""
        self._lock.release()
