"""RtdeService: port 30004."""

from collections.abc import Callable, Sequence
from typing import Any

from openpendant.protocols.rtde import (
    Closed,
    InputRegistry,
    InputsReceived,
    InputsSetUp,
    OutputsSetUp,
    ServerSession,
    TextReceived,
)
from openpendant.virtual.wire import Link

from .host_port import Box

__all__ = ["RtdeService"]


class _Client:
    """One connection: its session, and how to read and write what it agreed on."""

    __slots__ = ("read", "session", "write")

    def __init__(self, session: ServerSession) -> None:
        self.session = session
        self.read: Callable[[], tuple[Any, ...]] | None = None
        self.write: dict[int, Callable[[Sequence[Any]], None]] = {}


class RtdeService:
    """Serves any number of RTDE clients; `send_due` after every tick of the brain."""

    def __init__(self, box: Box) -> None:
        """Serve the brain of `box`."""
        self._box = box
        self._inputs = InputRegistry()
        self._clients: dict[Link, _Client] = {}

    def opened(self, link: Link) -> None:
        """A client is there."""
        self._clients[link] = _Client(ServerSession(self._inputs, self._box.brain.version))

    def received(self, link: Link, data: bytes) -> None:
        """Answer, and write what the client sends into the brain."""
        client = self._clients[link]
        brain = self._box.brain
        for event in client.session.feed(data):
            match event:
                case InputsReceived(recipe=recipe, values=values):
                    client.write[recipe.id](values)
                case InputsSetUp(recipe=recipe):
                    client.write[recipe.id] = brain.compile_writer(recipe.names)
                case OutputsSetUp(recipe=recipe):
                    client.read = brain.compile_reader(recipe.names)
                case TextReceived(message=message):
                    brain.log(message.text)
                case Closed():
                    link.send(client.session.take_outbox())
                    link.close()
                    return
                case _:
                    pass
        if client.session.outbox:
            link.send(client.session.take_outbox())

    def closed(self, link: Link) -> None:
        """The client is gone: its inputs become free."""
        client = self._clients.pop(link, None)
        if client is not None:
            client.session.close()

    def send_due(self) -> None:
        """Send a data package to every client whose turn it is."""
        tick = self._box.brain.ticks
        for link, client in list(self._clients.items()):
            if client.read is not None and client.session.due(tick):
                link.send(client.session.data_package(client.read()))
