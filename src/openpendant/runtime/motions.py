"""Motions: what moves an arm, tick by tick: a path, an approach by a velocity law, intents.

Each gives one setpoint a tick and can brake; none of them sends anything itself.
"""

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from openpendant.gate import CREEP_M_S
from openpendant.messages import Intent
from openpendant.messages.bus import Doing
from openpendant.motion import JointLimits, Pacing, PathPlayer, Trajectory
from openpendant.said import say
from openpendant.servo import Obstacles, Servo

Array = NDArray[np.float64]

JOIN_S = 0.5
"""The time in which a path takes up the small difference between where it begins and where the arm rests."""
SAME_RAD = 1e-6
MOST_AHEAD = 2000
"""Rows of a path that are shown to the gate: more than any stop takes."""
PORTION = 500
"""Rows of a path computed at once: a path of minutes at a hundredth of its speed has millions."""
BEHIND_RAD = 0.05
"""A servo whose setpoints the gate leaves this far behind begins again from there."""
INTERRUPTED_NS = 500_000_000
"""A hand that is silent for this time has to press again: it may no longer be looking at what it holds."""
INTERRUPTED = say("jog.interrupted")
TOP_SHARE = 0.97
"""A path keeps to so much of the speed that is allowed: between two looks it can be a little faster."""
CONTACT_M = 0.03
"""What touches is left within so much of a path, or not at all: it is slow only there."""
SLOWEST = 0.005
"""No path is slowed down by more than this factor."""
SHARE_OF_BRAKES = 0.8
"""An approach uses so much of the largest acceleration to come to rest at its target."""


class PathTop:
    """The pace at which a path keeps to a speed of tool and elbow."""

    def __init__(self, speeds_m_s: Array, every_s: float, speed_m_s: float, lead_m_s: float) -> None:
        """Begin.

        Args:
            speeds_m_s: (N,): of the fastest of tool and elbow along the path at full pace.
            every_s: Between them.
            speed_m_s: What is allowed now.
            lead_m_s: So fast the arm is led over to the path meanwhile.
        """
        self._speeds = speeds_m_s
        self._first = speeds_m_s[: 1 + int(np.searchsorted(np.cumsum(speeds_m_s) * every_s, CONTACT_M))]
        self._limit, self._lead = math.nan, lead_m_s
        self.pace = 1.0
        """At most, above 0 up to 1."""
        self.limit_speed(speed_m_s)

    def limit_speed(self, speed_m_s: float) -> bool:
        """Keep to another speed from now on; return whether it is another one."""
        if speed_m_s == self._limit:
            return False
        self._limit = speed_m_s
        within = self._first if speed_m_s <= CREEP_M_S else self._speeds
        fastest, most = float(within.max(initial=0.0)), TOP_SHARE * speed_m_s - self._lead
        self.pace = 1.0 if fastest <= most else max(most / fastest, SLOWEST)
        return True


class Motion(Protocol):
    """What moves an arm."""

    doing: Doing

    @property
    def dead_man(self) -> bool:
        """Whether whoever steers it holds the dead-man switch."""
        ...

    @property
    def released(self) -> bool:
        """Whether its source has released it."""
        ...

    @property
    def intent_ns(self) -> int | None:
        """When the sample was taken that it follows now; None: it follows none."""
        ...

    @property
    def intent(self) -> Intent | None:
        """That it follows now; None: it follows none."""
        ...

    @property
    def place(self) -> float:
        """How far a path is, as its path parameter; others: 0."""
        ...

    @property
    def arrived(self) -> bool:
        """Whether the last setpoint of all was given."""
        ...

    @property
    def at_rest(self) -> bool:
        """Whether it has braked to the end."""
        ...

    def next(self, now_ns: int) -> Array | None:
        """Return the setpoint of this tick, None if there is none to be sent."""
        ...

    def ahead(self) -> Array | None:
        """Return the rows that follow the last setpoint; None where they are not known."""
        ...

    def sent(self, q: Array) -> None:
        """Note that the gate has passed another setpoint than was wanted."""
        ...

    def brake(self) -> None:
        """Come to rest in a controlled way."""
        ...

    def rest_here(self, q: Array) -> None:
        """Take it that the arm has come to rest at the last setpoint, q, and continue from there."""
        ...


