from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from mcp_bridge.link import Reply
from mcp_bridge.stdio import LONGEST_LINE, Bridge
from tests.mcp_bridge.fakes import FakeIndex, daemon

TOP = Path(__file__).parent.parent.parent
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "läufer", "version": "1"},
}
GREETING = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
}
HEAVY = ("mcp", "mcp_types", "pydantic", "numpy", "anyio", "starlette", "uvicorn", "click", "sqlite3", "asyncio")


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "LOREWATCH_HOME": str(home), "PYTHONPATH": str(TOP)}


def request(
    number: int, method: str, params: Mapping[str, Any] | None = None, *, modern: bool = True
) -> dict[str, Any]:
    sent = {**(params or {}), **({"_meta": META} if modern else {})}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": sent}


class RawClient:
    """Speaks lines with a bridge process."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mcp_bridge", "mcp"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(home), cwd=folder,
        )  # fmt: skip

    def send(self, *lines: object) -> None:
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout
        message = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return dict(message)

    def ask(self, message: object) -> dict[str, Any]:
        self.send(message)
        return self.receive()

    def close(self) -> tuple[int, bytes, bytes]:
        """Close stdin; the exit status and what was still written."""
        out, problems = self.process.communicate(timeout=15)
        return self.process.returncode, out, problems


@contextmanager
def bridged(home: Path, folder: Path) -> Iterator[RawClient]:
    client = RawClient(home, folder)
    try:
        yield client
    finally:
        if client.process.poll() is None:
            client.process.kill()
        client.process.communicate()


def text_of(answer: Mapping[str, Any]) -> str:
    return str(answer["result"]["content"][0]["text"])


def test_a_client_without_a_handshake_is_answered_with_its_folder_and_name(tmp_path: Path) -> None:
    index = FakeIndex()
    with daemon(index, tmp_path / "home"), bridged(tmp_path / "home", tmp_path) as client:
        assert client.ask(request(1, "server/discover"))["result"]["supportedVersions"] == ["2026-07-28"]
        assert len(client.ask(request(2, "tools/list"))["result"]["tools"]) == 5
        answer = client.ask(request(3, "tools/call", {"name": "search", "arguments": {"query": "a"}}))
        assert "1. shop:docs/adr" in text_of(answer)
        client.ask(request(4, "tools/call", {"name": "read", "arguments": {"id": "shop:a.md"}}))
        assert client.close() == (0, b"", b"")

    assert index.last("search")["cwd"] == str(tmp_path)
    assert index.last("read")["reader"] == "mcp:läufer"


def test_a_client_with_a_handshake_is_answered_and_named_as_it_introduced_itself(tmp_path: Path) -> None:
    index = FakeIndex()
    with daemon(index, tmp_path / "home"), bridged(tmp_path / "home", tmp_path) as client:
        assert client.ask(GREETING)["result"]["protocolVersion"] == "2025-06-18"
        client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert client.ask(request(1, "ping", modern=False))["result"] == {}
        client.ask(request(2, "tools/call", {"name": "read", "arguments": {"id": "shop:a.md"}}, modern=False))
        assert client.close() == (0, b"", b"")

    assert index.last("read")["reader"] == "mcp:raw"


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_the_client_of_the_library_is_served_over_stdio(tmp_path: Path, mode: str) -> None:
    async def use() -> tuple[int, str]:
        program = StdioServerParameters(
            command=sys.executable, args=["-m", "mcp_bridge", "mcp"], env=environment(tmp_path / "home")
        )
        async with Client(program, mode=mode) as client:
            result = await client.call_tool("search", {"query": "a"})
            [content] = result.content
            assert isinstance(content, TextContent)
            return len((await client.list_tools()).tools), content.text

    with daemon(FakeIndex(), tmp_path / "home"):
        number, text = asyncio.run(use())
    assert number == 5
    assert "1. shop:docs/adr" in text


def test_malformed_lines_get_errors_and_cost_nothing_else(tmp_path: Path) -> None:
    with daemon(FakeIndex(), tmp_path / "home"), bridged(tmp_path / "home", tmp_path) as client:
        for line in (b"{\n", b"hello\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n", b'{"a": \n'):
            answer = client.ask(line)
            assert (answer["id"], answer["error"]["code"]) == (None, -32700)
        for line in (b"[]\n", b"7\n", b"null\n", b"{}\n", b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n'):
            assert client.ask(line)["error"]["code"] == -32600
        assert client.ask(b'{"jsonrpc":"2.0","id":"x"}\n')["id"] == "x"
        assert client.ask(b"x" * (LONGEST_LINE + 10) + b"\n")["error"]["code"] == -32600
        client.send(
            b"\n", b"  \n", {"jsonrpc": "2.0", "id": 5, "result": {}}, {"jsonrpc": "2.0", "method": "what/ever"}
        )
        assert len(client.ask(request(1, "tools/list"))["result"]["tools"]) == 5
        assert client.close() == (0, b"", b"")


def test_errors_of_the_daemon_keep_their_code_and_the_id_of_the_request(tmp_path: Path) -> None:
    with daemon(FakeIndex(), tmp_path / "home"), bridged(tmp_path / "home", tmp_path) as client:
        unknown = client.ask(request(1, "no/such"))
        assert (unknown["id"], unknown["error"]["code"]) == (1, -32601)
        future = request(2, "tools/list")
        future["params"]["_meta"] = {**META, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}
        answer = client.ask(future)
        assert (answer["id"], answer["error"]["code"]) == (2, -32022)
        odd = client.ask(request(3, "tools/call", {"name": "größe\n", "arguments": {}}))
        assert (odd["id"], odd["error"]["code"]) == (3, -32602)


def test_several_requests_are_under_way_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(4, timeout=10)
    index = FakeIndex()

    def meet(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        together.wait()
        return index(verb, arguments)

    with daemon(meet, tmp_path / "home"), bridged(tmp_path / "home", tmp_path) as client:  # type: ignore[arg-type] # any answer will do
        client.send(*(request(n, "tools/call", {"name": "status", "arguments": {}}) for n in range(4)))
        assert sorted(client.receive()["id"] for _ in range(4)) == [0, 1, 2, 3]


def test_a_restarted_daemon_with_another_port_and_token_is_found_again(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with daemon(FakeIndex(), home), bridged(home, tmp_path) as client:
        client.ask(request(1, "tools/list"))
        with daemon(FakeIndex(), home, token="another"):
            assert "result" in client.ask(request(2, "tools/list"))


def test_requests_that_are_under_way_when_stdin_closes_are_still_answered(tmp_path: Path) -> None:
    with daemon(FakeIndex(), tmp_path / "home"):
        lines = "".join(json.dumps(request(n, "tools/list")) + "\n" for n in range(5))
        done = subprocess.run(
            [sys.executable, "-m", "mcp_bridge", "mcp"], input=lines.encode(), capture_output=True, check=True,
            timeout=20, env=environment(tmp_path / "home"), cwd=tmp_path,
        )  # fmt: skip
    assert sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == [0, 1, 2, 3, 4]


def test_the_bridge_ends_when_nobody_reads_its_answers(tmp_path: Path) -> None:
    with daemon(FakeIndex(), tmp_path / "home"), bridged(tmp_path / "home", tmp_path) as client:
        client.ask(request(1, "tools/list"))
        assert client.process.stdout
        client.process.stdout.close()
        client.send(request(2, "tools/list"))
        assert client.process.wait(timeout=10) == 0


def test_the_path_to_the_first_answer_imports_nothing_heavy() -> None:
    code = (
        "import sys, mcp_bridge.__main__, mcp_bridge.stdio\n"
        f"sys.exit(','.join(name for name in {HEAVY!r} if name in sys.modules) or None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=TOP,
        timeout=20,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr.strip()) == (0, "")


class Postbox:
    """Takes the place of a daemon for a bridge in this process."""

    def __init__(self, answer: Callable[[bytes], Reply]) -> None:
        self.answer = answer
        self.headers: list[dict[str, str]] = []

    def post(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        self.headers.append(dict(headers))
        return self.answer(body)


def echo(body: bytes) -> Reply:
    message = json.loads(body)
    result = {"protocolVersion": "2025-11-25"} if message.get("method") == "initialize" else {}
    answer = {"jsonrpc": "2.0", "id": message.get("id"), "result": result}
    return Reply(200, "application/json", json.dumps(answer).encode())


def serve(postbox: Postbox, *lines: object) -> list[dict[str, Any]]:
    out = io.BytesIO()
    given = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    Bridge(postbox, out, "/home/me", lambda: None).serve(io.BytesIO(given))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_message_is_routed_by_its_own_revision_or_by_the_one_agreed_on() -> None:
    postbox = Postbox(echo)
    serve(postbox, GREETING)
    serve(postbox, request(1, "tools/call", {"name": "search"}), request(2, "resources/read", {"uri": "päth"}))
    names = ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name")
    routed = [{name: headers[name] for name in names if name in headers} for headers in postbox.headers]
    assert routed[0] == {}
    assert {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search"} in routed
    assert routed[1:].count(
        {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "resources/read", "Mcp-Name": "=?base64?cMOkdGg=?="}
    ) == 1  # fmt: skip

    agreed = Postbox(echo)
    serve(agreed, GREETING, request(1, "ping", modern=False))
    assert [headers.get("MCP-Protocol-Version") for headers in agreed.headers] == [None, "2025-11-25"]
    assert agreed.headers[1]["X-Lorewatch-Client"] == "raw"
    assert agreed.headers[1]["X-Lorewatch-Cwd"] == "/home/me"


def test_every_message_of_an_event_stream_is_passed_on() -> None:
    progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
    result = {"jsonrpc": "2.0", "id": 1, "result": {"text": "a\nb"}}
    events = f": ping\r\n\r\nevent: message\r\ndata: {json.dumps(progress)}\r\n\r\ndata: {json.dumps(result)}\n\n"
    reply = Reply(200, "text/event-stream", events.encode())

    assert serve(Postbox(lambda _: reply), request(1, "tools/list")) == [progress, result]


@pytest.mark.parametrize(
    "reply",
    [
        Reply(202, "", b""),
        Reply(500, "text/plain", b"Internal Server Error"),
        Reply(421, "application/json", b'{"error": "not here"}'),
        Reply(200, "application/json", b"[]"),
        Reply(200, "text/event-stream", b": nothing\n\n"),
    ],
)
def test_a_request_is_answered_whatever_comes_back(reply: Reply) -> None:
    [answer] = serve(Postbox(lambda _: reply), request(7, "tools/list"))

    assert (answer["id"], answer["error"]["code"]) == (7, -32603)


def test_a_cancelled_request_is_not_answered() -> None:
    cancelled, bridge = threading.Event(), io.BytesIO()

    def slow(body: bytes) -> Reply:
        if json.loads(body)["id"] == 1:
            assert cancelled.wait(10)
        return echo(body)

    class Lines(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(size)
            if not line:
                cancelled.set()  # what was read before is done with by now
            return line

    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    messages = [request(1, "tools/list"), request(2, "tools/list"), cancel]
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    Bridge(Postbox(slow), bridge, "", lambda: None).serve(Lines(lines))

    assert [json.loads(line)["id"] for line in bridge.getvalue().splitlines()] == [2]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
methods = (
    st.sampled_from(["initialize", "ping", "tools/call", "resources/read", "notifications/cancelled"]) | json_values
)
messages = st.fixed_dictionaries(
    {}, optional={"jsonrpc": st.just("2.0"), "id": json_values, "method": methods, "params": json_values}
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(messages.map(lambda one: json.dumps(one).encode() + b"\n") | st.binary(max_size=60), max_size=5))
def test_no_message_ends_the_bridge_or_makes_it_write_anything_but_protocol(lines: list[bytes]) -> None:
    answers = serve(Postbox(echo), *lines, b"\n", request(4711, "ping"))

    assert [answer for answer in answers if answer.get("id") == 4711 and "result" in answer]
    assert all(answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer) for answer in answers)
