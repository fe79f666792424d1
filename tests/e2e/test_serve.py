"""The daemon as a process: saved files, branches, kills, a second daemon, real MCP clients over both transports."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from indexer.home import running
from tests.project import CLEAN, adr

PATIENCE = 30.0
PROGRAM = [sys.executable, "-m", "mcp_bridge"]


class Machine:
    """A data folder, a git work tree, and the program."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.root = folder / "shop"
        (self.root / "docs/adr").mkdir(parents=True)
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        self.environment = {**os.environ, **quiet, "LOREWATCH_HOME": str(self.home)}
        self.daemons: list[subprocess.Popen[str]] = []

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, check=False, encoding="utf-8",
                              env=self.environment, timeout=60)  # fmt: skip

    def json(self, *arguments: str) -> dict[str, Any]:
        done = self.run(*arguments, "--json")
        value: dict[str, Any] = json.loads(done.stdout)
        return value

    def serve(self) -> subprocess.Popen[str]:
        """Start a daemon and wait until it says that it is ready."""
        daemon = self.start()
        assert daemon.stderr is not None
        for line in daemon.stderr:
            if "lorewatch is ready" in line:
                return daemon
        message = "the daemon ended before it was ready"
        raise AssertionError(message)

    def start(self) -> subprocess.Popen[str]:
        daemon = subprocess.Popen([*PROGRAM, "serve", "--port", "0", str(self.root)], env=self.environment, text=True,
                                  stderr=subprocess.PIPE, encoding="utf-8")  # fmt: skip
        self.daemons.append(daemon)
        return daemon

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def git(self, *arguments: str) -> None:
        name = ["-c", "user.name=t", "-c", "user.email=t@localhost"]
        subprocess.run(["git", "-C", str(self.root), *name, *arguments], check=True, capture_output=True,
                       env=self.environment)  # fmt: skip

    def paths(self, query: str) -> set[str]:
        return {hit["path"] for hit in self.json("search", query)["hits"]}

    def stop(self) -> None:
        for daemon in self.daemons:
            daemon.kill()
            daemon.wait()
            if daemon.stderr:
                daemon.stderr.close()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.stop()


def until(condition: Callable[[], bool]) -> float:
    """Poll until `condition` holds; return how long it took."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() < started + PATIENCE, "it did not come true"
        time.sleep(0.02)
    return time.monotonic() - started


def test_a_saved_record_is_found_branches_are_followed_and_a_signal_ends_it_cleanly(machine: Machine) -> None:
    machine.write("docs/adr/0001-a.md", adr(1, "Keep the walrus"))
    machine.git("init", "-q", "-b", "main")
    machine.git("add", "-A")
    machine.git("commit", "-q", "-m", "one")
    machine.git("switch", "-q", "-c", "other")
    for number in range(2, 60):
        machine.write(f"docs/adr/{number:04}-x.md", adr(number, f"Pelican {number}"))
    machine.git("add", "-A")
    machine.git("commit", "-q", "-m", "two")
    daemon = machine.serve()
    machine.write("docs/adr/0099-new.md", adr(99, "Add an ocelot"))
    until(lambda: machine.paths("ocelot") == {"docs/adr/0099-new.md"})
    machine.git("switch", "-q", "main")
    until(lambda: machine.json("verify") == CLEAN)
    assert machine.paths("pelican") == set()
    answer = machine.json("search", "walrus")
    assert (answer["branch"], answer["state"]) == ({"shop": "main"}, "ready")
    machine.git("switch", "-q", "other")
    until(lambda: machine.json("verify") == CLEAN)
    assert machine.paths("pelican 42")
    shutil.rmtree(machine.root / "docs/adr")
    until(lambda: machine.json("verify") == CLEAN)
    assert machine.paths("walrus") == machine.paths("ocelot") == set()
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(PATIENCE) == 0
    assert running(machine.home) is None


def test_a_daemon_killed_in_the_middle_of_a_scan_is_healed_by_the_next_start(machine: Machine) -> None:
    for number in range(400):
        machine.write(f"docs/adr/{number:04}-x.md", adr(number, f"Pelican {number}", "Some words. " * 50))
    machine.write("docs/adr/0500-last.md", adr(500, "The ocelot"))
    for pause in (0.0, 0.2, 0.5):
        daemon = machine.start()
        until(lambda: running(machine.home) is not None)
        time.sleep(pause)
        daemon.kill()
        daemon.wait()
        (machine.home / "daemon.json").unlink(missing_ok=True)
    machine.serve()
    assert machine.json("verify") == CLEAN
    assert machine.paths("ocelot") == {"docs/adr/0500-last.md"}


def test_a_second_daemon_is_refused_with_a_clear_line(machine: Machine) -> None:
    machine.serve()
    second = machine.run("serve", "--port", "0")
    assert second.returncode == 3
    assert "already serves" in second.stderr.splitlines()[-1]
    assert machine.json("status")["daemon"] is True


def test_a_port_in_use_is_refused_with_a_clear_line(machine: Machine) -> None:
    machine.serve()
    found = running(machine.home)
    assert found is not None
    other = Machine(machine.home.parent / "other")
    refused = other.run("serve", "--port", found.url.rpartition(":")[2])
    assert refused.returncode == 3
    assert "in use by another process" in refused.stderr


async def ask_http(url: str, token: str | None, mode: Any) -> list[str]:
    async with create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http:
        return await ask(Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode))


async def ask(client: Client) -> list[str]:
    async with client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        found = await client.call_tool("search", {"query": "walrus"})
        read = await client.call_tool("read", {"id": "shop:docs/adr/0001-a.md"})
        related = await client.call_tool("related", {"target": "src/walrus.py"})
    texts = [content.text for answer in (found, read, related) for content in answer.content if content.type == "text"]
    return [",".join(tools), *texts]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_real_client_of_either_era_gets_true_answers(machine: Machine, transport: str, mode: Any) -> None:
    machine.write("docs/adr/0001-a.md", adr(1, "Keep the walrus", "It lives in `src/walrus.py`."))
    machine.write("src/walrus.py", "def feed() -> None:\n    pass\n")
    machine.serve()
    found = running(machine.home)
    assert found is not None
    if transport == "stdio":
        parameters = StdioServerParameters(command=PROGRAM[0], args=[*PROGRAM[1:], "mcp"], env=machine.environment,
                                           cwd=machine.root)  # fmt: skip
        answers = asyncio.run(ask(Client(parameters, mode=mode)))
    else:
        answers = asyncio.run(ask_http(found.url, found.token, mode))
    tools, searched, read, related = answers
    assert tools == "search,read,related,status,feedback"
    assert "shop:docs/adr/0001-a.md" in searched
    assert "accepted" in searched
    assert "It lives in" in read
    assert "docs/adr/0001-a.md" in related
