"""Wiring of a cell as programs and controllers need it: signals of a robot, its tools, and steps that lack a port."""

from collections.abc import Iterator, Mapping
from typing import Literal

from openpendant.controllers import ToolStroke, ToolWiring
from openpendant.programs.document import Action, Program, called_by, signals_in, slots_of, tool_states
from openpendant.said import say, state_word
from openpendant.scene import Cell, PlacedArm, Scene, Signal, ToolAction

from .program_arm import find_program_arm


def robot_signals(cell: Cell, robot: str, *, wired: bool = False) -> tuple[Signal, ...]:
    """Return the signals that a robot of a cell has.

    Args:
        cell: Of the robot.
        robot: Its name.
        wired: Only those with a port; otherwise also those that are not wired and exist in the simulation only.
    """
    if wired:
        return tuple(signal for signal in cell.signals if signal.robot == robot and signal.port)
    return tuple(signal for signal in cell.signals if signal.robot in ("", robot))


def tool_wiring(placed: PlacedArm) -> ToolWiring | None:
    """Return how the tool of an arm is worked; None: it is not wired."""
    tool = placed.tool
    if tool is None or (tool.open is None and tool.close is None):
        return None
    return ToolWiring(tool.name, _stroke(tool.open), _stroke(tool.close))


def tool_stroke(placed: PlacedArm, state: Literal["open", "close"]) -> ToolStroke | None:
    """Return how the tool of an arm is opened or closed; None: that is not wired."""
    wiring = tool_wiring(placed)
    return None if wiring is None else wiring.open if state == "open" else wiring.close


def signal_fault(cell: Cell, name: str, robot: str, *, needs_port: bool) -> str:
    """Return why a program of a robot cannot use a signal; empty: it can.

    Args:
        cell: Of the signal.
        name: The signal's.
        robot: The program's.
        needs_port: Whether a controller other than the simulation must know it.
    """
    signal = next(one for one in cell.signals if one.name == name)
    if signal.robot not in ("", robot):
        return say("wiring.signal_elsewhere", signal=name, robot=signal.robot, other=robot)
    if needs_port and not signal.port:
        return say("wiring.signal_missing", signal=name, robot=robot)
    return ""


def tool_fault(cell: Cell, placed: PlacedArm, state: str, *, needs_port: bool) -> str:
    """Return why an arm cannot open or close its tool; empty: it can. Arguments as of `signal_fault`."""
    tool = placed.tool
    action = None if tool is None else tool.open if state == "open" else tool.close
    if action is None:
        if not needs_port:
            return ""
        if tool is None:
            return say("wiring.tool_of_arm", arm=placed.key, state=state_word(state))
        return say("wiring.tool_missing", tool=tool.name, state=state_word(state))
    used = (one.signal for one in (*action.outputs, *action.inputs))
    faults = (signal_fault(cell, name, placed.robot, needs_port=needs_port) for name in used)
    return next((fault for fault in faults if fault), "")


def find_wiring_fault(scene: Scene, program: Program, programs: Mapping[str, Program], robots: frozenset[str]) -> str:
    """Return the first reason why a program cannot run on controllers of robots; empty: it can.

    Args:
        scene: Of the cell.
        program: That is to run.
        programs: By name, for calls.
        robots: Robots with a controller other than the simulation.
    """
    waiting, seen = [program], {program.name}
    while waiting:
        one = waiting.pop()
        for step in active_steps(one.steps):
            if fault := step_fault(scene, one, step, needs_port=one.robot in robots):
                return say("wiring.in_step", step=step.id, program=one.name, why=fault)
        for name in sorted(called_by(one) - seen):
            seen.add(name)
            if name in programs:
                waiting.append(programs[name])
    return ""


def active_steps(steps: tuple[Action, ...]) -> Iterator[Action]:
    """Yield every step that is not off, nor inside one that is."""
    for step in steps:
        if step.enabled:
            yield step
            for slot in slots_of(step):
                inner: tuple[Action, ...] = getattr(step, slot)
                yield from active_steps(inner)


def step_fault(scene: Scene, program: Program, step: Action, *, needs_port: bool) -> str:
    """Return why a step cannot use its signals or its tool; empty: it can."""
    if states := tool_states(step):
        placed = find_program_arm(scene, program).placed
        faults = (tool_fault(scene.cell, placed, state, needs_port=needs_port) for state in states)
        return next((fault for fault in faults if fault), "")
    known = {signal.name for signal in scene.cell.signals}
    for name in sorted(signals_in(step, program) & known):
        if fault := signal_fault(scene.cell, name, program.robot, needs_port=needs_port):
            return fault
    return ""


def _stroke(action: ToolAction | None) -> ToolStroke | None:
    if action is None:
        return None
    return ToolStroke(
        tuple((one.signal, one.value) for one in action.outputs),
        tuple((one.signal, one.value) for one in action.inputs),
        action.time_s,
        action.timeout_s,
    )
