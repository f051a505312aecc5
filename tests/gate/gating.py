"""Arms of the catalogue behind a gate, and a driver of ticks for the tests of the room."""

from dataclasses import dataclass, field

import numpy as np

from openpendant import robots
from openpendant.gate import Allowed, Gate, GateFacts, Held, Setpoint, facts_of

TICK_NS = 4_000_000
DT = TICK_NS * 1e-9
ARMS = [(name, arm) for name in robots.names() for arm in robots.load(name).arms if robots.is_built_in(name)]


@dataclass
class Stand:
    """A gate with one arm that follows exactly; keeps all that was sent."""

    facts: GateFacts
    q: np.ndarray
    surroundings: object = None
    dead_man: bool = False
    offset_ns: int | None = 0
    now_ns: int = 5_000_000_000
    rows: list[np.ndarray] = field(default_factory=list)
    answers: list[Allowed | Held] = field(default_factory=list)

    def __post_init__(self):
        self.gate = Gate({"arm": self.facts}, TICK_NS, surroundings=self.surroundings)
        self.gate.grant("hand", needs_dead_man=self.dead_man, clock_offset_ns=self.offset_ns)
        self.rows += [self.q, self.q, self.q]

    def clutch_in(self):
        assert self.gate.clutch_in("hand", "arm", self.q) is None

    def setpoint(self, q, stamp_ns=None, source="hand", **more) -> Allowed | Held:
        self.now_ns += TICK_NS
        stamp = self.now_ns if stamp_ns is None else stamp_ns
        return self._took(self.gate.pass_setpoint(Setpoint(source, "arm", q, stamp, **more), self.q, self.now_ns))

    def silence(self, ticks=1) -> Allowed | Held:
        for _ in range(ticks):
            self.now_ns += TICK_NS
            answer = self._took(self.gate.tick("arm", self.q, self.now_ns))
        return answer

    def until_rest(self, limit=2000) -> Allowed | Held:
        answer = self.silence()
        for _ in range(limit):
            if self.gate.at_rest("arm"):
                return answer
            answer = self.silence()
        raise AssertionError("does not come to rest")

    def _took(self, answer):
        self.answers.append(answer)
        if answer.q is not None:
            self.q = np.array(answer.q)
        self.rows.append(self.q)
        return answer


def stand(name="ur3e", arm=None, q=None, **more) -> Stand:
    robot = robots.load(name)
    speed = more.pop("tool_speed_m_s", np.inf)
    spaces = more.pop("spaces", ())
    facts = facts_of(robot, arm, tool_speed_m_s=speed, spaces=spaces)
    return Stand(facts, robot.posture(None, arm) if q is None else np.array(q), **more)


def worst(facts: GateFacts, rows) -> dict[str, float]:
    """How far limits were used, as shares, from the differences of what was sent.

    Motion limits hold while a joint speeds up, stop limits while it slows down. Jerk is how fast an acceleration
    builds up; it may be dropped at once.
    """
    Q = np.array(rows)
    limits, stop = facts.limits, facts.limits.stop
    middle = np.maximum(limits.lower - Q, Q - limits.upper).max()
    v, a = np.diff(Q, axis=0) / DT, np.diff(Q, n=2, axis=0) / DT**2
    slows = np.abs(v[1:]) <= np.abs(v[:-1]) + 1e-9
    same = np.sign(a[1:]) == np.sign(a[:-1])
    built = (np.abs(a[1:]) - np.where(same, np.abs(a[:-1]), 0.0)) / DT
    return {
        "beyond": float(middle),
        "velocity": float((np.abs(v) / limits.velocity).max()),
        "acceleration": float((np.abs(a) / np.where(slows, stop.deceleration, limits.acceleration)).max()),
        "jerk": float((built / np.where(slows[1:], stop.jerk, np.maximum(limits.jerk, 0.0))).max()),
    }
