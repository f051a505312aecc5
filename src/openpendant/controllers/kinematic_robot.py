"""KinematicRobot: a robot without dynamics whose ticks are exact and counted; it is always at its setpoint."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError, LinkError, UnknownNameError
from openpendant.said import say

from .jobs import Job, Progress, SampledPath, texts_of
from .states import Capabilities, ControllerEvent, EventKind, RobotState, StopKind
from .stop_motion import brake_along, brake_joints
from .tools import ToolWiring, ToolWork

Array = NDArray[np.float64]

TICK_NS = 4_000_000
LARGEST_STEP = 1.5
"""Multiple of the largest velocity above which a setpoint is refused as a jump."""
JOINT_TOLERANCE = 1e-6
DECELERATION_TIME_S, STOP_RISE_S = 0.25, 0.02
"""Where no deceleration is known, a stop from full speed takes about the first; it is reached in the second."""
MOST_TICKS = 250
"""Number of ticks made up for after the caller was late; older ones are skipped."""


@dataclass(frozen=True)
class Fingers:
    """The fingers of a tool, which move alike."""

    travel_m: float
    velocity_m_s: float
    """Of the slowest, so that the tool has arrived when all have."""


@dataclass(frozen=True, eq=False)
class KinematicArm:
    """What a plant must know of an arm."""

    q_start: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    velocity: NDArray[np.float64]
    """Largest, radians per second."""
    fingers: Fingers | None = None
    deceleration: NDArray[np.float64] | None = None
    """Of stops; None: from full speed within a quarter of a second."""
    stop_jerk: NDArray[np.float64] | None = None
    """How fast that deceleration rises; None: in 20 ms."""
    tool: ToolWiring | None = None
    """The outputs and inputs of its tool, which follow it; None: it has none."""


@dataclass(eq=False)
class _KinematicArmState:
    """An arm that moves."""

    facts: KinematicArm
    q: Array
    q_before: Array
    job: Array | None = None
    at: int = 0
    total: int = 0
    ended: str = ""
    braking: Array | None = None
    brake_at: int = 0
    setpoint: Array | None = None
    opening: float = 0.0
    opening_to: float = 0.0
    work: ToolWork | None = None


@dataclass(eq=False)
class KinematicRobot:
    """A robot that follows exactly; keeps the `Controller` interface, and is advanced tick by tick."""

    arms: Mapping[str, KinematicArm]
    inputs: dict[str, bool] = field(default_factory=dict[str, bool])
    outputs: dict[str, bool] = field(default_factory=dict[str, bool])
    tick_ns: int = TICK_NS

    def __post_init__(self) -> None:
        """Put every arm where it starts, fingers open."""
        if not self.arms:
            raise InputError("a plant needs at least one arm")
        if self.tick_ns <= 0:
            raise InputError(f"tick_ns is {self.tick_ns}; it must be a positive number of nanoseconds")
        self._arms: dict[str, _KinematicArmState] = {}
        for name, facts in self.arms.items():
            q = np.array(facts.q_start, dtype=np.float64)
            travel = 0.0 if facts.fingers is None else facts.fingers.travel_m
            self._arms[name] = _KinematicArmState(facts, q, q.copy(), opening=travel, opening_to=travel)
        self._ticks = 0
        self._events: list[ControllerEvent] = []
        self._connected = self._closed = False
        self._now_ns: int | None = None
        self._due_ns = 0

    @property
    def time_ns(self) -> int:
        """Its clock: counted ticks."""
        return self._ticks * self.tick_ns

    @property
    def capabilities(self) -> Capabilities:
        """Sampled paths and setpoints; no vendor's language."""
        return Capabilities(self.tick_ns, arms=tuple(self.arms))

    @property
    def state(self) -> RobotState:
        """Where everything is now."""
        dt = self.tick_ns * 1e-9
        arms = self._arms.items()
        return RobotState(
            self.time_ns,
            {name: _frozen(arm.q) for name, arm in arms},
            {name: _frozen((arm.q - arm.q_before) / dt) for name, arm in arms},
            {name: arm.opening for name, arm in arms},
            dict(self.inputs),
            dict(self.outputs),
            {name: arm.job is not None or arm.braking is not None for name, arm in arms},
            {name: arm.opening != arm.opening_to or arm.work is not None for name, arm in arms},
            self.time_ns if self._now_ns is None else self._now_ns,
            not self._closed,
            q_target={name: _frozen(arm.q) for name, arm in arms},
        )

    def connect(self) -> None:
        """Connect; again is allowed."""
        if not self._connected:
            self._connected, self._closed = True, False
            self._report_event("connected", "")

    def close(self) -> None:
        """Stop what moves, and end the talk."""
        if self._connected:
            self.stop("now")
            self._connected, self._closed = False, True
            self._report_event("closed", "")

    def events(self) -> tuple[ControllerEvent, ...]:
        """Return what has happened since the last call."""
        events, self._events = tuple(self._events), []
        return events

    def run(self, job: Job) -> None:
        """Begin a sampled path: its first row is taken at the next tick.

        Raises:
            InputError: A vendor's text, rows beyond limits, or a jump.
        """
        if not isinstance(job, SampledPath):
            raise InputError(say("robot.no_dialect", dialect=texts_of(job)[0].dialect, accepted=say("accepts.paths")))
        arm = self._arm(job.arm)
        self._check_open()
        self._check(arm, job)
        arm.job, arm.at, arm.total, arm.setpoint, arm.ended, arm.braking = job.Q, 0, len(job.Q), None, "", None
        self._report_event("job started", job.arm)

    def progress(self, arm: str) -> Progress:
        """Return how far the arm's present or last job is, in ticks."""
        found = self._arm(arm)
        return Progress(found.at, found.total, found.ended)

    def servo(self, arm: str, q: ArrayLike) -> Array:
        """Take a setpoint for the next tick, cut to the limits of position and velocity; return what was taken."""
        found = self._arm(arm)
        self._check_open()
        wanted = np.array(q, dtype=np.float64)
        if wanted.shape != found.q.shape or not np.isfinite(wanted).all():
            raise InputError(f"setpoint {wanted.tolist()} for arm {arm}; allowed: {len(found.q)} finite joints")
        step = found.facts.velocity * self.tick_ns * 1e-9
        sent = np.clip(wanted, found.q - step, found.q + step)
        sent = np.clip(sent, found.facts.lower, found.facts.upper)
        if found.job is not None:
            found.ended = "replaced by a setpoint"
        found.job, found.setpoint, found.braking = None, sent, None
        return sent.copy()

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Move the fingers of an arm's tool, at their own speed, and set its outputs.

        Inputs that confirm are set when it is done, as the tool itself would.

        Raises:
            InputError: The fingers do not open so far.
        """
        found = self._arm(arm)
        fingers, wiring = found.facts.fingers, found.facts.tool
        travel = 0.0 if fingers is None else fingers.travel_m
        if not -1e-9 <= opening_m <= travel + 1e-9:
            raise InputError(say("robot.fingers", arm=arm, travel_m=travel, opening_m=opening_m))
        found.opening_to = min(max(opening_m, 0.0), travel)
        stroke, other = (None, None) if wiring is None else (wiring.open, wiring.close)[:: -1 if closes else 1]
        if stroke is not None:
            for name, value in stroke.outputs:
                self.set_output(name, value)
            for name, value in () if other is None else other.inputs:
                if name in self.inputs:
                    self.set_input(name, not value)
            found.work = ToolWork(stroke, self.time_ns)

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output."""
        self._set(self.outputs, "output", name, value)

    def set_input(self, name: str, value: bool) -> None:
        """Set a digital input, as the world outside would."""
        self._set(self.inputs, "input", name, value)

    def stop(self, kind: StopKind = "path") -> None:
        """Stop every arm: along its path with stop limits, or at once where it is."""
        for name, arm in self._arms.items():
            if arm.job is None and arm.setpoint is None and arm.braking is None:
                continue
            if arm.job is not None:
                arm.ended = "stopped"
            arm.braking, arm.brake_at = self._brake(arm), 0
            if kind == "now" or not np.any(arm.q != arm.q_before):
                arm.braking = None
                self._report_event("stopped", name)
            arm.job = arm.setpoint = None

    def poll(self, now_ns: int) -> None:
        """Let the ticks pass that are due at `now_ns`; the first call only notes the time."""
        if self._now_ns is None:
            self._due_ns = now_ns + self.tick_ns
        self._now_ns = now_ns
        late = (now_ns - self._due_ns) // self.tick_ns + 1
        if late <= 0:
            return
        self.advance(min(late, MOST_TICKS))
        self._due_ns += late * self.tick_ns

    def advance(self, ticks: int = 1) -> None:
        """Let time pass.

        Raises:
            InputError: A negative number of ticks.
        """
        if ticks < 0:
            raise InputError(f"{ticks} ticks; it must not be negative")
        for _ in range(ticks):
            self._ticks += 1
            for name, arm in self._arms.items():
                self._move(name, arm)
                self._move_fingers(name, arm)

    def _move(self, name: str, arm: _KinematicArmState) -> None:
        arm.q_before = arm.q
        if arm.job is not None:
            arm.q = arm.job[arm.at]
            arm.at += 1
            if arm.at == arm.total:
                arm.job = None
                self._report_event("job done", name)
        elif arm.braking is not None:
            arm.q = arm.braking[arm.brake_at]
            arm.brake_at += 1
            if arm.brake_at == len(arm.braking):
                arm.braking = None
                self._report_event("stopped", name)
        elif arm.setpoint is not None:
            arm.q, arm.setpoint = arm.setpoint, None

    def _brake(self, arm: _KinematicArmState) -> Array:
        """Return the rows of a controlled stop from where the arm is."""
        facts, dt = arm.facts, self.tick_ns * 1e-9
        most = facts.velocity / DECELERATION_TIME_S if facts.deceleration is None else facts.deceleration
        jerk = most / STOP_RISE_S if facts.stop_jerk is None else facts.stop_jerk
        if arm.job is not None:
            return brake_along(np.vstack([arm.q_before, arm.q, arm.job[arm.at :]]), most, jerk, dt)
        if arm.braking is not None:
            return arm.braking[arm.brake_at :]
        return np.clip(brake_joints(arm.q, (arm.q - arm.q_before) / dt, most, jerk, dt), facts.lower, facts.upper)

    def _move_fingers(self, name: str, arm: _KinematicArmState) -> None:
        work = arm.work
        due = work is not None and work.passed_ns(self.time_ns) >= work.stroke.time_s * 1e9
        if work is not None and due and arm.opening == arm.opening_to:
            for signal, value in work.stroke.inputs:
                if signal in self.inputs:
                    self.set_input(signal, value)
            arm.work = None
        fingers = arm.facts.fingers
        if fingers is None or arm.opening == arm.opening_to:
            return
        step = fingers.velocity_m_s * self.tick_ns * 1e-9
        left = arm.opening_to - arm.opening
        arm.opening = arm.opening_to if abs(left) <= step * (1.0 + 1e-9) else arm.opening + np.sign(left) * step
        if arm.opening == arm.opening_to:
            self._report_event("tool", name, f"{1000.0 * arm.opening:.1f} mm")

    def _check(self, arm: _KinematicArmState, job: SampledPath) -> None:
        if job.Q.shape[1] != len(arm.q):
            raise InputError(say("robot.path_joints", count=job.Q.shape[1], arm=job.arm, dof=len(arm.q)))
        facts = arm.facts
        beyond = (facts.lower - JOINT_TOLERANCE > job.Q) | (facts.upper + JOINT_TOLERANCE < job.Q)
        if beyond.any():
            row, joint = (int(index[0]) for index in np.nonzero(beyond))
            raise InputError(
                f"row {row} of the path brings joint {joint + 1} of {job.arm} to {job.Q[row, joint]:.6g}; "
                f"its limits are {facts.lower[joint]:.6g} to {facts.upper[joint]:.6g}"
            )
        steps = np.abs(np.diff(np.vstack([arm.q, job.Q]), axis=0)) / (facts.velocity * self.tick_ns * 1e-9)
        if steps.max() > LARGEST_STEP:
            row, joint = (int(index) for index in np.unravel_index(int(steps.argmax()), steps.shape))
            raise InputError(
                f"row {row} of the path makes joint {joint + 1} of {job.arm} jump: {steps.max():.1f} times its "
                "largest velocity"
            )

    def _arm(self, name: str) -> _KinematicArmState:
        if name not in self._arms:
            raise UnknownNameError("arm of this robot", name, self._arms)
        return self._arms[name]

    def _check_open(self) -> None:
        if self._closed:
            raise LinkError(say("link.closed"))

    def _set(self, where: dict[str, bool], kind: str, name: str, value: bool) -> None:
        if name not in where:
            raise UnknownNameError(kind, name, where)
        if where[name] != value:
            where[name] = bool(value)
            self._report_event("output" if kind == "output" else "input", name, "on" if value else "off")

    def _report_event(self, kind: EventKind, about: str, message: str = "") -> None:
        self._events.append(ControllerEvent(self.time_ns, kind, about, message))


def _frozen(q: Array) -> Array:
    q = np.array(q)
    q.setflags(write=False)
    return q
