"""Servo: intents in, setpoints out."""

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.gate import Freshness
from openpendant.kinematics import Arm
from openpendant.messages import Intent, JointIntent, PoseIntent, TwistIntent
from openpendant.motion import JointLimits
from openpendant.spatial import check_transform

from .clutch import Clutch, free_axes
from .escape import escape
from .intent_check import check_intent
from .kernels.chain import place_chain
from .kernels.limiter import stopping_room
from .kernels.program import apply, limits_held
from .kernels.reference import REFERENCE, SPEED, TURN, settle
from .kernels.tick import joint_tick, tool_tick
from .line import Line
from .obstacles import NOTHING_NEAR, Obstacles
from .quadratic_program import QuadraticProgram
from .reasons import Wording
from .settings import ServoSettings, place_settings
from .step import ServoStep

Array = NDArray[np.float64]

AT_REST = 1e-4
"""Below this speed (m/s, rad/s) the reference of a tool that was let go counts as at rest."""
EXTRAPOLATED_S = 0.08
"""A hand that sends nothing for this long is taken to have stopped."""
STUCK = 0.02
"""A tool that does less than this part of the requested motion is stuck."""
ESCAPE_SPEED = 0.3
"""With this part of its top speed a joint leads out of a singularity."""
BLOCKED_S = 0.1
"""Time constant with which the servo gets used to something in the way, or to its absence."""
PATIENCE = 25
"""Ticks after which a way out is looked for again where none was found."""
JOINT_LEAD = 8.0
"""1/s: with which a joint closes in on its target."""


