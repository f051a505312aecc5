"""UrController: the brain of a Universal Robots controller; one tick is 2 ms."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from openpendant.dialects.urscript import Builtin, ScriptError, ScriptProgram
from openpendant.errors import InputError, UnknownNameError
from openpendant.protocols.rtde import ControllerVersion
from openpendant.protocols.ur_primary import StatePackage
from openpendant.virtual.arm import ArmCell, CellWatch
from openpendant.virtual.wire import ProgramSockets

from .assembly import assemble
from .body import Deviation
from .builtins import make_builtins
from .dashboard import Dashboard
from .inputs import Inputs
from .io import CONFIGURABLE, STANDARD, TOOL
from .messages import Popup, UrMessage
from .model import UrModel
from .options import UrOptions
from .plain_commands import PlainCommands
from .primary import PrimaryState
from .reflexes import Reflexes
from .runner import ScriptRunner
from .variables import Variables
from .versions import VARIABLES_SINCE, lacks

ROBOT_MODE_CHANGED = 100
"""Report of the maker's list, with the new mode as its argument: C100A7 for RUNNING."""
DIGITAL_KINDS = {"standard_digital": STANDARD, "configurable_digital": CONFIGURABLE, "tool_digital": TOOL}


class UrController:
    """A controller without sockets and without a clock: deterministic, driven by `tick`.

    The order of a 2 ms period for whoever hosts it: feed what clients sent (writers, `dashboard`, `run_script`),
    `tick()`, then send what readers return.
    """

    def __init__(
        self,
        model: UrModel,
        *,
        cell: ArmCell | None = None,
        start_q: Sequence[float] | None = None,
        seed: int = 0,
        options: UrOptions | None = None,
        programs: Path | None = None,
        sockets: ProgramSockets | None = None,
    ) -> None:
        """Build a controller.

        Args:
            model: `ur_model("ur3e")` or "ur5e", with or without a calibration.
            cell: What the arm can collide with; None: an empty world.
            start_q: Joints at the start, radians.
            seed: Of noise.
            options: Noise, lag, elasticity, durations, versions, serial number; whether it starts switched on.
            programs: The programs folder that `load` reads from; None: no program can be loaded by name.
            sockets: For the socket functions of URScript; None: no network.

        Raises:
            InputError: start_q is not six joints within their limits.
        """
        self.model = model
        self.options = UrOptions() if options is None else options
        self._parts = parts = assemble(model, self.options, start_q, seed, sockets)
        self._runner = ScriptRunner(parts, programs)
        parts.watchdogs.on_late = self._on_late
        watch = None if cell is None else CellWatch(cell, model.name, parts.body.q)
        self._reflexes = Reflexes(parts, self._runner, watch)
        self._runner.equip(make_builtins(parts, self._reflexes))
        self._runner.on_start = parts.body.reset_deviation
        self._dashboard = Dashboard(parts, self._runner, self._stop_everything)
        self._plain_commands = PlainCommands(parts, self._runner, self.dashboard)
        self._robot_mode = parts.power.mode
        self._variables = Variables(parts)
        self._inputs = Inputs(parts)
        self._primary = PrimaryState(parts, self._variables)
        self._single_writers: dict[str, Callable[[Sequence[Any]], None]] = {}

    # Time

    @property
    def ticks(self) -> int:
        """Counted 2 ms steps since power-up of the controller."""
        return self._parts.clock.ticks

    @property
    def timestamp(self) -> float:
        """Ticks × 0.002 s, without drift."""
        return self._parts.clock.seconds

    def tick(self) -> None:
        """Let 2 ms pass: scripts, motion, drives, safety, watchdogs."""
        parts = self._parts
        parts.clock.ticks += 1
        parts.power.tick()
        parts.safety.tick()
        self._report_robot_mode()
        self._runner.tick()
        parts.watchdogs.tick()
        self._reflexes.tick()
        self._runner.settle()

    # RTDE

    def read(self, name: str) -> Any:
        """Return an RTDE output variable: int, float, bool, or a tuple for vectors.

        Raises:
            UnknownNameError: There is no such variable.
        """
        if name == "script_control_line":
            self._watch_line()
        return self._variables.read(name)

    def compile_reader(self, names: Sequence[str]) -> Callable[[], tuple[Any, ...]]:
        """Return a function that returns all values flat (vectors unrolled), ready for `struct.pack`.

        Raises:
            UnknownNameError: One of the variables does not exist.
        """
        reader = self._variables.compile_reader(names)
        if "script_control_line" not in names:
            return reader

        def read() -> tuple[Any, ...]:
            self._watch_line()
            return reader()

        return read

    def write_input(self, name: str, value: Any) -> None:
        """Take an RTDE input variable; also counts as an update for `rtde_set_watchdog`.

        Raises:
            UnknownNameError: There is no such variable.
        """
        writer = self._single_writers.get(name)
        if writer is None:
            writer = self._single_writers[name] = self.compile_writer((name,))
        writer((value,))

    def compile_writer(self, names: Sequence[str]) -> Callable[[Sequence[Any]], None]:
        """Return a function that takes one value for each name (a tuple for a vector) and sets outputs by masks.

        Raises:
            UnknownNameError: One of the variables does not exist.
        """
        return self._inputs.compile(tuple(names))

    @property
    def version(self) -> ControllerVersion:
        """Of the software, as reported by RTDE and the primary interface."""
        return ControllerVersion(*self.options.version)

    @property
    def lacking_variables(self) -> frozenset[str]:
        """RTDE variables that came after this version."""
        return lacks(VARIABLES_SINCE, self.options.version)

    @property
    def build_date(self) -> str:
        """Of the software, as a string."""
        return self.options.build_date

    # Dashboard, scripts, programs

    def dashboard(self, line: str) -> str:
        """Carry out a dashboard command and return the reply, both without line ends."""
        return self._dashboard.reply_to(line)

    @property
    def shut_down(self) -> bool:
        """Whether the control box was commanded to shut down."""
        return self._parts.shut_down

    def run_script(self, text: str) -> None:
        """Run a program as it arrives on 30001, 30002, 30003: replaces what runs; `sec` runs beside it.

        A plain command such as `power on` is carried out instead.
        """
        if not self._plain_commands.obey(text):
            self._runner.run_script(text)

    def run_program(self, program: ScriptProgram | ScriptError) -> None:
        """Run a script that was compiled ahead for `functions`, as `run_script`; or say why it could not be."""
        self._runner.run_program(program)

    @property
    def functions(self) -> Mapping[str, Builtin]:
        """What programs can call beside the core of the language."""
        return self._runner.functions

    def load_program(self, path: Path | str) -> str | None:
        """Load .urp, .txt (program trees) or .script; a str is a name in the programs folder, a Path any file.

        Returns:
            None, or why not.
        """
        return self._runner.load(path)

    @property
    def program_loaded(self) -> bool:
        """Whether `play` has something to start."""
        return self._runner.loaded is not None

    def play(self) -> bool:
        """Start the loaded program, or continue with the paused one."""
        return self._runner.play()

    def pause(self) -> bool:
        """Pause the running program: the arm brakes on its path."""
        return self._runner.pause()

    def stop(self) -> bool:
        """Stop the running program; the arm brakes."""
        return self._runner.stop()

    # What a person does at the pendant

    def power_on(self) -> bool:
        """Switch the arm on; brakes stay closed."""
        return self.dashboard("power on") == "Powering on"

    def power_off(self) -> bool:
        """Stop, close the brakes and switch the arm off."""
        return self.dashboard("power off") == "Powering off"

    def brake_release(self) -> bool:
        """Release the brakes; switches on first where needed."""
        return self.dashboard("brake release") == "Brake releasing"

    def press_emergency_stop(self) -> None:
        """Press the red button: the arm stops, then loses power; the program ends."""
        self._reflexes.emergency_stop()

    def release_emergency_stop(self) -> None:
        """Pull the red button up; the arm stays off."""
        self._parts.safety.release()

    @property
    def emergency_stop_pressed(self) -> bool:
        """Whether the red button is pressed."""
        return self._parts.safety.emergency

    def trigger_protective_stop(self, reason: str) -> None:
        """Stop the arm as after a collision."""
        self._reflexes.protective_stop(0, 0, reason)

    def trigger_violation(self, reason: str) -> None:
        """Report a violated safety limit: the arm loses power until the safety system is restarted."""
        self._reflexes.violate(0, reason)

    def trigger_fault(self, reason: str) -> None:
        """Report a fault of the safety system: the arm loses power until the safety system is restarted."""
        self._reflexes.fail(0, reason)

    @property
    def early_to_unlock(self) -> str | None:
        """Why a protective stop cannot be released yet; None where it can be, or there is none."""
        return self._parts.safety.early

    def unlock_protective_stop(self) -> bool:
        """Release a protective stop; False where it is too early."""
        return self._parts.safety.unlock() is None

    def restart_safety(self) -> None:
        """Restart the safety system; the arm is off afterwards."""
        self.dashboard("restart safety")

    @property
    def popup(self) -> Popup | None:
        """The window in front on the pendant."""
        window = self._parts.pendant.window
        return None if window is None else window.popup

    def confirm_popup(self) -> bool:
        """Press "continue" in the window in front; False if there is none."""
        return self._parts.pendant.confirm()

    def refuse_popup(self) -> bool:
        """Press "stop program" in the window in front; False if there is none."""
        if not self._parts.pendant.confirm():
            return False
        self._runner.stop()
        return True

    def hold_freedrive(self, held: bool) -> None:
        """Press or release the freedrive button; while it is held, `push_tool` moves the arm."""
        self._parts.pendant.freedrive_held = bool(held)

    def push_tool(self, wrench: Sequence[float]) -> None:
        """Push with a force (N) and torque (Nm) at the tool in base axes, until changed.

        Raises:
            InputError: Not six finite numbers.
        """
        self._parts.installation.push(wrench)

    def set_speed_slider(self, fraction: float) -> None:
        """Set the speed slider, 0 to 1.

        Raises:
            InputError: Outside of that.
        """
        if not 0.0 <= fraction <= 1.0:
            raise InputError(f"speed slider {fraction}; allowed: 0 to 1")
        self._parts.mover.slider = float(fraction)

    @property
    def remote_control(self) -> bool:
        """Whether the pendant is set to remote control."""
        return self._parts.remote_control

    def set_remote_control(self, on: bool) -> None:
        """Choose remote or local control, as the switch on the pendant does."""
        self._parts.remote_control = bool(on)

    def set_input(self, name: str, value: bool | float) -> None:
        """Set a physical input, as the world outside would.

        Args:
            name: "standard_digital_0" … "_7", "configurable_digital_0" … "_7", "tool_digital_0", "_1", "analog_0",
                "_1", "tool_analog_0", "_1", "safeguard", "reduced".
            value: True or False; volts for analogue inputs.

        Raises:
            UnknownNameError: There is no such input.
        """
        io = self._parts.io
        kind, _, number = name.rpartition("_")
        if name in ("safeguard", "reduced"):
            self._reflexes.safety_input(name, bool(value))
        elif kind in DIGITAL_KINDS and number.isdigit():
            io.set_input(DIGITAL_KINDS[kind], int(number), bool(value))
        elif kind == "analog" and number.isdigit():
            io.set_analog_in(int(number), float(value))
        elif kind == "tool_analog" and number.isdigit():
            io.set_tool_analog_in(int(number), float(value))
        else:
            known = [f"{one}_0" for one in (*DIGITAL_KINDS, "analog", "tool_analog")]
            raise UnknownNameError("input", name, (*known, "safeguard", "reduced"))

    # Primary and real-time interface, reports

    def primary_state(self, *, complete: bool = True) -> tuple[StatePackage, ...]:
        """Return the sub-packages of a robot state message; `complete`: with kinematics and configuration."""
        return self._primary.packages(complete=complete)

    def realtime_state(self) -> tuple[float, ...]:
        """Return the numbers of the packet of port 30003, flat and in order."""
        return self._primary.real_time()

    def messages(self) -> tuple[UrMessage, ...]:
        """Return what happened since the last call: runtime errors, key messages, popups, texts."""
        return self._parts.log.drain()

    def log(self, text: str) -> None:
        """Write a line into the controller's log."""
        self._parts.text(text)

    def deviation(self) -> Deviation:
        """Return how far the tracked path was from the programmed one since the program started."""
        return self._parts.body.deviation()

    @property
    def watchdogs_missed(self) -> int:
        """How often a watched input came too late."""
        return self._parts.watchdogs.missed

    def place_arm(self, q: Sequence[float]) -> None:
        """Put the arm somewhere else while it is switched off, as its joints can be turned by hand.

        Raises:
            InputError: The arm is on, or q is not six joints within their limits.
        """
        if self._parts.power.on:
            raise InputError("the arm is switched on; its joints can be placed only while it is off")
        joints = self._parts.arm.check_q(q)
        self._parts.body.place(joints)
        self._parts.mover.place(joints)

    def _stop_everything(self) -> None:
        self._runner.stop()

    def _report_robot_mode(self) -> None:
        mode = self._parts.power.mode
        if mode is not self._robot_mode:
            self._robot_mode = mode
            self._parts.report(ROBOT_MODE_CHANGED, int(mode), f"Robot mode: {mode.name}", level=0)

    def _watch_line(self) -> None:
        line = self._runner.line
        if line != self._parts.script_line:
            self._parts.script_line = line
            self._variables.stale()

    def _on_late(self, name: str, action: str) -> None:
        self._parts.text(f"RTDE watchdog: no update of {name} in time, action: {action}")
        if action == "stop":
            self._runner.stop()
        else:
            self._runner.pause()
