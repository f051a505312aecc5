"""Parts of a robot's report: its arms, what its controller can do, the window that it has open."""

from collections.abc import Iterable

from openpendant.controllers import Capabilities, OpenWindow, RobotState
from openpendant.messages import ControllerCapabilities, RobotWindow, bus

from .arm_executor import REST_RAD_S, ArmExecutor


def report_arms(state: RobotState, drives: Iterable[ArmExecutor]) -> dict[str, bus.ArmReport]:
    """Return how each arm is; until the first state of a controller its joints are unknown, not zero."""
    heard = state.stamp_ns > 0 or state.mode != "unknown"
    known = (drive for drive in drives if heard and drive.parts.name in state.q)
    return {drive.parts.name: _report_arm(state, drive) for drive in known}


def report_capabilities(known: Capabilities, arms: Iterable[str]) -> ControllerCapabilities:
    """Return what a controller can do; it has all of `arms` where it does not name its own."""
    return ControllerCapabilities(
        servo=known.servo,
        sampled=known.sampled,
        dialects=known.dialects,
        arms=known.arms or tuple(arms),
        state_s=known.state_ns * 1e-9,
    )


def report_window(window: OpenWindow | None) -> RobotWindow | None:
    """Return the window that a controller has open."""
    return None if window is None else RobotWindow(number=window.number, title=window.title, text=window.text)


def _report_arm(state: RobotState, drive: ArmExecutor) -> bus.ArmReport:
    name = drive.parts.name
    sent = drive.sent if drive.keeps_sent else None
    return bus.ArmReport(
        q=tuple(state.q[name].tolist()),
        q_rest=tuple(drive.q_rest.tolist()),
        q_target=tuple(state.q_target.get(name, state.q[name]).tolist()),
        q_sent=None if sent is None else tuple(sent.tolist()),
        sent_ns=0 if sent is None else drive.sent_ns,
        intent_ns=0 if sent is None or drive.intent is None else drive.intent.stamp_ns,
        obeyed_ns=0 if sent is None else drive.obeyed_ns,
        qd=tuple(state.qd[name].tolist()),
        moving=(drive.outcome == "running" and not drive.idles)
        or bool(state.moving.get(name, False))
        or drive.speed > REST_RAD_S,
        doing=drive.doing,
        job=drive.job,
        outcome=drive.outcome,
        reason=drive.reason,
        place=0.0 if drive.motion is None else float(drive.motion.place),
        opening_m=float(state.openings.get(name, 0.0)),
        tool_moving=bool(state.tool_moving.get(name, False)),
        limited_by=drive.limited_by,
    )
