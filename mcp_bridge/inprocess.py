"""Answers in the bridge's own process when no daemon can be had, without opening a port.

The same application answers as in the daemon, so a client sees the same server on the next request, whoever gives it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indexer.errors import IndexerError
from indexer.service import Answer, local_answer
from mcp_bridge.guard import Application, Message, Scope
from mcp_bridge.link import PATH, PATIENCE, Reply
from mcp_bridge.server import build_app

NOTE = "no daemon could be started: answered from the index as it was last written"
PORT = 0
"""Stands in the Host header that the guard expects; nothing listens."""


def answer_here(home: Path) -> InProcess:
    """Answer from the files of `home`, and say so in each answer. What keeps them from being read is the answer."""
    try:
        return InProcess(_noted(local_answer(home, NOTE)))
    except IndexerError as error:
        return InProcess(_refusing(error))


def _noted(answer: Answer) -> Answer:
    def answer_with_note(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        found = answer(verb, arguments)
        return found if "notes" in found or NOTE in (found.get("note") or "") else {**found, "note": NOTE}

    return answer_with_note


def _refusing(error: IndexerError) -> Answer:
    def refuse(verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        del verb, arguments
        raise error

    return refuse


class InProcess:
    """Runs the application on an event loop in a thread of its own; `post` may be called from any other thread."""

    def __init__(self, answer: Answer) -> None:
        self._application: Application = build_app(answer, token=None, port=PORT)
        self._loop = asyncio.new_event_loop()
        self._started = asyncio.Event()
        self._lifespan: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, name="inprocess", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(PATIENCE)

    def post(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Answer one request."""
        return asyncio.run_coroutine_threadsafe(self._exchange(body, headers), self._loop).result(PATIENCE)

    def close(self) -> None:
        """End the thread; a bridge never needs it, its process ends."""
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    async def _start(self) -> None:
        self._stopping = asyncio.Event()
        self._lifespan = asyncio.create_task(self._live())
        await self._started.wait()

    async def _stop(self) -> None:
        self._stopping.set()
        if self._lifespan:
            await self._lifespan

    async def _live(self) -> None:
        """Keep the application started, as a server would."""
        asked = False

        async def receive() -> Message:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "lifespan.startup"}
            await self._stopping.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message: Message) -> None:
            del message
            self._started.set()

        await self._application({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)

    async def _exchange(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        sent: list[Message] = []
        requests: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if requests:
                return requests.pop()
            await self._stopping.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._application(_scope(headers), receive, send)
        kinds = [value for name, value in sent[0]["headers"] if name.lower() == b"content-type"]
        content = b"".join(message.get("body", b"") for message in sent[1:])
        return Reply(sent[0]["status"], kinds[0].decode() if kinds else "", content)


def _scope(headers: Mapping[str, str]) -> Scope:
    sent = {**headers, "Host": f"127.0.0.1:{PORT}"}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": PATH,
        "raw_path": PATH.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "client": None,
        "server": ("127.0.0.1", PORT),
    }
