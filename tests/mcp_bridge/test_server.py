from __future__ import annotations

import asyncio
import http.client
import json
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation, TextContent

from indexer.errors import BadInput, Unavailable
from indexer.home import Running
from mcp_bridge.server import LARGEST_BODY, make_server
from tests.mcp_bridge.fakes import TOKEN, FakeIndex, daemon, listening

ERAS = ["legacy", "auto", "2026-07-28"]


@pytest.fixture
def index() -> FakeIndex:
    return FakeIndex()


@pytest.fixture
def served(index: FakeIndex, tmp_path: Path) -> Iterator[Running]:
    with daemon(index, tmp_path / "home") as running:
        yield running


def ask(
    served: Running, method: str, path: str, body: bytes | Iterator[bytes] = b"", **headers: str
) -> tuple[int, Mapping[str, str], bytes]:
    address = urlsplit(served.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=10)
    given = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, body, given, encode_chunked=not isinstance(body, bytes))
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def api(served: Running, verb: str, body: object) -> tuple[int, Any]:
    status, _, content = ask(served, "POST", f"/api/{verb}", json.dumps(body).encode())
    return status, json.loads(content)


@asynccontextmanager
async def client(served: Running, mode: str, **headers: str):  # type: ignore[no-untyped-def] # noqa: ANN201 - of the library
    given = {"Authorization": f"Bearer {TOKEN}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    async with (
        httpx2.AsyncClient(headers=given) as http_client,
        Client(
            streamable_http_client(f"{served.url}/mcp", http_client=http_client),
            mode=mode,
            client_info=Implementation(name="tester", version="1"),
        ) as connected,
    ):
        yield connected


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_of_either_era_lists_and_calls_over_http(served: Running, index: FakeIndex, mode: str) -> None:
    async def use() -> tuple[list[str], str]:
        async with client(served, mode, X_Lorewatch_Cwd=quote("/home/me/läden")) as connected:
            tools = await connected.list_tools()
            result = await connected.call_tool("search", {"query": "sqlite"})
            [content] = result.content
            assert isinstance(content, TextContent)
            assert result.structured_content is None
            return [tool.name for tool in tools.tools], content.text

    names, text = asyncio.run(use())
    assert names == ["search", "read", "related", "status", "feedback"]
    assert "1. shop:docs/adr/0001-use-sqlite.md" in text
    assert index.last("search")["cwd"] == "/home/me/läden"


def test_a_root_that_is_named_is_more_exact_than_the_folder_of_the_caller(served: Running, index: FakeIndex) -> None:
    async def use() -> None:
        async with client(served, "2026-07-28", X_Lorewatch_Cwd="/home") as connected:
            await connected.call_tool("search", {"query": "a", "root": "shop"})
            await connected.call_tool("related", {"target": "a"})

    asyncio.run(use())
    assert "cwd" not in index.last("search")
    assert index.last("related")["cwd"] == "/home"


