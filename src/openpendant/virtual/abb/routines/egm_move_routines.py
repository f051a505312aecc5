"""Moves whose path a sensor corrects: EGMActMove, EGMMoveL, EGMMoveC."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.rapid import HostRoutine, HostWait, RapidFailure, TaskCaller, host_routine
from openpendant.virtual.abb.frames import frame_of
from openpendant.virtual.abb.guidance import Guidance
from openpendant.virtual.abb.guided_path import GuidedPath
from openpendant.virtual.abb.refusal import ControllerRefusal
from openpendant.virtual.abb.unit import WOBJ0

from .egm_routines import guidance_of, ticks_of
from .motion_routines import MotionRoutines
from .path_faults import FAULTS, raise_fault

Given = Mapping[str, Any]
Array = NDArray[np.float64]
MakePath = Callable[[Array], GuidedPath | None]
TOOL_M_S2 = 2.0
"""How fast a corrected move gets faster and slower."""
RATE_MS = 48.0
"""Of measurements where the program says nothing."""


class EgmMoveRoutines:
    """Programs that let sensors correct their paths."""

    def __init__(self, motion: MotionRoutines) -> None:
        """Move as `motion` does: with the same speeds, targets and faults."""
        self._motion = motion

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (
            host_routine("EGMActMove", self._activate),
            host_routine("EGMMoveL", self._move_straight, waits=True),
            host_routine("EGMMoveC", self._move_round, waits=True),
        )

    def _activate(self, _task: TaskCaller, given: Given) -> None:
        guidance = _set_up(given)
        frame_of(given["SensorFrame"])
        every = ticks_of(given.get("SampleRate", RATE_MS))
        guidance.settings = replace(guidance.settings, frame=given["SensorFrame"], every=every)

    def _move_straight(self, task: TaskCaller, given: Given) -> HostWait:
        def make(T_start: Array) -> GuidedPath:
            T_end = self._motion.unit(task).tool_pose_of(given["ToPoint"], given.get("WObj", WOBJ0))
            return GuidedPath.line(T_start, T_end)

        yield from self._move(task, given, make)

    def _move_round(self, task: TaskCaller, given: Given) -> HostWait:
        def make(T_start: Array) -> GuidedPath | None:
            unit, wobj = self._motion.unit(task), given.get("WObj", WOBJ0)
            T_via, T_end = (unit.tool_pose_of(given[name], wobj) for name in ("CirPoint", "ToPoint"))
            return GuidedPath.arc(T_start, T_via, T_end)

        yield from self._move(task, given, make)

    def _move(self, task: TaskCaller, given: Given, make: MakePath) -> HostWait:
        unit, guidance = self._motion.unit(task), _set_up(given)
        if guidance.unit is not unit:
            raise RapidFailure("", f"the EGM id is of {guidance.unit.name}, and {task.name} moves {unit.name}")
        self._motion.end_of_line(unit, given)
        while not unit.in_position:
            raise_fault(unit)
            yield
        lost = -1
        while lost != unit.lost:
            # After motors off the arm goes from where the brakes have held it.
            lost = unit.lost
            self._begin(guidance, given, make)
            while guidance.state == "running" and not guidance.correction.done:
                if guidance.correction.blocked:
                    guidance.end()
                    raise RapidFailure("", guidance.correction.blocked, kind=FAULTS["unreachable"])
                yield
            if guidance.silent:
                raise RapidFailure("ERR_UDPUC_COMM", f"nothing received in {guidance.settings.timeout_s:g} s")
        guidance.correction.finish()
        guidance.end()
        while not unit.in_position:
            yield

    def _begin(self, guidance: Guidance, given: Given, make: MakePath) -> None:
        correction, T_flange_tool = guidance.correction, guidance.unit.T_flange_tool(given["Tool"])
        path = make(correction.start_pose(T_flange_tool))
        if path is None:
            raise RapidFailure("", "the three points are on a line", kind=FAULTS["degenerate"])
        speed, _ = self._motion.pace(guidance.unit, given)
        acceleration = TOOL_M_S2 * self._motion.settings.of(guidance.unit).acceleration
        corrects = "NoCorr" not in given
        correction.begin(path, T_flange_tool, speed.tool_m_s, acceleration, corrects=corrects)
        try:
            guidance.begin(0.0, silence=not corrects)
        except ControllerRefusal as refusal:
            raise RapidFailure("", str(refusal)) from None


def _set_up(given: Given) -> Guidance:
    guidance = guidance_of(given)
    if guidance.state == "disconnected" or guidance.settings.kind != "path":
        raise RapidFailure("", "EGMSetupUC has not set up guidance by path")
    return guidance
