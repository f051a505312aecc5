"""Mover: turns what programs ask for into a target for every tick, within what the arm can do."""

import math
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from .arm_model import ArmModel
from .kernels.law import smooth
from .kernels.steer import approach_velocity, follow_setpoint, joint_at_limit, joint_speed_for, tool_twist
from .path import Ending, Path, PathFault
from .path_move import PathMove

Array = NDArray[np.float64]
GRACE = 5
"""Ticks that a motion continues when no thread looks after it any more; then the arm brakes."""
SLIDER_S = 0.3
"""The speed slider takes effect over this time for the whole of its range."""
SMOOTHING_S = 0.016
"""What the drives get is the mean over this time, which limits jerk."""
FASTEST = 1e9
"""Deceleration of a stop: no more than that of each joint limits it."""
FREE_RAD_S2 = 8.0
"""How hard the joints follow a hand."""
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

    def __init__(self, model: ArmModel, T_flange_tool: Array, q: Array, *, tick_s: float, rise_s: float = 0.0) -> None:
        """Begin at rest at q.

        Args:
            model: The arm.
            T_flange_tool: (4, 4), contiguous; whoever owns it may change it in place between moves.
            q: (n,).
            tick_s: Length of a tick.
            rise_s: Time over which accelerations along paths rise and fall, beside the mean that all targets are.
        """
        n, limits = model.dof, model.limits
        self._model, self._packed, self._tool, self._tick_s = model, model.arm.packed, T_flange_tool, tick_s
        # The kernels are compiled for arrays that can be written.
        self._top, self._stop = limits.velocity.copy(), limits.stop.deceleration.copy()
        self._lower, self._upper = limits.lower.copy(), limits.upper.copy()
        self.raw = np.zeros((2, n))
        self._window = max(1, round(SMOOTHING_S / tick_s))
        self._ring = np.zeros((self._window, n))
        self._at = 0
        self._quiet = self._window
        self.target = np.zeros(n)
        self.doing = Doing.HOLD
        self.path = Path(model.arm, limits, tick_s=tick_s, smoothing_s=self._window * tick_s, rise_s=rise_s)
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
        self._setpoint, self._ahead, self._gain = np.zeros(n), 0.1, 300.0
        self._seen = np.zeros((2, n))
        self._wanted, self._acceleration = np.zeros(n), 1.4
        self._twist, self._wanted_twist = np.zeros(6), np.zeros(6)
        self._tool_acceleration, self._turn_acceleration = 1.2, 1.2
        self._scratch = np.zeros(n)
        self._zeros = np.zeros(n)
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
        self._quiet = self._window
        self.doing, self.lasting, self._path_done, self._stopping = Doing.HOLD, False, True, False

    @property
    def moving(self) -> bool:
        """Whether the target moves, or will continue to the last bit of smoothing."""
        return self._quiet < self._window

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
            and self.path.extensible
            and self._blends
            and not self.path.moves[-1].move.zone.fine
        )

    def end_blending(self) -> None:
        """Let the present path end at rest: nothing more is added to it."""
        self._blends = False

    def begin(self, asked: PathMove) -> PathFault | None:
        """Begin a move from rest, or blend it into the present one; None where that worked."""
        path = self.path
        fault = path.extend(asked, self.raw) if self.blendable else path.begin(self.raw[0], asked, self._tool)
        if fault is None:
            self.doing, self._path_done, self._stopping, self.lasting = Doing.PATH, False, False, False
            self._blends = True
        return fault

    def servo(self, q: Array, ahead_s: float, gain: float) -> None:
        """Follow a setpoint."""
        if self.doing is not Doing.SERVO:
            self._seen[0], self._seen[1] = q, 0.0
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
            tool_twist(self._packed, self._tool, self.raw, self._twist)
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
        """Come to rest on the path if there is one, else evenly."""
        if self.doing == Doing.PATH and not self._path_done:
            self._stopping = True
        else:
            self.brake()

    def free(self, qd: Array) -> None:
        """Give way to a hand: joint velocities for this tick."""
        self._wanted[:] = qd
        self.doing, self.lasting = Doing.FREE, False

    @property
    def joint_velocity_error(self) -> float:
        """How far the joint velocities are from what was asked for, rad/s."""
        return float(np.abs(self._wanted * self.factor - self.raw[1]).max())

    @property
    def twist_error(self) -> float:
        """How far the tool is from the twist that was asked for."""
        return float(np.abs(self._wanted_twist * self.factor - self._twist).max())

    def step(self) -> None:
        """Make the next target."""
        self._ticks += 1
        gap = self.slider - self.factor
        if gap:
            most = self._tick_s / SLIDER_S
            self.factor += min(max(gap, -most), most)
        if self.doing is Doing.HOLD:
            if self._quiet < self._window:
                self._quiet += 1
                self._make_target()
            return
        held = self.paused or self.halted
        orphan = not held and not self.lasting and self._ticks - self._fed > GRACE
        if orphan and self.doing not in (Doing.BRAKE, Doing.PATH):
            self.brake()
        before = self.raw[0].copy()
        self._advance(held, orphan)
        self._quiet = 0 if (before != self.raw[0]).any() else self._quiet + 1
        self._make_target()

    def _advance(self, held: bool, orphan: bool) -> None:
        doing, hardest, dt = self.doing, self._model.hardest, self._tick_s
        if doing is Doing.PATH:
            self._follow_path(held, orphan)
        elif held:
            approach_velocity(self.raw, self._zeros, FASTEST, self._stop, self._top, dt)
        elif doing is Doing.SERVO:
            ahead, gain = self._ahead, self._gain
            follow_setpoint(self.raw, self._setpoint, self._seen, ahead, gain, hardest, self._top, self.factor, dt)
            self._guard()
        elif doing is Doing.JOINT_SPEED:
            np.multiply(self._wanted, self.factor, self._scratch)
            approach_velocity(self.raw, self._scratch, self._acceleration, hardest, self._model.supervised, dt)
            self._guard()
        elif doing is Doing.TOOL_SPEED:
            self._advance_tool()
            self._guard()
        elif doing is Doing.FREE:
            approach_velocity(self.raw, self._wanted, FREE_RAD_S2, hardest, self._top, dt)
            self._guard()
        else:
            left = approach_velocity(self.raw, self._zeros, self._acceleration, self._stop, self._top, dt)
            if left == 0.0:
                self.doing = Doing.HOLD

    def _follow_path(self, held: bool, orphan: bool) -> None:
        if self._path_done:
            self.raw[1] = 0.0
            if self._claim is None:
                self.doing, self.lasting = Doing.HOLD, False
            return
        ending: Ending = "stop" if self.halted or orphan or self._stopping else "pause" if self.paused else "none"
        self._path_done = self.path.advance(self.factor, ending, self.raw)
        if ending != "none" and not held and self.path.still:
            self.doing, self._path_done = Doing.HOLD, True
            self._stopping = self.lasting = False
            self.raw[1] = 0.0

    def _advance_tool(self) -> None:
        for part, acceleration in ((slice(0, 3), self._tool_acceleration), (slice(3, 6), self._turn_acceleration)):
            gap = self._wanted_twist[part] * self.factor - self._twist[part]
            size = math.sqrt(float(gap @ gap))
            step = acceleration * self._tick_s
            self._twist[part] += gap if size <= step else gap * (step / size)
        joint_speed_for(self._packed, self._tool, self.raw[0], self._twist, DAMPING, self._scratch)
        over = float(np.max(np.abs(self._scratch) / self._top))
        self.singular = over > 4.0
        if over > 1.0:
            self._scratch /= over
        approach_velocity(self.raw, self._scratch, FASTEST, self._model.hardest, self._top, self._tick_s)

    def _guard(self) -> None:
        self.limit_joint = joint_at_limit(self.raw, self._lower, self._upper, self._model.guard, self._tick_s)

    def _make_target(self) -> None:
        self._at = (self._at + 1) % self._window
        smooth(self._ring, self._at, self.raw, self.target)
