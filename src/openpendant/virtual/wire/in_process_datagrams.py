"""Datagrams between a virtual controller and a client in the same process, without a socket."""

from collections import deque
from collections.abc import Mapping, MutableMapping, Sequence

from .datagrams import DatagramPort, Peer

MOST_WAITING = 1000
"""Datagrams that an end keeps until they are read, as the kernel does; more are lost."""


class DatagramCable:
    """The controller's end; in the place of a socket."""

    def __init__(self, address: str, port: int, stations: Mapping[int, "DatagramStation"]) -> None:
        """Send to the stations that are there, by port: whatever host is named, it is this process."""
        self._own = (address, port)
        self._stations = stations
        self.came: deque[tuple[bytes, Peer]] = deque(maxlen=MOST_WAITING)

    def getsockname(self) -> Peer:
        """Return address and port."""
        return self._own

    def fileno(self) -> int:
        """Return -1: there is no descriptor."""
        return -1

    def sendto(self, data: bytes, peer: Peer, /) -> int:
        """Send one; without a receiver it is lost."""
        station = self._stations.get(peer[1])
        if station is not None:
            station.came.append((data, self._own))
        return len(data)

    def recvfrom(self, size: int, /) -> tuple[bytes, Peer]:
        """Return the oldest; raises BlockingIOError where none waits."""
        if not self.came:
            raise BlockingIOError
        data, peer = self.came.popleft()
        return data[:size], peer

    def close(self) -> None:
        """Forget what came."""
        self.came.clear()


class DatagramStation:
    """The client's end: receives at a port, and sends to the controller."""

    def __init__(
        self, address: str, port: int, stations: MutableMapping[int, "DatagramStation"], cables: Sequence[DatagramPort]
    ) -> None:
        """Made by `InProcessPorts.station`."""
        self._address, self._port, self._stations, self._cables = address, port, stations, cables
        self.came: deque[tuple[bytes, Peer]] = deque(maxlen=MOST_WAITING)

    def send(self, data: bytes, port: int) -> None:
        """Send one to a port of the controller; without a receiver it is lost."""
        for one in self._cables:
            if one.port == port and isinstance(one.socket, DatagramCable):
                one.socket.came.append((data, ("127.0.0.1", self._port)))

    def receive(self) -> tuple[bytes, int] | None:
        """Return the oldest with the port that it came from; None: there is none."""
        if not self.came:
            return None
        data, peer = self.came.popleft()
        return data, peer[1]

    def close(self) -> None:
        """Receive no more."""
        self._stations.pop(self._port, None)
