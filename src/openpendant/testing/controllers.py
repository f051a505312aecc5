"""check_controller: hold an implementation of `Controller` to what is expected of it."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from openpendant.controllers import Controller, SampledPath, VendorTasks, VendorText, texts_of
from openpendant.errors import ControllerError, InputError, LinkError, OpenPendantError

from .report import Check, ConformanceReport
from .stand import Broken, RealTime, Stand, StandClock

NEAR_RAD = 0.01
RESTING_RAD_S = 0.02
IDLE_S = 2.0
TRUTH_WITHIN_S, TRUTH_STATES = 0.5, 4
"""A loss is reported within this time and within this number of the controller's own periods."""


NEEDS_SERVO = ("follows setpoints",)
NEEDS_PATHS = ("runs a sampled path", "stops under control", "stops at once")


class Breaker(Protocol):
    """Cuts the link to a robot, and mends it."""

    def cut(self) -> None:
        """Cut the connection to the robot."""
        ...

    def mend(self) -> None:
        """Restore the connection."""
        ...


def check_controller(
    make: Callable[[], Controller],
    *,
    arm: str = "arm",
    way_rad: float = 0.1,
    program: VendorText | VendorTasks | None = None,
    breaker: Breaker | None = None,
    patience_s: float = 30.0,
    clock: StandClock | None = None,
) -> ConformanceReport:
    """Drive a controller through connecting, moving, stopping, misuse, loss and recovery.

    **The robot moves**: every joint of the arm by `way_rad` and back, slowly. On a real one, stand clear with a hand on
    the emergency stop.

    Args:
        make: Makes the controller; it is not connected yet.
        arm: Which arm is moved.
        way_rad: How far; positive is the way in which all joints have room.
        program: A short program in the vendor's language that comes to its end, or one for each of several tasks; None:
            that check is left out.
        breaker: Cuts and mends the link; None: loss and recovery are left out.
        patience_s: How long anything may take.
        clock: `VirtualTime` where the controller knows time from `poll` alone: seconds then pass as fast as the machine
            can. None: real time.

    Returns:
        What was found; no fault of the controller raises.
    """
    controller = make()
    stand = Stand(controller, arm, way_rad, patience_s, clock or RealTime())
    checks: list[Check] = []
    for name, work in _checks(stand, program, breaker):
        # Some controllers report their capabilities only once they are connected.
        can = controller.capabilities
        unable = (name in NEEDS_SERVO and not can.servo) or (name in NEEDS_PATHS and not can.sampled)
        if work is None or unable:
            words = "this controller does not do that" if unable else "nothing was given to try it with"
            checks.append(Check(name, passed=True, words=words, left_out=True))
            continue
        try:
            work()
        except Broken as broken:
            checks.append(Check(name, passed=False, words=str(broken)))
        except OpenPendantError as error:
            checks.append(Check(name, passed=False, words=f"{type(error).__name__}: {error}"))
        else:
            checks.append(Check(name, passed=True))
        if checks[-1].passed is False and name == "connects":
            break
    try:
        controller.close()
    except OpenPendantError as error:
        checks.append(Check("closes at the end", passed=False, words=str(error)))
    return ConformanceReport(type(controller).__name__, tuple(checks))


def _checks(
    stand: Stand, program: VendorText | VendorTasks | None, breaker: Breaker | None
) -> list[tuple[str, Callable[[], None] | None]]:
    return [
        ("connects", lambda: _connects(stand)),
        ("tells a whole and fresh state", lambda: _checks_state(stand)),
        ("stays connected while nothing is to do", lambda: _idles(stand)),
        ("says what it can do", lambda: _checks_capabilities(stand)),
        ("follows setpoints", lambda: _follows(stand)),
        ("runs a sampled path", lambda: _runs(stand)),
        ("stops under control", lambda: _stops(stand)),
        ("stops at once", lambda: _stops_now(stand)),
        ("refuses misuse and does not move", lambda: _refuses(stand)),
        ("runs a program of its language", None if program is None else lambda: _runs_program(stand, program)),
        ("tells a loss, and recovers by itself", None if breaker is None else lambda: _survives(stand, breaker)),
        ("closes, and opens again", lambda: _closes(stand)),
    ]


def _connects(stand: Stand) -> None:
    controller = stand.controller
    controller.connect()
    controller.connect()
    stand.tick()
    stand.until("a robot that can move", lambda: controller.state.can_move)
    _must(stand.event("connected", 0), "there was no event 'connected'")


