"""UrHost: one virtual controller as a process: brain, ports, faults and time."""

import gc
from collections.abc import Callable
from pathlib import Path

from openpendant.real_time import request_real_time
from openpendant.virtual.faults import Fault, Faults
from openpendant.virtual.launch import CONTROL_PORT, PANEL_PORT
from openpendant.virtual.pacing import Pace, Pacer
from openpendant.virtual.wire import Service, Wire

from .control import ControlService
from .controller import UrController
from .operating import Operator
from .panel import PanelService
from .services import DashboardService, PrimaryService, RealtimeService, RtdeService
from .sockets import NetworkSockets
from .sockets_port import ScriptSockets

__all__ = ["UrHost"]

PERIOD_NS = 2_000_000
TICKS_PER_SECOND = 500
PANEL_EVERY = 50
LITTER_EVERY = 250
"""Ticks between looks for garbage."""
SPARE_FOR_LITTER_NS = 1_000_000
PROGRAM_ENDINGS = (".urp", ".script", ".txt")

DASHBOARD_PORT, PRIMARY_PORT, SECONDARY_PORT, REALTIME_PORT, RTDE_PORT = 29999, 30001, 30002, 30003, 30004


class UrHost:
    """Paces the ticks of a brain and carries bytes between it and its clients.

    Attributes:
        brain: The controller; a new one after every reboot.
        mains: "on", "booting" or "off". While it is not on, only the control channel and the pendant answer.
        ticks: 2 ms periods of this process, over reboots.
    """

    def __init__(
        self,
        address: str,
        make_brain: Callable[[ScriptSockets], UrController],
        *,
        programs: Path | None = None,
        boot_s: float = 1.0,
        seed: int = 0,
        network: bool = False,
    ) -> None:
        """Build the controller and open its ports.

        Args:
            address: Of its own.
            make_brain: Builds the controller, at the start and after every reboot.
            programs: Folder of its programs.
            boot_s: How long a reboot takes.
            seed: Of random faults.
            network: Whether programs may connect to addresses that are not loopback.

        Raises:
            OpenPendantError: The address cannot be used.
        """
        self.address = address
        self.faults = Faults(TICKS_PER_SECOND, seed, spared=(CONTROL_PORT, PANEL_PORT))
        self.mains = "on"
        self.ticks = 0
        self._make_brain = make_brain
        self._programs = programs
        self._boot_s = boot_s
        self._boots_at = 0
        self._sockets = NetworkSockets(loopback_only=not network)
        self.brain = make_brain(self._sockets)
        self._wire = Wire(address, self.faults)
        self._pacer = Pacer(PERIOD_NS)
        self._pace = self._pacer.pace()
        self._paced_until = 0
        self._listed: tuple[str, ...] = ()
        self._listed_until = 0
        self.operator = Operator(self)
        self._rtde = RtdeService(self)
        self._realtime = RealtimeService(self)
        self._primary = PrimaryService(self, primary=True)
        self._secondary = PrimaryService(self, primary=False)
        self._script_services = (self._primary, self._secondary, self._realtime)
        self._panel = PanelService(self.operator, address)
        self._services: dict[int, Service] = {
            DASHBOARD_PORT: DashboardService(self),
            PRIMARY_PORT: self._primary,
            SECONDARY_PORT: self._secondary,
            REALTIME_PORT: self._realtime,
            RTDE_PORT: self._rtde,
        }
        self._wire.listen(CONTROL_PORT, ControlService(self.operator))
        self._wire.listen(PANEL_PORT, self._panel, web=True)
        self._open_ports()

    def run(self, ended: Callable[[], bool]) -> None:
        """Tick in real time until `ended` says so."""
        # What is there now stays: the collector need not walk through it again and again in the middle of a tick.
        gc.collect()
        gc.freeze()
        gc.disable()
        request_real_time()
        self._pacer = Pacer(PERIOD_NS)
        try:
            while not ended():
                self._pacer.wait()
                self.step()
                if self.ticks % LITTER_EVERY == 0 and self._pacer.spare_ns() > SPARE_FOR_LITTER_NS:
                    gc.collect(1)
        finally:
            gc.enable()
            self.close()

    def step(self) -> None:
        """One period: take what came, let the controller think, send what is due."""
        self.ticks += 1
        self.faults.advance()
        self._wire.poll()
        if self.mains == "booting" and self.ticks >= self._boots_at:
            self._power_up()
        if self.mains == "on" and not self.faults.frozen():
            self._work()
        if self.ticks % PANEL_EVERY == 0:
            self._panel.push()

    def cause(self, fault: Fault) -> None:
        """Let something go wrong, or right again.

        Raises:
            InputError: The fault is not known, or a value of it not allowed.
        """
        fault.check()
        self.operator.write("warning", f"fault: {fault.kind}", self.brain.timestamp)
        if fault.kind == "power_off":
            self._power_down("off")
        elif fault.kind == "reboot" or (fault.kind == "power_on" and self.mains == "off"):
            self._power_down("booting")
            self._boots_at = self.ticks + self.faults.ticks(fault.seconds or self._boot_s)
        elif fault.kind != "power_on":
            self.faults.set(fault)
            if fault.kind == "drop":
                self._wire.drop(frozenset(fault.ports) or frozenset(self._services))

    def pace(self) -> Pace:
        """Return how well the ticks keep their times, as of the last second."""
        if self.ticks >= self._paced_until:
            self._paced_until = self.ticks + TICKS_PER_SECOND
            self._pace = self._pacer.pace()
        return self._pace

    def list_programs(self) -> tuple[str, ...]:
        """Return the programs that can be loaded, by name, as of the last second."""
        if self.ticks >= self._listed_until and self._programs is not None and self._programs.is_dir():
            self._listed_until = self.ticks + TICKS_PER_SECOND
            self._listed = tuple(sorted(one.name for one in self._programs.iterdir() if one.suffix in PROGRAM_ENDINGS))
        return self._listed

    def close(self) -> None:
        """Close every port."""
        for service in self._script_services:
            service.close()
        self._sockets.close_all()
        self._wire.close()

    def _work(self) -> None:
        brain = self.brain
        self._sockets.poll()
        for service in self._script_services:
            service.run_scripts()
        brain.tick()
        self._rtde.send_due()
        self._realtime.send()
        messages = brain.messages()
        if messages:
            self.operator.note(messages)
            self._primary.tell(messages)
        self._primary.send_due()
        self._secondary.send_due()
        self.operator.look()
        if brain.shut_down:
            self._power_down("off")

    def _power_down(self, mains: str) -> None:
        self.mains = mains
        for port in self._services:
            self._wire.shut(port)
        self._sockets.close_all()

    def _power_up(self) -> None:
        self.brain = self._make_brain(self._sockets)
        self.mains = "on"
        self._open_ports()

    def _open_ports(self) -> None:
        for port, service in self._services.items():
            self._wire.listen(port, service)
