"""Flowing: round a corner by beginning the next leg before the one before has come to rest.

Where a zone is small, its tight curve must be driven so slowly that a stop at the corner would be faster. Better than
both: brake as for a stop, and start the next leg while the last bit of braking is still going on. The two motions add
up to a curve inside the zone, and at no time does the arm rest. Both use so much less jerk there that their sum keeps
the limits; what the start gains is more than what that costs.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .corners import Bend
from .course import Course, Seam, lay_course, measure
from .following import Follower
from .kernels.ratios import evaluate, invert
from .kernels.spline import quintic_cells
from .legs import JointLeg, Leg
from .limits import JointLimits
from .profile import Ease
from .timing import TimeLaw, excess, keep, time_path

__all__ = ["flow", "worth_flowing"]

Array = NDArray[np.float64]

NODES = 16
"""Cells of an overlap, at least."""
MARGIN = 1.012
"""So much less jerk than the sum of both motions asks for: the cells of an overlap are not exact."""
TRIES = 6
LEAST_S = 3e-4
"""Shortest overlap."""
NEAR_ENOUGH = 1.0002
SAME_S = 1e-9
"""Breaks this near to each other are one."""


CLEAR_S = 0.0
"""Seconds a corner that its rounded path must be ahead by an estimate, for flowing not to be tried."""


def worth_flowing(course: Course, legs: list[Leg], bends: list[Bend], limits: JointLimits) -> bool:
    """Tell, by an estimate, whether flowing through corners may be faster than driving round them.

    Both are compared by the time they lose against driving on at full speed.
    """
    rate = np.maximum(np.abs(course.cells[:, 1]), 1e-12)
    free = np.minimum(np.min(limits.velocity / rate, axis=1), course.asked[:-1])
    bend = np.min(limits.acceleration / np.maximum(np.abs(2.0 * course.cells[:, 2]), 1e-12), axis=1)
    twist = np.min(limits.jerk / np.maximum(np.abs(6.0 * course.cells[:, 3]), 1e-12), axis=1)
    cap = np.minimum(free, np.minimum(np.sqrt(bend), np.cbrt(twist)))
    ahead = 0.0
    for leg, corner, seam in zip(legs, bends, course.seams, strict=False):
        i, k = (int(np.searchsorted(course.s, place - 1e-12)) for place in (seam.enter, seam.leave))
        slow, length = float(cap[i:k].min()), seam.leave - seam.enter
        after = min(k, len(free) - 1)
        top = max(min(float(free[max(i - 1, 0)]), float(free[after])), slow)
        pushes = [float(np.min(limits.acceleration / rate[at])) for at in (i, after)]
        jerks = [float(np.min(limits.jerk / rate[at])) for at in (i, after)]
        push, jerk = min(pushes), min(jerks)
        gap = top - slow
        braking = gap / push + min(push / jerk, math.sqrt(gap / jerk))
        rounding = length / slow - length / top + braking * gap / top
        less = max(
            1.0, float(np.max(np.abs(course.cells[i, 1] * jerks[0] + course.cells[after, 1] * jerks[1]) / limits.jerk))
        )
        ways = [float(np.linalg.norm((leg.q_end - q) / limits.velocity)) for q in (corner.Q[0], corner.Q[-1])]
        overlap = min(
            *((6.0 * way * less / one) ** (1.0 / 3.0) for way, one in zip(ways, jerks, strict=True)), push / max(jerks)
        )
        stopping = top / push + min(push / jerk, math.sqrt(top / jerk)) - overlap / less - (length - sum(ways)) / top
        ahead += stopping - rounding
    return ahead < CLEAR_S * len(bends)


@dataclass(frozen=True, eq=False)
class _Overlap:
    """What two legs do at the corner between them."""

    time_s: float
    less: float
    """By how much less than all jerk both use."""
    enter: float
    """Where the zone begins on the leg before, s of that leg."""
    leave: float
    """Where it ends on the leg after."""


@dataclass(frozen=True, eq=False)
class _Path:
    """A course, not measured yet."""

    s: Array
    cells: Array
    owner: NDArray[np.int64]
    seams: tuple[Seam, ...]


def flow(
    legs: list[Leg], bends: list[Bend], limits: JointLimits, follower: Follower, known_s: float
) -> tuple[Course, TimeLaw] | None:
    """Return path and law along legs that overlap at their corners; None where that cannot be, or is slower.

    Args:
        legs: From rest to rest.
        bends: Between each leg and the next: what the zones allow.
        limits: Of the joints, with jerk.
        follower: Of the arm.
        known_s: Duration of a law that is known already.
    """
    courses = [lay_course([leg], [], follower) for leg in legs]
    pairs = zip(courses, courses[1:], bends, strict=False)
    overlaps = [_overlap(before, after, bend, limits, follower.weight) for before, after, bend in pairs]
    laws: list[TimeLaw] = []
    for i, (leg, course) in enumerate(zip(legs, courses, strict=True)):
        head = _ease(overlaps[i - 1]) if i > 0 else (1.0, LEAST_S)
        tail = _ease(overlaps[i]) if i < len(overlaps) else (1.0, LEAST_S)
        straight = isinstance(leg, JointLeg)
        laws.append(time_path(course.s, course.cells, course.asked, limits, straight=straight, ease=(head, tail)))
    times = [_overlap_time(laws[i], laws[i + 1], overlap) for i, overlap in enumerate(overlaps)]
    if sum(law.duration for law in laws) - sum(times) >= known_s:
        return None
    nodes = [NODES] * len(times)
    best = None
    for _ in range(TRIES):
        if min(times) < LEAST_S:
            break
        path, law, during = _put_together(legs, courses, laws, overlaps, times, nodes)
        kept = keep(path.s, path.cells, law, limits)
        if best is None or kept.duration < best[1].duration:
            best = (path, kept)
        if kept.duration <= NEAR_ENOUGH * law.duration:
            break
        over = excess(path.s, path.cells, law, limits)
        for i, (start, end) in enumerate(during):
            inside = (law.breaks[1:] > start) & (law.breaks[:-1] < end)
            if over[inside].max(initial=0.0) > 1.0:
                times[i] *= 0.7
                nodes[i] *= 2
    if best is None or best[1].duration >= known_s:
        return None
    path = best[0]
    asked, way, rate = measure(path.s, path.cells, path.owner, {leg.move: leg.speed for leg in legs}, follower)
    return Course(path.s, path.cells, path.owner, asked, path.seams, way, rate), best[1]


def _ease(overlap: _Overlap) -> Ease:
    return overlap.less, overlap.time_s


def _overlap(before: Course, after: Course, bend: Bend, limits: JointLimits, weight: Array) -> _Overlap:
    enter, leave = _place_of(before, bend.Q[0], weight), _place_of(after, bend.Q[-1], weight)
    d0, d1 = _derivative(before, -1, at_end=True), _derivative(after, 0, at_end=False)
    j0, j1 = (float(np.min(limits.jerk / np.maximum(np.abs(rate), 1e-12))) for rate in (d0, d1))
    a0, a1 = float(before.s[-1]) - enter, leave
    less = MARGIN * max(1.0, float(np.max(np.abs(d0 * j0 + d1 * j1) / limits.jerk)))
    room = min((6.0 * a0 * less / j0) ** (1.0 / 3.0), (6.0 * a1 * less / j1) ** (1.0 / 3.0))
    return _Overlap(min(room, _ramp(before, limits), _ramp(after, limits)), less, enter, leave)


def _ramp(course: Course, limits: JointLimits) -> float:
    """Return how long a leg speeds up with all its jerk, at least."""
    rate = np.maximum(np.abs(course.cells[:, 1]), 1e-12)
    jerk, push = float(np.min(limits.jerk / rate)), float(np.min(limits.acceleration / rate))
    top = min(float(course.asked.min()), float(np.min(limits.velocity / rate)))
    return min(push / jerk, (top / jerk) ** 0.5, (0.5 * float(course.s[-1]) / jerk) ** (1.0 / 3.0))


def _derivative(course: Course, cell: int, *, at_end: bool) -> Array:
    x = float(course.s[-1] - course.s[-2]) if at_end else 0.0
    return np.arange(1, 6) * x ** np.arange(5) @ course.cells[cell, 1:]


def _place_of(course: Course, q: Array, weight: Array) -> float:
    """Return where on a leg the joints are nearest to q."""
    Q = np.vstack([course.cells[:, 0], (course.s[-1] - course.s[-2]) ** np.arange(6) @ course.cells[-1]])
    k = min(int(np.argmin(np.linalg.norm((Q - q) * weight, axis=1))), len(course.cells) - 1)
    s = float(course.s[k])
    for _ in range(8):
        k = min(max(int(np.searchsorted(course.s, s, side="right")) - 1, 0), len(course.cells) - 1)
        x = s - course.s[k]
        gap = (q - x ** np.arange(6) @ course.cells[k]) * weight
        rate = (np.arange(1, 6) * x ** np.arange(5) @ course.cells[k, 1:]) * weight
        s = min(max(s + float(gap @ rate) / float(rate @ rate), 0.0), float(course.s[-1]))
    return s


def _put_together(
    legs: list[Leg],
    courses: list[Course],
    laws: list[TimeLaw],
    overlaps: list[_Overlap],
    overlap_times: list[float],
    nodes: list[int],
) -> tuple[_Path, TimeLaw, list[tuple[float, float]]]:
    """Return path and law with the next leg beginning before the one before ends, and when both move."""
    during: list[tuple[float, float]] = []
    now = 0.0
    cells: list[Array] = []
    widths: list[Array] = []
    owner: list[NDArray[np.int64]] = []
    rows: list[Array] = []
    times: list[Array] = []
    seams: list[Seam] = []
    place, begin, t_begin = 0.0, 0.0, 0.0
    enter = 0.0
    for i, (leg, course, law) in enumerate(zip(legs, courses, laws, strict=True)):
        end, t_end, time = float(course.s[-1]), law.duration, 0.0
        if i < len(overlaps):
            time = _apart(overlap_times[i], law, laws[i + 1])
            t_end = law.duration - time
            end = _state(law, t_end)[0]
        part_cells, part_widths = _cut(course, begin, end)
        part_times, part_rows = _cut_law(law, t_begin, t_end, place - begin)
        cells.append(part_cells)
        widths.append(part_widths)
        owner.append(np.full(len(part_cells), leg.move))
        rows.append(part_rows)
        times.append(part_times)
        now += t_end - t_begin
        if seams:
            # The corner before is left on this leg.
            seams[-1] = Seam(seams[-1].enter, seams[-1].middle, overlaps[i - 1].leave - begin + place)
        if i < len(overlaps):
            enter = overlaps[i].enter - begin + place
        place += end - begin
        if i < len(overlaps):
            between = _corner(course, law, courses[i + 1], laws[i + 1], time, nodes[i])
            cells.append(between.cells)
            widths.append(between.widths)
            half = len(between.cells) // 2
            owner.append(np.repeat([leg.move, legs[i + 1].move], [half, len(between.cells) - half]))
            rows.append(between.law + np.array([place, 0.0, 0.0, 0.0]))
            times.append(between.times)
            seams.append(Seam(enter, place + float(between.widths[:half].sum()), 0.0))
            place += float(between.widths.sum())
            during.append((now, now + time))
            now += time
            t_begin, begin = time, _state(laws[i + 1], time)[0]
    s = np.append(0.0, np.cumsum(np.concatenate(widths)))
    joined = np.concatenate(cells)
    path = _Path(s, joined, np.concatenate(owner), tuple(seams))
    return path, TimeLaw(np.append(0.0, np.cumsum(np.concatenate(times))), np.concatenate(rows)), during


def _inner(time: float, before: TimeLaw, after: TimeLaw) -> Array:
    """Return the times from the start of an overlap to its end at which a law has a break, both ends included."""
    breaks = np.concatenate([before.breaks - (before.duration - time), after.breaks])
    inner = np.sort(breaks[(breaks > SAME_S) & (breaks < time - SAME_S)])
    inner = inner[np.diff(inner, prepend=0.0) > SAME_S]
    return np.concatenate([np.zeros(1), inner, np.full(1, time)])


def _apart(time: float, before: TimeLaw, after: TimeLaw) -> float:
    """Return a time, a little shorter where that keeps breaks further apart: a tiny cell would be all rounding."""

    def narrowest(one: float) -> float:
        beside = np.abs(np.concatenate([before.breaks - (before.duration - one), after.breaks - one]))
        return float(min(np.diff(_inner(one, before, after)).min(), beside[beside > SAME_S].min()))

    return max((time * np.linspace(1.0, 0.94, 4)).tolist(), key=narrowest)


def _overlap_time(before: TimeLaw, after: TimeLaw, overlap: _Overlap) -> float:
    """Return how long both legs may move at once, inside the zone and with less jerk."""
    last = before.duration - float(invert(before.breaks, before.law, overlap.enter))
    first = float(invert(after.breaks, after.law, overlap.leave))
    return min(overlap.time_s, last, first, 0.45 * before.duration, 0.45 * after.duration)


def _state(law: TimeLaw, t: float) -> tuple[float, float, float]:
    """Return s, ṡ, s̈ at t."""
    k = min(max(int(np.searchsorted(law.breaks, t, side="right")) - 1, 0), len(law.law) - 1)
    x = t - float(law.breaks[k])
    a0, a1, a2, a3 = law.law[k].tolist()
    return a0 + x * (a1 + x * (a2 + x * a3)), a1 + x * (2.0 * a2 + 3.0 * x * a3), 2.0 * a2 + 6.0 * x * a3


def _shifted(coefficients: Array, x: float) -> Array:
    """Return the coefficients of a polynomial's powers, from x on."""
    result = coefficients.copy()
    for i in range(len(result)):
        for k in range(len(result) - 2, i - 1, -1):
            result[k] += x * result[k + 1]
    return result


