"""AbbHost: a virtual controller as a process: brain, ports, faults and time."""

from collections.abc import Callable

from openpendant.virtual.host import ProgramFolder, VirtualHost
from openpendant.virtual.wire import Peer, ProgramSockets, WiredSockets

from .controller import TICKS_PER_S, AbbController
from .operator import AbbOperator
from .rws_port import RWS_PORTS, allowed_rws_port
from .services import EgmService, RwsService

EGM_PORT = 6510
"""Where a PC waits for guided motion."""
MODULE_ENDINGS = (".mod", ".modx", ".prg")
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
        in_process: bool = False,
        network: bool = False,
    ) -> None:
        """Build the controller and open its ports.

        Args:
            address: Of its own.
            make_brain: Builds the controller, at the start and after every reboot.
            rws_port: Of Robot Web Services; None: that of `allowed_rws_port`.
            sensor: To whom guided motion is sent; clients listen on all addresses, so each controller needs a port.
                Of several mechanical units each has one: the next is for the second.
            boot_s: How long a reboot takes.
            seed: Of random faults.
            in_process: Whether its clients are in this process, without sockets; its Robot Web Services are at port 80.
            network: Whether programs may connect to addresses that are not loopback.

        Raises:
            OpenPendantError: The address cannot be used.
        """
        super().__init__(address, tick_ns=PERIOD_NS, boot_s=boot_s, seed=seed, in_process=in_process)
        self._make_brain = make_brain
        self._sockets = WiredSockets(self.wire, address, loopback_only=not network)
        self.brain = make_brain(self._sockets)
        self._folder = ProgramFolder(self.brain.setup.home, MODULE_ENDINGS, every_ticks=TICKS_PER_S)
        if rws_port is None:
            rws_port = RWS_PORTS[0] if in_process else allowed_rws_port()
        self.rws_port = rws_port
        shown = address if self.rws_port == RWS_PORTS[0] else f"{address}:{self.rws_port}"
        self.rws = RwsService(lambda: self.brain, shown, self.ticks_per_s)
        self._sensors = {name: (sensor[0], sensor[1] + place) for place, name in enumerate(self.brain.units)}
        self._egm = [self._egm_of(name, *peer) for name, peer in self._sensors.items()]
        self.operator = AbbOperator(self)
        self.begin(self.operator, {self.rws_port: self.rws}, web=(self.rws_port,))
        # As on the controller, guided motion comes from whatever port is free.
        self._egm_ports = [self.wire.listen_datagrams(0, one) for one in self._egm]

    def list_programs(self) -> tuple[str, ...]:
        """Return the modules in HOME: as `load_program` takes them, as of the last second, for each task."""
        files = self._folder.names(self.ticks)
        moving = [task.name for task in self.brain.program.tasks.values() if task.motion]
        return files if len(moving) == 1 else tuple(f"{task}/{file}" for task in moving for file in files)

    def services(self) -> dict[str, str]:
        """Return where its services are, for the ready line."""
        sensors = {f"egm {name}": f"{host}:{port}" for name, (host, port) in self._sensors.items()}
        if len(sensors) == 1:
            sensors = {"egm": next(iter(sensors.values()))}
        return {"rws": f"http://{self.rws.host}", **sensors}

    def work(self) -> None:
        """Tick the brain, send what is due."""
        self._sockets.poll()
        self.brain.tick()
        self.rws.send_due()
        for egm, port in zip(self._egm, self._egm_ports, strict=True):
            egm.send_due(port)

    def lose_power(self) -> None:
        """End programs, close their connections, and keep modules and persistents for the next start."""
        self.brain.shut_down()
        self._sockets.close_all()
        for port in self._egm_ports:
            self.wire.shut(port.port)

    def boot(self) -> None:
        """Make a new brain; it finds modules and persistents of the old one in its HOME:."""
        self.brain = self._make_brain(self._sockets)
        self.rws.renew()
        self._egm_ports = [self.wire.listen_datagrams(0, one) for one in self._egm]

    def _egm_of(self, unit: str, host: str, port: int) -> EgmService:
        return EgmService(lambda: self.brain.guidances[unit], (host, port))

    def close(self) -> None:
        """Close every port; a process that comes up with the same HOME: continues with modules and persistents."""
        self.brain.shut_down()
        self._sockets.close_all()
        super().close()
