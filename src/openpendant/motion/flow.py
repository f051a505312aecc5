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
from .followed_piece import Follower
from .kernels.cut import cut_law, cut_path
from .kernels.overlap import SAME_S, apart, meet, overlapping
from .kernels.ratios import invert
from .kernels.rest_to_rest import narrowest
from .legs import JointLeg, Leg
from .limits import JointLimits
from .profile import Ease
from .timing import TimeLaw, keep, time_path

Array = NDArray[np.float64]

NODES = 16
"""Cells of an overlap, at least."""
MARGIN = 1.012
"""So much less jerk than the sum of both motions asks for: the cells of an overlap are not exact."""
TRIES = 6
LEAST_S = 3e-4
"""Shortest overlap."""
NEAR_ENOUGH = 1.0002

CLEAR_S = 0.0
"""Seconds a corner that its rounded path must be ahead by an estimate, for flowing not to be tried."""


def may_flow_faster(course: Course, legs: list[Leg], bends: list[Bend], limits: JointLimits) -> bool:
    """Estimate whether flowing through corners may be faster than driving round them.

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
class _UnmeasuredCourse:
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
        kept, over = keep(path.s, path.cells, law, limits)
        if best is None or kept.duration < best[1].duration:
            best = (path, kept)
        if kept.duration <= NEAR_ENOUGH * law.duration:
            break
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
    found = np.empty(5)
    meet(before.s, before.cells, after.s, after.cells, bend.Q[0], bend.Q[-1], weight, limits.rates[2], found)
    enter, leave, j0, j1, more = found.tolist()
    a0, a1 = float(before.s[-1]) - enter, leave
    less = MARGIN * max(1.0, more)
    room = min((6.0 * a0 * less / j0) ** (1.0 / 3.0), (6.0 * a1 * less / j1) ** (1.0 / 3.0))
    return _Overlap(min(room, _ramp(before, limits), _ramp(after, limits)), less, enter, leave)


def _ramp(course: Course, limits: JointLimits) -> float:
    """Return how long a leg speeds up with all its jerk, at least."""
    ends = np.empty((3, 2))
    narrowest(course.cells, course.asked, limits.rates, ends)
    top, push, jerk = ends[:, 0].tolist()
    return min(push / jerk, (top / jerk) ** 0.5, (0.5 * float(course.s[-1]) / jerk) ** (1.0 / 3.0))


def _put_together(
    legs: list[Leg],
    courses: list[Course],
    laws: list[TimeLaw],
    overlaps: list[_Overlap],
    overlap_times: list[float],
    nodes: list[int],
) -> tuple[_UnmeasuredCourse, TimeLaw, list[tuple[float, float]]]:
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
            time = apart(law.breaks, laws[i + 1].breaks, overlap_times[i])
            t_end = law.duration - time
            end = _state(law, t_end)[0]
        part_cells, part_widths = cut_path(course.s, course.cells, begin, end)
        part_times, part_rows = cut_law(law.breaks, law.law, t_begin, t_end, place - begin, SAME_S)
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
            after, next_law = courses[i + 1], laws[i + 1]
            s, between, lengths, bent = overlapping(
                *(course.s, course.cells, law.breaks, law.law),
                *(after.s, after.cells, next_law.breaks, next_law.law),
                *(time, nodes[i]),
            )
            cells.append(between)
            widths.append(np.diff(s))
            half = len(between) // 2
            owner.append(np.repeat([leg.move, legs[i + 1].move], [half, len(between) - half]))
            bent[:, 0] += place
            rows.append(bent)
            times.append(lengths)
            seams.append(Seam(enter, place + float(s[half]), 0.0))
            place += float(s[-1])
            during.append((now, now + time))
            now += time
            t_begin, begin = time, _state(laws[i + 1], time)[0]
    s = np.append(0.0, np.cumsum(np.concatenate(widths)))
    joined = np.concatenate(cells)
    path = _UnmeasuredCourse(s, joined, np.concatenate(owner), tuple(seams))
    return path, TimeLaw(np.append(0.0, np.cumsum(np.concatenate(times))), np.concatenate(rows)), during


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
