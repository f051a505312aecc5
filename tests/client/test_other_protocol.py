"""A Python client and a server of different versions: it says so in words, whatever else the server sends."""

import json
from collections.abc import Iterator

import pytest
from websockets.sync.server import ServerConnection, serve

from openpendant.client import ClientProject
from openpendant.errors import LinkError
from openpendant.messages import PROTOCOL

WHOLES = {
    "later, with fields that nobody knows yet": {"type": "whole", "protocol": PROTOCOL + 1, "planets": []},
    "later, and otherwise the same": {
        "type": "whole", "protocol": PROTOCOL + 1, "seq": 0, "project": "p", "you": "me", "cell": {"name": "c"},
        "programs": {}, "people": [], "history": {"type": "history", "undo": [], "redo": []},
        "saved": {"type": "saved", "state": "saved", "seq": 0},
    },
}  # fmt: skip


@pytest.fixture(params=WHOLES)
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """A server that greets every client with the whole of another version."""
    import threading

    def greet(socket: ServerConnection) -> None:
        socket.recv()
        socket.send(json.dumps(WHOLES[request.param]))
        for _ in socket:
            pass

    with serve(greet, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"


def test_it_says_that_versions_differ(address: str) -> None:
    with pytest.raises(LinkError, match=f"this client uses protocol {PROTOCOL}, the server {PROTOCOL + 1}; use the"):
        ClientProject(address, "me", "Ann")