class _Rows:
    """The rows of a path, given when their ticks come; led over from where the arm rests, made in portions.

    Keeps `motion.PathSink`: a row has been made when it has been given.
    """

    def __init__(self, tick_ns: int, gap: Array) -> None:
        self.tick_s = tick_ns * 1e-9
        self.ticks = 0
        self._gap = gap
        self._join = round(JOIN_S * 1e9 / tick_ns) if np.abs(gap).max() > SAME_RAD else 0
        self._pacing: Pacing | None = None
        self._begin = 0
        """Tick at which the present pacing began."""
        self._made: Array = np.zeros((0, len(gap)))
        """Rows from `_first` on."""
        self._first = 0
        self._last = gap
        self.done = self._total = 0

    @property
    def finished(self) -> bool:
        return self.done >= self._total

    def follow(self, pacing: Pacing) -> None:
        self._pacing, self._begin, self.done = pacing, self.ticks, 0
        self._total = max(pacing.count, self._join - self.ticks)
        self._made, self._first = self._made[:0], 0
        self._make()

    def end_here(self, q: Array) -> None:
        """Forget the rows that were not given yet; q was given last."""
        self._total = self.done
        self._made = self._made[: max(0, self.done - self._first)]
        self._last = q

    def next(self) -> Array:
        self.ticks += 1
        self.done = min(self.done + 1, self._total)
        if self.done > 0 and self.done >= self._first + len(self._made) - MOST_AHEAD:
            self._make()
        row = self.done - self._first - 1
        return self._made[row] if 0 <= row < len(self._made) else self._last

    def ahead(self) -> Array:
        """Return the rows that follow, as many as the gate needs."""
        row = self.done - self._first
        return self._made[row : row + MOST_AHEAD]

    def _make(self) -> None:
        """Make the next portion of rows, and forget those that were given."""
        made = self._first + len(self._made)
        upto = min(self._total, self.done + MOST_AHEAD + PORTION)
        if self._pacing is None or upto <= made:
            return
        Q = self._pacing.rows(made, upto)
        if len(Q) < upto - made:
            # The path is over before it is led over in full.
            Q = np.vstack([Q, np.repeat(self._pacing.rows(self._pacing.count - 1, upto), upto - made - len(Q), axis=0)])
        if self._begin + made < self._join:
            left = np.clip(1.0 - (self._begin + made + 1.0 + np.arange(len(Q))) / self._join, 0.0, 1.0)[:, None]
            Q = Q + self._gap * (left * left * (3.0 - 2.0 * left))
        kept = max(0, self.done - 1 - self._first)
        self._made, self._first = np.vstack([self._made[kept:], Q]), self._first + kept


