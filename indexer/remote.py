"""The verbs of a running daemon, over its loopback address. Standard library only."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from indexer.errors import BadInput, IndexerError, NotFound, Unavailable
from indexer.home import Running

BY_STATUS = {1: NotFound, 2: BadInput, 3: Unavailable}
PATIENCE = 3_600
"""Seconds that a verb may take; a first scan of a large tree is the longest."""


class Remote:
    """Answers every verb by asking the daemon."""

    def __init__(self, running: Running) -> None:
        self._running = running

    def alive(self) -> bool:
        """Say whether something answers at the daemon's address as a daemon would."""
        try:
            status, answer = self._request("GET", "/health", None, patience=2)
        except (OSError, http.client.HTTPException, ValueError):
            return False
        return status == http.HTTPStatus.OK and answer.get("ok") is True

    def __call__(self, verb: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON value of a verb; the daemon's refusals are raised here as if they had happened here."""
        path = f"/api/{verb}"
        try:
            status, answer = self._request("POST", path, json.dumps(arguments).encode(), patience=PATIENCE)
        except (OSError, http.client.HTTPException, ValueError) as error:
            message = f"the daemon at {self._running.url} does not answer ({error}); restart it with `lorewatch serve`"
            raise Unavailable(message) from error
        if status == http.HTTPStatus.OK:
            return answer
        kind: type[IndexerError] = BY_STATUS.get(answer.get("status", 3), Unavailable)
        raise kind(str(answer.get("error", f"the daemon answered {status}")))

    def _request(self, method: str, path: str, body: bytes | None, *, patience: float) -> tuple[int, dict[str, Any]]:
        address = urlsplit(self._running.url)
        connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=patience)
        try:
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            headers = {"Content-Type": "application/json"}
            if self._running.token:
                headers["Authorization"] = f"Bearer {self._running.token}"
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
            return response.status, answer if isinstance(answer, dict) else {}
        finally:
            connection.close()