class Servo:
    """One arm's servo: `reset`, then `accept` intents when they come and `step` once every tick.

    The joints it gives never leave the limits of position, velocity, acceleration and jerk, and whatever it is asked,
    it can come to rest within them: it never gives a setpoint from which it could not.
    """

    def __init__(
        self,
        arm: Arm,
        limits: JointLimits,
        dt: float,
        *,
        T_flange_tool: ArrayLike | None = None,
        T_world_base: ArrayLike | None = None,
        settings: ServoSettings | None = None,
    ) -> None:
        """Prepare a servo.

        Args:
            arm: The arm.
            limits: Of its joints; jerk must be finite.
            dt: Seconds between two setpoints, 0.5 to 50 ms.
            T_flange_tool: The tool's point; default: the flange.
            T_world_base: Where the arm's base stands; default: at the origin.
            settings: How it behaves.

        Raises:
            InputError: Limits of another arm, infinite jerk, a tick out of range, or bad transforms.
        """
        if limits.dof != arm.dof:
            raise InputError(f"limits of {limits.dof} joints for arm {arm.name}, which has {arm.dof}")
        if not np.isfinite(limits.jerk).all():
            raise InputError(f"jerk limits are {limits.jerk.tolist()}; a servo needs finite ones")
        if not 0.0005 <= dt <= 0.05:
            raise InputError(f"dt is {dt!r}; allowed: 0.0005 to 0.05 s")
        self.arm, self.limits, self.dt = arm, limits, float(dt)
        self.settings = ServoSettings() if settings is None else settings
        T_tool = np.eye(4) if T_flange_tool is None else check_transform(T_flange_tool, "T_flange_tool")
        T_base = np.eye(4) if T_world_base is None else check_transform(T_world_base, "T_world_base")
        n = arm.dof
        self._chain, self._last = _place_chain(arm, T_base, T_tool)
        self._limits = np.array([limits.lower, limits.upper, limits.velocity, limits.acceleration, limits.jerk])
        tops = zip(limits.velocity.tolist(), limits.acceleration.tolist(), limits.jerk.tolist(), strict=True)
        self._rooms: Array = np.array([stopping_room(V, A, J, self.dt) for V, A, J in tops])
        stop_s = float((limits.velocity / limits.stop.deceleration + limits.stop.rise_s).max())
        self._settings = place_settings(self.settings, self.dt, stop_s, redundant=n > 6)
        self._least_stale_ns = int(self.settings.stale_s * 1e9)
        self._samples = Freshness(0)
        self._state = np.zeros((3, n))
        self._places, self._T, self._J = np.zeros((n, 6)), np.zeros((3, 4)), np.zeros((6, n))
        self._twist, self._box, self._held = np.zeros(12), np.zeros((2, n)), np.zeros(5 + n)
        self._weak = np.full(10, 0.4)
        self._ref, self._goal, self._wanted = np.zeros(REFERENCE), np.zeros(27), np.zeros(n)
        self._program = QuadraticProgram(n)
        self._wording = Wording(arm.joint_titles)
        self._clutch = Clutch(T_base, self.settings.smoothing_s)
        self._intent: Intent | None = None
        self._held_by_hand = self._tool_moves = self._stopped = False
        self._escaping: Array | None = None
        self._stale = False
        self._blocked = 0.0
        self._patience = 0
        self._line = Line()
        self._barred = ""

    @property
    def q(self) -> Array:
        """The joints of the last setpoint."""
        return self._state[0].copy()

    @property
    def qd(self) -> Array:
        """Their velocities."""
        return self._state[1].copy()

    @property
    def T_world_tool(self) -> Array:
        """Where the tool is at the last setpoint, (4, 4)."""
        place_chain(self._chain, self._last, self._state[0], self._places, self._T, self._J)
        T = np.eye(4)
        T[:3] = self._T
        return T

    @property
    def barred(self) -> str:
        """Why a jog that keeps its direction cannot continue, in one sentence; empty: it can."""
        return self._barred

    @property
    def moving(self) -> bool:
        """Whether the joints move."""
        return bool(self._state[1:].any())

    @property
    def followed_ns(self) -> int | None:
        """The stamp of the intent that it follows; None: it follows none, and comes to rest."""
        return self._intent.stamp_ns if self._intent is not None and self._held_by_hand else None

    @property
    def _stale_ns(self) -> int:
        """The age from which an intent is old: the setting, or three sample periods, at most 0.3 s."""
        return max(self._least_stale_ns, self._samples.limit_ns)

    def reset(self, q: ArrayLike, qd: ArrayLike | None = None) -> None:
        """Restart from these joints (measured, or last sent), and forget all intents.

        Args:
            q: (n,): joints, radians (metres where a joint slides); those beyond a limit may come back from there.
            qd: (n,): joint velocities, rad/s (m/s where a joint slides), cut to their limits; None: at rest.

        Raises:
            InputError: Wrong length, or numbers that are not finite.
        """
        joints = _joints(q, self.arm.dof, "q")
        speeds = np.zeros(self.arm.dof) if qd is None else _joints(qd, self.arm.dof, "qd")
        self._state[0], self._state[1] = joints, speeds.clip(-self._limits[2], self._limits[2])
        self._state[2] = 0.0
        self._intent = self._escaping = None
        self._held_by_hand = self._tool_moves = self._stopped = self._stale = False
        self._blocked = 0.0
        self._barred = ""
        self._line.end()
        self._clutch.open()

    def accept(self, intent: Intent, now_ns: int) -> bool:
        """Use a new intent; it holds until the next one, or until it is stale.

        Args:
            intent: Joint, twist or pose command for this arm; each states its own units and frame.
            now_ns: Now, nanoseconds on the clock of the intent's stamp.

        Returns:
            False where it is not used: older than the last one, a press that is stale already or stamped in the
            future, not yet let go after `stop`, or the letting go of somebody who does not hold the arm.

        Raises:
            UnknownNameError: It names another arm, or an unknown frame or axis.
            InputError: Its numbers make no sense for this arm. After any error the servo continues without the intent.
        """
        check_intent(intent, self.arm)
        last = self._intent
        same = last is not None and last.source == intent.source
        if same and last and intent.stamp_ns < last.stamp_ns:
            return False
        if not intent.clutch:
            if self._held_by_hand and not same:
                return False
            if not same:
                self._samples.forget_order()
            self._stopped = False
            self._release()
            # Obeyed at any age; a stamp of the future would make the next press seem older.
            self._intent = msgspec.structs.replace(intent, stamp_ns=min(intent.stamp_ns, now_ns))
            return True
        if now_ns - intent.stamp_ns > self._stale_ns or self._samples.is_early(intent.stamp_ns, now_ns):
            return False
        if not same:
            self._samples.forget_order()
        self._samples.record(intent.stamp_ns, now_ns)
        if self._stopped:
            return False
        begins = not (self._held_by_hand and same and type(intent) is type(last))
        match intent:
            case JointIntent():
                self._tool_moves = False
            case TwistIntent() | PoseIntent():
                self._follow_tool(intent, begins)
        self._intent, self._held_by_hand, self._stale = intent, True, False
        return True

    take = accept
    """Its earlier name, for one version."""

    def stop(self) -> None:
        """Come to rest as fast as the joints can; intents count again after the clutch was let go (or a `reset`)."""
        self._release()
        self._tool_moves, self._stopped = False, True

    def step(self, now_ns: int, obstacles: Obstacles | None = None) -> ServoStep:
        """Return the setpoint of the next tick: joints, velocities and accelerations (n,), and what holds the arm back.

        Args:
            now_ns: Now, nanoseconds on the clock of the intents.
            obstacles: What is near the links at the joints of the last setpoint, in the world; None: nothing.
        """
        near = NOTHING_NEAR if obstacles is None else obstacles
        intent = self._intent
        if intent is not None and self._held_by_hand and now_ns - intent.stamp_ns > self._stale_ns:
            self._release()
            self._stale = True
        self._program.fit(len(near.rows))
        together = self._tool_moves
        if together:
            w, forces = self._solve_tool(now_ns, near)
        else:
            w, forces = self._solve_joints(intent if self._held_by_hand else None, near)
        why = self._wording.reasons(self._held, forces, near.names, stale=self._stale, stopped=self._stopped)
        if self._line.begun:
            done, blocked = min(self._held[2], self._held[3]), bool(self._held[0])
            if self._line.is_left(self._T, self._J @ w, done, self.dt, blocked=blocked):
                # It comes to rest on its line; intents count again after the clutch was let go.
                self._release()
                self._barred, self._stopped = self._wording.barred(why), True
        state = self._state
        apply(w, state, self._limits, self._box, together, self.dt)
        q, qd, qdd = state[0].copy(), state[1].copy(), state[2].copy()
        return ServoStep(q, qd, qdd, why, bool(qd.any() or qdd.any()))

    def _follow_tool(self, intent: TwistIntent | PoseIntent, begins: bool) -> None:
        if begins:
            place_chain(self._chain, self._last, self._state[0], self._places, self._T, self._J)
            if not self._tool_moves:
                settle(self._ref, self._T, self._J, self._state[1])
            self._clutch.open()
        self._tool_moves, goal = True, self._goal
        share = min(intent.scale, 1.0) if isinstance(intent, PoseIntent) and not intent.relative else 1.0
        self._settings[SPEED], self._settings[TURN] = share * self.settings.tool_speed, share * self.settings.tool_turn
        if isinstance(intent, PoseIntent):
            at, R = (self._ref[:3], self._ref[3:12]) if begins else (goal[8:11], goal[11:20])
            self._line.end()
            self._clutch.follow(intent, at.copy(), R.reshape(3, 3).copy(), goal)
            return
        free = intent.scale * free_axes(intent.locked)
        goal[0], goal[1] = 0.0, float(intent.frame == "tool")
        linear, angular = free[:3] * intent.linear, free[3:] * intent.angular
        axes = np.eye(3) if intent.frame == "tool" else self._clutch.axes(intent, np.eye(3))
        goal[2:5], goal[5:8] = axes @ linear, axes @ angular
        if not intent.straight:
            self._line.end()
        elif goal[2:8].any():
            self._line.restart(self._T, goal[2:8], in_tool=intent.frame == "tool")

    def _release(self) -> None:
        """The tool comes to rest on its way."""
        self._held_by_hand = self._stale = False
        self._barred = ""
        self._line.end()
        self._goal[:8] = 0.0
        self._clutch.open()

    def _solve_tool(self, now_ns: int, near: Obstacles) -> tuple[Array, Array]:
        goal, intent, program, held = self._goal, self._intent, self._program, self._held
        if goal[0] != 0.0 and intent is not None:
            age = 1e-9 * (now_ns - intent.stamp_ns) + self.dt
            goal[26] = min(max(age, 0.0), EXTRAPOLATED_S)
            if age > EXTRAPOLATED_S:
                # It stays where it was thought to be.
                goal[8:11] += goal[26] * goal[20:23]
                goal[20:26] = goal[26] = 0.0
        tool_tick(
            self._chain, self._last, self._state, self._limits, self._rooms, self._ref, goal, self._settings,
            self._blocked, near.rows, self.dt, self._places, self._T, self._J, self._twist, self._box,
            self._weak, program.H, program.f, program.A, program.upper, program.lower,
        )  # fmt: skip
        w, forces = program.solve()
        limits_held(w, forces, self._box, self._limits, self._J, self._twist, held)
        if self._weak[9]:
            held[0] = held[4] = 1.0
        self._blocked += min(self.dt / BLOCKED_S, 1.0) * (float(held[0]) - self._blocked)
        if not self._held_by_hand and float(np.abs(self._ref[12:18]).max()) < AT_REST:
            self._tool_moves = False
        translation, rotation = self._is_requested()
        stuck = (held[2] < STUCK if translation else rotation and held[3] < STUCK) and not held[0]
        if not stuck:
            self._escaping, self._patience = None, 0
            return w, forces
        self._patience -= 1
        if self._patience > 0:
            return w, forces
        out = escape(self._chain, self._places, self._J, self._twist[:6], self._escaping)
        self._escaping = out
        if out is None:
            self._patience = PATIENCE
            return w, forces
        w = ESCAPE_SPEED * out * float((self._limits[2] / np.maximum(np.abs(out), 1e-9)).min())
        return w.clip(program.lower[: len(w)], program.upper[: len(w)]), forces

    def _is_requested(self) -> tuple[bool, bool]:
        """Return whether a translation and whether a rotation of any size is wanted."""
        v = self._twist
        return (
            v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 1e-6,
            v[3] * v[3] + v[4] * v[4] + v[5] * v[5] > 1e-5,
        )

    def _solve_joints(self, intent: Intent | None, near: Obstacles) -> tuple[Array, Array]:
        wanted, program, held = self._wanted, self._program, self._held
        wanted[:] = 0.0
        if isinstance(intent, JointIntent):
            if intent.velocity is not None:
                wanted[:] = intent.velocity
                wanted *= intent.scale
            elif intent.target is not None:
                way = np.asarray(intent.target) - self._state[0]
                size = np.abs(way)
                fast = np.minimum(JOINT_LEAD * size, np.sqrt(self._limits[3] * size))
                wanted[:] = np.sign(way) * np.minimum(fast, intent.scale * self._limits[2])
            np.clip(wanted, -self._limits[2], self._limits[2], out=wanted)
        joint_tick(
            self._chain, self._last, self._state, self._limits, self._rooms, wanted, self._settings, near.rows,
            self.dt, self._places, self._T, self._J, self._box, program.H, program.f, program.A, program.upper,
            program.lower,
        )  # fmt: skip
        if len(near.rows):
            w, forces = program.solve()
        else:
            w = wanted.clip(self._box[0], self._box[1])
            forces = np.concatenate([wanted - w, [0.0, 0.0]])
        limits_held(w, forces, self._box, self._limits, self._J, self._twist, held)
        held[2:4] = 1.0
        return w, forces


def _place_chain(arm: Arm, T_world_base: Array, T_flange_tool: Array) -> tuple[Array, Array]:
    """Return chain and tool as the kernels read them."""
    chain, rows, last = arm.chain, np.zeros((arm.dof, 17)), np.empty(12)
    for i in range(arm.dof):
        T = chain.T_parent_joint[i] if i else T_world_base @ chain.T_parent_joint[0]
        rows[i, :9], rows[i, 9:12], rows[i, 12:15] = T[:3, :3].ravel(), T[:3, 3], chain.axis[i]
        rows[i, 15], rows[i, 16] = float(chain.prismatic[i]), float(chain.order[i])
    T = chain.T_last_flange @ T_flange_tool
    last[:9], last[9:] = T[:3, :3].ravel(), T[:3, 3]
    return rows, last


def _joints(values: ArrayLike, count: int, name: str) -> Array:
    try:
        joints = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        joints = np.zeros(0)
    if joints.shape != (count,) or not np.isfinite(joints).all():
        raise InputError(f"{name} is {values!r}; allowed: {count} finite numbers")
    return joints
