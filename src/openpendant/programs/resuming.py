"""resume_at: go on along a path after a stop on it, from rest, with all limits kept."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from openpendant.motion import Trajectory
from openpendant.motion.timing import time_path

__all__ = ["resume_at"]

Array = NDArray[np.float64]

SAMPLE_S = 0.002
STILL = 1e-9


def resume_at(trajectory: Trajectory, s: float) -> Trajectory:
    """Return how the rest of a trajectory is made from rest at the place s of its path.

    The place is counted as in `trajectory`, so places on both can be compared. No cell is made faster than it was.
    Its spans are left out.
    """
    s = float(np.clip(s, trajectory.knots[0], trajectory.knots[-1]))
    end_s = _next_rest(trajectory, s)
    if end_s - s < STILL:
        return _rest_of(trajectory, s, np.zeros(0), np.zeros((0, 4)))
    first = int(np.clip(np.searchsorted(trajectory.knots, s, side="right") - 1, 0, len(trajectory.cells) - 1))
    last = int(np.clip(np.searchsorted(trajectory.knots, end_s, side="left"), first + 1, len(trajectory.cells)))
    knots = trajectory.knots[first : last + 1].copy()
    cells = trajectory.cells[first:last].copy()
    cells[0] = _from(cells[0], s - knots[0])
    knots[0] = s
    law = time_path(knots, cells, _fastest(trajectory)[first:last], trajectory.limits)
    return _rest_of(trajectory, s, law.breaks, law.law)


def _rest_of(trajectory: Trajectory, s: float, breaks: Array, law: Array) -> Trajectory:
    """Return the first stretch followed by what comes after the next rest, as it was."""
    t_after = trajectory.time_of(_next_rest(trajectory, s)) if len(breaks) else trajectory.time_of(s)
    later = np.flatnonzero(trajectory.breaks[:-1] >= t_after - STILL)
    start = float(breaks[-1]) if len(breaks) else 0.0
    if len(later):
        after = trajectory.breaks[later[0] :] - trajectory.breaks[later[0]] + start
        breaks = np.concatenate([breaks[:-1], after]) if len(breaks) else after
        law = np.concatenate([law, trajectory.law[later[0] :]])
    elif not len(breaks):
        breaks, law = np.array([0.0, 0.0]), np.array([[s, 0.0, 0.0, 0.0]])
    return replace(trajectory, breaks=breaks, law=law, spans=())


def _next_rest(trajectory: Trajectory, s: float) -> float:
    """Return the next place after s where the trajectory comes to rest."""
    resting = np.flatnonzero(np.abs(trajectory.law[:, 1]) <= STILL)
    places = trajectory.law[resting, 0]
    ahead = places[places > s + STILL]
    return float(ahead.min()) if len(ahead) else float(trajectory.knots[-1])


def _fastest(trajectory: Trajectory) -> Array:
    """Return the largest ṡ in each cell."""
    count = max(16, int(np.ceil(trajectory.duration / SAMPLE_S)))
    t = np.linspace(0.0, trajectory.duration, count + 1)
    k = np.clip(np.searchsorted(trajectory.breaks, t, side="right") - 1, 0, len(trajectory.law) - 1)
    x = t - trajectory.breaks[k]
    law: Array = trajectory.law[k]
    powers = x[:, None] ** np.arange(4)
    s: Array = np.sum(powers * law, axis=1)
    rate: Array = np.sum(np.arange(1, 4) * powers[:, :3] * law[:, 1:], axis=1)
    knots = trajectory.knots
    out = np.zeros(len(trajectory.cells))
    np.maximum.at(out, np.clip(np.searchsorted(knots, s, side="right") - 1, 0, len(out) - 1), rate)
    # Cells that no sample fell into are as fast as what is around them.
    middle = 0.5 * (knots[1:] + knots[:-1])
    return np.maximum(np.maximum(out, np.interp(middle, s, rate)), 1e-6)


def _from(cell: Array, x: float) -> Array:
    """Return a cubic counted from x on."""
    c0, c1, c2, c3 = cell
    return np.array([c0 + x * (c1 + x * (c2 + x * c3)), c1 + x * (2.0 * c2 + 3.0 * x * c3), c2 + 3.0 * x * c3, c3])
