"""The bridge that agents start: JSON-RPC lines on stdin and stdout, each forwarded to the daemon as one POST.

Standard library only, for the first answer must come at once. stdout carries protocol and nothing else; the bridge
ends when stdin closes. It knows of the protocol just what HTTP needs: which revision a message is of, and its names.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO, Protocol
from urllib.parse import quote

from indexer.home import data_folder
from mcp_bridge.link import Link, Local, Reply, start_daemon

log = logging.getLogger(__name__)

LONGEST_LINE = 4 * 1024 * 1024
MOST_AT_ONCE = 32
LAST_ANSWERS = 5.0
"""Seconds that requests under way get after stdin closed."""

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose subject the stateless revisions repeat in a header, and the parameter that holds it."""

PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603
PLAIN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")

Json = dict[str, Any]


class Poster(Protocol):
    """Where requests go."""

    def post(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        """The answer to one request."""


class Bridge:
    """Forwards the messages of one client; several requests may be under way at once.

    Notifications end here, for the daemon keeps nothing of a client that they could be about; a cancellation makes the
    bridge keep the answer to itself. `gone` is called when nobody reads the answers any more.
    """

    def __init__(self, poster: Poster, out: BinaryIO, folder: str, gone: Callable[[], None]) -> None:
        self._poster = poster
        self._out = out
        self._gone = gone
        self._writing = threading.Lock()
        self._slots = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._version: str | None = None
        self._cancelled: set[str] = set()
        self._asked: set[str] = set()
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "X-Lorewatch-Cwd": quote(folder),
        }

    def serve(self, lines: BinaryIO) -> None:
        """Forward each line until there is none left, then let what is under way end."""
        under_way: list[threading.Thread] = []
        for line in _lines(lines):
            message = self._parse(line)
            if message is None or line is None:
                continue
            if message["method"] == "initialize":
                self._greet(message, line)
                continue
            self._slots.acquire()
            self._asked.add(json.dumps(message["id"]))
            thread = threading.Thread(target=self._forward, args=(message, line), daemon=True)
            thread.start()
            under_way = [one for one in under_way if one.is_alive()] + [thread]
        end = time.monotonic() + LAST_ANSWERS
        for thread in under_way:
            thread.join(max(end - time.monotonic(), 0))

    def _parse(self, line: bytes | None) -> Json | None:
        """The request on a line; None when it is none, after all that is to be done about it."""
        if line is None:
            self._write(_error(None, INVALID_REQUEST, f"a message has at most {LONGEST_LINE} bytes"))
            return None
        try:
            message = json.loads(line.decode(), parse_constant=_no_constant)
        except (ValueError, RecursionError):
            self._write(_error(None, PARSE_ERROR, "Parse error: a line must be one JSON value in UTF-8"))
            return None
        if not isinstance(message, dict):
            self._write(_error(None, INVALID_REQUEST, "a line must be one JSON-RPC object"))
            return None
        if not isinstance(message.get("method"), str):
            if not {"result", "error"} & message.keys():  # the server asks nothing, so answers to it are dropped
                self._write(_error(_id(message), INVALID_REQUEST, "a request needs a method"))
            return None
        if "id" not in message:
            self._notice(message)
            return None
        return message

    def _notice(self, notification: Json) -> None:
        if notification["method"] == "notifications/cancelled":
            key = json.dumps(_params(notification).get("requestId"))
            if key in self._asked:  # one that comes late must not swallow a later request with the same id
                self._cancelled.add(key)

    def _greet(self, message: Json, line: bytes) -> None:
        """Forward `initialize` before anything else: its answer names the revision that later requests carry."""
        client = _params(message).get("clientInfo")
        if isinstance(client, dict) and isinstance(client.get("name"), str):
            self._headers["X-Lorewatch-Client"] = quote(client["name"][:100], errors="replace")
        for answer in self._answers(message, line):
            result = answer.get("result")
            version = result.get("protocolVersion") if isinstance(result, dict) else None
            self._version = version if isinstance(version, str) else self._version
            self._write(answer)

    def _forward(self, message: Json, line: bytes) -> None:
        key = json.dumps(message["id"])
        try:
            for answer in self._answers(message, line):
                if key not in self._cancelled:
                    self._write(answer)
        finally:
            self._cancelled.discard(key)
            self._asked.discard(key)
            self._slots.release()

    def _answers(self, message: Json, line: bytes) -> list[Json]:
        """All that is to be told the client about a request; never nothing."""
        try:
            reply = self._poster.post(line, {**self._headers, **_routing(message, self._version)})
            answers = list(_messages(reply))
        except Exception as error:  # one failed request must not end the bridge
            log.debug("a request failed", exc_info=True)
            reason = f"lorewatch cannot answer now ({type(error).__name__}); try again"
            return [_error(_id(message), INTERNAL_ERROR, reason)]
        if not answers:
            reason = f"lorewatch answered with HTTP status {reply.status} and no message"
            return [_error(_id(message), INTERNAL_ERROR, reason)]
        return [{**one, "id": _id(message)} if "id" in one and one["id"] is None else one for one in answers]

    def _write(self, message: Json) -> None:
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        try:
            with self._writing:
                self._out.write(line)
                self._out.flush()
        except (OSError, ValueError):
            self._gone()


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines that are not blank, without their ends; None for one that is too long to be held."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None
        elif line.strip():
            yield line.strip()


