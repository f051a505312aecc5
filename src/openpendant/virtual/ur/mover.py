"""Mover: turns what programs ask for into a target for every tick, within what the arm can do."""

import math
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.motion import JointLimits

from .installation import Installation
from .kernels.law import SMOOTH, smooth
from .kernels.steering import (
    approach_velocity,
    follow_setpoint,
    joint_at_limit,
    joint_speed_for,
    tool_twist,
)
from .kernels.step import DT
from .model import UrModel
from .path import AskedMove, Ending, Path, PathFault

__all__ = ["Claim", "Doing", "Mover"]

Array = NDArray[np.float64]
GRACE = 5
"""Ticks that a motion goes on when no thread looks after it any more; then the arm brakes."""
FACTOR_STEP = DT / 0.3
"""The speed slider takes effect over this time for the whole of its range."""
FASTEST = 1e9
"""Deceleration of a stop: no more than that of each joint limits it."""
GUARD_RAD_S2 = 12.0
"""Deceleration with which a joint must still come to rest before its limit of position."""
DAMPING = 1e-4
"""Of the least squares for tool velocities: so little that only a division by nothing is prevented."""


class Doing(Enum):
    """What the arm is doing."""

    HOLD = "hold"
    PATH = "path"
    SERVO = "servo"
    JOINT_SPEED = "joint speed"
    TOOL_SPEED = "tool speed"
    BRAKE = "brake"
    FREE = "free"


class Claim:
    """The right to move the arm; one thread has it at a time."""


