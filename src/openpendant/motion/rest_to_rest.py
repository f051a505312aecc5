"""Joining: runs from rest to rest, timed and put behind each other as one trajectory."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .corners import Bend
from .course import Course
from .flow import flow, may_flow_faster
from .followed_piece import Follower
from .kernels.continuity import beyond
from .kernels.ratios import invert
from .kernels.zones import largest_part
from .legs import JointLeg, Leg
from .limits import TOUCH, JointLimits
from .moves import Move
from .timing import TimeLaw, time_path
from .trajectory import Corner, Span, Trajectory

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RestToRest:
    """Legs between two stops, their corners, and the joint path along them."""

    legs: list[Leg]
    bends: list[Bend]
    course: Course
    stopped: bool
    """Whether it ends at rest although a zone was asked for."""


def join_runs(
    q: Array, limits: JointLimits, moves: Sequence[Move], runs: list[RestToRest], follower: Follower
) -> Trajectory:
    """Return the trajectory along all runs; one that stays at q where there are none."""
    knots, breaks, way = [np.zeros(1)], [np.zeros(1)], [np.zeros(1)]
    rate: list[Array] = []
    cells: list[Array] = []
    law: list[Array] = []
    owner: list[NDArray[np.int64]] = []
    spans: dict[int, Span] = {}
    place, time = 0.0, 0.0
    for run in runs:
        course, timed = _timed(run, limits, follower)
        run = replace(run, course=course)
        spans |= _spans(run, timed, time, follower)
        knots.append(course.s[1:] + place)
        cells.append(course.cells)
        owner.append(course.owner)
        breaks.append(timed.breaks[1:] + time)
        law.append(timed.law + np.array([place, 0.0, 0.0, 0.0]))
        way.append(course.way_m[1:] + way[-1][-1])
        rate.append(np.column_stack([course.way_rate[:-1], course.way_rate[1:]]))
        place += float(course.s[-1])
        time += timed.duration
    if not runs:
        still = np.zeros((1, 6, limits.dof))
        still[0, 0] = q
        knots.append(np.ones(1))
        cells.append(still)
        owner.append(np.zeros(1, dtype=np.int64))
        breaks.append(np.zeros(1))
        law.append(np.zeros((1, 4)))
        way.append(np.zeros(1))
        rate.append(np.zeros((1, 2)))
    return Trajectory(
        limits,
        np.concatenate(knots),
        np.concatenate(cells),
        np.concatenate(breaks),
        np.concatenate(law),
        np.concatenate(owner),
        _all_spans(spans, len(moves)),
        np.concatenate(way),
        np.concatenate(rate),
    )


def _timed(run: RestToRest, limits: JointLimits, follower: Follower) -> tuple[Course, TimeLaw]:
    """Return the path of a run and the fastest law found for it: round its corners, or flowing through them."""
    course = run.course
    straight = len(run.legs) == 1 and isinstance(run.legs[0], JointLeg)
    timed = time_path(course.s, course.cells, course.asked, limits, straight=straight)
    if run.bends and limits.smooth and may_flow_faster(course, run.legs, run.bends, limits):
        flowing = flow(run.legs, run.bends, limits, follower, timed.duration)
        if flowing is not None and _inside(flowing[0], limits):
            return flowing
    return course, timed


def _inside(course: Course, limits: JointLimits) -> bool:
    return beyond(course.s, course.cells, limits.lower, limits.upper, TOUCH, np.empty(3)) < 0


def _all_spans(spans: dict[int, Span], count: int) -> tuple[Span, ...]:
    """Return a span for every move; one that goes nowhere takes no time."""
    result: list[Span] = []
    now = 0.0
    for move in range(count):
        span = spans.get(move, Span(move, now, now, None))
        now = span.end_s
        result.append(span)
    return tuple(result)


def _spans(run: RestToRest, timed: TimeLaw, start: float, follower: Follower) -> dict[int, Span]:
    spans: dict[int, Span] = {}
    now = start
    for i, leg in enumerate(run.legs):
        corner = None
        end = start + timed.duration
        if i < len(run.bends):
            bend, seam = run.bends[i], run.course.seams[i]
            enter, end, leave = (
                start + invert(timed.breaks, timed.law, s) for s in (seam.enter, seam.middle, seam.leave)
            )
            corner = _corner(leg, bend, enter, leave, follower)
        elif run.stopped:
            q = leg.q_end
            corner = Corner(
                move=leg.move,
                space="stop",
                radius_m=leg.zone.radius_m,
                reached_m=0.0,
                cut=True,
                enter_s=end,
                leave_s=end,
                q_enter=q,
                q_corner=q,
                q_leave=q,
            )
        spans[leg.move] = Span(leg.move, now, end, corner)
        now = end
    return spans


def _corner(leg: Leg, bend: Bend, enter: float, leave: float, follower: Follower) -> Corner:
    q_enter, q_corner, q_leave = bend.Q[0], leg.q_end, bend.Q[-1]
    T = follower.tool_poses(np.array([q_corner, q_enter, q_leave]))
    reached = max(math.dist(T[0, :3, 3], one[:3, 3]) for one in T[1:])
    cut = largest_part(T, leg.zone.radius_m, leg.zone.turn) < 0.98
    return Corner(
        leg.move,
        bend.space,
        leg.zone.radius_m,
        reached,
        cut,
        enter,
        leave,
        q_enter.copy(),
        q_corner.copy(),
        q_leave.copy(),
    )