class PathMotion:
    """Goes along a trajectory; brakes on its path and can continue."""

    doing: Doing = "path"
    dead_man = released = False
    intent_ns: int | None = None
    intent: Intent | None = None

    def __init__(self, trajectory: Trajectory, q_now: Array, tick_ns: int, pace: float, top: PathTop) -> None:
        """Begin at the next tick.

        Args:
            trajectory: From where the arm rests, or very near to it.
            q_now: Where the controller wants the joints now: the path is led over from there.
            tick_ns: Between setpoints.
            pace: Override of speeds, above 0 up to 1.
            top: How fast the trajectory gets, and how fast it may get.
        """
        self._rows = _Rows(tick_ns, q_now - trajectory.q_start)
        self._pace, self._top = pace, top
        self._ride = PathPlayer(trajectory, self._rows, min(pace, top.pace))

    @property
    def place(self) -> float:
        """As the path parameter of the trajectory."""
        return self._ride.place

    @property
    def arrived(self) -> bool:
        """Whether the end was given as a setpoint."""
        return self._ride.done

    @property
    def at_rest(self) -> bool:
        """Whether it has braked to the end."""
        return self._ride.stopping and self._ride.at_rest

    def next(self, now_ns: int) -> Array | None:  # noqa: ARG002 - a path is counted in ticks
        """Return the setpoint of this tick; at the end, the end."""
        return self._rows.next()

    def ahead(self) -> Array | None:
        """Return the rows that follow."""
        return self._rows.ahead()

    def sent(self, q: Array) -> None:
        """Nothing: a path passes the gate as it is or not at all."""

    def brake(self) -> None:
        """Come to rest on the path."""
        self._ride.stop()

    def rest_here(self, q: Array) -> None:
        """Continue from rest where it is on its path; a brake that is under way is over."""
        braking = self._ride.stopping
        self._ride.rest_here()
        if braking:
            self._rows.end_here(q)
        else:
            self._ride.resume()

    def resume(self) -> None:
        """Continue along the path after a brake."""
        self._ride.resume()

    def set_pace(self, pace: float) -> None:
        """Continue at another override of speeds."""
        self._pace = pace
        self._ride.set_speed(min(pace, self._top.pace))

    def limit_speed(self, speed_m_s: float) -> None:
        """Slow down, along the path, so that tool and elbow keep to a speed; or go faster again."""
        if self._top.limit_speed(speed_m_s):
            self._ride.set_speed(min(self._pace, self._top.pace))


class ApproachMotion:
    """Goes to joints with a velocity that follows the distance: gain · sign(d) · |d / π| ** exponent."""

    doing: Doing = "approach"
    dead_man = released = False
    intent_ns: int | None = None
    intent: Intent | None = None

    def __init__(
        self,
        q_now: Array,
        q_end: Array,
        limits: JointLimits,
        dt: float,
        *,
        gain: float,
        exponent: float,
        tolerance: float,
    ) -> None:
        """Begin at the next tick; `gain` is the speed in rad/s at a distance of half a turn."""
        self.place = 0.0
        self._q, self._qd = q_now.copy(), np.zeros(len(q_now))
        self._before = self._q
        self._end, self._limits, self._dt = q_end, limits, dt
        self._gain, self._exponent, self._tolerance = gain, exponent, tolerance
        self._braking = False

    @property
    def arrived(self) -> bool:
        """Whether the setpoint of every joint is at its target and at rest."""
        near = np.abs(self._end - self._q) < self._tolerance
        return not self._braking and bool(near.all()) and not self._qd.any()

    @property
    def at_rest(self) -> bool:
        """Whether it has braked to the end."""
        return self._braking and not self._qd.any()

    def next(self, now_ns: int) -> Array | None:  # noqa: ARG002 - counted in ticks
        """Return the setpoint of this tick."""
        limits, dt = self._limits, self._dt
        way = self._end - self._q
        if self._braking:
            wanted = np.zeros(len(way))
        else:
            wanted = self._gain * np.abs(way / np.pi) ** self._exponent
            # The law alone would ask for an ever steeper brake near the target; the joints could not follow.
            brakes = np.sqrt(2.0 * SHARE_OF_BRAKES * limits.acceleration * np.abs(way))
            wanted = np.sign(way) * np.minimum(
                np.minimum(wanted, brakes), np.minimum(limits.velocity, np.abs(way) / dt)
            )
        change = limits.acceleration * dt
        self._before = self._q
        self._qd = np.clip(wanted, self._qd - change, self._qd + change)
        self._q = np.clip(self._q + self._qd * dt, limits.lower, limits.upper)
        if not self._braking:
            there = (np.abs(self._end - self._q) < 0.1 * self._tolerance) & (np.abs(self._qd) <= change)
            self._q, self._qd = np.where(there, self._end, self._q), np.where(there, 0.0, self._qd)
        return self._q.copy()

    def ahead(self) -> Array | None:
        """Not known."""
        return None

    def sent(self, q: Array) -> None:
        """Continue from where the gate has let the arm go."""
        self._qd = np.clip((q - self._before) / self._dt, -self._limits.velocity, self._limits.velocity)
        self._q = q.copy()

    def brake(self) -> None:
        """Come to rest, joint by joint."""
        self._braking = True

    def rest_here(self, q: Array) -> None:
        """Continue from rest."""
        self._q, self._qd = q.copy(), np.zeros(len(q))


