"""Raw talk with a controller's ports: what a hand-written client would do."""

import socket
from collections.abc import Iterable
from types import TracebackType
from typing import Self, TypeVar

from openpendant.protocols.rtde import (
    ClientSession,
    InputsAgreed,
    OutputsAgreed,
    ProtocolReplied,
    Recipe,
    RecipeRefused,
    StartReplied,
    StateReceived,
)
from openpendant.protocols.rtde.client import ClientEvent

__all__ = ["RtdeTalk", "Talk"]

PATIENCE_S = 20.0
E = TypeVar("E", bound=ClientEvent)


class Talk:
    """A socket that waits with patience."""

    def __init__(self, address: str, port: int) -> None:
        self.socket = socket.create_connection((address, port), timeout=PATIENCE_S)
        self._rest = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def some(self) -> bytes:
        """Return what comes next; empty at the end."""
        return self.socket.recv(1 << 16)

    def line(self) -> str:
        while b"\n" not in self._rest:
            piece = self.some()
            assert piece, "the connection ended in the middle of a line"
            self._rest += piece
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode()

    def ask(self, line: str) -> str:
        self.send(line.encode() + b"\n")
        return self.line()

    def ended(self) -> bool:
        """Return once the other side has closed; whatever comes before is dropped."""
        try:
            while self.some():
                pass
        except ConnectionError:
            pass
        return True

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class RtdeTalk(Talk):
    """An RTDE client that asks and waits for the answer."""

    def __init__(self, address: str, *, protocol: int = 2) -> None:
        super().__init__(address, 30004)
        self.session = ClientSession()
        self._events: list[ClientEvent] = []
        if protocol != 1:
            self.session.request_protocol(protocol)
            assert self.next(ProtocolReplied).accepted

    def next(self, kind: type[E]) -> E:
        """Send what is asked and return the next event of this kind."""
        self.send(self.session.take_outbox())
        while True:
            while self._events:
                event = self._events.pop(0)
                if isinstance(event, kind):
                    return event
            data = self.some()
            assert data, f"the connection ended before a {kind.__name__} came"
            self._events += self.session.feed(data)

    def outputs(self, names: Iterable[str], frequency_hz: float = 500.0) -> Recipe:
        self.session.set_up_outputs(names, frequency_hz)
        return self.next(OutputsAgreed).recipe

    def inputs(self, names: Iterable[str]) -> Recipe:
        self.session.set_up_inputs(names)
        return self.next(InputsAgreed).recipe

    def refused(self) -> RecipeRefused:
        return self.next(RecipeRefused)

    def start(self) -> bool:
        self.session.start()
        return self.next(StartReplied).accepted

    def state(self) -> tuple[float, ...]:
        return self.next(StateReceived).flat

    def write(self, recipe: Recipe, *values: float) -> None:
        self.session.write(recipe, values)
        self.send(self.session.take_outbox())
