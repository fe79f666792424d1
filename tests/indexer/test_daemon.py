"""The daemon's loop with real folders and a server that serves nobody; tests wait for conditions, never for time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from indexer.config import Config
from indexer.daemon import Daemon, Options, listen
from indexer.errors import NotFound, Unavailable
from indexer.events import ReconcileDue, Stop
from indexer.home import running
from indexer.service import Answer
from tests.project import adr

PATIENCE = 20.0


class NoServer:
    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass


class Running:
    """A daemon in a thread, and its answers."""

    def __init__(self, config: Config, folder: Path) -> None:
        self.answers: list[Answer] = []
        self.daemon = Daemon(config, Options((str(folder),)), listen(0), lambda answer, *_: self._serve(answer))
        self.thread = threading.Thread(target=self._run)
        self.ready = threading.Event()
        self.error: BaseException | None = None

    def _serve(self, answer: Answer) -> NoServer:
        self.answers.append(answer)
        return NoServer()

    def _run(self) -> None:
        try:
            self.daemon.run(lambda *_: None, self.ready.set)
        except BaseException as error:  # noqa: BLE001 - shown by the test
            self.error = error
            self.ready.set()

    def __enter__(self) -> Running:
        self.thread.start()
        assert self.ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self.daemon.post(Stop())
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def paths(self, query: str) -> set[str]:
        return {hit["path"] for hit in self.answers[0]("search", {"query": query})["hits"]}

    def verify(self) -> dict[str, list[str]]:
        return self.answers[0]("verify", {})


def until(condition: Callable[[], bool]) -> None:
    """Poll until `condition` holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not come true"
        threading.Event().wait(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "docs" / "adr").mkdir(parents=True)
    (folder / "docs/adr/0001-a.md").write_text(adr(1, "Keep the walrus"), encoding="utf-8")
    return folder


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(home=tmp_path / "home", settle=0.05, longest_wait=0.2)


@pytest.fixture
def daemon(config: Config, folder: Path) -> Iterator[Running]:
    with Running(config, folder) as started:
        yield started


def test_a_saved_file_is_found_and_a_deleted_folder_is_not(daemon: Running, folder: Path) -> None:
    assert daemon.paths("walrus") == {"docs/adr/0001-a.md"}
    (folder / "docs/adr/0002-b.md").write_text(adr(2, "Add a pelican"), encoding="utf-8")
    until(lambda: daemon.paths("pelican") == {"docs/adr/0002-b.md"})
    for file in (folder / "docs/adr").iterdir():
        file.unlink()
    (folder / "docs/adr").rmdir()
    until(lambda: daemon.verify() == {"ghosts": [], "missing": [], "stale": []})
    assert daemon.paths("walrus") == daemon.paths("pelican") == set()


def test_an_atomic_save_and_a_rename_are_followed(daemon: Running, folder: Path) -> None:
    draft = folder / "docs/adr/.0001-a.md.tmp"
    draft.write_text(adr(1, "Keep the ocelot"), encoding="utf-8")
    draft.replace(folder / "docs/adr/0001-a.md")
    until(lambda: daemon.paths("ocelot") == {"docs/adr/0001-a.md"})
    assert daemon.paths("walrus") == set()
    (folder / "docs").rename(folder / "papers")
    until(lambda: daemon.paths("ocelot") == {"papers/adr/0001-a.md"})


def test_a_root_that_is_deleted_and_made_again_is_watched_again(
    daemon: Running, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.daemon.HEARTBEAT", 0.05)
    gone = folder.with_name("gone")
    folder.rename(gone)
    until(lambda: daemon.answers[0]("status", {})["state"] == "degraded")
    folder.mkdir()
    (folder / "new.md").write_text("# New\n\nporcupine\n", encoding="utf-8")
    until(lambda: daemon.paths("porcupine") == {"new.md"})
    (folder / "later.md").write_text("# Later\n\nhedgehog\n", encoding="utf-8")
    until(lambda: daemon.paths("hedgehog") == {"later.md"})


def test_a_root_added_while_running_is_watched(daemon: Running, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    daemon.answers[0]("roots-add", {"roots": [str(other)]})
    (other / "a.md").write_text("# A\n\nchinchilla\n", encoding="utf-8")
    until(lambda: daemon.paths("chinchilla") == {"a.md"})


def test_a_bug_in_one_event_is_logged_and_the_daemon_lives(
    daemon: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_it(*_: object, **__: object) -> None:
        message = "a bug"
        raise RuntimeError(message)

    with monkeypatch.context() as broken:
        broken.setattr("indexer.writer.Writer.reconcile", break_it)
        daemon.daemon.post(ReconcileDue(None, "test"))
        until(lambda: "ReconcileDue failed" in caplog.text)
    assert daemon.paths("walrus")


def test_errors_of_a_command_reach_the_one_who_asked(daemon: Running) -> None:
    with pytest.raises(NotFound, match="no root is named"):
        daemon.answers[0]("roots-remove", {"roots": ["nope"]})


def test_the_daemon_publishes_itself_for_its_user_alone_and_takes_that_back(config: Config, folder: Path) -> None:
    with Running(config, folder) as started:
        published = running(config.home)
        assert published is not None
        assert published.url == started.daemon.url
        assert (config.home / "daemon.json").stat().st_mode & 0o777 == 0o600
        assert config.home.stat().st_mode & 0o777 == 0o700
    assert running(config.home) is None


def test_a_second_daemon_on_the_same_data_folder_is_refused(config: Config, folder: Path) -> None:
    with Running(config, folder), Running(config, folder) as second:
        assert isinstance(second.error, Unavailable)
        assert "already writes" in str(second.error)


def test_a_port_in_use_is_a_clear_refusal() -> None:
    first = listen(0)
    with first, pytest.raises(Unavailable, match="in use by another process"):
        listen(first.getsockname()[1])


def test_it_ends_by_itself_when_nobody_asks(config: Config, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.daemon.HEARTBEAT", 0.05)
    started = Running(config, folder)
    started.daemon._options = Options((str(folder),), exit_when_idle=0.2)
    with started:
        started.thread.join(PATIENCE)
        assert not started.thread.is_alive()
