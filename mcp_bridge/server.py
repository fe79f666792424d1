"""The MCP server over an `Answer`: streamable HTTP at `/mcp`, verbs at `/api/<verb>`, and the thread that serves."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Callable
from http import HTTPStatus
from importlib import metadata
from typing import Any

import anyio.to_thread
import uvicorn
from anyio import CapacityLimiter
from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from indexer.errors import BadInput, IndexerError, Unavailable
from indexer.service import Answer
from mcp_bridge.guard import API, HEALTH, MCP, Application, Guard
from mcp_bridge.tools import INSTRUCTIONS, Toolbox

log = logging.getLogger(__name__)

NAME = "lorewatch"
LARGEST_BODY = 4 * 1024 * 1024
HOUR = 3_600_000
"""Milliseconds that a client may keep what never changes while a daemon runs."""

START_PATIENCE = 10.0
STOP_PATIENCE = 2
"""Seconds that running requests get when the server stops."""


def build_server(answer: Answer) -> Server[Any]:
    """The MCP server with the five tools; it speaks both eras of the protocol on any transport.

    The low-level server is used so that names, schemas and instructions are exactly our constants.
    """
    toolbox = Toolbox(answer)
    constant = CacheHint(ttl_ms=HOUR, scope="public")
    return Server(
        NAME,
        version=_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=toolbox.list,
        on_call_tool=toolbox.call,
        cache_hints={"tools/list": constant, "server/discover": constant},
    )


def build_app(answer: Answer, *, token: str | None, port: int) -> Application:
    """The ASGI application: every route behind one `Guard`, without state between requests.

    Without sessions a client survives a restart of the daemon, and JSON answers need no stream.
    """
    routes = [
        Route(HEALTH, _health, methods=["GET"]),
        Route(API + "{verb}", _Api(answer).post, methods=["POST"]),
    ]
    application = build_server(answer).streamable_http_app(
        streamable_http_path=MCP,
        json_response=True,
        stateless_http=True,
        max_request_body_size=LARGEST_BODY,
        # The guard in front has the exact list of hosts; this one would allow any port.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        custom_starlette_routes=routes,
    )
    return Guard(application, token=token, port=port)


async def _health(request: Request) -> Response:
    del request
    return Response(b'{"ok": true}', media_type="application/json")


class _Api:
    """The verbs of the index for our own command line: a JSON object in, a JSON object out."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        # A limiter of its own: long verbs of the command line must not keep agents waiting.
        self._limiter = CapacityLimiter(16)

    async def post(self, request: Request) -> Response:
        body = await _body(request)
        if body is None:
            status, content = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _error(f"a body has at most {LARGEST_BODY} bytes")
        else:
            status, content = await anyio.to_thread.run_sync(
                self._run, request.path_params["verb"], body, limiter=self._limiter, abandon_on_cancel=True
            )
        return Response(content, status, media_type="application/json")

    def _run(self, verb: str, body: bytes) -> tuple[HTTPStatus, bytes]:
        try:
            arguments = json.loads(body)
        except (ValueError, RecursionError):
            return HTTPStatus.BAD_REQUEST, _error("the body is no JSON")
        if not isinstance(arguments, dict):
            return HTTPStatus.BAD_REQUEST, _error("the body must be a JSON object")
        try:
            return HTTPStatus.OK, json.dumps(self._answer(verb, arguments)).encode()
        except IndexerError as error:
            return HTTPStatus.CONFLICT, _error(str(error), error.status)
        except Exception:  # a bug costs this call, and the log says which
            log.exception("the verb %s failed", verb)
            return HTTPStatus.INTERNAL_SERVER_ERROR, _error("internal error, see the log", Unavailable.status)


async def _body(request: Request) -> bytes | None:
    """The whole body, or None when it is over the limit; no more than the limit is ever held."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            return None
    return bytes(body)


def _error(message: str, status: int = BadInput.status) -> bytes:
    return json.dumps({"error": message, "status": status}).encode()


class HttpServer:
    """Serves an application on a socket that listens already, in a thread of its own."""

    def __init__(self, application: Application, listening: socket.socket) -> None:
        config = uvicorn.Config(
            application,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,  # logs go where the program sends them, never to stdout
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=STOP_PATIENCE,
        )
        self._ready = threading.Event()
        self._server = _Announcing(config, self._ready.set)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listening]}, name="http", daemon=True
        )

    def start(self) -> None:
        """Begin to serve; returns when requests are answered. Signals stay with the caller's thread."""
        self._thread.start()
        waited = 0.0
        while not self._ready.wait(0.1):
            waited += 0.1
            if not self._thread.is_alive() or waited > START_PATIENCE:
                message = "the HTTP server did not start; see the log"
                raise Unavailable(message)

    def stop(self) -> None:
        """End within a few seconds, whatever still runs; harmless when it was never started."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(2 * STOP_PATIENCE)
            self._server.force_exit = True
            self._thread.join(STOP_PATIENCE)


class _Announcing(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell()


def make_server(answer: Answer, token: str | None, listening: socket.socket) -> HttpServer:
    """The server of a daemon, on the socket that it has bound."""
    return HttpServer(build_app(answer, token=token, port=listening.getsockname()[1]), listening)


def _version() -> str:
    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:  # run from a checkout that was never installed
        return "0"
