"""movej, movel, movec, movep and stops: planned moves."""

import math
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.urscript import Builtin, ScriptFailure, ScriptPose, Wait
from openpendant.motion import FINE, Move, MoveArc, MoveJoint, MoveLine, Speed, Zone
from openpendant.virtual.arm import Claim, Doing, PathFault, PathMove
from openpendant.virtual.ur.kernels.arm import transform_of
from openpendant.virtual.ur.parts import Parts
from openpendant.virtual.ur.reflexes import JOINT_NEAR_LIMIT, SINGULAR, Reflexes

from .arguments import count, function, joints, number, pose
from .kinematic import NO_SOLUTION, nearest_joints

Array = NDArray[np.float64]
OTHER_THREAD = "Another thread is already controlling the robot"
SMALLEST = 1e-4
LEVER_M = 0.1
"""The tool may turn as if its point had this lever: 0.25 m/s go with 2.5 rad/s (assumed; UR publishes no relation)."""


def claim_arm(parts: Parts) -> Claim:
    """Return the right to move the arm.

    Raises:
        ScriptFailure: Another thread has it.
    """
    claim = parts.mover.claim()
    if claim is None:
        raise ScriptFailure(OTHER_THREAD)
    return claim


class _Moves:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts, reflexes: Reflexes) -> None:
        self._parts, self._reflexes = parts, reflexes

    def movej(self, q: Any, a: Any, v: Any, t: Any, r: Any) -> Wait:
        """Move straight in joints to joints or to a pose."""
        target = self._joints(q, "movej")
        return self._begin_move(lambda: MoveJoint(target), "movej", (a, v, t, r), joint=True)

    def movel(self, target: Any, a: Any, v: Any, t: Any, r: Any) -> Wait:
        """Move the tool straight."""
        T = self._pose(target, "movel")
        return self._begin_move(lambda: MoveLine(T), "movel", (a, v, t, r), joint=False)

    def optimovej(self, goal: Any, a: Any, v: Any, r: Any) -> Wait:
        """Move straight in joints, as fast as parts of what the joints can do."""
        return self._optimize(MoveJoint(self._joints(goal, "optimovej")), "optimovej", (a, v, r))

    def optimovel(self, goal: Any, a: Any, v: Any, r: Any) -> Wait:
        """Move the tool straight, as fast as parts of what the joints can do."""
        return self._optimize(MoveLine(self._pose(goal, "optimovel")), "optimovel", (a, v, r))

    def movep(self, target: Any, a: Any, v: Any, r: Any) -> Wait:
        """Move the tool straight with constant speed and round blends."""
        T = self._pose(target, "movep")
        return self._begin_move(lambda: MoveLine(T), "movep", (a, v, 0.0, r), joint=False)

    def movec(self, via: Any, target: Any, a: Any, v: Any, r: Any, mode: Any) -> Wait:
        """Move the tool on a circle."""
        T_via, T_end = self._pose(via, "movec"), self._pose(target, "movec")
        fixed = count(mode, "movec: mode") == 1
        return self._begin_move(
            lambda: MoveArc(T_via, T_end, orientation="path" if fixed else "base"), "movec", (a, v, 0.0, r), joint=False
        )

    def _joints(self, target: Any, name: str) -> Array:
        """Return joints given as such, or the nearest that bring the tool to a pose."""
        if not isinstance(target, ScriptPose):
            return joints(target, f"{name}: q")
        found = nearest_joints(self._parts, pose(target, f"{name}: pose"), self._start())
        if found is None:
            raise ScriptFailure(NO_SOLUTION)
        return found

    def _optimize(self, move: MoveJoint | MoveLine, name: str, numbers: tuple[Any, ...]) -> Wait:
        a, v, r = (number(value, f"{name}: {letter}") for value, letter in zip(numbers, "avr", strict=True))
        if not 0.0 < a <= 1.0 or not 0.0 < v <= 1.0 or r < 0.0:
            raise ScriptFailure(
                f"Runtime error: {name} with a={a:g}, v={v:g}, r={r:g}; a and v are parts of what the arm can do, "
                "above 0 and at most 1, and r must not be below 0"
            )
        limited = replace(move, speed=Speed(joint_fraction=v), zone=_zone(r))
        return self._wait(PathMove(limited, acceleration_fraction=a))

    def _start(self) -> Array:
        """Return the joints from which the next move begins."""
        mover = self._parts.mover
        return mover.path.target if mover.blendable else mover.raw[0]

    def _pose(self, target: Any, name: str) -> Array:
        if isinstance(target, tuple) and not isinstance(target, ScriptPose):
            # Joints: the tool goes straight to where they bring it.
            q = joints(target, f"{name}: q")
            return self._parts.arm.fk(q, check_limits=False) @ self._parts.installation.T_flange_tool
        T = np.eye(4)
        transform_of(pose(target, f"{name}: pose"), T)
        return T

    def _begin_move(self, make: Callable[[], Move], name: str, numbers: tuple[Any, ...], *, joint: bool) -> Wait:
        a, v, t, r = (number(value, f"{name}: {letter}") for value, letter in zip(numbers, "avtr", strict=True))
        if a <= 0.0 or v <= 0.0 or t < 0.0 or r < 0.0:
            raise ScriptFailure(
                f"Runtime error: {name} with a={a:g}, v={v:g}, t={t:g}, r={r:g}; "
                "a and v must be above 0, t and r not below"
            )
        v, a = max(v, SMALLEST), max(a, SMALLEST)
        move = replace(make(), zone=_zone(r))
        if joint:
            return self._wait(PathMove(move, v, a, duration_s=t))
        move = replace(move, speed=Speed(v, v / LEVER_M))
        return self._wait(PathMove(move, tool_acceleration=a, turn_acceleration=a / LEVER_M, duration_s=t))

    def _wait(self, asked: PathMove) -> Wait:
        parts = self._parts
        mover = parts.mover
        claim = claim_arm(parts)
        try:
            yield from self._get_ready()
            fault = mover.begin(asked)
            if fault is not None and fault.kind == "late":
                mover.end_blending()
                yield from self._get_ready()
                fault = mover.begin(asked)
            if fault is not None:
                yield from self._refuse(fault)
                return None
            while not mover.path_done:
                mover.feed()
                if not asked.move.zone.fine and mover.path.ends_soon(mover.factor):
                    # The program continues while the arm still moves: the next move can be blended in.
                    mover.lasting = True
                    return None
                yield
        finally:
            mover.release(claim)
        return None

    def _get_ready(self) -> Generator[None, None, None]:
        """Wait until the arm rests, or moves such that the next move can be blended in."""
        mover = self._parts.mover
        while (mover.moving and not mover.blendable) or self._parts.safety.stopped:
            if mover.doing not in (Doing.BRAKE, Doing.HOLD) and not mover.lasting:
                mover.brake()
            mover.feed()
            yield

    def _refuse(self, fault: PathFault) -> Wait:
        """Stop in the controller's words; the program stands still until it is stopped or continues."""
        self._parts.text(fault.reason)
        if fault.kind == "degenerate":
            raise ScriptFailure(f"Runtime error: {fault.reason}")
        if fault.kind == "limit":
            self._reflexes.protective_stop(150, 0, JOINT_NEAR_LIMIT)
        else:
            self._reflexes.protective_stop(154, 0, SINGULAR)
        while self._parts.safety.stopped:
            yield
        return None

    def stopj(self, a: Any) -> Wait:
        """Decelerate all joints evenly."""
        return self._stop(number(a, "stopj: a"))

    def stopl(self, a: Any, turn: Any) -> Wait:
        """Decelerate the tool in its direction."""
        deceleration = number(a, "stopl: a")
        if turn is not None:
            number(turn, "stopl: aRot")
        return self._stop_tool(deceleration, deceleration if turn is None else float(turn))

    def _stop(self, acceleration: float) -> Wait:
        if acceleration <= 0.0:
            raise ScriptFailure(f"Runtime error: stopj with a={acceleration:g}; it must be above 0")
        return self._until_still(lambda: self._parts.mover.brake(acceleration))

    def _stop_tool(self, acceleration: float, turn: float) -> Wait:
        if acceleration <= 0.0 or turn <= 0.0:
            raise ScriptFailure(f"Runtime error: stopl with a={acceleration:g}; it must be above 0")
        mover = self._parts.mover
        if mover.doing is Doing.PATH:
            return self._until_still(mover.brake_on_path)
        return self._until_still(lambda: mover.tool_speed(np.zeros(6), acceleration, turn))

    def _until_still(self, act: Callable[[], None]) -> Wait:
        parts = self._parts
        mover = parts.mover
        claim = claim_arm(parts)
        try:
            if mover.moving:
                act()
            while mover.moving:
                mover.feed()
                if mover.doing is Doing.TOOL_SPEED and math.isclose(mover.twist_error, 0.0, abs_tol=1e-9):
                    mover.brake(100.0)
                yield
        finally:
            mover.release(claim)
        return None