def test_many_clients_are_answered_at_once(index: FakeIndex, tmp_path: Path) -> None:
    together = threading.Barrier(6, timeout=10)

    def meet(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        together.wait()
        return index(verb, arguments)

    async def use(served: Running) -> None:
        async with client(served, "2026-07-28") as one, client(served, "legacy") as other:
            asked = [each.call_tool("status", {}) for each in (one, other) for _ in range(3)]
            assert not [result for result in await asyncio.gather(*asked) if result.is_error]

    with daemon(meet, tmp_path / "home") as served:  # type: ignore[arg-type] # any answer will do
        asyncio.run(use(served))


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_each_handshake_revision_gets_the_one_it_asks_for(served: Running, version: str) -> None:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    status, headers, content = ask(served, "POST", "/mcp", body, Accept="application/json, text/event-stream")

    result = json.loads(content)["result"]
    assert (status, result["protocolVersion"], result["capabilities"]) == (
        200,
        version,
        {"tools": {"listChanged": False}},
    )
    assert "mcp-session-id" not in headers


def test_health_says_nothing_but_that_it_lives(served: Running) -> None:
    status, _, content = ask(served, "GET", "/health", Authorization="")

    assert (status, json.loads(content)) == (200, {"ok": True})


def test_a_verb_takes_and_gives_a_json_object(served: Running, index: FakeIndex) -> None:
    assert api(served, "roots", {"a": 1}) == (200, {"roots": []})
    assert index.last("roots") == {"a": 1}


@pytest.mark.parametrize("error", [BadInput("say what"), Unavailable("come back later")])
def test_what_the_user_must_act_on_comes_with_its_exit_status(
    served: Running, index: FakeIndex, error: BadInput
) -> None:
    index.answers["scan"] = error

    assert api(served, "scan", {}) == (409, {"error": str(error), "status": error.status})


def test_a_bug_costs_the_call_and_tells_nothing(
    served: Running, index: FakeIndex, caplog: pytest.LogCaptureFixture
) -> None:
    index.answers["scan"] = RuntimeError("secret detail")

    assert api(served, "scan", {}) == (500, {"error": "internal error, see the log", "status": 3})
    assert "secret detail" in caplog.text
    assert api(served, "roots", {})[0] == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(served: Running, body: bytes) -> None:
    status, _, content = ask(served, "POST", "/api/roots", body)

    assert status == 400
    assert "error" in json.loads(content)


@pytest.mark.parametrize("path", ["/api/roots", "/mcp"])
def test_a_body_over_the_limit_is_refused_with_and_without_a_declared_length(served: Running, path: str) -> None:
    accept = "application/json, text/event-stream"
    large = b'{"a":"' + b"x" * LARGEST_BODY + b'"}'

    def send(body: bytes | Iterator[bytes]) -> int:
        try:
            return ask(served, "POST", path, body, Accept=accept)[0]
        except (BrokenPipeError, ConnectionResetError):  # it hung up before we had sent it all
            return 413

    assert send(large) == 413
    assert send(large[start : start + 65_536] for start in range(0, len(large), 65_536)) == 413
    assert api(served, "roots", {})[0] == 200


def test_the_guard_stands_in_front_of_the_real_routes(served: Running, index: FakeIndex) -> None:
    for path in ("/mcp", "/api/roots"):
        assert ask(served, "POST", path, b"{}", Host="evil.example")[0] == 421
        assert ask(served, "POST", path, b"{}", Origin="http://evil.example")[0] == 403
        assert ask(served, "POST", path, b"{}", Authorization="Bearer wrong")[0] == 401
        assert ask(served, "POST", path, b"{}", Content_Type="text/plain")[0] == 415
        assert ask(served, "GET", path)[0] == 405
    assert index.asked == []


def test_no_log_at_any_level_holds_the_token(served: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        api(served, "roots", {})
        api(served, "nothing", {})
        ask(served, "POST", "/mcp", b"{", Authorization=f"Bearer {TOKEN}x")

    assert TOKEN not in caplog.text
    assert TOKEN.encode().hex() not in caplog.text


def test_the_server_stops_within_seconds_while_a_call_hangs() -> None:
    release, entered = threading.Event(), threading.Event()

    def hang(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        del verb, arguments
        entered.set()
        release.wait(30)
        return {}

    bound = listening()
    server = make_server(hang, None, bound)
    server.start()
    running = Running(f"http://127.0.0.1:{bound.getsockname()[1]}", None, 1)

    answered: list[int] = []

    def call() -> None:
        with suppress(OSError, http.client.HTTPException):
            answered.append(ask(running, "POST", "/api/roots", b"{}")[0])

    caller = threading.Thread(target=call)
    caller.start()
    assert entered.wait(10)
    server.stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "http"]
    release.set()
    caller.join(10)
    assert answered in ([], [500])


def test_a_server_that_was_never_started_can_be_stopped() -> None:
    with listening() as bound:
        make_server(FakeIndex(), None, bound).stop()
