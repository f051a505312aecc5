"""ScriptRunner: the program that runs, the secondary ones beside it, and the one that is loaded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from openpendant.dialects.urscript import Builtin, Machine, ProgramTree, ScriptError, ScriptProgram, parse
from openpendant.errors import InputError

from .messages import Key, ProgramLabel, RuntimeException
from .modes import RuntimeState
from .parts import Parts
from .program_file import read_program_file

MOST_SECONDARY = 20
RUNAWAY_FRAMES = 500
"""A thread may compute for a second between two waits: half a million steps. What a real one may is not published."""


@dataclass(frozen=True)
class LoadedProgram:
    """What `play` starts."""

    path: Path
    tree: ProgramTree

    @property
    def name(self) -> str:
        """File name."""
        return self.path.name


class ScriptRunner:
    """Starts, pauses and stops programs; `tick` gives them their frames."""

    def __init__(self, parts: Parts, programs: Path | None) -> None:
        self._parts = parts
        self._programs = programs
        self._builtins: Mapping[str, Builtin] = {}
        self._machine: Machine | None = None
        self._tree: ProgramTree | None = None
        self._secondary: list[Machine] = []
        self._awaiting: Machine | None = None
        self._label = (0, "")
        self.loaded: LoadedProgram | None = None
        self.on_start: Callable[[], None] = lambda: None

    def equip(self, builtins: Mapping[str, Builtin]) -> None:
        """Give programs their functions."""
        self._builtins = builtins

    @property
    def functions(self) -> Mapping[str, Builtin]:
        """What programs can call beside the core of the language."""
        return self._builtins

    @property
    def line(self) -> int:
        """Line of the file or script at which the program is; 0 without one."""
        return 0 if self._machine is None else self._file_line(self._machine.line)

    # Loading

    def load(self, path: Path | str) -> str | None:
        """Load a program file; None where that worked, else why not."""
        found = self.find(path)
        if found is None:
            return f"File not found: {path}"
        try:
            tree = read_program_file(found)
            Machine(tree.program, self._builtins, clock=self._seconds).stop()
        except (ScriptError, InputError, OSError) as error:
            return str(error)
        if self._machine is not None:
            self.stop()
        self.loaded = LoadedProgram(found, tree)
        return None

    def find(self, path: Path | str) -> Path | None:
        """Return the file that a program's name means: as given, or in the programs folder and nowhere else."""
        given = Path(path)
        if isinstance(path, Path) and given.is_file():
            return given
        if self._programs is None:
            return None
        folder = self._programs.resolve()
        # Clients write the paths of a real controller.
        for known in ("/programs/", "/home/ur/ursim-current/programs.UR3/", "/ursim/programs/"):
            if str(path).startswith(known):
                given = Path(str(path)[len(known) :])
        found = (folder / given).resolve()
        return found if found.is_relative_to(folder) and found.is_file() else None

    # Running

    def run_script(self, text: str) -> None:
        """Run what arrived on a script port."""
        try:
            self.run_program(parse(text))
        except ScriptError as error:
            self.run_program(error)

    def run_program(self, program: ScriptProgram | ScriptError) -> None:
        """Run a program; where there is only a reason why there is none, say that."""
        try:
            if isinstance(program, ScriptError):
                raise program
            machine = self._machine_of(program)
        except ScriptError as error:
            ticks = self._parts.clock.ticks
            self._parts.log.add(RuntimeException(ticks, error.line, error.column, error.fault, error.key))
            return
        if program.kind == "sec":
            if len(self._secondary) < MOST_SECONDARY:
                self._secondary.append(machine)
            return
        if self._parts.power.releasing:
            # It starts with the arm; of several the last one counts, as with programs that run.
            self._awaiting = machine
            return
        self._begin(machine)

    def play(self) -> bool:
        """Start the loaded program, or continue with the paused one; False where that cannot be."""
        parts = self._parts
        if not parts.power.running or parts.safety.stopped:
            return False
        if parts.runtime_state in (RuntimeState.PAUSED, RuntimeState.PAUSING):
            parts.runtime_state = RuntimeState.RESUMING
            parts.mover.paused = False
            parts.mover.feed()
            parts.watchdogs.rearm()
            return True
        if parts.runtime_state in (RuntimeState.PLAYING, RuntimeState.RESUMING):
            return True
        if self.loaded is None:
            return False
        return self._begin(self._machine_of(self.loaded.tree.program), self.loaded.tree)

    def pause(self) -> bool:
        """Pause: the arm brakes on its path, threads stand still; False where nothing plays."""
        parts = self._parts
        if parts.runtime_state not in (RuntimeState.PLAYING, RuntimeState.RESUMING):
            return False
        parts.mover.paused = True
        parts.runtime_state = RuntimeState.PAUSING
        return True

    def stop(self) -> bool:
        """Stop the program; the arm brakes on its path. False where none runs."""
        self._awaiting = None
        if self._machine is None:
            return False
        self._machine.stop()
        self._end()
        return True

    def tick(self) -> None:
        """Give every program its frame of 2 ms."""
        parts = self._parts
        if self._awaiting is not None and not parts.power.releasing:
            self._begin(self._awaiting)
        state = parts.runtime_state
        if state is RuntimeState.PLAYING:
            self._frame()
        elif state is RuntimeState.RESUMING:
            parts.runtime_state = RuntimeState.PLAYING
            self._frame()
        if self._secondary:
            self._frame_secondary()

    def settle(self) -> None:
        """Note that the arm has come to rest; after it has moved."""
        parts = self._parts
        if parts.mover.moving:
            return
        if parts.runtime_state is RuntimeState.PAUSING:
            parts.runtime_state = RuntimeState.PAUSED
        elif parts.runtime_state is RuntimeState.STOPPING:
            parts.runtime_state = RuntimeState.STOPPED

    def _begin(self, machine: Machine, tree: ProgramTree | None = None) -> bool:
        parts = self._parts
        self.stop()
        if not parts.power.running or parts.safety.stopped:
            parts.report(0, 0, f"Program {machine.program.name} not started: robot is not in normal running mode")
            return False
        self._machine, self._tree = machine, tree
        parts.accepted.clear()
        parts.mover.paused = False
        parts.runtime_state = RuntimeState.PLAYING
        parts.log.add(Key(parts.clock.ticks, 0, 0, "PROGRAM_XXX_STARTED", machine.program.name))
        self._label = (0, "")
        self.on_start()
        return True

    def _frame(self) -> None:
        machine, parts = self._machine, self._parts
        if machine is None:
            return
        machine.frame()
        if machine.label != self._label:
            self._label = machine.label
            parts.log.add(ProgramLabel(parts.clock.ticks, *machine.label))
        if self._machine is machine and machine.state != "running":
            if machine.error is not None:
                line = self._file_line(machine.error.line)
                parts.log.add(RuntimeException(parts.clock.ticks, line, 1, machine.error.message))
            self._end()

    def _frame_secondary(self) -> None:
        ticks = self._parts.clock.ticks
        for machine in self._secondary:
            machine.frame()
            if machine.error is not None:
                self._parts.log.add(RuntimeException(ticks, machine.error.line, 1, machine.error.message))
        self._secondary = [machine for machine in self._secondary if machine.state == "running"]

    def _end(self) -> None:
        """Tidy up behind the program that has ended."""
        machine, parts = self._machine, self._parts
        self._machine = None
        parts.mover.paused = False
        parts.mover.brake_on_path()
        parts.watchdogs.clear()
        parts.compliance.end_all()
        parts.pendant.clear()
        parts.sockets.close_all()
        parts.script_line = 0
        name = "" if machine is None else machine.program.name
        parts.log.add(Key(parts.clock.ticks, 0, 0, "PROGRAM_XXX_STOPPED", name))
        parts.runtime_state = RuntimeState.STOPPING if parts.mover.moving else RuntimeState.STOPPED

    def _machine_of(self, program: ScriptProgram) -> Machine:
        return Machine(program, self._builtins, clock=self._seconds, runaway_frames=RUNAWAY_FRAMES)

    def _file_line(self, line: int) -> int:
        return line if self._tree is None else self._tree.file_line(line)

    def _seconds(self) -> float:
        return self._parts.clock.seconds
