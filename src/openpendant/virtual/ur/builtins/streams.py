"""servoj, servol, servoc, speedj, speedl: motion that programs steer from tick to tick."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.urscript import Builtin, ScriptFailure, Wait
from openpendant.virtual.ur.kernels.arm import rotation_vector, transform_of
from openpendant.virtual.ur.parts import Parts
from openpendant.virtual.ur.reflexes import JOINT_NEAR_LIMIT, Reflexes

from .arguments import function, joints, number, pose, vector
from .kinematic import NO_SOLUTION, nearest_joints, tool_transform
from .moves import claim_arm

Array = NDArray[np.float64]
AHEAD_S = (0.03, 0.2)
GAIN = (100.0, 2000.0)
NEAR_M, NEAR_RAD = 2e-4, 1e-3
"""How near servoc must come without a blend."""
ALMOST = 1e-6
"""Of a tick: sums of fractions are rounded."""


class _Streams:
    """The functions; one object per controller."""

    def __init__(self, parts: Parts, reflexes: Reflexes) -> None:
        self._parts, self._reflexes = parts, reflexes

    def servoj(self, q: Any, a: Any, v: Any, t: Any, ahead: Any, gain: Any) -> Wait:
        """Servo to joints; acceleration and velocity are not used, as on the controller."""
        del a, v
        return self._servo(joints(q, "servoj: q"), t, ahead, gain)

    def servol(self, target: Any, a: Any, v: Any, t: Any, ahead: Any, gain: Any) -> Wait:
        """Servo to a pose."""
        del a, v
        found = nearest_joints(self._parts, pose(target, "servol: pose"), self._parts.mover.raw[0])
        if found is None:
            raise ScriptFailure(NO_SOLUTION)
        return self._servo(found, t, ahead, gain)

    def _servo(self, q: Array, t: Any, ahead: Any, gain: Any) -> Wait:
        ahead_s = min(max(number(ahead, "servoj: lookahead_time"), AHEAD_S[0]), AHEAD_S[1])
        pull = min(max(number(gain, "servoj: gain"), GAIN[0]), GAIN[1])
        ticks = max(1, self._parts.clock.ticks_in(number(t, "servoj: t")))
        limits = self._parts.limits
        if (q < limits.lower).any() or (q > limits.upper).any():
            self._reflexes.protective_stop(150, 0, JOINT_NEAR_LIMIT)
        return self._keep(lambda: self._parts.mover.servo(q, ahead_s, pull), ticks)

    def speedj(self, qd: Any, a: Any, t: Any) -> Wait:
        """Bring the joints to velocities."""
        wanted = joints(qd, "speedj: qd")
        acceleration, time = number(a, "speedj: a"), number(t, "speedj: t")
        # Splines that continue evenly, or hold, ask for no acceleration; without a time that would never end.
        if acceleration < 0.0 or (acceleration == 0.0 and time <= 0.0):
            raise ScriptFailure(f"Runtime error: speedj with a={acceleration:g}; it must be above 0")
        over = np.abs(wanted) - np.array(self._parts.model.supervised)
        if over.max() > 1e-9:
            self._reflexes.joint_speed_exceeded(int(over.argmax()))
        mover = self._parts.mover
        act = lambda: mover.joint_speed(wanted, acceleration)  # noqa: E731
        if time > 0.0:
            return self._keep_scaled(act, self._parts.clock.ticks_in(time))
        return self._reach(act, lambda: mover.joint_velocity_error < 1e-9)

    def speedl(self, xd: Any, a: Any, t: Any, turn: Any) -> Wait:
        """Bring the tool to a twist in base axes."""
        twist = vector(xd, 6, "speedl: xd")
        acceleration = number(a, "speedl: a")
        turn_acceleration = acceleration if isinstance(turn, str) else number(turn, "speedl: aRot")
        if acceleration <= 0.0 or turn_acceleration <= 0.0:
            raise ScriptFailure(f"Runtime error: speedl with a={acceleration:g}; it must be above 0")
        mover = self._parts.mover
        time = number(t, "speedl: t")
        act = lambda: mover.tool_speed(twist, acceleration, turn_acceleration)  # noqa: E731
        if time > 0.0:
            return self._keep_scaled(act, self._parts.clock.ticks_in(time))
        return self._reach(act, lambda: mover.twist_error < 1e-9)

    def servoc(self, target: Any, a: Any, v: Any, r: Any) -> Wait:
        """Servo the tool to a pose with a speed; returns within the blend radius."""
        T = np.eye(4)
        transform_of(pose(target, "servoc: pose"), T)
        acceleration, speed = number(a, "servoc: a"), number(v, "servoc: v")
        radius = max(number(r, "servoc: r"), 0.0)
        if acceleration <= 0.0 or speed <= 0.0:
            raise ScriptFailure(f"Runtime error: servoc with a={acceleration:g}, v={speed:g}; both must be above 0")
        return self._approach(T, acceleration, speed, radius)

    def _approach(self, T: Array, acceleration: float, speed: float, radius: float) -> Wait:
        mover = self._parts.mover
        claim = claim_arm(self._parts)
        turn, twist = np.empty(3), np.zeros(6)
        try:
            while True:
                mover.feed()
                T_now = tool_transform(self._parts, mover.raw[0])
                way = T[:3, 3] - T_now[:3, 3]
                rotation_vector(np.ascontiguousarray(T[:3, :3] @ T_now[:3, :3].T), turn)
                far, angle = math.sqrt(float(way @ way)), math.sqrt(float(turn @ turn))
                if far <= max(radius, NEAR_M) and (radius > 0.0 or angle <= NEAR_RAD):
                    if radius > 0.0:
                        mover.lasting = True
                    else:
                        mover.tool_speed(np.zeros(6), acceleration, 10.0 * acceleration)
                    # A program that calls this over and over must not take the whole frame.
                    yield
                    return None
                # Slow enough to stop there; a turn goes along with the way.
                pace = min(speed, math.sqrt(1.6 * acceleration * max(far, 0.1 * angle)), 10.0 * max(far, 0.1 * angle))
                time = max(far, 0.1 * angle) / max(pace, 1e-6)
                twist[:3], twist[3:] = way / time, turn / time
                mover.tool_speed(twist, acceleration, 10.0 * acceleration)
                yield
        finally:
            mover.release(claim)

    def _keep(self, act: Any, ticks: int) -> Wait:
        """Do something for a number of ticks."""
        mover = self._parts.mover
        claim = claim_arm(self._parts)
        try:
            act()
            for _ in range(ticks):
                mover.feed()
                yield
        finally:
            mover.release(claim)
        return None

    def _keep_scaled(self, act: Any, ticks: int) -> Wait:
        """Do something for a number of ticks at full speed; with the speed slider down it takes longer."""
        mover = self._parts.mover
        claim = claim_arm(self._parts)
        done = 0.0
        try:
            act()
            while done < ticks - ALMOST:
                mover.feed()
                yield
                done += mover.factor
        finally:
            mover.release(claim)
        return None

    def _reach(self, act: Any, reached: Any) -> Wait:
        """Do something until it is reached; it then continues until another motion or the end of the program."""
        mover = self._parts.mover
        claim = claim_arm(self._parts)
        try:
            act()
            while True:
                mover.feed()
                yield
                if reached():
                    mover.lasting = True
                    return None
        finally:
            mover.release(claim)


def stream_functions(parts: Parts, reflexes: Reflexes) -> tuple[Builtin, ...]:
    """Return the functions of streamed motion."""
    own = _Streams(parts, reflexes)
    servo = (("a", 0.0), ("v", 0.0), ("t", 0.002), ("lookahead_time", 0.1), ("gain", 300.0))
    return (
        function("servoj", own.servoj, "q", *servo, waits=True),
        function("servol", own.servol, "pose", *servo, waits=True),
        function("servoc", own.servoc, "pose", ("a", 1.2), ("v", 0.25), ("r", 0.0), waits=True),
        function("speedj", own.speedj, "qd", ("a", 1.4), ("t", 0.0), waits=True),
        function("speedl", own.speedl, "xd", ("a", 1.2), ("t", 0.0), ("aRot", "a"), waits=True),
    )
