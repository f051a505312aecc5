"""RtdeService: port 30004."""

from collections import deque
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

from .host_port import ControllerHost

MOST_INPUTS = 5000
"""Ten seconds of inputs at 500 Hz: older ones are forgotten while the brain takes none."""


class _RtdeConnection:
    """One connection: its session, and how to read and write what it agreed on."""

    __slots__ = ("inputs", "read", "session", "write")

    def __init__(self, session: ServerSession) -> None:
        self.session = session
        self.read: Callable[[], tuple[Any, ...]] | None = None
        self.write: dict[int, Callable[[Sequence[Any]], None]] = {}
        self.inputs: deque[tuple[Callable[[Sequence[Any]], None], Sequence[Any]]] = deque(maxlen=MOST_INPUTS)
        """What the client sent and the brain has not seen: how it is written, and the values."""

    def write_inputs(self, count: int) -> None:
        """Write the oldest."""
        for _ in range(count):
            write, values = self.inputs.popleft()
            write(values)


class RtdeService:
    """Serves any number of RTDE clients; `write_due` before every tick of the brain, `send_due` after it.

    A controller takes inputs as they come, tick by tick. A host that stood still finds those of many ticks at once, and
    makes up for the ticks: it spreads the inputs over them. Written at once, setpoints would jump, and the arm would be
    faster than anybody asked for.
    """

    def __init__(self, box: ControllerHost) -> None:
        """Serve the brain of `box`."""
        self._box = box
        self._inputs = InputRegistry()
        self._clients: dict[Link, _RtdeConnection] = {}

    def opened(self, link: Link) -> None:
        """A client is there."""
        brain = self._box.brain
        self._clients[link] = _RtdeConnection(ServerSession(self._inputs, brain.version, lacks=brain.lacking_variables))

    def received(self, link: Link, data: bytes) -> None:
        """Answer, and keep what the client sends for the brain."""
        client = self._clients[link]
        brain = self._box.brain
        for event in client.session.feed(data):
            match event:
                case InputsReceived(recipe=recipe, values=values):
                    client.inputs.append((client.write[recipe.id], values))
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
            client.write_inputs(len(client.inputs))
            client.session.close()

    def write_due(self) -> None:
        """Write what clients sent into the brain; where several ticks are made up for, the share of this one."""
        for client in self._clients.values():
            if client.inputs:
                client.write_inputs(-(-len(client.inputs) // self._box.due))

    def send_due(self) -> None:
        """Send a data package to every client whose turn it is."""
        tick = self._box.brain.ticks
        for link, client in list(self._clients.items()):
            if client.read is not None and client.session.due(tick):
                link.send(client.session.data_package(client.read()))
