"""How often links of one robot touch, over many configurations.

Derivation: counting; a pair of links that touches in all configurations, or in none, need not be watched.
"""

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .gjk import at_least, distance
from .placement import place_bodies
from .rows import OWNER, Tables

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@jit
def count_touches(t: Tables, Q: Floats, moving: Ints, standing: Ints) -> None:
    """Count the configurations of Q (N, n) in which bodies of two owners touch.

    Args:
        t: A scene with one robot.
        Q: All joints.
        moving: (owners of moving, owners of moving): counts for a < b, written.
        standing: (owners of moving, owners of standing): counts, written.
    """
    frames = np.empty((t.joint_floats.shape[0], 12))
    places = np.empty((t.moving.shape[0], 12))
    work, points = np.empty((14, 4)), np.empty(6)
    last_moving, last_standing = np.zeros_like(moving), np.zeros_like(standing)
    last_moving[:] = -1
    last_standing[:] = -1
    for n in range(Q.shape[0]):
        place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, Q[n], frames, places)
        for a in range(t.moving.shape[0]):
            first = t.moving_ints[a, OWNER]
            for b in range(a + 1, t.moving.shape[0]):
                second = t.moving_ints[b, OWNER]
                if first == second or last_moving[first, second] == n:
                    continue
                if at_least(t.moving[a], places[a], t.moving[b], places[b]) > 0.0:
                    continue
                d = distance(
                    t.moving[a], t.moving_ints[a], places[a],
                    t.moving[b], t.moving_ints[b], places[b],
                    t.corners, 0.0, work, points,
                )  # fmt: skip
                if d <= 0.0:
                    moving[first, second] += 1
                    last_moving[first, second] = n
            for o in range(t.standing.shape[0]):
                second = t.standing_ints[o, OWNER]
                if last_standing[first, second] == n:
                    continue
                if at_least(t.moving[a], places[a], t.standing[o], t.standing[o]) > 0.0:
                    continue
                d = distance(
                    t.moving[a], t.moving_ints[a], places[a],
                    t.standing[o], t.standing_ints[o], t.standing[o],
                    t.corners, 0.0, work, points,
                )  # fmt: skip
                if d <= 0.0:
                    standing[first, second] += 1
                    last_standing[first, second] = n


@jit
def measure_gaps(t: Tables, Q: Floats, farthest: Floats) -> None:
    """Write the greatest distance of each two owners of moving bodies over the configurations Q (N, n).

    Args:
        t: A scene with one robot.
        Q: All joints.
        farthest: (owners, owners): written for a != b.
    """
    frames = np.empty((t.joint_floats.shape[0], 12))
    places = np.empty((t.moving.shape[0], 12))
    work, points = np.empty((14, 4)), np.empty(6)
    now = np.empty_like(farthest)
    farthest[:] = 0.0
    for n in range(Q.shape[0]):
        place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, Q[n], frames, places)
        now[:] = np.inf
        for a in range(t.moving.shape[0]):
            first = t.moving_ints[a, OWNER]
            for b in range(a + 1, t.moving.shape[0]):
                second = t.moving_ints[b, OWNER]
                if first == second:
                    continue
                d = distance(
                    t.moving[a], t.moving_ints[a], places[a],
                    t.moving[b], t.moving_ints[b], places[b],
                    t.corners, np.inf, work, points,
                )  # fmt: skip
                now[first, second] = min(now[first, second], d)
                now[second, first] = now[first, second]
        for i in range(farthest.shape[0]):
            for j in range(farthest.shape[1]):
                if i != j:
                    farthest[i, j] = max(farthest[i, j], now[i, j])