def _checks_state(stand: Stand) -> None:
    controller = stand.controller
    stand.tick()
    state = controller.state
    _must(stand.arm in state.q, f"no arm {stand.arm!r}; known: {', '.join(state.q)}")
    n = len(state.q[stand.arm])
    _must(state.qd[stand.arm].shape == (n,), "the numbers of velocities and joints differ")
    _must(bool(np.isfinite(state.q[stand.arm]).all()), f"joints {state.q[stand.arm].tolist()} are not finite")
    _must(not state.q[stand.arm].flags.writeable, "the joints of a state can be written to")
    _must(
        stand.arm in state.moving and not state.moving[stand.arm],
        "the state says that the arm moves before it was commanded to",
    )
    before = state
    stand.until("a newer state", lambda: controller.state.stamp_ns > before.stamp_ns, _truth_s(stand, 1.0))
    _must(controller.state.time_ns > before.time_ns, "the controller's own clock does not advance")


def _idles(stand: Stand) -> None:
    since = len(stand.told)
    q = np.array(stand.q)
    stand.idle(IDLE_S)
    _must(stand.controller.state.can_move, "the robot cannot move after a pause")
    _must(not stand.event("lost", since), "the link was lost in a pause")
    _must(float(np.abs(stand.q - q).max()) < NEAR_RAD, "the arm moved by itself")


def _checks_capabilities(stand: Stand) -> None:
    can = stand.controller.capabilities
    _must(
        not can.arms or stand.arm in can.arms,
        f"its capabilities list the arms {', '.join(can.arms)}, without {stand.arm}",
    )
    _must(can.servo or can.sampled or bool(can.dialects), "its capabilities list neither setpoints, paths nor programs")
    stamps: set[int] = set()
    stand.idle(_truth_s(stand), lambda: stamps.add(stand.controller.state.stamp_ns))
    _must(len(stamps) > 2, f"{len(stamps)} states came in {_truth_s(stand):g} s; it tells of more")
    if can.servo:
        return
    try:
        stand.controller.servo(stand.arm, np.array(stand.q))
    except InputError:
        return
    raise Broken("its capabilities exclude setpoints, but it accepted one")


def _follows(stand: Stand) -> None:
    rows = stand.path().Q
    for row in (*rows, *rows[::-1]):
        sent = stand.controller.servo(stand.arm, row)
        _must(float(np.abs(sent - row).max()) < 1e-6, f"asked for {row.tolist()}, sent {sent.tolist()}")
        stand.tick()
    _arrives(stand, rows[0])


def _runs(stand: Stand) -> None:
    for share in (1.0, -1.0):
        since = len(stand.told)
        path = stand.path(share)
        stand.controller.run(path)
        _must(stand.controller.state.moving[stand.arm], "a job is running, but the state does not say so")
        done = 0
        while not stand.controller.progress(stand.arm).over and stand.controller.state.connected:
            progress = stand.controller.progress(stand.arm)
            _must(progress.done >= done, f"progress went back from {done} to {progress.done}")
            done = progress.done
            stand.tick()
        progress = stand.controller.progress(stand.arm)
        _must(progress.finished, f"it ended before all was done: {progress.ended}")
        stand.until("the event 'job done'", lambda: stand.event("job done", since), 1.0)  # noqa: B023
        _arrives(stand, path.Q[-1])


