"""The record of the toy maker: all that OpenPendant knows of it."""

import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from openpendant.controllers import Address, Controller, Probed, VendorText
from openpendant.errors import InputError
from openpendant.makers import (
    DriverSetup,
    Maker,
    PendantButton,
    PendantWindow,
    Uploads,
    VirtualMaker,
    VirtualOption,
    VirtualPlan,
    VirtualReady,
)
from openpendant.motion import joint_limits
from openpendant.programs import (
    Action,
    Call,
    Comment,
    MoveAxis,
    Program,
    SetOutput,
    SpeedOverride,
    Tool,
    Wait,
    WaitInput,
    parse_speed,
    robot_signals,
    tool_wiring,
)
from openpendant.robots import Robot
from openpendant.scene import Cell, Scene
from openpendant.virtual.launch import CONTROL_PORT, PANEL_PORT

from .convention import BOOMS
from .language import DIALECT
from .protocol import PORT, Hello, read

HOME = (0.0, 0.4)


def drives(robot: Robot) -> bool:
    return robot.facts.convention == "toy_crane"


def make_driver(setup: DriverSetup) -> Controller:
    from .driver import CraneDriver

    return CraneDriver(setup)


def probe(address: Address, robot: Robot) -> tuple[Probed, ...]:
    where = str(address)
    try:
        with socket.create_connection((address.host, address.port or PORT), timeout=2.0) as link:
            hello = read(link.makefile().readline())
    except OSError as error:
        return (Probed("nobody", where, f"no crane answers at {where}: {error}", hopeless=True),)
    if not isinstance(hello, Hello):
        return (Probed("stranger", where, f"what answers at {where} is no crane", hopeless=True),)
    how = "it takes setpoints" if hello.servo else "it runs programs only"
    return (Probed("found", where, f"{where} is a crane; {how}", fine=True),)


def export(
    cell: Cell, program: Program, *, programs: Mapping[str, Program] | None, folder: Path | str | None
) -> tuple[VendorText, ...]:
    """Write a task for each boom that moves; another one blinks the lamp, where there is one, as long as they move.

    One boom at a time moves, as in the program: where it is another's turn, their tasks meet.
    """
    scene = Scene(cell, folder)
    booms = {arm.arm: arm for arm in scene.arms.values() if arm.robot == program.robot}
    first = next(iter(booms))
    ports = {one.name: one.port for one in robot_signals(cell, program.robot, wired=True)}
    steps = list(_steps(program, programs or {}))
    pace, turn = 1.0, program.arm or first
    used = {turn, *(whose.arm or first for whose, _ in steps)}
    texts = {name: [f"# {program.name}"] for name in booms if name in used}
    for whose, step in steps:
        if (whose.arm or first) != turn:
            turn = whose.arm or first
            for lines in texts.values():
                lines.append("meet")
        placed, lines = booms[turn], texts[turn]
        match step:
            case MoveAxis(q=q, speed=speed):
                share = parse_speed(speed).joint_fraction * pace
                slowest = float(np.min(joint_limits(placed.model, placed.arm).velocity))
                lines.append(f"go {q[0]!r} {q[1]!r} {share * slowest!r}")
            case SetOutput(signal=signal, value=value):
                lines.append(f"set {ports[signal]} {int(value)}")
            case Wait(seconds=seconds):
                lines.append(f"wait {seconds}")
            case WaitInput(signal=signal, value=value):
                lines.append(f"until {ports[signal]} {int(value)}")
            case SpeedOverride(percent=percent):
                pace = percent / 100.0
            case Comment(text=text):
                lines.append(f"say {text}" if text.endswith("?") else f"# {text}")
            case Tool(state=state):
                wiring = tool_wiring(placed)
                if wiring is None:
                    raise InputError(f"the tool of {placed.key} is not wired")
                stroke = wiring.stroke(closes=state == "close")
                lines += [f"set {ports[name]} {int(value)}" for name, value in stroke.outputs]
                lines += [f"until {ports[name]} {int(value)}" for name, value in stroke.inputs]
            case _:
                raise InputError(f"the cranes' language has no {type(step).__name__}")
    made = [
        VendorText(DIALECT, program.name, "\n".join(lines), task=name if len(booms) > 1 else "joints", arm=name)
        for name, lines in texts.items()
    ]
    if "lamp" in ports.values():
        made.append(VendorText(DIALECT, "blink", "set lamp 1\nwait 0.2\nset lamp 0", task="lamp"))
    return tuple(made)


def _steps(program: Program, programs: Mapping[str, Program]) -> Iterator[tuple[Program, Action]]:
    """Yield steps with their program, those of programs that are called in their place."""
    for step in program.steps:
        if isinstance(step, Call):
            yield from _steps(programs[step.program], programs)
        else:
            yield program, step


def virtual_model(robot: Robot) -> str:
    return robot.name if drives(robot) else ""


def serve(
    plan: VirtualPlan,
    on_ready: Callable[[VirtualReady], None],
    on_slow: Callable[[], None],
    ended: Callable[[], bool],
) -> None:
    from .host import run_crane

    def ready() -> None:
        on_ready(VirtualReady(plan.model, plan.bind, CONTROL_PORT, f"http://{plan.bind}:{PANEL_PORT}/"))

    booms = BOOMS if plan.model == "twin" else tuple(plan.start_q) or ("",)
    q = tuple(value for name in booms for value in plan.start_q.get(name, HOME))
    run_crane(plan.bind, q, "hand" if "by-hand" in plan.options else "auto", on_ready=ready, ended=ended)


def buttons(state: Mapping[str, Any], moving: bool) -> tuple[PendantButton, ...]:
    told = state["buttons"]
    names = ("motors_on", "motors_off") if state["robot_mode"] == "off" else ("motors_off",)
    names += ("turn_key",)
    return tuple(PendantButton(name, name.replace("_", " ").capitalize(), told[name] or "") for name in names)


def window(state: Mapping[str, Any]) -> PendantWindow | None:
    shown = state["popup"]
    return None if shown is None else PendantWindow("", shown["text"], (PendantButton("answer", "Answer"),))


CRANE = Maker(
    name="Toy cranes",
    drives=drives,
    make_driver=make_driver,
    probe=probe,
    ways=("host", "tcp"),
    virtual=VirtualMaker(
        models=("crane", "twin"),
        model_of=virtual_model,
        ports=(PORT, CONTROL_PORT, PANEL_PORT),
        serve=serve,
        title=str.capitalize,
        options=(VirtualOption("by-hand", "Its key stands at manual operation."),),
    ),
    uploads=Uploads(DIALECT, export),
    buttons=buttons,
    window=window,
)
