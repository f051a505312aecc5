"""CraneOperator: who stands at a crane: its motors, its windows, its terminal."""

import math
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from openpendant.errors import InputError
from openpendant.virtual.pendant import (
    ArmRow,
    Chip,
    JointRow,
    LayoutButton,
    Operator,
    PageLayout,
    PendantOrder,
    PendantState,
    PopupWindow,
    Press,
    SetInput,
    SignalRow,
    StepRow,
    TypeLine,
    buttons_while_off,
)

from .convention import BOOMS
from .language import CraneScriptError
from .protocol import TICK_NS

if TYPE_CHECKING:
    from .host import CraneHost

JOINTS = (("slew", math.radians(-170.0), math.radians(170.0)), ("luff", math.radians(-10.0), math.radians(80.0)))
BUTTONS = ("switch_on", "motors_on", "motors_off", "turn_key", "halt", "answer")
LAYOUT = PageLayout(
    title="Crane",
    buttons=(
        LayoutButton("switch_on", "Switch on", "robot"),
        LayoutButton("motors_on", "Motors on", "robot"),
        LayoutButton("motors_off", "Motors off", "robot"),
        LayoutButton("turn_key", "Turn key", "robot"),
        LayoutButton("halt", "Halt", "program"),
        LayoutButton("answer", "Answer", "window", primary=True),
    ),
    tick_ns=TICK_NS,
    terminal="Terminal: one command of the cranes' language a line",
    signals="Limit switch, load, magnet, lamp",
)


class CraneOperator(Operator):
    """Takes inputs and lines of the terminal beside what every operator takes."""

    def __init__(self, host: "CraneHost") -> None:
        super().__init__(host, SetInput, TypeLine, while_off=(SetInput,))
        self._box = host
        self._lines: deque[str] = deque(maxlen=40)

    @property
    def time_s(self) -> float:
        return self._box.brain.tick_count * TICK_NS * 1e-9

    @property
    def layout(self) -> PageLayout:
        return LAYOUT

    def presses(self) -> Mapping[str, Press]:
        brain = self._box.brain
        return {
            "motors_on": lambda: brain.switch(on=True),
            "motors_off": lambda: brain.switch(on=False),
            "turn_key": brain.turn_key,
            "halt": brain.halt,
            "answer": brain.answer,
        }

    def obey(self, order: PendantOrder) -> dict[str, Any]:
        match order:
            case SetInput(name=name, value=value):
                if name not in self._box.brain.inputs:
                    raise InputError(f"a crane has no input {name!r}; it has {', '.join(self._box.brain.inputs)}")
                self._box.brain.inputs[name] = bool(value)
            case TypeLine(text=text):
                self._lines += (f"> {text}", self._type(text))
        return {}

    def state(self) -> PendantState:
        brain, on = self._box.brain, self._box.mains == "on"
        ready, program = brain.mode == "ready", "PLAYING" if brain.running else "STOPPED"
        told = brain.state()
        booms = len(told.q) // 2
        joints = tuple(
            JointRow(name, target, q, qd, lower=lower, upper=upper)
            for (name, lower, upper), target, q, qd in zip(
                JOINTS * booms, brain.target.tolist(), told.q, told.qd, strict=True
            )
        )
        names = BOOMS if booms > 1 else ("",)
        return PendantState(
            **self.shown_of_host(),
            model="twin" if booms > 1 else "crane",
            robot_mode=brain.mode,
            safety="NORMAL",
            program_state=program,
            chips=(
                Chip(
                    "robot", "Motors", ("on" if ready else "off") if on else self._box.mains, "run" if ready else "off"
                ),
                Chip("key", "Key", brain.key, "run" if brain.key == "auto" else "off"),
                Chip("program", "Program", program.lower(), "run" if brain.running else "off"),
            ),
            steps=(StepRow("Mains", on, self._box.mains == "booting"), StepRow("Motors", on and ready)),
            arms=tuple(ArmRow(name, joints[2 * at : 2 * at + 2]) for at, name in enumerate(names)),
            inputs=tuple(SignalRow(name, name, value) for name, value in brain.inputs.items()),
            outputs=tuple(SignalRow(name, name, value) for name, value in brain.outputs.items()),
            terminal=tuple(self._lines),
            popup=PopupWindow("", brain.window, "info", blocking=True) if brain.window else None,
            buttons=self._buttons(),
            offered=("motors_on", "motors_off", "turn_key") if on else ("switch_on",),
            next="" if ready else "motors_on",
        )

    def _buttons(self) -> dict[str, str | None]:
        brain = self._box.brain
        if self._box.mains != "on":
            return buttons_while_off(self._box.mains, BUTTONS)
        return {
            "switch_on": "It is on.",
            "motors_on": None if brain.mode == "off" else "The motors are on.",
            "motors_off": None if brain.mode == "ready" else "The motors are off.",
            "turn_key": None,
            "halt": None if brain.running else "No program is running.",
            "answer": None if brain.window else "No window is open.",
        }

    def _type(self, text: str) -> str:
        """Run a line; return what the terminal says to it."""
        brain = self._box.brain
        if brain.running:
            return "? a program is running"
        if brain.mode != "ready":
            return "? the motors are off"
        try:
            brain.load("terminal", text)
        except CraneScriptError as error:
            return f"? {error}"
        brain.start()
        return "ok"
