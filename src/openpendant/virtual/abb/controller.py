"""AbbController: an IRC5 without hardware: panel, signals, programs, arms, disks and its event log.

No socket and no clock: `tick` is one period of 4 ms. What clients may ask of it is in its parts.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from openpendant.dialects.rapid import InstalledNames, catalogue, host_table
from openpendant.errors import InputError
from openpendant.virtual.arm import ArmCell, ArmGroup, TickClock, Touch, VirtualArm
from openpendant.virtual.wire import ProgramSockets

from .controller_log import COLLISION, STOPPED, ControllerLog
from .files import HOME, MEMORY, ControllerFiles
from .guidance import Guidance
from .memory import load_memory, save_memory
from .panel import ControllerPanel
from .program import RapidProgram
from .program_modules import ProgramTask
from .queues import MessageQueues
from .robotware import lacking_instructions
from .routines import (
    EgmMoveRoutines,
    EgmRoutines,
    FileRoutines,
    MotionRoutines,
    PathTriggers,
    SettingRoutines,
    SignalRoutines,
    SocketRoutines,
    StopRoutines,
    SyncedMoves,
    TaskUnits,
    Turns,
    binary_routines,
    calendar_routines,
    datagram_routines,
    kind_of,
    system_routines,
    terminal_routines,
)
from .setup import AbbSetup
from .signals import SignalTable
from .terminal import OperatorTerminal
from .unit import MechanicalUnit

TICKS_PER_S = 250
BUDGET = 2000
"""Statements of all tasks in a tick."""
ROBOTWARE = "6.16.00.00"


class AbbController:
    """The controller of one arm or several.

    Attributes:
        setup: What it is made of.
        came_up: Its local time when it came up.
        clock: Its time since then.
        log: Its event log.
        panel: Motors, mode, speed.
        signals: Its inputs and outputs.
        files: Its disks.
        terminal: The operator's window.
        queues: Messages between clients.
        program: What it runs.
        units: Its mechanical units, by name.
        guidances: Externally guided motion, by mechanical unit.
    """

    def __init__(
        self,
        setup: AbbSetup,
        arms: Mapping[str, VirtualArm],
        sockets: ProgramSockets,
        *,
        cell: ArmCell | None = None,
        came_up: datetime | None = None,
    ) -> None:
        """Come up with motors off, in automatic mode, with the modules that were loaded before.

        Args:
            setup: What it is made of.
            arms: By mechanical unit.
            sockets: Of its programs.
            cell: What the arms can touch; None: nothing, not even each other.
            came_up: The local time now; None: that of this computer.

        Raises:
            InputError: A mechanical unit has no task or several, or a task's unit no arm.
        """
        self.setup = setup
        self.came_up = datetime.now().astimezone() if came_up is None else came_up
        self.clock = TickClock(TICKS_PER_S)
        self.log = ControllerLog(lambda: self.clock.seconds)
        self.panel = ControllerPanel(self.log)
        self.signals = SignalTable(setup.signals)
        self.files = ControllerFiles(setup.home, setup.ramdisk)
        self.terminal = OperatorTerminal()
        self.queues = MessageQueues()
        self.units: Mapping[str, MechanicalUnit] = {one.name: one for one in _units_of(setup, arms)}
        self.guidances: Mapping[str, Guidance] = {name: Guidance(one, self.clock) for name, one in self.units.items()}
        self._arms = ArmGroup(arms, self.clock, model=setup.model, cell=cell)
        self._sockets = sockets
        clock = self._seconds
        self._signal_routines = SignalRoutines(self.signals, clock)
        self._turns = Turns()
        units = TaskUnits(self.units.values())
        self._settings, self._stops = SettingRoutines(units), StopRoutines(units, clock)
        self._synced = SyncedMoves(units, self._arms)
        names = [one.name for one in self.signals.all]
        tasks = [ProgramTask(one.name, motion=one.unit is not None) for one in setup.tasks]
        self.program = RapidProgram(tasks, self.log, clock, names, budget=BUDGET, installed=_installed(setup))
        files, streams = FileRoutines(self.files, self._turns), SocketRoutines(sockets, clock, setup.address)
        self._triggers = PathTriggers(self._signal_routines)
        motion = MotionRoutines(
            units, self._settings, self._synced, self.panel, self._turns, self._one_by_one, self._triggers
        )
        memory = load_memory(setup.home / MEMORY)
        if memory is not None:
            self.program.recall(memory)
        self.program.give(
            host_table(
                *motion.table(),
                *EgmMoveRoutines(motion).table(),
                *self._settings.table(),
                *self._triggers.table(),
                *self._stops.table(),
                *self._synced.table(),
                *self._signal_routines.table(),
                *EgmRoutines(self.guidances).table(),
                *files.table(),
                *binary_routines(files),
                *streams.table(),
                *datagram_routines(sockets, streams),
                *calendar_routines(self.now),
                *system_routines(setup, ROBOTWARE),
                *terminal_routines(self.terminal, self.log, self.panel, clock, self._signal_routines.read),
            )
        )

    def _seconds(self) -> float:
        return self.clock.seconds

    def _one_by_one(self) -> bool:
        return self.program.stepping

    def now(self) -> datetime:
        """Return its local time."""
        return self.came_up + timedelta(seconds=self.clock.seconds)

    @property
    def guidance(self) -> Guidance:
        """That of the first mechanical unit."""
        return next(iter(self.guidances.values()))

    @property
    def able(self) -> bool:
        """Whether programs may run: motors on."""
        return self.panel.state == "motoron"

    def start(self, cycle: str, mode: str = "continue") -> None:
        """Run programs from their pointers, or one statement of each task (see `RapidProgram.start`).

        Raises:
            ControllerRefusal: The motors are off, or there is nothing to run.
        """
        self.panel.require_motors()
        if self.program.at_main:
            self._settings.reset()
            self._stops.reset()
            self._synced.reset()
            self._triggers.reset()
            for unit in self.units.values():
                unit.settle()
        self.program.start(cycle, mode)

    def load_program(self, name: str) -> None:
        """Load a module of HOME: as the program of a task; its other modules are unloaded, but for system modules.

        Args:
            name: Of the file; `T_ROB_R/pick.mod` for another task than the first that moves.

        Raises:
            NotThere: There is no such task or file.
            ControllerRefusal: Programs run, or the module has faults.
        """
        task, _, file = name.rpartition("/")
        found = task or next(one.name for one in self.program.tasks.values() if one.motion)
        text = self.files.read(f"{HOME}:/{file}").decode("latin-1")
        self.program.replace(found, text, file)

    def reset_pointers(self) -> None:
        """Put all program pointers at main and forget what moves are left.

        Raises:
            ControllerRefusal: Programs run.
        """
        self.program.reset_pointers()
        for guidance in self.guidances.values():
            guidance.reset()
        self._sockets.close_all()
        for unit in self.units.values():
            unit.settle()

    def shut_down(self) -> None:
        """End programs, and keep what the next start needs: modules and persistents."""
        self.program.close()
        save_memory(self.setup.home / MEMORY, self.program.memory)

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
        for guidance in self.guidances.values():
            held = self._stops.stopped(guidance.unit)
            guidance.step(rapid=self.program.running, motors=able, held=held)
        touch = self._arms.tick()
        self._triggers.tick()
        if touch is not None:
            self._collide(touch)

    def _collide(self, touch: Touch) -> None:
        """Stop everything; after the next start the moves at the program pointers are made."""
        self.log.write(3, *COLLISION, str(touch))
        self.program.stop()
        for guidance in self.guidances.values():
            guidance.end()
        self._synced.forget_moves()
        for unit in self.units.values():
            unit.halt()

    def _brake(self, unit: MechanicalUnit, *, able: bool) -> None:
        arm = unit.arm
        if able and not arm.released:
            arm.release_brakes()
        elif not able and arm.released:
            self._synced.forget_moves()
            unit.brake()

    def _drive(self, unit: MechanicalUnit) -> None:
        arm = unit.arm
        arm.mover.slider = self.panel.speed_percent / 100.0 * self._settings.of(unit).refresh
        arm.mover.paused = self.program.halted or self._stops.stopped(unit)
        arm.mover.halted = self._stops.quick(unit)
        fault = arm.queue.fault
        if fault is not None and not self.program.running:
            # The program has ended; the result is dropped.
            kind = kind_of(fault)
            self.log.write(3, kind.number, kind.title, fault.reason)
            self.log.write(1, *STOPPED)
            unit.settle()


def _installed(setup: AbbSetup) -> dict[str, InstalledNames]:
    """Return what each task knows of the configuration."""
    absent = lacking_instructions(setup.options, catalogue())
    tools = {task.name: setup.tools.get(task.unit or "", {}) for task in setup.tasks}
    return {
        task: InstalledNames({name: ("tooldata", value) for name, value in own.items()}, absent)
        for task, own in tools.items()
    }


def _units_of(setup: AbbSetup, arms: Mapping[str, VirtualArm]) -> list[MechanicalUnit]:
    moved = [(one.unit, one.name) for one in setup.tasks if one.unit is not None]
    if sorted(unit for unit, _ in moved) != sorted(arms):
        units = ", ".join(unit for unit, _ in moved)
        raise InputError(
            f"tasks move {units or 'nothing'}; the mechanical units are {', '.join(arms)}, a task for each"
        )
    if len({one.name for one in setup.tasks}) != len(setup.tasks):
        raise InputError(f"tasks {', '.join(one.name for one in setup.tasks)}; each needs its own name")
    return [MechanicalUnit(unit, task, arms[unit]) for unit, task in moved]
