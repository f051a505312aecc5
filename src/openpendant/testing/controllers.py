"""check_controller: hold an implementation of `Controller` to what is expected of it."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from openpendant.controllers import Controller, SampledPath, VendorText
from openpendant.errors import ControllerError, InputError, LinkError, OpenPendantError

from .report import Check, Report
from .stand import Broken, Stand

__all__ = ["Breaker", "check_controller"]

NEAR_RAD = 0.01
RESTING_RAD_S = 0.02
IDLE_S = 2.0
TRUTH_WITHIN_S = 0.5


class Breaker(Protocol):
    """Cuts the link to a robot, and mends it."""

    def cut(self) -> None:
        """Let the robot be heard no more."""
        ...

    def mend(self) -> None:
        """Let it be heard again."""
        ...


def check_controller(
    make: Callable[[], Controller],
    *,
    arm: str = "arm",
    way_rad: float = 0.1,
    program: VendorText | None = None,
    breaker: Breaker | None = None,
    patience_s: float = 30.0,
) -> Report:
    """Drive a controller through connecting, moving, stopping, misuse, loss and recovery, in real time.

    **The robot moves**: every joint of the arm by `way_rad` and back, slowly. On a real one, stand clear with a hand on
    the emergency stop.

    Args:
        make: Makes the controller; it is not connected yet.
        arm: Which arm is moved.
        way_rad: How far; positive is the way in which all joints have room.
        program: A short program in the vendor's language that comes to its end; None: that check is left out.
        breaker: Cuts and mends the link; None: loss and recovery are left out.
        patience_s: How long anything may take.

    Returns:
        What was found; no fault of the controller raises.
    """
    controller = make()
    stand = Stand(controller, arm, way_rad, patience_s)
    checks: list[Check] = []
    for name, work in _checks(stand, program, breaker):
        if work is None:
            checks.append(Check(name, passed=True, words="nothing was given to try it with", left_out=True))
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
    return Report(type(controller).__name__, tuple(checks))


def _checks(
    stand: Stand, program: VendorText | None, breaker: Breaker | None
) -> list[tuple[str, Callable[[], None] | None]]:
    return [
        ("connects", lambda: _connects(stand)),
        ("tells a whole and fresh state", lambda: _tells(stand)),
        ("stays connected while nothing is to do", lambda: _idles(stand)),
        ("follows setpoints", (lambda: _follows(stand)) if stand.controller.capabilities.servo else None),
        ("runs a sampled path", (lambda: _runs(stand)) if stand.controller.capabilities.sampled else None),
        ("stops under control", (lambda: _stops(stand)) if stand.controller.capabilities.sampled else None),
        ("stops at once", (lambda: _stops_now(stand)) if stand.controller.capabilities.sampled else None),
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


def _tells(stand: Stand) -> None:
    controller = stand.controller
    stand.tick()
    state = controller.state
    _must(stand.arm in state.q, f"no arm {stand.arm!r}; there are {', '.join(state.q)}")
    n = len(state.q[stand.arm])
    _must(state.qd[stand.arm].shape == (n,), "velocities and joints are not as many")
    _must(bool(np.isfinite(state.q[stand.arm]).all()), f"joints {state.q[stand.arm].tolist()} are not finite")
    _must(not state.q[stand.arm].flags.writeable, "the joints of a state can be written to")
    _must(stand.arm in state.moving and not state.moving[stand.arm], "the arm is told to move before it was told to")
    before = state
    stand.until("a newer state", lambda: controller.state.stamp_ns > before.stamp_ns, 1.0)
    _must(controller.state.time_ns > before.time_ns, "the controller's own clock stands still")


def _idles(stand: Stand) -> None:
    since = len(stand.told)
    q = np.array(stand.q)
    stand.rest(IDLE_S)
    _must(stand.controller.state.can_move, "the robot cannot move after a pause")
    _must(not stand.event("lost", since), "the link was lost in a pause")
    _must(float(np.abs(stand.q - q).max()) < NEAR_RAD, "the arm moved by itself")


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
        _must(stand.controller.state.moving[stand.arm], "a job is under way, and the state does not tell")
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
    stand.rest(1.0)
    speed = float(np.abs(stand.controller.state.qd[stand.arm]).max())
    _must(speed > RESTING_RAD_S, f"the arm does not move on its path: {speed:.3f} rad/s")
    since, q = len(stand.told), np.array(stand.q)
    stand.controller.stop("path")
    stand.until("the event 'stopped'", lambda: stand.event("stopped", since))
    _rests(stand)
    _must(stand.controller.progress(stand.arm).ended != "", "the job was stopped, and its progress does not tell")
    _must(float(np.abs(stand.q - q).max()) < stand.way_rad / 2.0, "the arm went on after it was told to stop")
    off = np.abs(np.vstack([before, path.Q]) - stand.q).max(axis=1).min()
    _must(off < NEAR_RAD, f"the arm left its path by {off:.3f} rad to stop")
    _goes_back(stand, before)


def _stops_now(stand: Stand) -> None:
    before = np.array(stand.start)
    stand.controller.run(stand.path(seconds=2.0))
    stand.rest(1.0)
    since, q = len(stand.told), np.array(stand.q)
    stand.controller.stop("now")
    stand.until("the event 'stopped'", lambda: stand.event("stopped", since), 2.0)
    _rests(stand)
    _must(float(np.abs(stand.q - q).max()) < stand.way_rad / 2.0, "the arm went on after it was told to stop")
    stand.controller.stop("now")
    _goes_back(stand, before)


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
        raise Broken(f"{what} was taken")
    stand.rest(0.3)
    _must(float(np.abs(stand.q - q).max()) < NEAR_RAD, "the arm moved")
    _must(controller.state.can_move, "the robot cannot move after misuse")


def _runs_program(stand: Stand, program: VendorText) -> None:
    since = len(stand.told)
    _must(program.dialect in stand.controller.capabilities.dialects, f"{program.dialect} is not told to be known")
    stand.controller.run(program)
    stand.until("the end of the program", lambda: stand.controller.progress(stand.arm).over)
    progress = stand.controller.progress(stand.arm)
    _must(progress.finished, f"it ended before its end: {progress.ended}")
    _must(stand.event("job done", since), "there was no event 'job done'")
    stand.until("a robot that can move again", lambda: stand.controller.state.can_move)


def _survives(stand: Stand, breaker: Breaker) -> None:
    controller = stand.controller
    before = np.array(stand.start)
    controller.run(stand.path(seconds=3.0))
    stand.rest(1.0)
    since = len(stand.told)
    breaker.cut()
    try:
        stand.until("the truth about the link", lambda: not controller.state.connected, TRUTH_WITHIN_S)
        _must(stand.event("lost", since), "there was no event 'lost'")
        _must(controller.progress(stand.arm).ended != "", "the job is told to go on without a link")
        try:
            controller.servo(stand.arm, before)
        except LinkError:
            pass
        else:
            raise Broken("a setpoint was taken without a link")
        controller.stop()
        stand.rest(0.5)
    finally:
        breaker.mend()
    stand.until("the recovery", lambda: controller.state.can_move)
    _must(stand.event("recovered", since), "there was no event 'recovered'")
    _rests(stand)
    _goes_back(stand, before)


def _closes(stand: Stand) -> None:
    controller = stand.controller
    controller.close()
    controller.close()
    _must(not controller.state.connected, "it is closed, and told to be connected")
    try:
        controller.servo(stand.arm, stand.q)
    except ControllerError:
        pass
    else:
        raise Broken("a setpoint was taken after the end")
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


def _goes_back(stand: Stand, q: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    """Bring the arm back by a path of its own."""
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
