"""AbbOperator: who stands at a virtual controller: motors, mode, speed, programs, and the operator's window."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from openpendant.errors import InputError
from openpendant.virtual.pendant import (
    ArmRow,
    Chip,
    JointRow,
    LayoutButton,
    LoadProgram,
    Operator,
    PageLayout,
    PendantOrder,
    PendantState,
    PopupWindow,
    PoseRow,
    Press,
    SetInput,
    SetSpeedSlider,
    SignalRow,
    StepRow,
    TerminalKey,
    TypeLine,
    buttons_while_off,
)

from .terminal import KEYS as FUNCTION_KEYS
from .unit import TOOL0, WOBJ0, MechanicalUnit

if TYPE_CHECKING:
    from .controller import AbbController
    from .host import AbbHost

LAYOUT_BUTTONS = (
    LayoutButton("switch_on", "Switch on", "robot", primary=True),
    LayoutButton("motors_on", "Motors on", "robot", primary=True),
    LayoutButton("motors_off", "Motors off", "robot"),
    LayoutButton("auto", "Automatic", "robot"),
    LayoutButton("manual", "Manual, reduced speed", "robot"),
    LayoutButton("manual_full", "Manual, full speed", "robot"),
    LayoutButton("grant", "Let client in", "robot"),
    LayoutButton("deny", "Refuse client", "robot"),
    LayoutButton("to_main", "PP to Main", "program"),
    LayoutButton("start", "Start", "program", primary=True),
    LayoutButton("step", "Step", "program"),
    LayoutButton("stop", "Stop", "program"),
    LayoutButton("open_guard", "Open guard", "test"),
    LayoutButton("close_guard", "Close guard", "test"),
)
STOP = ("emergency_stop", "emergency_reset")
KEYS = tuple(f"key_{number}" for number in range(1, 1 + FUNCTION_KEYS))
"""Those under the operator's window: the page draws those that a question has."""
BUTTONS = (*(one.name for one in LAYOUT_BUTTONS), *STOP, *KEYS)
SWITCH = {"auto": "AUTO", "manual": "MANR", "manual_full": "MANF"}
"""Positions of the key switch, by button."""
TITLES = {"irb120": "IRB 120", "yumi": "YuMi"}
LEVELS = {1: "info", 2: "warning", 3: "error"}


