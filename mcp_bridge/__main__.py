"""The program `lorewatch`: the bridge without loading anything heavy, else the command line with a server."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indexer.service import Answer
    from mcp_bridge.server import HttpServer


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `lorewatch` with `arguments`, by default those of this process, and return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["mcp"]:
        from mcp_bridge.stdio import main as bridge  # noqa: PLC0415 - an agent waits for its first answer

        return bridge()
    from indexer.cli import main as command_line  # noqa: PLC0415 - the bridge must not load it

    return command_line(given, _make_server)


def _make_server(answer: Answer, token: str | None, listening: socket.socket) -> HttpServer:
    from mcp_bridge.server import make_server  # noqa: PLC0415 - only `serve` needs it, and it loads for a second

    return make_server(answer, token, listening)


if __name__ == "__main__":
    sys.exit(main())
