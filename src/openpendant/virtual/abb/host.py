"""AbbHost: a virtual controller as a process: brain, ports, faults and time."""

import socket
from collections.abc import Callable

from openpendant.virtual.host import VirtualHost
from openpendant.virtual.wire import NetworkSockets, Peer, ProgramSockets

from .controller import TICKS_PER_S, AbbController
from .operator import AbbOperator
from .services import EgmService, RwsService

RWS_PORTS = (80, 8080)
"""Of Robot Web Services: the usual one, and another where the system allows no ports below 1024."""
EGM_PORT = 6510
"""Where a PC waits for guided motion."""
PERIOD_NS = 1_000_000_000 // TICKS_PER_S


class AbbHost(VirtualHost):
    """Carries bytes between a controller and its clients.

    Attributes:
        brain: The controller; a new one after every reboot.
        rws_port: Of Robot Web Services.
        rws: What answers there.
        operator: At its pendant.
    """

    def __init__(
        self,
        address: str,
        make_brain: Callable[[ProgramSockets], AbbController],
        *,
        rws_port: int | None = None,
        sensor: Peer = ("127.0.0.1", EGM_PORT),
        boot_s: float = 1.0,
        seed: int = 0,
    ) -> None:
        """Build the controller and open its ports.

        Args:
            address: Of its own.
            make_brain: Builds the controller, at the start and after every reboot.
            rws_port: Of Robot Web Services; None: the first of RWS_PORTS that the system allows.
            sensor: To whom guided motion is sent; clients listen on all addresses, so each controller needs a port. Of
                a second arm it is sent to the next port.
            boot_s: How long a reboot takes.
            seed: Of random faults.

        Raises:
            OpenPendantError: The address cannot be used.
        """
        super().__init__(address, tick_ns=PERIOD_NS, boot_s=boot_s, seed=seed)
        self._make_brain = make_brain
        self._sockets = NetworkSockets(address)
        self.brain = make_brain(self._sockets)
        self.rws_port = _allowed_port(address) if rws_port is None else rws_port
        shown = address if self.rws_port == RWS_PORTS[0] else f"{address}:{self.rws_port}"
        self.rws = RwsService(lambda: self.brain, shown, self.ticks_per_s)
        self._egm = EgmService(lambda: self.brain.guidances, sensor)
        self.operator = AbbOperator(self)
        self.begin(self.operator, {self.rws_port: self.rws}, web=(self.rws_port,))
        # As on the controller, guided motion comes from whatever port is free.
        self._egm_port = self.wire.listen_datagrams(0, self._egm)

    def work(self) -> None:
        """Tick the brain, send what is due."""
        self._sockets.poll()
        self.brain.tick()
        self.rws.tell()
        self._egm.tell(self._egm_port)

    def lose_power(self) -> None:
        """Close the connections of its programs."""
        self.brain.program.close()
        self._sockets.close_all()
        self.wire.shut(self._egm_port.port)

    def boot(self) -> None:
        """Make a new brain; modules and persistents of the old one are on no disk and are gone."""
        self.brain = self._make_brain(self._sockets)
        self.rws.renew()
        self._egm_port = self.wire.listen_datagrams(0, self._egm)

    def close(self) -> None:
        """Close every port."""
        self._sockets.close_all()
        super().close()


def _allowed_port(address: str) -> int:
    """Return the first port that the system lets us listen on; whether it is free shows when it is opened."""
    for port in RWS_PORTS:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except PermissionError:
                continue
            except OSError:
                return port
            return port
    return RWS_PORTS[-1]
