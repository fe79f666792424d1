"""Who may ask: one pure ASGI guard in front of every route. A local port is no boundary by itself.

Web pages reach it by rebinding names and by simple posts, other accounts of the machine by connecting. So a request
names this host and port exactly, has no foreign origin, carries the token and is JSON; all is decided before any work.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HEALTH = "/health"
MCP = "/mcp"
API = "/api/"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not served."""

    status: int
    message: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Guard:
    """Serves `application` to those who may ask. `token` None asks for none: for loopback test suites only."""

    def __init__(self, application: Application, *, token: str | None, port: int) -> None:
        self._application = application
        self._token = None if token is None else _digest(token.encode())
        self._hosts = frozenset(f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost", "[::1]"))
        self._origins = frozenset(b"http://" + host for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed; answer the rest with one JSON line that tells nothing of what is inside."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        elif (refusal := self.refusal(scope)) is not None:
            await _refuse(refusal, send)
        else:
            await self._application(scope, receive, send)

    def refusal(self, scope: Scope) -> Refusal | None:
        """What is wrong with a request, or None. Looks at the request line and the headers alone."""
        headers = list(scope["headers"])
        hosts, origins = _values(headers, b"host"), _values(headers, b"origin")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return Refusal(421, "this address is not served under that name")
        if origins and (len(origins) > 1 or origins[0] not in self._origins):
            return Refusal(403, "requests from other sites are refused")
        if scope["path"] == HEALTH:
            return None if scope["method"] == "GET" else Refusal(405, "only GET", ((b"allow", b"GET"),))
        if not self._knows(_values(headers, b"authorization")):
            message = "the token is missing or wrong; the data folder holds it"
            return Refusal(401, message, ((b"www-authenticate", b"Bearer"),))
        return _unfit(scope, _values(headers, b"content-type"))

    def _knows(self, credentials: list[bytes]) -> bool:
        """Say whether exactly the token was given. Digests of one length are compared, in constant time."""
        if self._token is None:
            return True
        scheme, _, given = credentials[0].partition(b" ") if len(credentials) == 1 else (b"", b"", b"")
        return hmac.compare_digest(_digest(given.strip()), self._token) and scheme.lower() == b"bearer"


def _unfit(scope: Scope, types: list[bytes]) -> Refusal | None:
    """What is wrong with the shape of a request from someone who may ask."""
    if scope["path"] != MCP and not scope["path"].startswith(API):
        return Refusal(404, "there is nothing here")
    if scope["method"] != "POST":
        return Refusal(405, "only POST", ((b"allow", b"POST"),))
    if len(types) != 1 or types[0].split(b";")[0].strip().lower() != b"application/json":
        return Refusal(415, "the content type must be application/json")
    return None


def _digest(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()


def _values(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    return [value.strip() for key, value in headers if key.lower() == name]


async def _refuse(refusal: Refusal, send: Send) -> None:
    body = json.dumps({"error": refusal.message}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # the body was not read
        *refusal.headers,
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