def _cut(course: Course, begin: float, end: float) -> tuple[Array, Array]:
    """Return cells and their widths from one place of a leg to another."""
    first = min(max(int(np.searchsorted(course.s, begin, side="right")) - 1, 0), len(course.cells) - 1)
    last = min(max(int(np.searchsorted(course.s, end, side="left")) - 1, first), len(course.cells) - 1)
    cells = course.cells[first : last + 1].copy()
    bounds = course.s[first : last + 2].copy()
    cells[0] = _shifted(cells[0], begin - float(bounds[0]))
    bounds[0], bounds[-1] = begin, end
    return cells, np.diff(bounds)


def _cut_law(law: TimeLaw, begin: float, end: float, shift: float) -> tuple[Array, Array]:
    """Return lengths and cubics of the slots of a law from one time to another."""
    first = min(max(int(np.searchsorted(law.breaks, begin + SAME_S, side="right")) - 1, 0), len(law.law) - 1)
    last = min(max(int(np.searchsorted(law.breaks, end - SAME_S, side="left")) - 1, first), len(law.law) - 1)
    rows = law.law[first : last + 1].copy()
    bounds = law.breaks[first : last + 2].copy()
    rows[0] = _shifted(rows[0], begin - float(bounds[0]))
    bounds[0], bounds[-1] = begin, end
    rows[:, 0] += shift
    return np.diff(bounds), rows


