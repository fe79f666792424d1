"""The way to the daemon: found by its file, started when there is none, replaced by this process when none starts.

Standard library only: an agent waits for the first answer. `daemon.json` is read for each request, so a daemon that
was restarted, with another port and another token, is simply the one found next.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from indexer.home import Running, make_home, running

PATH = "/mcp"
PATIENCE = 120.0
"""Seconds that one answer may take."""

START_PATIENCE = 8.0
GRACE = 2.0
"""Seconds to wait on when our daemon ended at once: another one may hold the lock and be about to answer."""

TRY_AGAIN = 30.0
IDLE_EXIT = 900


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back over HTTP."""

    status: int
    kind: str
    body: bytes


class Local(Protocol):
    """Answers in this process, in place of a daemon."""

    def post(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Answer one request."""


class _Lost(Exception):
    """The daemon of `daemon.json` is not there, or the file is of an earlier one."""


Start = Callable[[Path], Running | None]
Here = Callable[[Path], Local]


def start_daemon(home: Path) -> Running | None:
    """Start a daemon that outlives this process, and wait until it answers; None when none does in time."""
    process = spawn(home)
    end = time.monotonic() + START_PATIENCE
    ended = False
    while time.monotonic() < end:
        daemon = running(home)
        if daemon and alive(daemon):
            return daemon
        if not ended and process.poll() is not None:
            ended = True
            end = min(end, time.monotonic() + GRACE)
        time.sleep(0.02)
    return None


def spawn(home: Path) -> subprocess.Popen[bytes]:
    """Start a daemon and return at once.

    It must not import from the folder the client works in, which may be anyone's repository: `-P` keeps that folder
    off the import path, and our own place is named instead. Nor does it keep that folder busy.
    """
    make_home(home)
    ours = str(Path(__file__).resolve().parent.parent)
    paths = [ours, *filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    environ = {**os.environ, "LOREWATCH_HOME": str(home), "PYTHONPATH": os.pathsep.join(paths)}
    program = [sys.executable, "-P", "-m", "mcp_bridge", "serve", "--port", "0", "--exit-when-idle", str(IDLE_EXIT)]
    return subprocess.Popen(  # noqa: S603 - our own program, no text from outside
        program,
        cwd=home,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def alive(daemon: Running) -> bool:
    """Say whether that very daemon answers: our route refuses GET, but only to those who know the token."""
    try:
        return _request(daemon, "GET", b"", {}, patience=2).status == HTTPStatus.METHOD_NOT_ALLOWED
    except (OSError, http.client.HTTPException, ValueError):
        return False


class Link:
    """Sends requests to whatever answers for a data folder. Safe for several threads."""

    def __init__(self, home: Path, start: Start, here: Here) -> None:
        self._home = home
        self._start = start
        self._here = here
        self._local: Local | None = None
        self._tried = 0.0
        self._finding = threading.Lock()

    def post(self, body: bytes, headers: Mapping[str, str]) -> Reply:
        """The answer to one request, from the daemon if there is or can be one. A lost request is sent once more."""
        daemon = running(self._home)
        if daemon:
            try:
                return _ask(daemon, body, headers)
            except _Lost:
                pass
        found = self._find(daemon)
        if isinstance(found, Running):
            return _ask(found, body, headers)
        return found.post(body, headers)

    def _find(self, lost: Running | None) -> Running | Local:
        """Another daemon than `lost`, started if need be; only one thread tries, the others wait for it."""
        with self._finding:
            daemon = running(self._home)
            if daemon and daemon != lost and alive(daemon):
                return daemon
            if self._local:
                self._try_again()
                return self._local
            self._tried = time.monotonic()
            daemon = self._start(self._home)
            if daemon:
                return daemon
            self._local = self._here(self._home)
            return self._local

    def _try_again(self) -> None:
        """Start a daemon for later requests without waiting: what held the lock may be done by now."""
        if time.monotonic() - self._tried > TRY_AGAIN:
            self._tried = time.monotonic()
            threading.Thread(target=self._start, args=(self._home,), daemon=True).start()


def _ask(daemon: Running, body: bytes, headers: Mapping[str, str]) -> Reply:
    try:
        reply = _request(daemon, "POST", body, headers, patience=PATIENCE)
    except TimeoutError:  # it is there and works on it: asking again would only add to its work
        raise
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _Lost from error
    if reply.status == HTTPStatus.UNAUTHORIZED or not _is_ours(reply):
        raise _Lost
    return reply


def _is_ours(reply: Reply) -> bool:
    """Say whether a reply is one of a daemon: a stranger may have taken the port of one that died."""
    if reply.kind.startswith("text/event-stream"):
        return True
    try:
        message = json.loads(reply.body)
    except ValueError:
        return False
    return isinstance(message, dict) and ("jsonrpc" in message or {"error", "status"} <= message.keys())


def _request(daemon: Running, method: str, body: bytes, headers: Mapping[str, str], *, patience: float) -> Reply:
    address = urlsplit(daemon.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=patience)
    credentials = {"Authorization": f"Bearer {daemon.token}"} if daemon.token else {}
    try:
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.request(method, PATH, body or None, {**headers, **credentials, "Connection": "close"})
        response = connection.getresponse()
        return Reply(response.status, response.getheader("Content-Type", ""), response.read())
    finally:
        connection.close()
