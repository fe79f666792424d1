"""Proves the whole path in a temporary folder: file, index, hit, use, decay; then looks at the installation."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from indexer.answers import Health, answer_read, answer_search
from indexer.config import Config
from indexer.daemon import listen
from indexer.errors import IndexerError
from indexer.home import running
from indexer.index import Index
from indexer.remote import Remote
from indexer.writer import Writer

RECORD = "# 1. Keep goldfish in the pond\n\n## Status\n\nAccepted\n\n## Decision\n\nThe zebrafinch stays outside.\n"
YEAR = 365 * 86_400.0


def examine(home: Path, settings: Config) -> dict[str, Any]:
    """Run every check; `ok` is whether all held."""
    checks = [
        _check("file to index to hit to use to decay", _whole_path),
        _check("data folder", lambda: _data_folder(home)),
        _check("daemon", lambda: _daemon(home, settings)),
    ]
    return {"ok": all(check["ok"] for check in checks), "checks": checks}


def _check(name: str, run: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"check": name, "ok": True, "detail": run()}
    except (AssertionError, IndexerError, OSError) as error:
        return {"check": name, "ok": False, "detail": str(error)}


def _whole_path() -> str:
    with tempfile.TemporaryDirectory(prefix="lorewatch-doctor-") as temporary:
        folder = Path(temporary).resolve()
        root = folder / "root"
        record = root / "docs" / "adr" / "0001-goldfish.md"
        record.parent.mkdir(parents=True)
        record.write_text(RECORD, encoding="utf-8")
        written = record.stat().st_mtime
        with Index(folder / "home", write=True) as index:
            writer = Writer(index, Config(home=folder / "home"), lambda: written)
            writer.reconcile(writer.add_root(root))
            found = answer_search(index, Health(), {"query": "zebrafinch"})
            _require(found["hits"] and found["hits"][0]["path"] == "docs/adr/0001-goldfish.md", "no hit for a word")
            answer_read(index, Health(), {"id": found["hits"][0]["id"], "reader": "doctor"})
            before = writer.run_decay()
            later = writer.run_decay(written + 20 * YEAR)
            _require(before["run"] != later["run"], "two decay runs share an id")
            record.unlink()
            writer.reconcile(writer.roots()[0])
            gone = answer_search(index, Health(), {"query": "zebrafinch"})
            _require(not gone["hits"], "a deleted file is still found")
    return "works"


def _require(held: object, message: str) -> None:
    if not held:
        raise AssertionError(message)


def _data_folder(home: Path) -> str:
    if not home.exists():
        return f"{home} does not exist yet; the first scan makes it"
    mode = home.stat().st_mode & 0o777
    _require(mode & 0o077 == 0, f"{home} has mode {mode:o}; run chmod 700 on it")
    return f"{home}, for this user alone"


def _daemon(home: Path, settings: Config) -> str:
    found = running(home)
    if found and Remote(found).alive():
        return f"runs at {found.url}"
    try:
        listen(settings.port).close()
    except IndexerError:
        return f"not running; port {settings.port} is taken by another process, so serve with --port 0"
    return f"not running; port {settings.port} is free"
