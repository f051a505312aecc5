"""A client of the websocket, for tests."""

import json
from typing import Any

from websockets.sync.client import ClientConnection


class Talker:
    """A client of the websocket that asks and reads the answer."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.greeting: dict[str, Any] = json.loads(socket.recv(timeout=60))
        """The first message: which protocol the server speaks."""

    def send(self, text: str | bytes) -> dict[str, Any]:
        self.socket.send(text)
        return json.loads(self.socket.recv(timeout=60))

    def ask(self, **question: Any) -> dict[str, Any]:
        return self.send(json.dumps(question))