def _zone(radius_m: float) -> Zone:
    """Return the blend of a radius; how far the tool turns in it does not matter here."""
    return FINE if radius_m <= 0.0 else Zone(radius_m, 2.0 * math.pi)


def move_functions(parts: Parts, reflexes: Reflexes) -> tuple[Builtin, ...]:
    """Return the functions of planned motion."""
    own = _Moves(parts, reflexes)
    return (
        function("movej", own.movej, "q", ("a", 1.4), ("v", 1.05), ("t", 0.0), ("r", 0.0), waits=True),
        function("movel", own.movel, "pose", ("a", 1.2), ("v", 0.25), ("t", 0.0), ("r", 0.0), waits=True),
        function("movep", own.movep, "pose", ("a", 1.2), ("v", 0.25), ("r", 0.0), waits=True),
        function(
            "movec", own.movec, "pose_via", "pose_to", ("a", 1.2), ("v", 0.25), ("r", 0.0), ("mode", 0), waits=True
        ),
        function("optimovej", own.optimovej, "target", ("a", 0.3), ("v", 0.3), ("r", 0.0), waits=True),
        function("optimovel", own.optimovel, "target", ("a", 0.3), ("v", 0.3), ("r", 0.0), waits=True),
        function("stopj", own.stopj, ("a", 2.0), waits=True),
        function("stopl", own.stopl, ("a", 3.0), ("aRot", None), waits=True),
    )
