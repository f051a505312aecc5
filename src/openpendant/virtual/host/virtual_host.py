"""VirtualHost: one virtual controller as a process: brain, ports, faults and time."""

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from openpendant.real_time import request_real_time
from openpendant.virtual.faults import Fault, Faults
from openpendant.virtual.launch import CONTROL_PORT, PANEL_PORT
from openpendant.virtual.pacer import Pace, Pacer
from openpendant.virtual.pendant import Operator, PanelService
from openpendant.virtual.wire import DatagramService, InProcessPorts, PortServer, Service

from .control import ControlService

NS_PER_S = 1_000_000_000
PANEL_PER_S = 10
LITTER_PER_S = 2
"""Looks for garbage."""


@dataclass(frozen=True)
class Serial:
    """A serial port of a controller."""

    service: Service
    alias: Path | None = None
    """A name in the file system that leads to its pseudo-terminal."""


class VirtualHost(ABC):
    """Paces the ticks of a brain and carries bytes between it and its clients.

    A maker's host makes its brain, services and operator, then calls `begin`; from then on it is asked to work, to lose
    power and to come up again.

    Attributes:
        mains: "on", "booting" or "off". While it is not on, only the control channel and the pendant answer.
        ticks: Periods of this process, over reboots.
        due: Ticks that are due at once, with the present one: above 1 where this process stood still.
    """

    def __init__(
        self, address: str, *, tick_ns: int, boot_s: float = 1.0, seed: int = 0, in_process: bool = False
    ) -> None:
        """Begin without a port.

        Args:
            address: Of its own.
            tick_ns: Nanoseconds from tick to tick.
            boot_s: How long a reboot takes.
            seed: Of random faults.
            in_process: Whether its clients are in this process: its TCP ports are no sockets, see `InProcessPorts`.
        """
        self.address = address
        self.tick_ns = tick_ns
        self.ticks_per_s = NS_PER_S // tick_ns
        self.faults = Faults(self.ticks_per_s, seed, spared=(CONTROL_PORT, PANEL_PORT))
        self.mains = "on"
        self.ticks = 0
        self.due = 1
        self.wire = (InProcessPorts if in_process else PortServer)(address, self.faults)
        self._boot_s = boot_s
        self._boots_at = 0
        self._pacer = Pacer(tick_ns)
        self._pace = self._pacer.pace()
        self._paced_until = 0
        self._panel_every = max(1, self.ticks_per_s // PANEL_PER_S)
        self._litter_every = max(1, self.ticks_per_s // LITTER_PER_S)

    def begin(
        self,
        operator: Operator,
        services: Mapping[int, Service],
        *,
        web: Collection[int] = (),
        datagrams: Mapping[int, DatagramService] | None = None,
        serial: Mapping[int, Serial] | None = None,
    ) -> None:
        """Open the ports: the control channel, the pendant's page, and those of the controller.

        Args:
            operator: At the pendant.
            services: By TCP port.
            web: Those of them that speak HTTP; whoever begins so on the others is cut off.
            datagrams: By UDP port.
            serial: By a number that faults mean it by, and that no port has.

        Raises:
            OpenPendantError: The address cannot be used.
        """
        self._operator = operator
        self._services, self._web = dict(services), frozenset(web)
        self._datagrams, self._serial = dict(datagrams or {}), dict(serial or {})
        self._panel = PanelService(operator, self.address)
        self.wire.listen(CONTROL_PORT, ControlService(operator))
        self.wire.listen(PANEL_PORT, self._panel, web=True)
        self._open_ports()

    def run(self, ended: Callable[[], bool]) -> None:
        """Tick in real time until `ended` says so."""
        # What is there now stays: the collector need not walk through it again and again in the middle of a tick.
        gc.collect()
        gc.freeze()
        gc.disable()
        request_real_time()
        self._pacer = Pacer(self.tick_ns)
        try:
            while not ended():
                self._pacer.wait()
                self.due = self._pacer.due
                self.step()
                if self.ticks % self._litter_every == 0 and self._pacer.spare_ns() > self.tick_ns // 2:
                    gc.collect(1)
        finally:
            gc.enable()
            self.close()

    def step(self) -> None:
        """One period: take what came, let the controller think, send what is due."""
        self.ticks += 1
        self.faults.advance()
        self.wire.poll()
        if self.mains == "booting" and self.ticks >= self._boots_at:
            self._power_up()
        if self.mains == "on" and not self.faults.frozen():
            self.work()
            self._operator.tick()
        if self.ticks % self._panel_every == 0:
            self._panel.push()

    def cause(self, fault: Fault) -> None:
        """Let something go wrong, or right again.

        Raises:
            InputError: The fault is not known, or a value of it not allowed.
        """
        fault.check()
        self._operator.write("warning", f"fault: {fault.kind}")
        if fault.kind == "power_off":
            self.power_down("off")
        elif fault.kind == "reboot" or (fault.kind == "power_on" and self.mains == "off"):
            self.power_down("booting")
            self._boots_at = self.ticks + self.faults.ticks(fault.seconds or self._boot_s)
        elif fault.kind != "power_on":
            self.faults.set(fault)
            if fault.kind == "drop":
                self.wire.drop(frozenset(fault.ports) or self._ports())

    def pace(self) -> Pace:
        """Return how well the ticks keep their times, as of the last second."""
        if self.ticks >= self._paced_until:
            self._paced_until = self.ticks + self.ticks_per_s
            self._pace = self._pacer.pace()
        return self._pace

    def power_down(self, mains: str) -> None:
        """Cut the power: every connection is reset, the controller's ports close; `mains` is "off" or "booting"."""
        self.mains = mains
        for port in self._ports():
            self.wire.shut(port)
        self.lose_power()

    def close(self) -> None:
        """Close every port."""
        self.wire.close()

    @abstractmethod
    def work(self) -> None:
        """Let the controller live through one tick, and send what is due."""

    @abstractmethod
    def lose_power(self) -> None:
        """End what does not survive without power, as connections of programs; the ports are closed already."""

    @abstractmethod
    def boot(self) -> None:
        """Make the brain that comes up after a reboot: its state is gone."""

    def _power_up(self) -> None:
        self.boot()
        self.mains = "on"
        self._open_ports()

    def _open_ports(self) -> None:
        for port, service in self._services.items():
            self.wire.listen(port, service, web=port in self._web)
        for port, service in self._datagrams.items():
            self.wire.listen_datagrams(port, service)
        for number, line in self._serial.items():
            self.wire.listen_serial(number, line.service, alias=line.alias)

    def _ports(self) -> frozenset[int]:
        return frozenset((*self._services, *self._datagrams, *self._serial))