class Mover:
    """Targets for the drives, one each tick."""

    def __init__(
        self,
        model: UrModel,
        arm: Arm,
        limits: JointLimits,
        installation: Installation,
        q: Array,
    ) -> None:
        self._model, self._arm, self._limits, self._installation = model, arm, limits, installation
        self._dh = model.dh()
        self._top = np.array(model.velocity)
        self._hardest = np.array(model.hardest)
        self._stop = np.array(model.stop)
        self._lower, self._upper = limits.lower.copy(), limits.upper.copy()
        self.raw = np.zeros((2, 6))
        self._ring = np.zeros((SMOOTH, 6))
        self._at = 0
        self._quiet = SMOOTH
        self.target = np.zeros(6)
        self.doing = Doing.HOLD
        self.path = Path(arm, model, limits, self._dh)
        self._path_done = True
        self._stopping = False
        self.lasting = False
        self._blends = True
        self._fed = 0
        self._ticks = 0
        self.factor = 1.0
        self.slider = 1.0
        self.paused = False
        self.halted = False
        self._claim: Claim | None = None
        self._setpoint, self._ahead, self._gain = np.zeros(6), 0.1, 300.0
        self._wanted, self._acceleration = np.zeros(6), 1.4
        self._twist, self._wanted_twist = np.zeros(6), np.zeros(6)
        self._tool_acceleration, self._turn_acceleration = 1.2, 1.2
        self._scratch = np.zeros(6)
        self._zeros = np.zeros(6)
        self.singular = False
        """Set when a tool velocity asks for far more than the joints can do."""
        self.limit_joint = -1
        """The joint that a velocity or setpoint drives into its limit; -1: none."""
        self.place(q)

    def place(self, q: Array) -> None:
        """Be at rest at q, whatever was before."""
        self.raw[0], self.raw[1] = q, 0.0
        self._ring[:] = q
        self.target[:] = q
        self._quiet = SMOOTH
        self.doing, self.lasting, self._path_done, self._stopping = Doing.HOLD, False, True, False

    @property
    def moving(self) -> bool:
        """Whether the target moves, or will go on to the last bit of smoothing."""
        return self._quiet < SMOOTH

    @property
    def path_done(self) -> bool:
        """Whether the last planned move has been made and the target rests."""
        return self._path_done and not self.moving

    # Claims

    def claim(self) -> Claim | None:
        """Take the right to move the arm; None where another thread has it."""
        if self._claim is not None:
            return None
        self._claim = Claim()
        self.feed()
        return self._claim

    def release(self, claim: Claim) -> None:
        """Give the right back."""
        if self._claim is claim:
            self._claim = None

    def feed(self) -> None:
        """Say that somebody looks after the motion in this tick."""
        self._fed = self._ticks

    # What programs ask for

    @property
    def blendable(self) -> bool:
        """Whether a following move can be blended into the one that is being made."""
        return (
            self.doing == Doing.PATH
            and self.lasting
            and not self._stopping
            and not self._path_done
            and self._blends
            and self.path.moves[-1].radius_m > 0.0
        )

    def end_blending(self) -> None:
        """Let the present path end at rest: nothing more is added to it."""
        self._blends = False

    def go(self, asked: AskedMove) -> PathFault | None:
        """Begin a move from rest, or blend it into the present one; None where that worked."""
        T = self._installation.T_flange_tool
        fault = self.path.extend(asked, self.raw) if self.blendable else self.path.begin(self.raw[0], asked, T)
        if fault is None:
            self.doing, self._path_done, self._stopping, self.lasting = Doing.PATH, False, False, False
            self._blends = True
        return fault

    def servo(self, q: Array, ahead_s: float, gain: float) -> None:
        """Follow a setpoint."""
        self._setpoint[:] = q
        self._ahead, self._gain = ahead_s, gain
        self.doing, self.lasting = Doing.SERVO, False

    def joint_speed(self, qd: Array, acceleration: float) -> None:
        """Bring the joints to a velocity and keep it."""
        self._wanted[:] = qd
        self._acceleration = acceleration
        self.doing, self.lasting = Doing.JOINT_SPEED, False

    def tool_speed(self, twist: Array, acceleration: float, turn_acceleration: float) -> None:
        """Bring the tool to a twist (base axes) and keep it."""
        if self.doing != Doing.TOOL_SPEED:
            tool_twist(self._dh, self._installation.tool, self.raw, self._twist)
        self._wanted_twist[:] = twist
        self._tool_acceleration, self._turn_acceleration = acceleration, turn_acceleration
        self.doing, self.lasting = Doing.TOOL_SPEED, False

    def brake(self, acceleration: float | None = None) -> None:
        """Bring all joints to rest evenly, the leading one at `acceleration` rad/s²; as fast as can be where None."""
        if self.doing is Doing.HOLD and acceleration is None:
            return
        self._acceleration = FASTEST if acceleration is None else acceleration
        self.doing, self.lasting = Doing.BRAKE, False

    def brake_on_path(self) -> None:
        """Come to rest on the path where there is one, else evenly."""
        if self.doing == Doing.PATH and not self._path_done:
            self._stopping = True
        else:
            self.brake()

    def free(self, qd: Array) -> None:
        """Give way to a hand: joint velocities for this tick."""
        self._wanted[:] = qd
        self.doing, self.lasting = Doing.FREE, False

    @property
    def joint_velocity_left(self) -> float:
        """How far the joint velocities are from what was asked for, rad/s."""
        return float(np.abs(self._wanted * self.factor - self.raw[1]).max())

    @property
    def twist_left(self) -> float:
        """How far the tool is from the twist that was asked for."""
        return float(np.abs(self._wanted_twist * self.factor - self._twist).max())

    def step(self) -> None:
        """Make the next target."""
        self._ticks += 1
        gap = self.slider - self.factor
        if gap:
            self.factor += min(max(gap, -FACTOR_STEP), FACTOR_STEP)
        if self.doing is Doing.HOLD:
            if self._quiet < SMOOTH:
                self._quiet += 1
                self._smooth()
            return
        held = self.paused or self.halted
        orphan = not held and not self.lasting and self._ticks - self._fed > GRACE
        if orphan and self.doing not in (Doing.BRAKE, Doing.PATH):
            self.brake()
        before = self.raw[0].copy()
        self._advance(held, orphan)
        self._quiet = 0 if (before != self.raw[0]).any() else self._quiet + 1
        self._smooth()

    def _advance(self, held: bool, orphan: bool) -> None:
        doing = self.doing
        if doing is Doing.PATH:
            self._ride(held, orphan)
        elif held:
            approach_velocity(self.raw, self._zeros, FASTEST, self._stop, self._top)
        elif doing is Doing.SERVO:
            follow_setpoint(self.raw, self._setpoint, self._ahead, self._gain, self._hardest, self._top, self.factor)
            self._guard()
        elif doing is Doing.JOINT_SPEED:
            np.multiply(self._wanted, self.factor, self._scratch)
            approach_velocity(self.raw, self._scratch, self._acceleration, self._hardest, self._top)
            self._guard()
        elif doing is Doing.TOOL_SPEED:
            self._advance_tool()
            self._guard()
        elif doing is Doing.FREE:
            approach_velocity(self.raw, self._wanted, 8.0, self._hardest, self._top)
            self._guard()
        else:
            left = approach_velocity(self.raw, self._zeros, self._acceleration, self._stop, self._top)
            if left == 0.0:
                self.doing = Doing.HOLD

    def _ride(self, held: bool, orphan: bool) -> None:
        if self._path_done:
            self.raw[1] = 0.0
            if self._claim is None:
                self.doing, self.lasting = Doing.HOLD, False
            return
        ending: Ending = "stop" if self.halted or orphan or self._stopping else "pause" if self.paused else "none"
        self._path_done = self.path.ride(self.factor, ending, self.raw)
        if ending != "none" and not held and self.path.still:
            self.doing, self._path_done = Doing.HOLD, True
            self._stopping = self.lasting = False
            self.raw[1] = 0.0

    def _advance_tool(self) -> None:
        for part, acceleration in ((slice(0, 3), self._tool_acceleration), (slice(3, 6), self._turn_acceleration)):
            gap = self._wanted_twist[part] * self.factor - self._twist[part]
            size = math.sqrt(float(gap @ gap))
            step = acceleration * DT
            self._twist[part] += gap if size <= step else gap * (step / size)
        joint_speed_for(self._dh, self._installation.tool, self.raw[0], self._twist, DAMPING, self._scratch)
        over = float(np.max(np.abs(self._scratch) / self._top))
        self.singular = over > 4.0
        if over > 1.0:
            self._scratch /= over
        approach_velocity(self.raw, self._scratch, 1e9, self._hardest, self._top)

    def _guard(self) -> None:
        self.limit_joint = joint_at_limit(self.raw, self._lower, self._upper, GUARD_RAD_S2)

    def _smooth(self) -> None:
        self._at = (self._at + 1) % SMOOTH
        smooth(self._ring, self._at, self.raw, self.target)
