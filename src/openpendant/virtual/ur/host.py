"""UrHost: one virtual controller as a process: brain, ports, faults and time."""

from collections.abc import Callable
from pathlib import Path

from openpendant.virtual.host import ProgramFolder, VirtualHost
from openpendant.virtual.wire import NetworkSockets, ProgramSockets

from .controller import UrController
from .operator import UrOperator
from .services import DashboardService, PrimaryService, RealtimeService, RtdeService

PERIOD_NS = 2_000_000
PROGRAM_ENDINGS = (".urp", ".script", ".txt")

DASHBOARD_PORT, PRIMARY_PORT, SECONDARY_PORT, REALTIME_PORT, RTDE_PORT = 29999, 30001, 30002, 30003, 30004


class UrHost(VirtualHost):
    """Carries bytes between a controller and its clients.

    Attributes:
        brain: The controller; a new one after every reboot.
        operator: At its pendant.
    """

    def __init__(
        self,
        address: str,
        make_brain: Callable[[ProgramSockets], UrController],
        *,
        programs: Path | None = None,
        boot_s: float = 1.0,
        seed: int = 0,
        network: bool = False,
        in_process: bool = False,
    ) -> None:
        """Build the controller and open its ports.

        Args:
            address: Of its own.
            make_brain: Builds the controller, at the start and after every reboot.
            programs: Folder of its programs.
            boot_s: How long a reboot takes.
            seed: Of random faults.
            network: Whether programs may connect to addresses that are not loopback.
            in_process: Whether its clients are in this process, without sockets.

        Raises:
            OpenPendantError: The address cannot be used.
        """
        super().__init__(address, tick_ns=PERIOD_NS, boot_s=boot_s, seed=seed, in_process=in_process)
        self._make_brain = make_brain
        self._sockets = NetworkSockets(address, loopback_only=not network)
        self.brain = make_brain(self._sockets)
        self._programs = ProgramFolder(programs, PROGRAM_ENDINGS, every_ticks=self.ticks_per_s)
        self._rtde = RtdeService(self)
        self._realtime = RealtimeService(self)
        self._primary = PrimaryService(self, primary=True)
        self._secondary = PrimaryService(self, primary=False)
        self._script_services = (self._primary, self._secondary, self._realtime)
        self.operator = UrOperator(self)
        self.begin(
            self.operator,
            {
                DASHBOARD_PORT: DashboardService(self),
                PRIMARY_PORT: self._primary,
                SECONDARY_PORT: self._secondary,
                REALTIME_PORT: self._realtime,
                RTDE_PORT: self._rtde,
            },
        )

    def list_programs(self) -> tuple[str, ...]:
        """Return the programs that can be loaded, by name, as of the last second."""
        return self._programs.names(self.ticks)

    def work(self) -> None:
        """Run scripts, tick the brain, send what is due."""
        brain = self.brain
        self._sockets.poll()
        for service in self._script_services:
            service.run_scripts()
        self._rtde.write_due()
        brain.tick()
        self._rtde.send_due()
        self._realtime.send()
        messages = brain.messages()
        if messages:
            self.operator.note(messages)
            self._primary.send_messages(messages)
        self._primary.send_due()
        self._secondary.send_due()
        if brain.shut_down:
            self.power_down("off")

    def lose_power(self) -> None:
        """Close the connections of its programs."""
        self._sockets.close_all()

    def boot(self) -> None:
        """Make a new brain."""
        self.brain = self._make_brain(self._sockets)

    def close(self) -> None:
        """Close every port."""
        for service in self._script_services:
            service.close()
        self._sockets.close_all()
        super().close()
