"""DatagramPort: one UDP port; faults lose, double, overtake, delay and spoil what passes it, in both directions."""

import heapq
from itertools import count
from typing import Any, Protocol, cast

from openpendant.virtual.faults import Faults

Peer = tuple[str, int]
LARGEST = 1 << 16
MOST_AT_ONCE = 1000
"""Datagrams taken in one tick; a client that floods the port does not hold up the controller."""
MAX_HELD = 10_000
"""Datagrams that a delay holds back; more are lost."""


class DatagramService(Protocol):
    """What answers datagrams."""

    def datagram(self, port: "DatagramPort", peer: Peer, data: bytes) -> None:
        """One came."""
        ...


class DatagramSocket(Protocol):
    """What a port sends and receives by: a socket of the computer, or a cable in this process. Nothing waits."""

    def getsockname(self) -> Any:
        """Return address and port."""
        ...

    def sendto(self, data: bytes, peer: Peer, /) -> int:
        """Send one."""
        ...

    def recvfrom(self, size: int, /) -> tuple[bytes, Any]:
        """Return one and its sender; raises BlockingIOError where none waits."""
        ...

    def fileno(self) -> int:
        """Return its descriptor."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class DatagramPort:
    """Takes and sends datagrams; nothing waits, and what the network does not take is lost."""

    def __init__(self, own: DatagramSocket, faults: Faults, service: DatagramService) -> None:
        """Made by the wire."""
        self.socket = own
        self.port = cast(int, own.getsockname()[1])
        self._faults = faults
        self._service = service
        self._held: list[tuple[int, int, bool, Peer, bytes]] = []
        self._order = count()

    def send(self, peer: Peer, data: bytes) -> None:
        """Send one datagram."""
        if self._faults.active or self._held:
            self._pass_on(peer, data, outwards=True)
        else:
            self._send(peer, data)

    def poll(self) -> None:
        """Hand on what came; for the wire alone."""
        faults = self._faults
        if faults.active and faults.frozen():
            # The kernel keeps some, as the network card of a controller that hangs.
            return
        for _ in range(MOST_AT_ONCE):
            try:
                data, peer = self.socket.recvfrom(LARGEST)
            except BlockingIOError:
                return
            except OSError:
                # Somebody whom we have sent to is gone.
                continue
            if faults.active or self._held:
                self._pass_on(peer, data, outwards=False)
            else:
                self._service.datagram(self, peer, data)

    @property
    def waiting(self) -> bool:
        """Whether a fault holds datagrams back."""
        return bool(self._held)

    def release(self) -> None:
        """Pass on what a fault held back until now; for the wire alone."""
        while self._held and self._held[0][0] <= self._faults.now and not self._faults.frozen():
            _, _, outwards, peer, data = heapq.heappop(self._held)
            if not self._faults.silent(self.port):
                self._deliver(peer, data, outwards=outwards)

    def _pass_on(self, peer: Peer, data: bytes, *, outwards: bool) -> None:
        faults = self._faults
        if faults.silent(self.port) or faults.refuses(self.port):
            return
        for late in faults.datagram_delays(self.port):
            passed = faults.spoil(self.port, data) if outwards else data
            if late == 0:
                self._deliver(peer, passed, outwards=outwards)
            elif len(self._held) < MAX_HELD:
                heapq.heappush(self._held, (faults.now + late, next(self._order), outwards, peer, passed))

    def _deliver(self, peer: Peer, data: bytes, *, outwards: bool) -> None:
        if outwards:
            self._send(peer, data)
        else:
            self._service.datagram(self, peer, data)

    def _send(self, peer: Peer, data: bytes) -> None:
        try:
            self.socket.sendto(data, peer)
        except OSError:
            # Full, unreachable, or too large: a datagram may be lost.
            return
