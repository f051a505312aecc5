"""ToolSteps: tools that open and close in a run, and what becomes of the parts."""

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from openpendant.programs.document import Tool
from openpendant.programs.sequence import (
    ClosedTools,
    ProgramArm,
    StepTurn,
    find_grip_fault,
    find_hold_fault,
    tool_stroke,
    work_tool,
)
from openpendant.said import Said, say, state_word
from openpendant.scene import PlacedArm, Scene

from .events import EventKind
from .parts import PartsState
from .robot_port import RobotPort
from .run_over import RunOver, Ticks

Array = NDArray[np.float64]


class EventNote(Protocol):
    """Notes what happens in a run."""

    def __call__(self, kind: EventKind, message: str, leaf: StepTurn | None = None) -> None:
        """Note it, with the step that it belongs to."""
        ...


class ToolSteps:
    """Makes the steps of tools in one run."""

    def __init__(self, scene: Scene, parts: PartsState, robots: Mapping[str, RobotPort], record: EventNote) -> None:
        """Begin with tools as the scene says."""
        self._parts, self._robots, self._record = parts, robots, record
        self._closed = ClosedTools(scene)
        self._tick_s = min(robot.tick_s for robot in robots.values())

    def make(
        self,
        step: Tool,
        leaf: StepTurn,
        setting: ProgramArm,
        hold: Callable[[], Ticks],
        wait_on: Callable[[bool], None],
    ) -> Ticks:
        """Make a step of a tool.

        Args:
            step: What to do.
            leaf: Whose turn it is.
            setting: The arm that carries the tool.
            hold: Waits while the run is paused.
            wait_on: Called with whether the step waits for something that may yet happen.

        Raises:
            RunOver: The tool grips nothing that it should, or does not confirm in time.
        """
        key, placed = setting.key, setting.placed
        closes = step.state == "close"
        stroke = tool_stroke(placed, step.state)
        self._fail_if(find_hold_fault(leaf, self._parts.scene.in_hand(key)), leaf)
        if not self._closed.change(key, step.state):
            # The simulation need not know how the tool of a robot is: its outputs are set anyway.
            if stroke is not None:
                yield from self._stroke(step, placed, self._parts.scene.opening(key), hold, wait_on)
            self._record("tool", f"the tool of {key} is {'closed' if closes else 'open'} already", leaf)
            return
        worked = work_tool(self._parts.world, placed, self._q(setting), step.state)
        if not closes:
            self._parts.release(worked)
        yield from self._stroke(step, placed, worked.scene.opening(key), hold, wait_on)
        if closes:
            self._parts.grasp(worked)
            self._record("tool", f"grasped {worked.taken}" if worked.taken else "closed on nothing", leaf)
            self._fail_if(find_grip_fault(leaf, placed, worked), leaf)
        else:
            names = ", ".join(fallen.part for fallen in worked.fallen)
            self._record("tool", f"let go of {names}" if names else "opened", leaf)

    def _fail_if(self, why: Said | None, leaf: StepTurn) -> None:
        if why is not None:
            raise RunOver("failed", say("run.cannot_be_made", step=leaf.id, why=why))

    def _stroke(
        self,
        step: Tool,
        placed: PlacedArm,
        opening_m: float,
        hold: Callable[[], Ticks],
        wait_on: Callable[[bool], None],
    ) -> Ticks:
        """Open or close a tool; return when it has."""
        robot, stroke = self._robots[placed.robot], tool_stroke(placed, step.state)
        robot.tool(placed.arm, opening_m, closes=step.state == "close")
        if stroke is None and not placed.fingers:
            return
        yield
        left = 0 if stroke is None else round((stroke.timeout_s if stroke.inputs else stroke.time_s) / self._tick_s)
        while robot.state.tool_moving[placed.arm]:
            # Within the time that its wiring allows, a tool without progress counts as slow.
            wait_on(left > 0)
            left -= 1
            yield from hold()
            yield
        missing = () if stroke is None else stroke.unconfirmed(robot.state.inputs)
        if stroke is not None and missing:
            raise RunOver(
                "failed",
                say(
                    "run.tool_did_not",
                    step=step.id,
                    state=state_word(step.state),
                    signals=", ".join(missing),
                    within_s=stroke.timeout_s,
                ),
            )

    def _q(self, setting: ProgramArm) -> Array:
        return np.array(self._robots[setting.placed.robot].state.q[setting.placed.arm])