@dataclass(frozen=True, eq=False)
class _Corner:
    cells: Array
    widths: Array
    times: Array
    law: Array


def _corner(before: Course, law0: TimeLaw, after: Course, law1: TimeLaw, time: float, count: int) -> _Corner:
    """Return the path while both legs move, and a law along it that goes on smoothly at both ends."""
    start = law0.duration - time
    bounds = _inner(time, law0, law1)
    parts = [max(1, math.ceil(count * width / time)) for width in np.diff(bounds).tolist()]
    at = np.append(0, np.cumsum(parts))
    nodes: Array = np.interp(np.arange(int(at[-1]) + 1), at, bounds)
    n = before.cells.shape[2]
    motion = np.empty((2, len(nodes), 4, n))
    evaluate(before.s, before.cells, law0.breaks, law0.law, start + nodes, motion[0])
    evaluate(after.s, after.cells, law1.breaks, law1.law, nodes, motion[1])
    motion[0, :, 0] -= after.cells[0, 0]
    q, qd, qdd, _ = np.ascontiguousarray(np.moveaxis(motion.sum(axis=0), 1, 0))
    # The place on the corner is the sum of both legs': it goes on smoothly at both ends, and always forward.
    law = _pieces(law0, start + nodes) + _pieces(law1, nodes)
    law[:, 0] -= law[0, 0]
    s, v, u = law[:, 0].copy(), law[:, 1, None], 2.0 * law[:, 2, None]
    q1 = qd / v
    q2 = (qdd - q1 * u) / v**2
    cells = np.empty((len(s) - 1, 6, n))
    quintic_cells(s, q, q1, q2, cells)
    return _Corner(cells, np.diff(s), np.diff(nodes), law[:-1])


def _pieces(law: TimeLaw, t: Array) -> Array:
    """Return the cubics of a law from each time t on; no break lies between two of them. The last goes back from t."""
    middle = np.append(0.5 * (t[1:] + t[:-1]), t[-1])
    k = np.clip(np.searchsorted(law.breaks, middle, side="right") - 1, 0, len(law.law) - 1)
    x = t - law.breaks[k]
    a0, a1, a2, a3 = law.law[k].T
    return np.column_stack(
        [a0 + x * (a1 + x * (a2 + x * a3)), a1 + x * (2.0 * a2 + 3.0 * x * a3), a2 + 3.0 * x * a3, a3]
    )
