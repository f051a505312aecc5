"""UrOperator: carries out orders on the virtual controller and returns what its pendant shows."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from openpendant.errors import InputError
from openpendant.virtual.pendant import (
    ArmRow,
    JointRow,
    LoadProgram,
    Operator,
    PageLayout,
    PendantOrder,
    PopupWindow,
    Press,
    ReadVariables,
    SetInput,
    SetRemote,
    SetSpeedSlider,
)

from .messages import ErrorCode, Key, Note, Popup, ProgramLabel, RuntimeException, SafetyModeChange, Text, UrMessage
from .modes import JointMode, RobotMode, SafetyMode
from .orders import ORDERS, WHILE_OFF, HoldFreedrive, ProtectiveStop, PushTool, RunScript
from .pendant_state import (
    JOINT_NAMES,
    NEXT,
    UrPendantState,
    button_reasons,
    chips_of,
    offered_in,
    page_layout,
    pose_rows,
    signal_rows,
    steps_of,
)

if TYPE_CHECKING:
    from .controller import UrController
    from .host import UrHost

HOLD_TICKS = 500
"""A freedrive hold that is not repeated within this time is released."""
SHOWN = (
    "target_q",
    "actual_q",
    "actual_qd",
    "actual_current",
    "joint_temperatures",
    "joint_mode",
    "actual_TCP_pose",
    "actual_TCP_force",
    "robot_mode",
    "safety_mode",
    "target_speed_fraction",
    "speed_scaling",
    "actual_digital_input_bits",
    "actual_digital_output_bits",
    "script_control_line",
)
LEVELS = ("info", "warning", "error", "error")


class UrOperator(Operator):
    """The hands and eyes of a person at this controller."""

    def __init__(self, host: "UrHost") -> None:
        """Made by the host."""
        super().__init__(host, *ORDERS, while_off=WHILE_OFF)
        self._box = host
        self._reader: Callable[[], tuple[Any, ...]] | None = None
        self._read_of: UrController | None = None
        self._held_until = 0
        self._layout = page_layout(host.brain.model.name, host.tick_ns)

    @property
    def time_s(self) -> float:
        """The controller's own time."""
        return self._box.brain.timestamp

    @property
    def layout(self) -> PageLayout:
        """What the page is made of."""
        return self._layout

    def presses(self) -> Mapping[str, Press]:
        """Return what each button does."""
        brain = self._box.brain
        return {
            "power_on": brain.power_on,
            "brake_release": brain.brake_release,
            "power_off": brain.power_off,
            "play": brain.play,
            "pause": brain.pause,
            "stop": brain.stop,
            "continue": brain.confirm_popup,
            "stop_popup": brain.refuse_popup,
            "emergency_stop": brain.press_emergency_stop,
            "emergency_reset": brain.release_emergency_stop,
            "unlock": brain.unlock_protective_stop,
            "restart_safety": brain.restart_safety,
            "shut_down": lambda: brain.dashboard("shutdown"),
        }

    def obey(self, order: PendantOrder) -> dict[str, Any]:
        """Carry out an order of this maker."""
        brain = self._box.brain
        match order:
            case ReadVariables(names=names):
                return {"values": {name: brain.read(name) for name in names}}
            case SetInput(name=name, value=value):
                brain.set_input(name, value)
            case SetRemote(on=on):
                brain.set_remote_control(on)
            case LoadProgram(program=program):
                self._load(brain, program)
            case SetSpeedSlider(fraction=fraction):
                brain.set_speed_slider(fraction)
            case HoldFreedrive(held=held):
                self._hold(brain, held=held)
            case PushTool(wrench=wrench):
                brain.push_tool(wrench)
            case ProtectiveStop(reason=reason):
                brain.trigger_protective_stop(reason)
            case RunScript(text=text):
                brain.run_script(text)
            case _:
                raise InputError(f"this controller takes no {type(order).__name__}")
        return {}

    def tick(self) -> None:
        """Release the freedrive button where its hold is over."""
        if self._held_until and self._box.ticks >= self._held_until:
            self._held_until = 0
            self._box.brain.hold_freedrive(held=False)

    def note(self, messages: tuple[UrMessage, ...]) -> None:
        """Write messages of the controller into the log."""
        for message in messages:
            found = _log_text(message)
            if found is not None:
                self.log.write(found[0], found[1], message.tick * 0.002)

    def state(self) -> UrPendantState:
        """Return what the pendant shows now."""
        host, brain = self._box, self._box.brain
        if self._reader is None or self._read_of is not brain:
            self._reader, self._read_of = brain.compile_reader(SHOWN), brain
        flat = self._reader()
        q_target, q, qd, current, temperature, modes = (flat[6 * i : 6 * i + 6] for i in range(6))
        mode, safety, slider, scaling, inputs, outputs, line = flat[48:55]
        program_state, _, name = brain.dashboard("programState").partition(" ")
        loaded = name if brain.program_loaded else ""
        mode_word, safety_word = RobotMode(mode).name, SafetyMode(safety).name
        popup = brain.popup
        emergency = brain.emergency_stop_pressed
        buttons = button_reasons(
            host.mains, mode_word, safety_word, program_state, loaded, emergency=emergency, popup=popup is not None
        )
        buttons["unlock"] = buttons["unlock"] or brain.early_to_unlock
        joints = tuple(
            JointRow(JOINT_NAMES[i], q_target[i], q[i], qd[i], current[i], temperature[i], JointMode(modes[i]).name)
            for i in range(6)
        )
        return UrPendantState(
            **self.shown_of_host(),
            model=brain.model.name,
            version=".".join(map(str, brain.options.version[:3])),
            robot_mode=mode_word,
            safety=safety_word,
            program_state=program_state,
            program=loaded,
            programs=host.list_programs(),
            line=line,
            remote=brain.remote_control,
            emergency=emergency,
            freedrive=bool(self._held_until),
            speed_slider=slider,
            speed_scaling=scaling,
            joints=joints,
            tcp_pose=flat[36:42],
            tcp_force=flat[42:48],
            digital_in=inputs,
            digital_out=outputs,
            chips=chips_of(host.mains, mode_word, safety_word, program_state, remote=brain.remote_control),
            steps=steps_of(host.mains, mode_word),
            arms=(ArmRow("", joints, "Tool in base", pose_rows(flat[36:42])),),
            inputs=signal_rows(inputs),
            outputs=signal_rows(outputs),
            popup=None if popup is None else PopupWindow(popup.title, popup.text, _level(popup), popup.blocking),
            buttons=buttons,
            offered=offered_in(host.mains, safety_word),
            next=NEXT.get(mode_word, ""),
        )

    def _load(self, brain: "UrController", program: str) -> None:
        why = self.state().buttons["load"] or brain.load_program(program)
        if why is not None:
            raise InputError(f"{program} was not loaded: {why}")

    def _hold(self, brain: "UrController", *, held: bool) -> None:
        if held and not self._held_until:
            why = self.state().buttons["freedrive"]
            if why is not None:
                raise InputError(f"freedrive: {why}")
            brain.hold_freedrive(held=True)
        elif not held and self._held_until:
            brain.hold_freedrive(held=False)
        self._held_until = self._box.ticks + HOLD_TICKS if held else 0


def _level(popup: Popup) -> str:
    return "error" if popup.error else "warning" if popup.warning else "info"


def _log_text(message: UrMessage) -> tuple[str, str] | None:
    match message:
        case Text(text=text) | Note(text=text):
            return "info", text
        case ErrorCode(level=level, text=text):
            return LEVELS[min(max(level, 0), 3)], f"{message.title}: {text}"
        case RuntimeException(line=line, text=text):
            return "error", f"line {line}: {text}"
        case Popup(title=title, text=text):
            return _level(message), f"{title}: {text}" if title else text
        case SafetyModeChange(safety_mode=mode):
            word = SafetyMode(mode).name.replace("_", " ").lower()
            return ("info" if mode in (SafetyMode.NORMAL, SafetyMode.REDUCED) else "warning"), f"safety: {word}"
        case Key(title="PROGRAM_XXX_STARTED" | "PROGRAM_XXX_STOPPED" as title, text=text):
            return "info", f"program {text} {title.rpartition('_')[2].lower()}"
        case Key(title=title, text=text):
            return "info", f"{title} {text}".strip()
        case ProgramLabel():
            return None
