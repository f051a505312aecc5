"""Operator: carries out orders on a virtual controller and tells what its pendant shows."""

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from openpendant.errors import InputError, OpenPendantError
from openpendant.virtual.faults import Fault

from .messages import ErrorCode, Key, Popup, ProgramLabel, RuntimeException, SafetyModeChange, Text, UrMessage
from .modes import JointMode, RobotMode, SafetyMode
from .orders import (
    BUTTONS,
    GetPace,
    GetState,
    HoldFreedrive,
    LoadProgram,
    Order,
    Press,
    ProtectiveStop,
    PushTool,
    ReadVariables,
    RunScript,
    SetInput,
    SetRemote,
    SetSpeed,
    decode_order,
)
from .pendant_state import JOINT_NAMES, JointRow, MessageRow, PendantState, PopupWindow, button_reasons

if TYPE_CHECKING:
    from .controller import UrController
    from .host import UrHost

__all__ = ["Operator"]

HOLD_TICKS = 500
"""A freedrive hold that is not repeated for so long is let go of."""
KEPT_MESSAGES = 200
SHOWN_MESSAGES = 60
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


class Operator:
    """The hands and eyes of a person at the controller. They are outside of it, and outlive its reboots."""

    def __init__(self, host: "UrHost") -> None:
        """Made by the host."""
        self._host = host
        self._reader: Callable[[], tuple[Any, ...]] | None = None
        self._read_of: UrController | None = None
        self._log: deque[MessageRow] = deque(maxlen=KEPT_MESSAGES)
        self._count = 0
        self._held_until = 0

    def answer(self, data: bytes) -> bytes:
        """Carry out the order in one JSON object; return the reply as one, without a line end."""
        try:
            reply = self.perform(decode_order(data))
        except OpenPendantError as error:
            return msgspec.json.encode({"ok": False, "why": str(error)})
        return msgspec.json.encode({"ok": True, **reply})

    def perform(self, order: Order) -> dict[str, Any]:
        """Carry out an order; return what there is to tell.

        Raises:
            OpenPendantError: It cannot be done; says why.
        """
        host, brain = self._host, self._host.brain
        match order:
            case GetState():
                return {"state": self.state()}
            case GetPace():
                return {"pace": host.pace()}
            case Fault():
                host.cause(order)
            case Press(button="switch_on"):
                host.cause(Fault("power_on"))
            case ReadVariables(names=names):
                return {"values": {name: brain.read(name) for name in names}}
            case SetInput(name=name, value=value):
                brain.set_input(name, value)
            case SetRemote(on=on):
                brain.set_remote_control(on)
            case _ if host.mains != "on":
                raise InputError(f"the controller is {'booting' if host.mains == 'booting' else 'switched off'}")
            case Press(button=button):
                self._press(brain, button)
            case LoadProgram(program=program):
                self._load(brain, program)
            case SetSpeed(fraction=fraction):
                brain.set_speed_slider(fraction)
            case HoldFreedrive(held=held):
                self._hold(brain, held=held)
            case PushTool(wrench=wrench):
                brain.push_tool(wrench)
            case ProtectiveStop(reason=reason):
                brain.trigger_protective_stop(reason)
            case RunScript(text=text):
                brain.run_script(text)
        return {}

    def look(self) -> None:
        """Do what time brings; once per tick."""
        if self._held_until and self._host.ticks >= self._held_until:
            self._held_until = 0
            self._host.brain.hold_freedrive(held=False)

    def note(self, messages: tuple[UrMessage, ...]) -> None:
        """Write messages of the controller into the log."""
        for message in messages:
            told = _words(message)
            if told is not None:
                self.write(told[0], told[1], message.tick * 0.002)

    def write(self, level: str, text: str, time_s: float) -> None:
        """Write one line into the log."""
        self._count += 1
        self._log.append(MessageRow(self._count, time_s, level, text))

    def state(self) -> PendantState:
        """Return what the pendant shows now."""
        host, brain = self._host, self._host.brain
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
        return PendantState(
            model=brain.model.name,
            address=host.address,
            version=".".join(map(str, brain.options.version[:3])),
            mains=host.mains,
            time_s=brain.timestamp,
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
            joints=tuple(
                JointRow(JOINT_NAMES[i], q_target[i], q[i], qd[i], current[i], temperature[i], JointMode(modes[i]).name)
                for i in range(6)
            ),
            tcp_pose=flat[36:42],
            tcp_force=flat[42:48],
            digital_in=inputs,
            digital_out=outputs,
            popup=None if popup is None else PopupWindow(popup.title, popup.text, _level(popup), popup.blocking),
            messages=tuple(self._log)[-SHOWN_MESSAGES:],
            faults=host.faults.lasting(),
            late_p99_us=host.pace().late_p99_us,
            buttons=buttons,
        )

    def _press(self, brain: "UrController", button: str) -> None:
        if button not in BUTTONS:
            raise InputError(f"no button named {button!r}; known: {', '.join(BUTTONS)}")
        why = self.state().buttons[button]
        if why is not None:
            raise InputError(f"{button} cannot be pressed: {why}")
        actions: dict[str, Callable[[], object]] = {
            "power_on": brain.power_on,
            "power_off": brain.power_off,
            "brake_release": brain.brake_release,
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
        if actions[button]() is False:
            raise InputError(f"{button}: the controller refused; see its messages")

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
        self._held_until = self._host.ticks + HOLD_TICKS if held else 0


def _level(popup: Popup) -> str:
    return "error" if popup.error else "warning" if popup.warning else "info"


def _words(message: UrMessage) -> tuple[str, str] | None:
    match message:
        case Text(text=text):
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