def _routing(message: Json, negotiated: str | None) -> dict[str, str]:
    """The headers by which HTTP routes a message: of its own revision, else of the one agreed at `initialize`."""
    meta = _params(message).get("_meta")
    stated = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if not isinstance(stated, str):
        known = negotiated and message["method"] != "initialize"
        return {"MCP-Protocol-Version": _value(negotiated)} if negotiated and known else {}
    headers = {"MCP-Protocol-Version": _value(stated), "Mcp-Method": _value(message["method"])}
    name = _params(message).get(NAMED.get(message["method"], ""))
    return {**headers, "Mcp-Name": _value(name)} if isinstance(name, str) else headers


def _value(text: str) -> str:
    """Text as a header value; what a header cannot hold is wrapped as the protocol says."""
    if PLAIN.fullmatch(text) and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode(errors='replace')).decode()}?="


def _messages(reply: Reply) -> Iterator[Json]:
    """The JSON-RPC messages of a reply, whether it is one JSON value or a stream of events."""
    if reply.kind.startswith("text/event-stream"):
        texts = _events(reply.body)
    else:
        texts = iter([reply.body] if reply.body else [])
    for text in texts:
        message = json.loads(text)
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
            yield message
        elif reply.status >= HTTPStatus.BAD_REQUEST:
            reason = message.get("error") if isinstance(message, dict) else None
            yield _error(None, INTERNAL_ERROR, str(reason or f"HTTP status {reply.status}"))


def _events(body: bytes) -> Iterator[bytes]:
    """The data of each event."""
    for event in re.split(rb"\r?\n\r?\n", body):
        data = [line[5:].removeprefix(b" ") for line in event.splitlines() if line.startswith(b"data:")]
        if text := b"\n".join(data).strip():
            yield text


def _params(message: Json) -> Json:
    params = message.get("params")
    return params if isinstance(params, dict) else {}


def _id(message: Json) -> str | int | float | None:
    number = message.get("id")
    return number if isinstance(number, str | int | float) and not isinstance(number, bool) else None


def _error(request: str | float | None, code: int, message: str) -> Json:
    return {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": message}}


def _answer_here(home: Path) -> Local:
    from mcp_bridge.inprocess import answer_here  # noqa: PLC0415 - heavy, and needed only when there is no daemon

    return answer_here(home)


def _folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was deleted under us
        return ""


def main() -> int:
    """Run the bridge on this process's stdin and stdout."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever else writes to stdout must not become protocol
    sys.stdout = sys.stderr
    link = Link(data_folder(), start_daemon, _answer_here)
    bridge = Bridge(link, out, _folder(), lambda: os._exit(0))
    try:
        bridge.serve(sys.stdin.buffer)
    except KeyboardInterrupt:
        log.debug("interrupted")
    os._exit(0)  # threads that wait for a slow answer must not keep the process


if __name__ == "__main__":
    sys.exit(main())


def _no_constant(name: str) -> float:
    """Refuse `NaN` and its kin, which Python reads and JSON does not know."""
    raise ValueError(name)
