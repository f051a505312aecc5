"""ArmGate: the rules of the gate for one arm."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from openpendant.said import say

from .facts import REDUCED_SETPOINTS_M_S, REDUCED_SPEED_M_S, GateFacts
from .follow_check import STATE_TOO_OLD_NS, Following
from .freshness import Freshness
from .limiter import CREEP_M_S, Limiter
from .setpoints import Allowed, Held, HoldKind, Setpoint
from .surroundings import Surroundings

Array = NDArray[np.float64]

JUMP_S = 0.3
"""A setpoint may lie as far away as the joints get in this time; farther is a jump."""
ROWS_CHECKED = 1024
"""Of the rows ahead: more than are ever used before the next setpoint brings them again."""
SLOWING, SLOWING_S = 1.1, 2.0
"""When speed becomes reduced, a path under way has this time to slow down, and may get this factor faster."""
SPACE_M = 0.002
"""So far a measured tool may be where it may not: tracking."""
MILLI = 1e-6


class _Newest(NamedTuple):
    """Of the newest setpoint, what is followed."""

    q: Array
    """(n,): checked."""
    stamp_ns: int


class ArmGate:
    """Lets the setpoints of one source at a time through to one arm, or holds it."""

    def __init__(self, name: str, facts: GateFacts, tick_ns: int, surroundings: Surroundings | None) -> None:
        """Begin held: somebody has to clutch in."""
        self.name = name
        self.facts = facts
        self.limiter = Limiter(name, facts, tick_ns * 1e-9, surroundings)
        self.held: Held | None = Held("clutch", "nobody has clutched in")
        """Why the arm is held; None: it follows its source."""
        self.source: str | None = None
        """Who has clutched in."""
        self._reduced = False
        self._slowing_m_s = self._slowing_s = 0.0
        self._tick_s = tick_ns * 1e-9
        self._newest: _Newest | None = None
        self._following = Following(facts, tick_ns * 1e-9)
        self._freshness, self._samples = Freshness(), Freshness(0)
        self._needs_dead_man = False
        self._dof = facts.chain.dof
        self._want_v = np.zeros(self._dof)
        self._want_ns = 0
        self._ahead: Array | None = None
        self._is_new = False

    @property
    def reduced(self) -> bool:
        """Whether tool and elbow keep to 250 mm/s."""
        return self._reduced

    @reduced.setter
    def reduced(self, value: bool) -> None:
        if value and not self._reduced:
            self._slowing_m_s, self._slowing_s = SLOWING * self.limiter.speed_m_s, SLOWING_S
        self._reduced = value

    @property
    def most_m_s(self) -> float:
        """How fast the tool's point and the joints' centres may go; what touches is left slower still."""
        return min(self.facts.tool_speed_m_s, REDUCED_SPEED_M_S) if self._reduced else self.facts.tool_speed_m_s

    @property
    def setpoints_m_s(self) -> float:
        """How fast they may go by what is sent, so that the arm that follows it keeps to the above."""
        return min(self.most_m_s, REDUCED_SETPOINTS_M_S) if self._reduced else self.most_m_s

    def speed_limit(self, q: Array | None = None) -> float:
        """Return how fast tool and elbow may be sent along a path, m/s: now, or from rest at `q`."""
        touching = self.limiter.touching if q is None else self.limiter.in_contact(q)
        return min(self.setpoints_m_s, CREEP_M_S) if touching else self.setpoints_m_s

    def name_tcps(self, tcps: Array) -> None:
        """Keep other points on the flange (K, 3), metres, to speed and spaces as well, until others are named."""
        self.limiter.name_tcps(tcps)
        self.facts = self.limiter.facts

    def clutch_in(
        self, source: str, measured: Array, freshness: Freshness, *, needs_dead_man: bool = False
    ) -> Held | None:
        """Begin to follow a source from where the arm is measured; return why not where it cannot."""
        q = self._joints(measured)
        if q is None:
            return Held("robot", f"measured joints {np.asarray(measured).tolist()} are no joints")
        if not self.limiter.at_rest:
            return Held("stop", "the arm still moves; clutch in when it rests", q=None)
        self._following.begin(q, self.limiter.q)
        self.limiter.rest_at(q)
        freshness.forget_order()
        self.source, self.held, self._newest, self._ahead = source, None, None, None
        self._freshness, self._is_new, self._want_ns = freshness, False, 0
        self._samples, self._needs_dead_man = Freshness(0), needs_dead_man
        self._want_v[:] = 0.0
        return None

    def watch(self, q: Array, qd: Array) -> str:
        """Return which rule measured joints and velocities break, as text; empty: none."""
        fast = float(self.limiter.speeds_along(q[None, :], qd[None, :])[0])
        if fast > self.most_m_s:
            return f"tool or elbow goes {1000.0 * fast:.0f} mm/s; allowed: {1000.0 * self.most_m_s:.0f}"
        out, where = self.limiter.outside(q)
        return f"the tool is {1000.0 * out:.1f} mm {where}" if out > SPACE_M else ""

    def hold(self, kind: HoldKind, reason: str) -> Held:
        """Begin a controlled stop that latches; a hold that is already there stays as it is."""
        if self.held is None:
            self.held = Held(kind, reason)
            self.limiter.brake(self._ahead)
        return self.held

    def offer(self, setpoint: Setpoint, now_ns: int, *, needs_dead_man: bool) -> Held | None:
        """Take in a setpoint of the source that has control; return why not where it is refused."""
        if self.held is not None or self.source != setpoint.source:
            if self.held is None:
                return Held("clutch", f"{setpoint.source} has not clutched in; {self.source} has", latched=False)
            return self.held
        if not self._freshness.is_newest(setpoint.stamp_ns):
            return None
        age = self._freshness.record(setpoint.stamp_ns, now_ns)
        limit = self._freshness.limit_ns
        if age > limit:
            return self.hold("stale", say("hold.old_setpoint", age_ms=age * MILLI, most_ms=limit * MILLI))
        too_old = self._age_of_sample(setpoint.intent_ns, now_ns)
        if too_old:
            return self.hold("stale", too_old)
        if (needs_dead_man or self._needs_dead_man) and not setpoint.dead_man:
            return self.hold("dead-man", say("hold.dead_man"))
        q = self._joints(setpoint.q)
        if q is None:
            return self.hold("input", f"setpoint {np.asarray(setpoint.q).tolist()} is not {self._dof} finite joints")
        ahead = setpoint.ahead
        if ahead is not None and (ahead.ndim != 2 or ahead.shape[1] != self._dof or not _finite(ahead[:ROWS_CHECKED])):
            return self.hold("input", f"rows ahead of shape {ahead.shape} are not (N, {self._dof}) finite joints")
        off = np.abs(q - self.limiter.q) / self.facts.limits.velocity
        if off.max() > JUMP_S:
            i = int(off.argmax())
            return self.hold(
                "jump",
                say("hold.jump", joint=i + 1, away_rad=abs(q[i] - self.limiter.q[i]), away_s=off[i]),
            )
        self._note(setpoint, q, now_ns)
        return None

    def _age_of_sample(self, stamp_ns: int | None, now_ns: int) -> str:
        """Return why the sample of a person does not count, as text; empty: it does."""
        if stamp_ns is None:
            return ""
        if self._samples.is_early(stamp_ns, now_ns):
            return say("hold.early_sample", early_ms=(stamp_ns - now_ns) * MILLI)
        age, limit = self._samples.record(stamp_ns, now_ns), self._samples.limit_ns
        return "" if age <= limit else say("hold.old_sample", age_ms=age * MILLI, most_ms=limit * MILLI)

    def tick(self, measured: Array | None, measured_ns: int | None, now_ns: int) -> Allowed | Held:
        """Return what to send at this tick."""
        self._slowing_s -= self._tick_s
        if self.held is None:
            self._watch(measured, measured_ns, now_ns)
        verdict = self._next_setpoint()
        # No measurement for an arm that is sent no stop, because its controller stops it.
        if verdict.q is not None and measured is not None:
            self._following.note(verdict.q)
        return verdict

    def _next_setpoint(self) -> Allowed | Held:
        """Continue to the next tick."""
        if self.held is None and self._newest is not None:
            verdict = self._follow()
            if verdict is not None:
                return verdict
        if self.held is None:
            return Allowed(self.limiter.q)
        if self.limiter.at_rest:
            return self.held
        return replace(self.held, q=self.limiter.keep_braking())

    def _follow(self) -> Allowed | None:
        """Go after the newest setpoint; None: it led to a hold."""
        assert self._newest is not None  # noqa: S101 - asked by the caller
        if self._ahead is None:
            v = self._want_v if self._is_new else np.zeros_like(self._want_v)
            self._is_new = False
            q, why = self.limiter.follow(self._newest.q, v, self.setpoints_m_s)
            return Allowed(q, why != "", why)
        if self._is_new:
            row, self._is_new = self._newest.q, False
        elif len(self._ahead):
            row, self._ahead = np.array(self._ahead[0]), self._ahead[1:]
        else:
            return Allowed(self.limiter.q)
        rest = self._ahead if len(self._ahead) else row[None, :]
        found = self.limiter.follow_path(row, rest, self._path_speed())
        if found is None:
            return Allowed(np.array(row))
        # A path that breaks a limit cannot lead to rest; near something, the arm continues along the path to its stop.
        self._ahead = None if found[0] == "limit" else np.vstack([row[None, :], self._ahead])
        self.hold("near" if found[0] == "near" else "space" if found[0] == "space" else "limit", found[1])
        return None

    def _path_speed(self) -> float:
        """Return how fast tool and elbow may go along a path at this tick."""
        limit = self.speed_limit()
        return max(limit, self._slowing_m_s) if self._slowing_s > 0.0 and not self.limiter.touching else limit

    def _watch(self, measured: Array | None, measured_ns: int | None, now_ns: int) -> None:
        """Hold where the source has fallen silent, or the robot does not follow."""
        if self._newest is not None:
            age = self._freshness.age_ns(self._newest.stamp_ns, now_ns)
            limit = self._freshness.limit_ns
            if age > limit:
                self.hold(
                    "stale",
                    say("hold.source_silent", source=str(self.source), silent_ms=age * MILLI, most_ms=limit * MILLI),
                )
        if measured_ns is not None and now_ns - measured_ns > STATE_TOO_OLD_NS:
            self.hold("robot", say("hold.robot_silent", silent_ms=(now_ns - measured_ns) * MILLI))
        if measured is None:
            return
        q = self._joints(measured)
        if q is None:
            self.hold("robot", f"measured joints {np.asarray(measured).tolist()} are no joints")
            return
        off = self._following.check(q, 0 if measured_ns is None else now_ns - measured_ns)
        if off is not None:
            words = say("hold.following", joint=off.joint + 1, off_rad=off.off_rad, most_rad=off.most_rad)
            self.hold("following", words)

    def _note(self, setpoint: Setpoint, q: Array, now_ns: int) -> None:
        """Keep a setpoint with its checked joints, and how fast it moves."""
        if self._newest is not None and self._want_ns:
            dt = max((setpoint.stamp_ns - self._newest.stamp_ns) * 1e-9, self._tick_s)
            v = (q - self._newest.q) / dt
            most = self.facts.limits.velocity
            self._want_v = np.minimum(np.maximum(v, -most), most)
        self._want_ns = now_ns
        self._newest, self._is_new = _Newest(q, setpoint.stamp_ns), True
        self._ahead = setpoint.ahead

    def _joints(self, q: Array) -> Array | None:
        """Return joints as a fresh array; None where they are none."""
        try:
            joints = np.array(q, dtype=np.float64)
        except (TypeError, ValueError):
            return None
        return joints if joints.shape == (self._dof,) and _finite(joints) else None


def _finite(values: Array) -> bool:
    return bool(np.isfinite(values).all())
