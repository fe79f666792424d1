from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any

import pytest

from mcp_bridge.guard import Guard, Message, Receive, Scope, Send

PORT = 7420
TOKEN = "s3cret-of-the-tests"
RIGHT = f"Bearer {TOKEN}"

ROUTES = ["/mcp", "/api/search", "/health", "/", "/mcp/"]
METHODS = ["GET", "POST", "DELETE", "OPTIONS"]
HOSTS = {
    "127.0.0.1:7420": True,
    "localhost:7420": True,
    "LocalHost:7420": True,
    "[::1]:7420": True,
    "127.0.0.1": False,
    "127.0.0.1:7421": False,
    "evil.example:7420": False,
    "localhost.evil.example:7420": False,
    "127.0.0.1:7420@evil.example": False,
    "": False,
}
ORIGINS = {
    None: True,
    "http://127.0.0.1:7420": True,
    "http://localhost:7420": True,
    "http://[::1]:7420": True,
    "null": False,
    "": False,
    "https://127.0.0.1:7420": False,
    "http://127.0.0.1": False,
    "http://127.0.0.1:7421": False,
    "http://evil.example": False,
    "http://localhost:7420.evil.example": False,
}


def ask(
    method: str, path: str, headers: list[tuple[str, str]], token: str | None = TOKEN
) -> tuple[int, dict[str, str], bool]:
    """Status and headers of the answer, and whether the application was reached."""
    sent: list[Message] = []
    reached = False

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal reached
        reached = True
        del scope, receive
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Message:
        message = "the guard read the body"
        raise AssertionError(message)

    async def send(message: Message) -> None:
        sent.append(message)

    encoded = [(name.lower().encode(), value.encode()) for name, value in headers]
    scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "headers": encoded}
    asyncio.run(Guard(application, token=token, port=PORT)(scope, receive, send))
    names = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    if not reached:
        assert json.loads(sent[1]["body"])["error"]
    return sent[0]["status"], names, reached


def headers(host: str = "127.0.0.1:7420", **others: str) -> list[tuple[str, str]]:
    plain = {"authorization": RIGHT, "content_type": "application/json", **others}
    return [("host", host), *((name.replace("_", "-"), value) for name, value in plain.items())]


def test_only_the_exact_local_forms_pass_on_every_route() -> None:
    served = 0
    for route, method, (host, own), (origin, kin) in itertools.product(ROUTES, METHODS, HOSTS.items(), ORIGINS.items()):
        given = headers(host) + ([] if origin is None else [("origin", origin)])
        status, names, reached = ask(method, route, given)
        case = (route, method, host, origin)
        if not own:
            assert (status, reached) == (421, False), case
        elif not kin:
            assert (status, reached) == (403, False), case
        else:
            fits = (route, method) in {("/mcp", "POST"), ("/api/search", "POST"), ("/health", "GET")}
            assert reached is fits, case
            assert status == (200 if fits else 404 if route in {"/", "/mcp/"} else 405), case
            served += reached
        assert not [name for name in names if name.startswith("access-control")], case
    assert served == 3 * 4 * 4


@pytest.mark.parametrize("route", ["/mcp", "/api/search", "/", "/api/"])
@pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer é"])
def test_a_wrong_token_is_refused_on_every_route_whatever_else_is_asked(route: str, given: str) -> None:
    for method in METHODS:
        status, names, reached = ask(method, route, headers(authorization=given))
        assert (status, reached, names["www-authenticate"]) == (401, False, "Bearer")


def test_a_missing_or_repeated_token_is_refused() -> None:
    bare = [("host", "127.0.0.1:7420"), ("content-type", "application/json")]

    assert ask("POST", "/mcp", bare)[0] == 401
    assert ask("POST", "/mcp", [*bare, ("authorization", RIGHT), ("authorization", RIGHT)])[0] == 401
    assert ask("POST", "/mcp", [*bare, ("authorization", f"bearer  {TOKEN}")])[2]


def test_without_a_token_of_our_own_none_is_asked_for_but_hosts_still_count() -> None:
    bare = [("content-type", "application/json")]

    assert ask("POST", "/mcp", [("host", "localhost:7420"), *bare], token=None)[2]
    assert ask("POST", "/mcp", [("host", "evil.example:7420"), *bare], token=None)[0] == 421


def test_health_needs_no_token_but_the_right_host() -> None:
    assert ask("GET", "/health", [("host", "127.0.0.1:7420")])[2]
    assert ask("GET", "/health", [("host", "evil.example")])[0] == 421
    assert ask("GET", "/health", [("host", "127.0.0.1:7420"), ("origin", "http://evil.example")])[0] == 403


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1:7420", "127.0.0.1:7420"], ["127.0.0.1:7420", "evil.example"]])
def test_no_host_or_several_are_refused(hosts: list[str]) -> None:
    rest = [(name, value) for name, value in headers() if name != "host"]

    assert ask("POST", "/mcp", [*(("host", host) for host in hosts), *rest])[0] == 421


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
def test_a_simple_post_of_a_web_page_is_refused(kind: str) -> None:
    assert ask("POST", "/mcp", headers(content_type=kind))[0] == 415
    assert ask("POST", "/mcp", headers(content_type="application/json; charset=utf-8"))[2]


def test_a_websocket_is_closed() -> None:
    sent: list[Message] = []

    async def application(_scope: Scope, _receive: Receive, _send: Send) -> None:
        message = "reached"
        raise AssertionError(message)

    async def receive() -> Message:
        return {}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: dict[str, Any] = {"type": "websocket", "path": "/mcp", "headers": []}
    asyncio.run(Guard(application, token=None, port=PORT)(scope, receive, send))

    assert [message["type"] for message in sent] == ["websocket.close"]
