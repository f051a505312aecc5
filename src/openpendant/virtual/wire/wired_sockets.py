"""WiredSockets: the sockets of programs, whose servers listen on the controller's own wire, so that faults strike."""

from openpendant.errors import OpenPendantError

from .link import Link
from .port_server import PortServer
from .program_sockets import MAX_BYTES, WAITING, NetworkSockets
from .sockets_port import SocketState


class WiredSockets(NetworkSockets):
    """As `NetworkSockets`; clients of programs come over a `PortServer`, or in this process over `InProcessPorts`."""

    def __init__(self, wire: PortServer, address: str = "127.0.0.1", *, loopback_only: bool = True) -> None:
        """Begin without a connection.

        Args:
            wire: Of the controller.
            address: The controller's own.
            loopback_only: Other addresses and all names but localhost are refused to programs that connect.
        """
        super().__init__(address, loopback_only=loopback_only)
        self._wire = wire
        self._ports: dict[str, tuple[int, ProgramListener]] = {}
        self._taken: dict[str, ProgramLine] = {}

    def listen(self, port: int, name: str) -> bool:
        """Wait for clients on a port of the controller (0: any free one); False if it is not available."""
        self.close(name)
        if not 0 <= port < 65536 or any(port == own for own, _ in self._ports.values()):
            return False
        listener = ProgramListener()
        try:
            self._ports[name] = self._wire.listen(port, listener), listener
        except OpenPendantError:
            return False
        return True

    def port(self, name: str) -> int:
        """Return the port that a name listens on, or receives datagrams at; 0: none."""
        return self._ports[name][0] if name in self._ports else super().port(name)

    def accept(self, name: str, client: str) -> bool:
        """Take the oldest client that waits at a listening name, as `client`; False if none waits."""
        found = self._ports.get(name)
        if found is None or not found[1].waiting:
            return False
        self.close(client)
        self._taken[client] = found[1].waiting.pop(0)
        return True

    def state(self, name: str) -> SocketState:
        """Return how the connection is; "closed" also for a name that was never opened."""
        taken = self._taken.get(name)
        if taken is None:
            return super().state(name)
        return "open" if taken.link.open else "closed"

    def send(self, name: str, payload: bytes) -> bool:
        """Queue bytes for sending; False where the socket is not open."""
        taken = self._taken.get(name)
        if taken is None:
            return super().send(name, payload)
        taken.link.send(payload)
        return taken.link.open

    def peek(self, name: str) -> bytes:
        """Return all that has been received and not yet taken."""
        taken = self._taken.get(name)
        return super().peek(name) if taken is None else bytes(taken.received)

    def drop(self, name: str, count: int) -> None:
        """Drop `count` bytes from the front of what `peek` returns."""
        taken = self._taken.get(name)
        if taken is None:
            super().drop(name, count)
        else:
            del taken.received[:count]

    def close(self, name: str) -> None:
        """Close it; unknown names are ignored."""
        super().close(name)
        taken = self._taken.pop(name, None)
        if taken is not None and taken.link.open:
            taken.link.close()
        found = self._ports.pop(name, None)
        if found is not None:
            port, listener = found
            self._wire.close_listener(port)
            for line in listener.waiting:
                line.link.close()

    def close_all(self) -> None:
        """Close every socket: the program that owned them has ended."""
        for name in [*self._taken, *self._ports]:
            self.close(name)
        super().close_all()


class ProgramLine:
    """A client of a program, and what it has sent."""

    def __init__(self, link: Link) -> None:
        """Begin with nothing received."""
        self.link = link
        self.received = bytearray()


class ProgramListener:
    """Answers on a port where a program listens; see `Service`."""

    def __init__(self) -> None:
        """Begin without a client."""
        self.waiting: list[ProgramLine] = []
        """Those that the program has not taken."""
        self._lines: dict[Link, ProgramLine] = {}

    def opened(self, link: Link) -> None:
        """Let a client wait until the program takes it; too many are turned away."""
        if len(self.waiting) >= WAITING:
            link.close()
            return
        line = self._lines[link] = ProgramLine(link)
        self.waiting.append(line)

    def received(self, link: Link, data: bytes) -> None:
        """Keep it for the program; a client that sends more than it reads is dropped."""
        line = self._lines.get(link)
        if line is None:
            return
        line.received += data
        if len(line.received) > MAX_BYTES:
            link.close()

    def closed(self, link: Link) -> None:
        """Forget a client; the program can still read what it sent."""
        line = self._lines.pop(link, None)
        if line is not None and line in self.waiting and not line.received:
            self.waiting.remove(line)