class AbbOperator(Operator):
    """The hands and eyes of a person at this controller."""

    def __init__(self, host: "AbbHost") -> None:
        """Made by the host."""
        super().__init__(host, SetInput, SetSpeedSlider, TypeLine, LoadProgram)
        self._box = host
        self._brain = host.brain
        self._read = 0
        self._layout = PageLayout(
            title=TITLES.get(host.brain.setup.model, host.brain.setup.model),
            buttons=LAYOUT_BUTTONS,
            tick_ns=host.tick_ns,
            stop=STOP,
            programs="Modules in HOME: can be loaded here; there is none.",
            speed=True,
            terminal="Operator window",
            signals="Signals",
        )

    @property
    def time_s(self) -> float:
        """The controller's own time."""
        return self._box.brain.clock.seconds

    @property
    def layout(self) -> PageLayout:
        """What the page is made of."""
        return self._layout

    def tick(self) -> None:
        """Copy what is new in the event log into the pendant's log."""
        brain = self._box.brain
        if brain is not self._brain:
            self._brain, self._read = brain, 0
        if brain.log.count == self._read:
            return
        for entry in brain.log.since(self._read):
            self._read = entry.number
            text = f": {entry.text}" if entry.text else ""
            self.log.write(LEVELS[entry.level], f"{entry.code} {entry.title}{text}", entry.time_s)

    def presses(self) -> Mapping[str, Press]:
        """Return what each button does."""
        brain, master = self._box.brain, self._box.rws.mastership
        return {
            "motors_on": lambda: brain.panel.set_motors(on=True),
            "motors_off": lambda: brain.panel.set_motors(on=False),
            "auto": lambda: brain.panel.set_mode("AUTO"),
            "manual": lambda: brain.panel.set_mode("MANR"),
            "manual_full": lambda: brain.panel.set_mode("MANF"),
            "grant": lambda: master.decide(grant=True),
            "deny": lambda: master.decide(grant=False),
            "to_main": brain.reset_pointers,
            "start": lambda: brain.start("asis"),
            "step": lambda: brain.start("asis", "stepin"),
            "stop": brain.program.stop,
            "emergency_stop": lambda: brain.panel.set_emergency(pressed=True),
            "emergency_reset": lambda: brain.panel.set_emergency(pressed=False),
            "open_guard": lambda: brain.panel.set_guard(opened=True),
            "close_guard": lambda: brain.panel.set_guard(opened=False),
            **{key: partial(brain.terminal.reply, key.removeprefix("key_")) for key in KEYS},
        }

    def obey(self, order: PendantOrder) -> dict[str, Any]:
        """Carry out an order of this maker."""
        brain = self._box.brain
        match order:
            case SetInput(name=name, value=value):
                brain.signals.write(name, float(value))
            case SetSpeedSlider(fraction=fraction):
                brain.panel.set_speed(100.0 * fraction)
            case TypeLine(text=text):
                brain.terminal.reply(text)
            case LoadProgram(program=name):
                brain.load_program(name)
            case _:
                raise InputError(f"this controller takes no {type(order).__name__}")
        return {}

    def state(self) -> PendantState:
        """Return what the pendant shows now."""
        host, brain = self._box, self._box.brain
        panel, program, on = brain.panel, brain.program, host.mains == "on"
        played = "PLAYING" if program.running else "PAUSED" if program.halted else "STOPPED"
        level = "run" if panel.state == "motoron" else "off" if panel.state == "motoroff" else "stop"
        task = next(one.name for one in program.tasks.values() if one.motion)
        module, routine, line = program.place(task)
        question = brain.terminal.question
        return PendantState(
            **self.shown_of_host(),
            model=brain.setup.model,
            robot_mode=panel.state,
            safety="NORMAL" if panel.state in ("motoron", "motoroff") else panel.state,
            program_state=played,
            program=f"{task}/{module}/{routine}" if module else "",
            line=line,
            remote=panel.mode == "AUTO",
            emergency=panel.emergency,
            speed_slider=panel.speed_percent / 100.0,
            chips=(
                Chip("robot", "Motors", panel.state if on else host.mains, level if on else "off"),
                Chip("mode", "Mode", panel.mode, "run" if panel.mode == "AUTO" else "warn"),
                Chip("program", "Program", played.lower(), "run" if program.running else "off"),
            ),
            steps=(StepRow("Mains", on, host.mains == "booting"), StepRow("Motors", on and panel.state == "motoron")),
            arms=tuple(_arm_row(unit, unit.name if len(brain.units) > 1 else "") for unit in brain.units.values()),
            inputs=self._signal_rows("DI"),
            outputs=self._signal_rows("DO"),
            terminal=(*brain.terminal.lines, *(() if question is None else _asked(question.text, question.keys))),
            keys=() if question is None else _keys(question.keys),
            keypad=question is not None and not question.keys,
            programs=host.list_programs() if on else (),
            popup=None if question is None else PopupWindow("Question", question.text, "info", blocking=False),
            buttons=self._buttons(brain),
            offered=self._offered(brain) if on else ("switch_on",),
            next="" if panel.state == "motoron" else "motors_on",
        )

    def _signal_rows(self, kind: str) -> tuple[SignalRow, ...]:
        table = self._box.brain.signals
        return tuple(
            SignalRow(one.name, one.name, table.read(one.name) != 0.0) for one in table.all if one.kind == kind
        )

    def _buttons(self, brain: "AbbController") -> dict[str, str | None]:
        if self._box.mains != "on":
            return buttons_while_off(self._box.mains, BUTTONS)
        panel, program = brain.panel, brain.program
        running = "Programs are running." if program.running else None
        waits = None if self._box.rws.mastership.asking else "No client asks for access."
        start = running or (None if panel.state == "motoron" else "The motors are off.")
        question = brain.terminal.question
        keys = () if question is None else [one.text for one in _keys(question.keys)]
        motors = None if panel.state == "motoroff" else f"The controller is in state {panel.state}."
        return {
            "switch_on": "It is on.",
            "motors_on": motors,
            "motors_off": None if panel.motors else "The motors are off.",
            **{name: None if panel.mode != mode else "The key is there." for name, mode in SWITCH.items()},
            "grant": waits,
            "deny": waits,
            "to_main": running,
            "start": start,
            "step": start,
            "stop": None if program.running else "No program is running.",
            "emergency_stop": None if not panel.emergency else "It is pressed.",
            "emergency_reset": None if panel.emergency else "It is not pressed.",
            "open_guard": None if not panel.guard else "The guard is open.",
            "close_guard": None if panel.guard else "The guard is closed.",
            **{f"key_{key}": None if str(key) in keys else "Nothing asks for it." for key in range(1, 1 + len(KEYS))},
        }

    def _offered(self, brain: "AbbController") -> tuple[str, ...]:
        motors = "motors_off" if brain.panel.motors else "motors_on"
        modes = (name for name, mode in SWITCH.items() if mode != brain.panel.mode)
        return (motors, *modes, *(("grant", "deny") if self._box.rws.mastership.asking else ()))


def _asked(text: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    shown = "   ".join(f"{number}: {key}" for number, key in enumerate(keys, 1) if key)
    return (text, shown) if shown else (text,)


def _keys(keys: tuple[str, ...]) -> tuple[TerminalKey, ...]:
    """Return the keys that can be pressed; a question for a number has none."""
    return tuple(TerminalKey(key, str(number)) for number, key in enumerate(keys, 1) if key)


def _arm_row(unit: MechanicalUnit, title: str) -> ArmRow:
    arm, model = unit.arm, unit.arm.model.arm
    q, qd = arm.plant.q.tolist(), arm.plant.qd.tolist()
    joints = tuple(
        JointRow(f"Axis {axis}", target, now, speed, lower=float(lower), upper=float(upper))
        for axis, (target, now, speed, lower, upper) in enumerate(
            zip(arm.mover.target.tolist(), q, qd, model.limits_lower, model.limits_upper, strict=True), 1
        )
    )
    place, turn, _, _ = unit.robtarget(TOOL0, WOBJ0)
    pose = (
        *(PoseRow(name, value, "mm", 2) for name, value in zip("XYZ", place, strict=True)),
        *(PoseRow(f"q{number}", value, "", 4) for number, value in enumerate(turn, 1)),
    )
    return ArmRow(title, joints, "tool0 in base", pose)
