"""AbbController: an IRC5 without hardware: panel, signals, programs, arms, disks and its event log.

No socket and no clock: `tick` is one period of 4 ms. What clients may ask of it is in its parts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from openpendant.dialects.rapid import host_table
from openpendant.virtual.arm import ArmGroup, TickClock, VirtualArm
from openpendant.virtual.wire import ProgramSockets

from .controller_log import STOPPED, ControllerLog
from .files import ControllerFiles
from .guidance import Guidance
from .panel import ControllerPanel
from .program import ProgramTask, RapidProgram
from .queues import MessageQueues
from .routines import (
    EgmRoutines,
    FileRoutines,
    MotionRoutines,
    SignalRoutines,
    SocketRoutines,
    Turns,
    terminal_routines,
)
from .routines.motion_routines import kind_of
from .signals import SignalSetup, SignalTable
from .terminal import OperatorTerminal
from .unit import MechanicalUnit

TICKS_PER_S = 250
BUDGET = 2000
"""Statements of all tasks in a tick."""
ROBOTWARE = "6.16.00.00"
OPTIONS = ("616-1 PC Interface", "623-1 Multitasking", "689-1 Externally Guided Motion")
GRIPPER = (SignalSetup("pinzaOutput0", "DO"), SignalSetup("pinzaOutput1", "DO", 1.0))
"""Outputs of a gripper where a cell says nothing else."""


@dataclass(frozen=True)
class AbbSetup:
    """What a controller is made of.

    Attributes:
        model: Of its robot, as "irb120".
        address: Its own.
        home: Folder that is HOME:.
        ramdisk: Folder that is the RAM disk.
        signals: Of its configuration.
        options: Of RobotWare.
    """

    model: str
    address: str
    home: Path
    ramdisk: Path
    signals: Sequence[SignalSetup] = GRIPPER
    options: Sequence[str] = OPTIONS


class AbbController:
    """The controller of one six-axis arm.

    Attributes:
        setup: What it is made of.
        clock: Its time.
        log: Its event log.
        panel: Motors, mode, speed.
        signals: Its inputs and outputs.
        files: Its disks.
        terminal: The operator's window.
        queues: Messages between clients.
        program: What it runs.
        units: Its mechanical units, by name.
        guidance: Externally guided motion of its arm.
    """

    def __init__(self, setup: AbbSetup, arm: VirtualArm, sockets: ProgramSockets) -> None:
        """Come up with motors off, in automatic mode, with an empty program."""
        self.setup = setup
        self.clock = TickClock(TICKS_PER_S)
        self.log = ControllerLog(lambda: self.clock.seconds)
        self.panel = ControllerPanel(self.log)
        self.signals = SignalTable(setup.signals)
        self.files = ControllerFiles(setup.home, setup.ramdisk)
        self.terminal = OperatorTerminal()
        self.queues = MessageQueues()
        unit = MechanicalUnit("ROB_1", "T_ROB1", arm)
        self.units: Mapping[str, MechanicalUnit] = {unit.name: unit}
        self.guidance = Guidance(unit, self.clock)
        self._arms = ArmGroup({unit.name: arm}, self.clock)
        self._sockets = sockets
        clock = self._seconds
        self._signal_routines = SignalRoutines(self.signals, clock)
        self._turns = Turns()
        self._motion = MotionRoutines({one.task: one for one in self.units.values()}, self.panel, self._turns)
        names = [one.name for one in self.signals.all]
        self.program = RapidProgram([ProgramTask(unit.task)], self.log, clock, names, budget=BUDGET)
        self.program.install(
            host_table(
                *self._motion.table(),
                *self._signal_routines.table(),
                *EgmRoutines(self.guidance).table(),
                *FileRoutines(self.files, self._turns).table(),
                *SocketRoutines(sockets, clock, setup.address).table(),
                *terminal_routines(self.terminal, self.log, self.panel, clock),
            )
        )

    def _seconds(self) -> float:
        return self.clock.seconds

    @property
    def able(self) -> bool:
        """Whether programs may run: motors on."""
        return self.panel.state == "motoron"

    def start(self, cycle: str) -> None:
        """Run programs from their pointers.

        Raises:
            ControllerRefusal: The motors are off, or there is nothing to run.
        """
        self.panel.require_motors()
        if self.program.at_main:
            self._motion.reset()
            for unit in self.units.values():
                unit.settle()
        self.program.start(cycle)

    def reset_pointers(self) -> None:
        """Put all program pointers at main and forget what moves are left.

        Raises:
            ControllerRefusal: Programs run.
        """
        self.program.reset_pointers()
        self.guidance.reset()
        self._sockets.close_all()
        for unit in self.units.values():
            unit.settle()

    def tick(self) -> None:
        """Let 4 ms pass."""
        able = self.able
        if not able:
            self.program.stop()
        for unit in self.units.values():
            self._brake(unit, able=able)
        self._turns.tick()
        self._signal_routines.tick()
        self.program.step()
        for unit in self.units.values():
            self._drive(unit)
        self.guidance.step(rapid=self.program.running, motors=able)
        self._arms.tick()

    def _brake(self, unit: MechanicalUnit, *, able: bool) -> None:
        arm = unit.arm
        if able and not arm.released:
            arm.release_brakes()
        elif not able and arm.released:
            unit.brake()

    def _drive(self, unit: MechanicalUnit) -> None:
        arm = unit.arm
        arm.mover.slider = self.panel.speed_percent / 100.0
        arm.mover.paused = self.program.halted or self._motion.stopped(unit.task)
        fault = arm.queue.fault
        if fault is not None and not self.program.running:
            # The program has ended; the result is dropped.
            kind = kind_of(fault)
            self.log.write(3, kind.number, kind.title, fault.reason)
            self.log.write(1, *STOPPED)
            unit.settle()
