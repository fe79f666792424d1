from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import Unavailable
from indexer.home import Running, running
from mcp_bridge import inprocess
from mcp_bridge.inprocess import NOTE, InProcess, answer_here
from mcp_bridge.link import Link, Reply, alive, spawn
from tests.mcp_bridge.fakes import TOKEN, FakeIndex, daemon, listening
from tests.mcp_bridge.test_stdio import META, TOP, environment, request

HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
}


def call(link: Link | InProcess, tool: str, **arguments: object) -> str:
    """The text of a tool call."""
    body = json.dumps(request(1, "tools/call", {"name": tool, "arguments": arguments})).encode()
    reply = link.post(body, {**HEADERS, "Mcp-Method": "tools/call", "Mcp-Name": tool})
    assert reply.status == 200, reply
    return str(json.loads(reply.body)["result"]["content"][0]["text"])


class Here:
    """Stands for answers of this process."""

    made = 0

    def __init__(self, home: Path) -> None:
        del home
        Here.made += 1

    def post(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        del body, headers
        return Reply(200, "text/plain", b"here")


@pytest.fixture(autouse=True)
def _none_made() -> None:
    Here.made = 0


def never(home: Path) -> Running | None:
    message = f"started a daemon in {home}"
    raise AssertionError(message)


def test_a_daemon_that_runs_is_asked_and_none_is_started(tmp_path: Path) -> None:
    with daemon(FakeIndex(), tmp_path):
        assert "shop (main)" in call(Link(tmp_path, never, Here), "status")
    assert Here.made == 0


def test_a_daemon_is_started_once_by_whoever_asks_first(tmp_path: Path) -> None:
    started: list[Path] = []
    with daemon(FakeIndex(), tmp_path) as served:
        (tmp_path / "daemon.json").unlink()

        def start(home: Path) -> Running:
            started.append(home)
            served.write(home)
            return served

        link = Link(tmp_path, start, Here)
        threads = [threading.Thread(target=call, args=(link, "status")) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
    assert started == [tmp_path]


@pytest.mark.parametrize("token", [TOKEN, "of an earlier daemon", None])
def test_a_file_that_a_dead_daemon_left_leads_to_a_new_one(tmp_path: Path, token: str | None) -> None:
    with daemon(FakeIndex(), tmp_path / "new") as served:
        with listening() as bound:
            port = bound.getsockname()[1]
        left = Running(f"http://127.0.0.1:{port}" if token == TOKEN else served.url, token, 1)
        left.write(tmp_path)
        assert not alive(left)
        assert "shop (main)" in call(Link(tmp_path, lambda _: served, Here), "status")


def test_without_any_daemon_this_process_answers_until_one_appears(tmp_path: Path) -> None:
    tried: list[Path] = []

    def fail(home: Path) -> None:
        tried.append(home)

    link = Link(tmp_path, fail, Here)
    assert [link.post(b"{}", HEADERS).body for _ in range(3)] == [b"here"] * 3
    assert (len(tried), Here.made) == (1, 1)
    with daemon(FakeIndex(), tmp_path):
        assert "shop (main)" in call(link, "status")
    assert link.post(b"{}", HEADERS).body == b"here"


@pytest.fixture
def local() -> Iterator[Callable[[Any], InProcess]]:
    made: list[InProcess] = []

    def make(answer: Any) -> InProcess:
        made.append(InProcess(answer))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_this_process_gives_the_same_answers_as_a_daemon(tmp_path: Path, local: Callable[[Any], InProcess]) -> None:
    with daemon(FakeIndex(), tmp_path):
        there = call(Link(tmp_path, never, Here), "status")
    here = local(FakeIndex())

    assert call(here, "status") == there
    legacy = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    assert json.loads(here.post(legacy, {k: v for k, v in HEADERS.items() if "MCP" not in k}).body)["result"] == {}


def test_answers_without_a_daemon_say_so_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inprocess, "local_answer", lambda _home, _note: FakeIndex())
    here = answer_here(tmp_path)
    try:
        assert NOTE in call(here, "search", query="a")
        assert NOTE in call(here, "read", id="shop:a.md")
        assert NOTE in call(here, "related", target="a")
    finally:
        here.close()


def test_files_that_cannot_be_read_are_told_in_every_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_home: Path, _note: str) -> None:
        message = "the data folder is of a newer version"
        raise Unavailable(message)

    monkeypatch.setattr(inprocess, "local_answer", refuse)
    here = answer_here(tmp_path)
    try:
        assert call(here, "search", query="a") == "the data folder is of a newer version"
    finally:
        here.close()


def test_a_daemon_is_not_taken_from_the_folder_that_the_client_works_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder may be anyone's repository; a module of our name in it must not run."""
    evil = tmp_path / "repository"
    (evil / "mcp_bridge").mkdir(parents=True)
    (evil / "mcp_bridge" / "__main__.py").write_text("open('/tmp/never', 'w')", encoding="utf-8")
    seen: dict[str, Any] = {}

    class Process:
        def __init__(self, program: list[str], **options: object) -> None:
            seen.update(options, program=program)

    monkeypatch.chdir(evil)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", ".", "/elsewhere"]))
    monkeypatch.setattr(subprocess, "Popen", Process)
    spawn(tmp_path / "home")

    assert seen["program"][:4] == [sys.executable, "-P", "-m", "mcp_bridge"]
    assert seen["env"]["PYTHONPATH"] == os.pathsep.join([str(TOP), "/elsewhere"])
    assert seen["cwd"] == tmp_path / "home"
    assert seen["start_new_session"] is True
    assert {seen["stdin"], seen["stdout"], seen["stderr"]} == {subprocess.DEVNULL}
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700


def test_the_bridge_starts_a_real_daemon_when_there_is_none(tmp_path: Path) -> None:
    home = tmp_path / "home"
    lines = b"".join(json.dumps(request(n, "tools/list", {"_meta": META})).encode() + b"\n" for n in range(2))
    done = subprocess.run(
        [sys.executable, "-m", "mcp_bridge", "mcp"], input=lines, capture_output=True, check=True, timeout=30,
        env=environment(home), cwd=tmp_path,
    )  # fmt: skip
    served = running(home)
    try:
        assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == [0, 1]
        assert done.stderr == b""
        assert served
        assert alive(served)
    finally:
        if served:
            os.kill(served.pid, signal.SIGTERM)
