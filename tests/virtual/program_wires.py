"""ProgramWires: sockets of a controller's programs without a network, so that dialogues run in virtual time."""

from collections import deque

from openpendant.virtual.wire import ClosedSockets, SocketState


class WireEnd:
    """A client of a program: what it sent, what came back, and who has hung up."""

    def __init__(self) -> None:
        self.sent = bytearray()
        self.came = bytearray()
        self.closed_by_robot = False
        self.closed = False

    def send(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        self.closed = True


class ProgramWires(ClosedSockets):
    """Servers and datagrams of programs. What a client sends arrives in the pieces in which it was sent, or merged."""

    def __init__(self) -> None:
        self._doors: dict[str, int] = {}
        self._waiting: dict[int, deque[WireEnd]] = {}
        self._links: dict[str, WireEnd] = {}
        self.datagrams: list[tuple[str, int, bytes]] = []

    def connect(self, port: int) -> WireEnd:
        """Return the client's end of a connection; one that nobody accepts yet waits."""
        assert port in self._doors.values(), f"nothing listens on {port}"
        end = WireEnd()
        self._waiting.setdefault(port, deque()).append(end)
        return end

    def listens(self, port: int) -> bool:
        return port in self._doors.values()

    def listen(self, port: int, name: str) -> bool:
        self.close(name)
        if port in self._doors.values():
            return False
        self._doors[name] = port
        return True

    def port(self, name: str) -> int:
        return self._doors.get(name, 0)

    def accept(self, name: str, client: str) -> bool:
        waiting = self._waiting.get(self._doors.get(name, 0))
        if not waiting:
            return False
        self._links[client] = waiting.popleft()
        return True

    def state(self, name: str) -> SocketState:
        end = self._links.get(name)
        return "closed" if end is None or end.closed else "open"

    def send(self, name: str, payload: bytes) -> bool:
        if self.state(name) != "open":
            return False
        self._links[name].came += payload
        return True

    def peek(self, name: str) -> bytes:
        return bytes(self._links[name].sent) if name in self._links else b""

    def drop(self, name: str, count: int) -> None:
        if name in self._links:
            del self._links[name].sent[:count]

    def bind_datagrams(self, port: int, name: str) -> bool:
        return True

    def send_to(self, name: str, address: str, port: int, payload: bytes) -> bool:
        self.datagrams.append((address, port, payload))
        return True

    def close(self, name: str) -> None:
        end = self._links.pop(name, None)
        if end is not None:
            end.closed_by_robot = True
        port = self._doors.pop(name, None)
        for one in self._waiting.pop(port, ()) if port is not None else ():
            one.closed_by_robot = True

    def close_all(self) -> None:
        for name in [*self._links, *self._doors]:
            self.close(name)
