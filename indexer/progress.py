"""How far a scan is: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time
from typing import TextIO

BAR = 30
REDRAW = 0.1
PLAIN_EVERY = 2.0


class ProgressBar:
    """Called as `Progress` for each file; draws only as often as a person can see."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._terminal = out.isatty()
        self._last = 0.0

    def __call__(self, root: str, done: int, total: int) -> None:
        """Show that `done` of `total` files of `root` are read."""
        now = time.monotonic()
        if done < total and now - self._last < (REDRAW if self._terminal else PLAIN_EVERY):
            return
        self._last = now
        if not self._terminal:
            self._out.write(f"{root}: {done:,} of {total:,} files\n")
        else:
            filled = BAR * done // max(total, 1)
            end = "\n" if done == total else ""
            self._out.write(f"\r{root}: [{'#' * filled}{'.' * (BAR - filled)}] {done:,} of {total:,} files{end}")
        self._out.flush()
