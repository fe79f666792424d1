"""Thirty questions on three public repositories, asked by command line and by a real MCP client over stdio and HTTP.

    python benchmarks/questions.py FOLDER [--exchange FILE]

FOLDER holds checkouts of cloudfoundry/korifi, SSWConsulting/SSW.CleanArchitecture and openedx/openedx-events under
their names. A question counts as answered when the expected record is among the first five documents. With
--exchange, one exchange over stdio is written down as it was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from indexer.home import running

QUESTIONS: Mapping[str, list[tuple[str, str]]] = json.loads(
    Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
)
PROGRAM = [sys.executable, "-m", "mcp_bridge"]
TOP = 5
HIT = re.compile(r"^\d+\. (?P<root>[^:]+):(?P<path>[^#\s]+)", re.MULTILINE)


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LOREWATCH_HOME": str(home)}
    return subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, check=False, env=environment, encoding="utf-8"
    )


def by_command(home: Path, root: str, question: str) -> list[str]:
    done = run(home, "search", question, "--root", root, "--json")
    return [hit["path"] for hit in json.loads(done.stdout)["hits"]]


def report(name: str, ask: Callable[[str, str], list[str]]) -> int:
    answered = total = 0
    started = time.perf_counter()
    for root, questions in QUESTIONS.items():
        for question, expected in questions:
            total += 1
            documents = list(dict.fromkeys(ask(root, question)))[:TOP]
            answered += expected in documents
            if expected not in documents:
                print(f"  missed by {name}: {root}: {question} -> {documents}")
    spent = (time.perf_counter() - started) / total
    print(f"{name:12} {answered} of {total} in the top {TOP}{took(spent)}")
    return total - answered


def took(seconds: float) -> str:
    return f", {1000 * seconds:.0f} ms a question" if seconds > 0.0005 else ""  # asked before, only counted here


async def by_client(name: str, client: Client) -> int:
    asked: dict[tuple[str, str], list[str]] = {}
    started = time.perf_counter()
    async with client:
        for root, questions in QUESTIONS.items():
            for question, _ in questions:
                answer = await client.call_tool("search", {"query": question, "root": root, "max_tokens": 4000})
                asked[root, question] = [found["path"] for found in HIT.finditer(answer.content[0].text)]
    spent = (time.perf_counter() - started) / len(asked)
    print(f"{name}: {1000 * spent:.0f} ms a question")
    return report(name, lambda root, question: asked[root, question])


def stdio(home: Path, cwd: Path) -> StdioServerParameters:
    environment = {**os.environ, "LOREWATCH_HOME": str(home)}
    return StdioServerParameters(command=PROGRAM[0], args=[*PROGRAM[1:], "mcp"], env=environment, cwd=cwd)


async def exchange(client: Client, file: Path) -> None:
    """Write down what a client asks and gets."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "which ingress do we use now, contour or gateway api", "limit": 3, "max_tokens": 700}),
        ("related", {"target": "api/errors/errors.go", "max_tokens": 700}),
    ]
    lines = [
        "# An exchange over MCP", "",
        "Written down by `benchmarks/questions.py --exchange` with the client of the PyPI package `mcp`,",
        "over stdio, in a checkout of cloudfoundry/korifi.", "",
    ]  # fmt: skip
    async with client:
        for tool, arguments in calls:
            answer = await client.call_tool(tool, arguments)
            lines += [f"`{tool}` {json.dumps(arguments)}", "", "````text", answer.content[0].text, "````", ""]
    file.write_text("\n".join(lines), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--exchange", type=Path)
    options = parser.parse_args()
    if options.folder is None:
        print("questions.py: skipped; name the folder that holds the three checkouts")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary) / "home"
        print(run(home, "scan", *(str(options.folder / root) for root in QUESTIONS)).stdout)
        missed = report("command", lambda root, question: by_command(home, root, question))
        environment = {**os.environ, "LOREWATCH_HOME": str(home)}
        with subprocess.Popen([*PROGRAM, "serve", "--port", "0"], env=environment, stderr=subprocess.DEVNULL) as daemon:
            while (found := running(home)) is None:
                time.sleep(0.05)
            missed += asyncio.run(by_client("mcp stdio", Client(stdio(home, options.folder / "korifi"))))
            http = create_mcp_http_client(headers={"Authorization": f"Bearer {found.token}"})
            transport = streamable_http_client(f"{found.url}/mcp", http_client=http)
            missed += asyncio.run(by_client("mcp http", Client(transport)))
            if options.exchange:
                asyncio.run(exchange(Client(stdio(home, options.folder / "korifi")), options.exchange))
            daemon.terminate()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
