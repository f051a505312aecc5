"""InProcessPorts: the ports of a virtual controller for a client in the same process, without a socket."""

from openpendant.errors import LinkError
from openpendant.virtual.faults import Faults

from .datagrams import DatagramPort, DatagramService
from .in_process_datagrams import DatagramCable, DatagramStation
from .link import Link, Service
from .port_server import KERNEL_BUFFER, MAX_LINKS, PortServer

FREE_PORTS = 49152
"""Above this number a port is taken where any will do (RFC 6335, section 6)."""


class CableEnd:
    """One end of a null-modem cable: what one end sends, the other receives at once, as sockets on loopback do."""

    def __init__(self) -> None:
        """Made by `cable`."""
        self._far = self
        self._came = bytearray()
        self._ends = self._broken = self._closed = False

    @classmethod
    def cable(cls) -> "tuple[CableEnd, CableEnd]":
        """Return the two ends of one."""
        near, far = cls(), cls()
        near._far, far._far = far, near
        return near, far

    def fileno(self) -> int:
        """Return -1: there is no descriptor."""
        return -1

    @property
    def stirs(self) -> bool:
        """Whether there is something to receive, the end included."""
        return bool(self._came) or self._ends or self._broken

    def send(self, data: bytes, /) -> int:
        """Send what fits into the buffer of the other end."""
        if self._broken or self._closed:
            raise BrokenPipeError(32, "Broken pipe")
        if self._far._closed:
            # The other end answers with a reset, which the next call meets.
            self._broken = True
            return len(data)
        room = KERNEL_BUFFER - len(self._far._came)
        if room <= 0:
            raise BlockingIOError
        self._far._came += data[:room]
        return min(len(data), room)

    def recv(self, size: int, /) -> bytes:
        """Return what came; what came before a reset is still there to be read, as on Linux."""
        if self._came:
            data = bytes(self._came[:size])
            del self._came[:size]
            return data
        if self._broken:
            raise ConnectionResetError(104, "Connection reset by peer")
        if self._ends:
            return b""
        raise BlockingIOError

    def finish(self) -> None:
        """Tell the other end that nothing more is sent."""
        self._far._ends = True

    def end(self, *, reset: bool) -> None:
        """Close it; closed with bytes unread, it is reset, as a socket is."""
        if not self._closed:
            self._closed = True
            self._far._broken = self._far._broken or reset or bool(self._came)
            self._far._ends = True


class InProcessPorts(PortServer):
    """Serves clients that `connect` in this process, or `station` for datagrams. Serial lines are the computer's."""

    def __init__(self, address: str, faults: Faults) -> None:
        """Nothing is open before `listen`."""
        super().__init__(address, faults)
        self._services: dict[int, tuple[Service, bool]] = {}
        self._calling: list[tuple[int, CableEnd]] = []
        """Connected, as by the kernel, and not accepted yet."""
        self._stations: dict[int, DatagramStation] = {}
        self._cables: list[DatagramPort] = []
        self._number = FREE_PORTS

    def connect(self, port: int) -> CableEnd:
        """Return the client's end of a new connection; raises LinkError where nothing listens."""
        if port not in self._services:
            raise LinkError(f"no reply from a controller at {self.address}:{port}: Connection refused")
        near, far = CableEnd.cable()
        self._calling.append((port, far))
        return near

    def listen(self, port: int, service: Service, *, web: bool = False) -> int:
        """Let `service` answer on this port; return the port."""
        self._services[port] = (service, web)
        return port

    def station(self, port: int) -> DatagramStation:
        """Return what receives datagrams at a port of the client's computer; raises LinkError where it is in use."""
        if port in self._stations:
            raise LinkError(f"port {port} is in use")
        made = self._stations[port] = DatagramStation(self.address, port, self._stations, self._cables)
        return made

    def listen_datagrams(self, port: int, service: DatagramService) -> DatagramPort:
        """Let `service` answer datagrams on this port (0: any free one)."""
        self._number += 1
        own = DatagramCable(self.address, port or self._number, self._stations)
        made = DatagramPort(own, self.faults, service)
        self._cables.append(made)
        self._datagrams[made.port] = made
        return made

    def close_listener(self, port: int) -> None:
        """Accept no new connections; the connections on this port stay."""
        self._services.pop(port, None)
        for one in [one for one in self._calling if one[0] == port]:
            one[1].end(reset=True)
            self._calling.remove(one)

    def shut(self, port: int, *, reset: bool = True) -> None:
        """Close the port and every connection on it."""
        datagrams = self._datagrams.pop(port, None)
        if datagrams is not None:
            self._cables.remove(datagrams)
        super().shut(port, reset=reset)

    def poll(self) -> None:
        """Take what came and send what waits; returns at once."""
        faults = self.faults
        calling, self._calling = self._calling, []
        for port, end in calling:
            found = self._services.get(port)
            if found is None or faults.refuses(port) or len(self.links(port)) >= MAX_LINKS:
                end.end(reset=True)
            else:
                service, web = found
                self._begin(Link(self, end, port, service, web=web))
        for link in list(self._links):
            if isinstance(link.stream, CableEnd) and not (faults.active and faults.silent(link.port)):
                if link.backlog:
                    link.flush()
                if link.open and link.stream.stirs:
                    self._read(link)
        for cable in self._cables:
            cable.poll()
        super().poll()

    def listen_for(self, link: Link, *, writing: bool) -> None:
        """Note nothing: every tick looks at all."""
        if not isinstance(link.stream, CableEnd):
            super().listen_for(link, writing=writing)

    def close(self) -> None:
        """Close everything."""
        for port in list(self._services):
            self.shut(port, reset=False)
        super().close()

    def _register(self, link: Link) -> None:
        if not isinstance(link.stream, CableEnd):
            super()._register(link)

    def _unregister(self, link: Link) -> None:
        if not isinstance(link.stream, CableEnd):
            super()._unregister(link)
