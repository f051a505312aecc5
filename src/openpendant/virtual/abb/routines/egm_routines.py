"""Externally guided motion in programs: EGMGetId to EGMReset."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from openpendant.dialects.rapid import DeviceSlot, HostRoutine, HostWait, RapidFailure, TaskCaller, host_routine
from openpendant.virtual.abb.frames import frame_of, frame_of_tool, frame_of_wobj
from openpendant.virtual.abb.guidance import Guidance
from openpendant.virtual.abb.guidance_settings import GuidanceKind, GuidanceSettings
from openpendant.virtual.abb.refusal import ControllerRefusal

Given = Mapping[str, Any]
STATES = {"disconnected": 0.0, "connected": 1.0, "running": 2.0}
"""EGM_STATE_DISCONNECTED and so on."""
TOOL_FRAME, JOINT_FRAME = 1.0, 4.0
"""EGM_FRAME_TOOL and EGM_FRAME_JOINT: frames that move with the arm."""
OWN_UNIT = "ROB_ID"
"""The mechanical unit of the task."""
TICK_MS = 4.0
RAMP_DOWN = 1.0
"""EGM_STOP_RAMP_DOWN: back to where the guidance began."""
NO_OFFSET = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
SPEED_RAD_S = math.radians(1.0)
NEAR_RAD = math.radians(0.5)


class EgmRoutines:
    """Programs and the guidance of arms. Each has one: a second id for the same arm stands for the same."""

    def __init__(self, guidances: Mapping[str, Guidance]) -> None:
        """Guide arms, by mechanical unit."""
        self._guidances = guidances

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (
            host_routine("EGMGetId", self._get_id),
            host_routine("EGMReset", self._reset),
            host_routine("EGMSetupUC", self._set_up),
            host_routine("EGMActJoint", self._activate_joint),
            host_routine("EGMActPose", self._activate_pose),
            host_routine("EGMRunJoint", self._run, waits=True),
            host_routine("EGMRunPose", self._run, waits=True),
            host_routine("EGMStop", self._stop, waits=True),
            host_routine("EGMStreamStart", self._start_stream),
            host_routine("EGMStreamStop", self._stop_stream),
            host_routine("EGMGetState", lambda _, given: STATES[self._of(given).state]),
        )

    def _get_id(self, task: TaskCaller, given: Given) -> None:
        slot: DeviceSlot = given["EGMid"].get()
        own = [one for one in self._guidances.values() if one.unit.task == task.name]
        if not own:
            raise RapidFailure("ERR_NOT_MOVETASK", f"{task.name} moves no mechanical unit")
        slot.held = own[0]

    def _reset(self, _task: TaskCaller, given: Given) -> None:
        self._of(given).reset()
        slot: DeviceSlot = given["EGMid"].get()
        slot.held = None

    def _set_up(self, task: TaskCaller, given: Given) -> None:
        self._of(given)
        name = str(given["MecUnit"])
        if name.upper() == OWN_UNIT:
            name = next((one.unit.name for one in self._guidances.values() if one.unit.task == task.name), name)
        found = {one.lower(): guidance for one, guidance in self._guidances.items()}.get(name.lower())
        if found is None:
            raise RapidFailure("ERR_UNIT_PAR", f"no mechanical unit {name[:40]}; known: {', '.join(self._guidances)}")
        slot: DeviceSlot = given["EGMid"].get()
        slot.held = found
        kind: GuidanceKind = "pose" if "Pose" in given else "path" if "PathCorr" in given else "joint"
        found.set_up(GuidanceSettings(kind=kind, timeout_s=given.get("CommTimeout", 1.0)))

    def _activate_joint(self, _task: TaskCaller, given: Given) -> None:
        self._activate(given, "joint", [f"J{axis}" for axis in range(1, 7)])

    def _activate_pose(self, _task: TaskCaller, given: Given) -> None:
        if given["SensorFrType"] in (TOOL_FRAME, JOINT_FRAME):
            raise RapidFailure("", "the frame of the sensor must not move with the arm")
        frame_of(given["SensorFrame"])
        self._activate(given, "pose", ["Rx", "Ry", "Rz"])
        guidance = self._of(given)
        guidance.settings = replace(guidance.settings, frame=given["SensorFrame"])

    def _activate(self, given: Given, kind: GuidanceKind, names: list[str]) -> None:
        guidance = self._of(given)
        before = guidance.settings
        if guidance.state == "disconnected" or before.kind != kind:
            raise RapidFailure("", f"EGMSetupUC has not set up guidance by {kind}")
        spans = [given[name] for name in names if name in given]
        near = min((math.radians(max(span[1], -span[0])) for span in spans), default=NEAR_RAD)
        speed = given.get("MaxSpeedDeviation")
        tool, wobj = given.get("Tool", before.tool), given.get("WObj", before.wobj)
        # Here the program sees what is wrong with them.
        frame_of_tool(tool)
        frame_of_wobj(wobj)
        guidance.settings = replace(
            before,
            tool=tool,
            wobj=wobj,
            filter_hz=given.get("LpFilter", before.filter_hz),
            every=ticks_of(given.get("SampleRate", TICK_MS)),
            most_rad_s=SPEED_RAD_S if speed is None else math.radians(speed),
            near_rad=near,
        )

    def _run(self, _task: TaskCaller, given: Given) -> HostWait:
        guidance = self._of(given)
        if not np.allclose(frame_of(given.get("Offset", NO_OFFSET)), np.eye(4), atol=1e-6):
            raise RapidFailure("ERR_ARGVALERR", "an offset of EGMRunPose is not supported here")
        while not guidance.unit.in_position:
            yield
        try:
            guidance.begin(given.get("RampInTime", 1.0))
        except ControllerRefusal as refusal:
            raise RapidFailure("", str(refusal)) from None
        if "NoWaitCond" in given:
            return
        condition_s = given.get("CondTime", 1.0)
        while guidance.state == "running" and guidance.converged_for_s() < condition_s:
            yield
        if guidance.silent:
            raise RapidFailure("ERR_UDPUC_COMM", f"nothing received in {guidance.settings.timeout_s:g} s")
        yield from self._end(guidance, given)

    def _stop(self, _task: TaskCaller, given: Given) -> HostWait:
        yield from self._end(self._of(given), given)

    def _end(self, guidance: Guidance, given: Given) -> HostWait:
        if given["Mode"] == RAMP_DOWN:
            guidance.go_back(max(given.get("RampOutTime", 1.0), 0.0))
            while guidance.state == "running":
                yield
        guidance.end()
        while not guidance.unit.arm.still:
            yield

    def _start_stream(self, _task: TaskCaller, given: Given) -> None:
        guidance = self._of(given)
        if guidance.state == "disconnected":
            raise RapidFailure("", "guided motion is not set up")
        if "SampleRate" in given:
            guidance.settings = replace(guidance.settings, every=ticks_of(given["SampleRate"]))
        guidance.streaming = True

    def _stop_stream(self, _task: TaskCaller, given: Given) -> None:
        self._of(given).streaming = False

    def _of(self, given: Given) -> Guidance:
        return guidance_of(given)


def guidance_of(given: Given) -> Guidance:
    """Return the guidance that an EGM id stands for.

    Raises:
        RapidFailure: It stands for none.
    """
    held: Guidance | None = given["EGMid"].get().held
    if held is None:
        raise RapidFailure("", "the EGM id has no process; use EGMGetId first")
    return held


def ticks_of(rate_ms: float) -> int:
    """Return the ticks from message to message."""
    return max(1, round(rate_ms / TICK_MS))