class ServoMotion:
    """Follows intents by a servo."""

    doing: Doing = "servo"

    def __init__(
        self, servo: Servo, q_now: Array, dt: float, obstacles: Callable[[Array], Obstacles] | None = None
    ) -> None:
        """Begin at rest where the controller wants the joints now; `obstacles` returns what is near given joints."""
        self.place = 0.0
        self.arrived = False
        self.limited_by: tuple[str, ...] = ()
        """Why the servo does not do all that is asked, as it says."""
        self._servo, self._obstacles, self._dt = servo, obstacles, dt
        self._sent: Array | None = None
        self._intent: Intent | None = None
        self._now_ns = 0
        self._braking = self._moving = self._interrupted = False
        self._q = q_now
        servo.reset(q_now)

    @property
    def dead_man(self) -> bool:
        """Whether the newest intent says that the switch is held."""
        return self._intent is not None and self._intent.dead_man

    @property
    def released(self) -> bool:
        """Whether the newest intent opens the clutch."""
        return self._intent is not None and not self._intent.clutch

    @property
    def intent_ns(self) -> int | None:
        """When the intent was made that it follows now."""
        return self._servo.followed_ns

    @property
    def intent(self) -> Intent | None:
        """That it follows now; None: it comes to rest, or rests."""
        return None if self._servo.followed_ns is None else self._intent

    @property
    def at_rest(self) -> bool:
        """Whether it has braked to the end."""
        return self._braking and not self._moving

    @property
    def barred(self) -> str:
        """Why it cannot continue before the button is pressed again; empty: it can."""
        return INTERRUPTED if self._interrupted else self._servo.barred

    @property
    def waits(self) -> bool:
        """Whether it has no command and rests."""
        return not self._moving

    def accept_intent(self, intent: Intent, now_ns: int) -> None:
        """Take a new intent; raises InputError on nonsense."""
        if not self._interrupted and self._servo.accept(intent, now_ns):
            self._intent = intent

    def next(self, now_ns: int) -> Array | None:
        """Return the setpoint of this tick; None while it rests."""
        before, self._now_ns = self._moving, now_ns
        intent = self._intent
        if intent is not None and intent.clutch and now_ns - intent.stamp_ns > INTERRUPTED_NS:
            self._interrupted = True
        step = self._servo.step(now_ns, None if self._obstacles is None else self._obstacles(self._q))
        self._moving, self._q = step.moving, step.q
        self.limited_by = step.why if intent is not None and intent.clutch else ()
        return step.q if step.moving or before else None

    def ahead(self) -> Array | None:
        """Not known."""
        return None

    def sent(self, q: Array) -> None:
        """Begin again where the gate has let the arm go, when it has fallen behind."""
        before, self._sent = self._sent, q
        if before is not None and float(np.abs(q - self._q).max()) > BEHIND_RAD:
            self._servo.reset(q, (q - before) / self._dt)
            self._q = q
            if self._intent is not None and not self._braking:
                self._servo.accept(self._intent, self._now_ns)

    def brake(self) -> None:
        """Come to rest as fast as the limits allow."""
        self._braking = True
        self._servo.stop()

    def rest_here(self, q: Array) -> None:
        """Continue from rest, with the next intent."""
        self._servo.reset(q)
        self._q, self._moving = q, False
