"""stop_along: come to rest on the path, from any time of a trajectory, gently where that is soon."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

from .kernels.path_stop import brake, halt_on_path
from .kernels.ratios import invert, ratios
from .timing import SLOT_S
from .trajectory import Span, Trajectory

Array = NDArray[np.float64]

FORCES = (1.0, 0.75, 0.5, 0.3)
DELAYS_S = (0.0, 0.02, 0.04, 0.08, 0.16)
"""A gentle stop may begin so much later, where a corner takes all that the joints can give."""
LONGEST_S = 4.0
HALT_SLOT_S = 0.002
PATIENCE_S = 0.75
"""A gentle stop may take so much longer than the shortest one."""


def stop_along(trajectory: Trajectory, t: float) -> Trajectory:
    """Return how the arm comes to rest on its path when it is paused at t seconds.

    The stop begins with the joints and velocities of `trajectory` at t, which is its time 0, and stays on the path.
    It keeps the motion limits where such a stop is found that takes little longer than the shortest one; otherwise
    it is the shortest one, with stop limits.

    Raises:
        InputError: t is not a number.
    """
    if math.isnan(t):
        raise InputError("the time of the stop is not a number; allowed: seconds")
    t = min(max(t, 0.0), trajectory.duration)
    breaks, law = planned = _law_to_rest(trajectory, t)
    rest = _last_place(breaks, law)
    shortest = _halt(trajectory, law)
    bound = float(breaks[-1]) if shortest is None else float(shortest[0][-1]) + PATIENCE_S
    gentle = _stop_within_motion_limits(trajectory, planned, rest, bound)
    if gentle is not None:
        breaks, law = gentle
    elif shortest is not None and breaks[-1] > bound:
        breaks, law = shortest
    spans = _spans(trajectory, breaks, law)
    return replace(trajectory, breaks=breaks, law=law, spans=spans)


def _stop_within_motion_limits(
    trajectory: Trajectory, planned: tuple[Array, Array], rest: float, bound: float
) -> tuple[Array, Array] | None:
    """Return the law of a stop with motion limits that ends before `bound` seconds, None where none is found."""
    end = min(bound, float(planned[0][-1]))
    for delay in DELAYS_S:
        if delay >= end:
            return None
        for force in FORCES:
            braked = _braking_law(trajectory, *planned, rest, delay, force)
            if braked is not None and braked[0][-1] < end:
                return braked
    return None


def _halt(trajectory: Trajectory, law: Array) -> tuple[Array, Array] | None:
    """Return the law of the shortest stop with stop limits, None where the arm rests already."""
    state = np.array([law[0, 0], law[0, 1], 2.0 * law[0, 2]])
    if state[1] <= 1e-9:
        return None
    stop, size = trajectory.limits.stop, int(LONGEST_S / HALT_SLOT_S)
    breaks, found = np.empty(size + 1), np.empty((size, 4))
    knots, cells = trajectory.knots, trajectory.cells
    count = halt_on_path(knots, cells, stop.deceleration, stop.jerk, state, HALT_SLOT_S, breaks, found)
    return None if count == 0 else (breaks[: count + 1], found[:count])


def _law_to_rest(trajectory: Trajectory, t: float) -> tuple[Array, Array]:
    """Return the law from t to where the trajectory next rests."""
    first = min(max(int(np.searchsorted(trajectory.breaks, t, side="right")) - 1, 0), len(trajectory.law) - 1)
    law, breaks = trajectory.law[first:].copy(), trajectory.breaks[first:] - t
    x = -breaks[0]
    a0, a1, a2, a3 = law[0]
    law[0] = (a0 + x * (a1 + x * (a2 + x * a3)), a1 + x * (2.0 * a2 + 3.0 * x * a3), a2 + 3.0 * x * a3, a3)
    breaks[0] = 0.0
    resting = np.flatnonzero((law[:, 1] <= 1e-12) & (breaks[:-1] > SLOT_S))
    if len(resting) and law[0, 1] > 1e-9:
        return breaks[: resting[0] + 1], law[: resting[0]]
    if law[0, 1] <= 1e-9 and abs(law[0, 2]) < 1e-9:
        still = law[:1].copy()
        still[0, 1:] = 0.0
        return np.zeros(2), still
    return breaks, law


def _last_place(breaks: Array, law: Array) -> float:
    return float(law[-1] @ (breaks[-1] - breaks[-2]) ** np.arange(4))


def _braking_law(
    trajectory: Trajectory, breaks: Array, law: Array, rest: float, delay: float, force: float
) -> tuple[Array, Array] | None:
    """Return the law that continues for `delay` seconds and then brakes; None if that breaks a limit."""
    k = min(int(np.searchsorted(breaks, delay, side="right")) - 1, len(law) - 1)
    x = delay - breaks[k]
    a0, a1, a2, a3 = law[k]
    place = a0 + x * (a1 + x * (a2 + x * a3))
    state = np.array([place, a1 + x * (2.0 * a2 + 3.0 * x * a3), 2.0 * a2 + 6.0 * x * a3, rest])
    if state[1] <= 1e-9:
        return None
    limits = np.array(
        [trajectory.limits.velocity, trajectory.limits.acceleration, np.minimum(trajectory.limits.jerk, 1e30)]
    )
    size = int(LONGEST_S / SLOT_S)
    new_breaks, new_law = np.empty(size + 1), np.empty((size, 4))
    knots, cells = trajectory.knots, trajectory.cells
    infinite = not np.isfinite(trajectory.limits.jerk).all()
    used = np.array([limits[0], limits[1] * 0.98, np.minimum(limits[2] * 0.95, limits[1].min() / SLOT_S * 10.0)])
    count = brake(knots, cells, used, state, force, SLOT_S, new_breaks, new_law)
    if count == 0:
        return None
    new_breaks, new_law = new_breaks[: count + 1], new_law[:count]
    out = np.empty((count, 4))
    ratios(knots, cells, new_breaks, new_law, limits, np.full(len(knots), 1e30), 2, out)
    if out[:, : 2 if infinite else 3].max() > 1.0:
        return None
    if delay == 0.0:
        return new_breaks, new_law
    kept = k + 1 if x > 0.0 else k
    return (
        np.concatenate([breaks[:kept], delay + new_breaks]),
        np.concatenate([law[:kept], new_law]),
    )


def _spans(trajectory: Trajectory, breaks: Array, law: Array) -> tuple[Span, ...]:
    """Return when each move is made during the stop; corners are not reported again."""
    start, end = float(law[0, 0]), _last_place(breaks, law)
    spans: list[Span] = []
    for span in trajectory.spans:
        low, high = trajectory.place_at(span.start_s), trajectory.place_at(span.end_s)
        if high < start or low > end or high <= low:
            continue
        when = [
            0.0 if s <= start else float(breaks[-1]) if s >= end else float(invert(breaks, law, s)) for s in (low, high)
        ]
        spans.append(Span(span.move, when[0], when[1], None))
    return tuple(spans)