def _stops(stand: Stand) -> None:
    before = np.array(stand.start)
    path = stand.path(seconds=2.0)
    stand.controller.run(path)
    speeds: list[float] = []
    stand.idle(1.0, lambda: speeds.append(float(np.abs(stand.controller.state.qd[stand.arm]).max())))
    # A state may be of a tick in which no setpoint came.
    speed = max(speeds[len(speeds) // 2 :])
    _must(speed > RESTING_RAD_S, f"the arm does not move on its path: {speed:.3f} rad/s")
    since, q = len(stand.told), np.array(stand.q)
    stand.controller.stop("path")
    stand.until("the event 'stopped'", lambda: stand.event("stopped", since))
    _rests(stand)
    _must(stand.controller.progress(stand.arm).ended != "", "the job was stopped, but its progress does not say so")
    _must(float(np.abs(stand.q - q).max()) < stand.way_rad / 2.0, "the arm kept moving after a stop")
    off = np.abs(np.vstack([before, path.Q]) - stand.q).max(axis=1).min()
    _must(off < NEAR_RAD, f"the arm left its path by {off:.3f} rad to stop")
    _move_back(stand, before)


def _stops_now(stand: Stand) -> None:
    before = np.array(stand.start)
    stand.controller.run(stand.path(seconds=2.0))
    stand.idle(1.0)
    since, q = len(stand.told), np.array(stand.q)
    stand.controller.stop("now")
    stand.until("the event 'stopped'", lambda: stand.event("stopped", since), 2.0)
    _rests(stand)
    _must(float(np.abs(stand.q - q).max()) < stand.way_rad / 2.0, "the arm kept moving after a stop")
    stand.controller.stop("now")
    _move_back(stand, before)


def _refuses(stand: Stand) -> None:
    controller, arm, q = stand.controller, stand.arm, np.array(stand.start)
    n = len(q)
    far = np.full((3, n), q.max() + 1.0)
    for what, call in (
        ("a setpoint that is no number", lambda: controller.servo(arm, np.full(n, np.nan))),
        ("a setpoint with a joint too many", lambda: controller.servo(arm, np.zeros(n + 1))),
        ("a setpoint for an unknown arm", lambda: controller.servo(arm + "?", q)),
        ("a path with a joint too many", lambda: controller.run(SampledPath(arm, np.zeros((3, n + 1))))),
        ("a path that jumps", lambda: controller.run(SampledPath(arm, far))),
        ("a path for an unknown arm", lambda: controller.run(SampledPath(arm + "?", q[None, :]))),
        ("a program in an unknown language", lambda: controller.run(VendorText("klingon", "x", "x"))),
        ("progress of an unknown arm", lambda: controller.progress(arm + "?")),
        ("an unknown output", lambda: controller.set_output("no such output", value=True)),
    ):
        try:
            call()
        except InputError:
            continue
        except OpenPendantError as error:
            raise Broken(f"{what} raised {type(error).__name__}, not InputError") from None
        raise Broken(f"{what} was accepted")
    stand.idle(0.3)
    _must(float(np.abs(stand.q - q).max()) < NEAR_RAD, "the arm moved")
    _must(controller.state.can_move, "the robot cannot move after misuse")


def _runs_program(stand: Stand, program: VendorText | VendorTasks) -> None:
    since = len(stand.told)
    for text in texts_of(program):
        _must(text.dialect in stand.controller.capabilities.dialects, f"{text.dialect} is not in its capabilities")
    stand.controller.run(program)
    stand.until("the end of the program", lambda: stand.controller.progress(stand.arm).over)
    progress = stand.controller.progress(stand.arm)
    _must(progress.finished, f"it ended before its end: {progress.ended}")
    _must(stand.event("job done", since), "there was no event 'job done'")
    stand.until("a robot that can move again", lambda: stand.controller.state.can_move)


def _survives(stand: Stand, breaker: Breaker) -> None:
    controller, can = stand.controller, stand.controller.capabilities
    before = np.array(stand.start)
    if can.sampled:
        controller.run(stand.path(seconds=3.0))
    stand.idle(1.0)
    since = len(stand.told)
    breaker.cut()
    try:
        stand.until("the truth about the link", lambda: not controller.state.connected, _truth_s(stand))
        _must(stand.event("lost", since), "there was no event 'lost'")
        if can.sampled:
            _must(controller.progress(stand.arm).ended != "", "the job still runs without a link")
        if can.servo:
            _refuses_setpoint(stand, before)
        controller.stop()
        stand.idle(0.5)
    finally:
        breaker.mend()
    stand.until("the recovery", lambda: controller.state.can_move)
    _must(stand.event("recovered", since), "there was no event 'recovered'")
    _rests(stand)
    if can.sampled:
        _move_back(stand, before)


def _refuses_setpoint(stand: Stand, q: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    try:
        stand.controller.servo(stand.arm, q)
    except LinkError:
        return
    raise Broken("a setpoint was accepted without a link")


def _truth_s(stand: Stand, least_s: float = TRUTH_WITHIN_S) -> float:
    return max(least_s, TRUTH_STATES * stand.controller.capabilities.state_ns * 1e-9)


def _closes(stand: Stand) -> None:
    controller = stand.controller
    controller.close()
    controller.close()
    _must(not controller.state.connected, "it is closed, but its state says connected")
    refusals = (ControllerError,) if controller.capabilities.servo else (ControllerError, InputError)
    try:
        controller.servo(stand.arm, stand.q)
    except refusals:
        pass
    else:
        raise Broken("a setpoint was accepted after the end")
    controller.stop()
    stand.told.extend(controller.events())
    _must(stand.event("closed", 0), "there was no event 'closed'")
    controller.connect()
    stand.until("a robot that can move", lambda: controller.state.can_move)


def _arrives(stand: Stand, q: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    stand.until(f"the arm at {q.round(3).tolist()}", lambda: float(np.abs(stand.q - q).max()) < NEAR_RAD, 3.0)


def _rests(stand: Stand) -> None:
    def resting() -> bool:
        state = stand.controller.state
        return not state.moving[stand.arm] and float(np.abs(state.qd[stand.arm]).max()) < RESTING_RAD_S

    stand.until("rest", resting, 5.0)


def _move_back(stand: Stand, q: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    """Bring the arm back by a separate path, as soon as the controller takes one."""
    stand.until("a robot that can move", lambda: stand.controller.state.can_move)
    start = stand.start
    way = float(np.abs(start - q).max())
    count = max(2, round(max(1.0, 4.0 * way) / stand.dt))
    x = np.arange(1, count + 1)[:, None] / count
    smooth = x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
    stand.controller.run(SampledPath(stand.arm, start + (q - start) * smooth))
    stand.until("the way back", lambda: stand.controller.progress(stand.arm).over)
    _arrives(stand, q)


def _must(good: bool, words: str) -> None:
    if not good:
        raise Broken(words)
