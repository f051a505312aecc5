"""A whole path by conservative advancement: nothing is jumped over.

From each configuration it advances as far as no body can reach another one. How far bodies get is bounded in
`placement.py`, with the proof.

Source: F. Schwarzer, M. Saha and J.-C. Latombe, Adaptive dynamic collision checking for single and multiple
articulated robots in complex environments, IEEE Trans. Robotics 21(3), 2005.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .gjk import at_least, distance
from .nearest import box_gap, nearest_at
from .placement import place_bodies, reach_of_bodies, relative_reach
from .rows import JOINT, MARGIN, OWNER, RANKED, SKIPPED, Tables
from .tree import box_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = NDArray[np.uint8]

RESOLUTION_M = 1e-4
"""What comes nearer than its margin and this counts as touching."""
ROUNDING_M = 1e-8
PIECE_M = 0.25
"""The path is first cut into pieces on which no body moves farther than about this."""
LIST = 4096
"""Pairs that are handed down to the halves of an interval; more are looked up again."""


@jit
def configuration(Q: Floats, at: float, out: Floats) -> None:
    """Write the joints at a place of the path: whole numbers are its vertices, straight between them."""
    i = min(int(at), Q.shape[0] - 1)
    f = at - i
    for c in range(Q.shape[1]):
        out[c] = Q[i, c] if f == 0.0 else Q[i, c] + f * (Q[i + 1, c] - Q[i, c])


@jit
def _widen(q: Floats, centre: Floats, turn: Floats) -> None:
    for c in range(q.shape[0]):
        turn[c] = max(turn[c], abs(q[c] - centre[c]))


@jit
def _interval(Q: Floats, low: float, high: float, centre: Floats, turn: Floats, q: Floats) -> float:
    """Write the configuration in the middle of an interval and how far each joint leaves it; return its place."""
    at = float(round((low + high) / 2.0))
    if not low < at < high:
        at = (low + high) / 2.0
    configuration(Q, at, centre)
    turn[:] = 0.0
    configuration(Q, low, q)
    _widen(q, centre, turn)
    configuration(Q, high, q)
    _widen(q, centre, turn)
    for i in range(math.ceil(low), math.floor(high) + 1):
        _widen(Q[i], centre, turn)
    return at


@jit
def _next_piece(t: Tables, Q: Floats, start: float, q: Floats, first: Floats, turn: Floats) -> float:
    """Return where the piece of the path that begins at `start` ends."""
    last = Q.shape[0] - 1
    configuration(Q, start, first)
    turn[:] = 0.0
    end = start
    while end < last:
        following = min(float(last), math.floor(end) + 1.0)
        configuration(Q, following, q)
        _widen(q, first, turn)
        way = 0.0
        for j in range(t.joint_floats.shape[0]):
            way += turn[t.joint_ints[j, 1]] * t.joint_floats[j, 16]
        if way > 2.0 * PIECE_M:
            if end > start:
                return end
            # A long straight piece is cut into equal parts of its rest.
            return start + (following - start) / math.ceil(way / (2.0 * PIECE_M))
        end = following
    return end


@jit
def check_path(
    t: Tables, Q: Floats, active: Marks, fineness: float, places_out: Floats, found: Ints, nodes_limit: int
) -> int:
    """Check a path through the vertices Q (N, n), straight in joints between them.

    An interval of the path is settled when, at its middle, every pair is farther apart than its margin plus the way
    that its bodies can make inside the interval (see `reach_of_bodies`); otherwise it is halved, and its halves look
    only at the pairs that were not settled. So every configuration of the path lies in an interval for which each
    pair was shown to keep its distance. The same bound finds the least distance: an interval that cannot hold a
    smaller one (by more than `fineness`) than the best so far is not looked at again.

    Args:
        t: The scene.
        Q: (N, n), N >= 1.
        active: (arms,): pairs of which no body is carried by an active arm are left out.
        fineness: To what share (and half a millimetre) the least distance is wanted.
        places_out: (6,): place of the touch, place of the least distance, least distance, its certain lower bound,
            distance at the touch, number of configurations looked at. Written.
        found: (6,): the pair of the touch and the pair of the least distance, as `nearest_at` writes them. Written.
        nodes_limit: Give up after so many configurations.

    Returns:
        0: clear, 1: touches, 2: gave up.
    """
    joints, bodies = t.joint_floats.shape[0], t.moving.shape[0]
    frames = np.empty((joints, 12))
    places = np.empty((bodies, 12))
    reach = np.empty((bodies, max(1, joints)))
    total = np.empty(bodies)
    turn, turn_of_joint = np.empty(Q.shape[1]), np.empty(joints)
    centre, q = np.empty(Q.shape[1]), np.empty(Q.shape[1])
    work, points, box = np.empty((14, 4)), np.empty(6), np.empty(6)
    tree = np.empty(128, dtype=np.int64)
    axes = np.empty((0, 0, 3))
    ends = np.empty((256, 2))
    lists = np.empty((256, 2), dtype=np.int64)
    kept = np.empty((64 * LIST, 3), dtype=np.int64)
    hit = np.inf
    found[0], found[3] = -1, -1
    best = np.inf
    last = Q.shape[0] - 1
    looked = 0
    ranked_only = True
    held = (found[3], found[3], found[3])
    # A first idea of the least distance spares most of the search.
    for k in range(min(last + 1, 9)):
        i = (k * last) // max(1, min(last, 8))
        d = nearest_at(t, Q[i], active, best, ranked_only, found[3:], axes)
        looked += 1
        if d < best:
            best = d
            places_out[1] = i
            held = (found[3], found[4], found[5])
        elif best < np.inf:
            found[3], found[4], found[5] = held
    start = 0.0
    while start <= last and start < hit:
        end = _next_piece(t, Q, start, q, centre, turn)
        ends[0, 0], ends[0, 1] = start, end
        lists[0, 0], lists[0, 1] = 0, -1
        top = 1
        while top > 0:
            top -= 1
            low, high = ends[top, 0], min(ends[top, 1], hit)
            from_list, list_length = lists[top, 0], lists[top, 1]
            if low >= hit:
                continue
            looked += 1
            if looked > nodes_limit:
                places_out[5] = looked
                return 2
            at = _interval(Q, low, high, centre, turn, q)
            for j in range(joints):
                turn_of_joint[j] = turn[t.joint_ints[j, 1]]
            place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, centre, frames, places)
            reach_of_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, frames, places, turn_of_joint, reach)
            farthest = 0.0
            for s in range(bodies):
                total[s] = 0.0
                for j in range(joints):
                    total[s] += reach[s, j]
                farthest = max(farthest, total[s])
            base = from_list + max(0, list_length)
            room = kept.shape[0] - base
            count = 0
            touched = False
            # Either the pairs that the parent left, or all of them: moving against standing by the tree, then pairs.
            entries = list_length if list_length >= 0 else bodies + t.pairs.shape[0]
            for e in range(entries):
                depth = 0
                one, two = -1, -1
                ranks_pair = True
                if list_length >= 0:
                    one, two = kept[from_list + e, 0], kept[from_list + e, 1]
                    ranks_pair = kept[from_list + e, 2] != 0
                elif e < bodies:
                    if t.boxes.shape[0] == 0 or not active[t.joint_ints[t.moving_ints[e, JOINT], 2]]:
                        continue
                    one = e
                    box_of(t.moving[e], places[e], box)
                    tree[0] = 0
                    depth = 1
                else:
                    a, b = t.pairs[e - bodies, 0], t.pairs[e - bodies, 1]
                    if not (
                        active[t.joint_ints[t.moving_ints[a, JOINT], 2]]
                        or active[t.joint_ints[t.moving_ints[b, JOINT], 2]]
                    ):
                        continue
                    one, two = a, -1 - b
                    ranks_pair = t.pairs[e - bodies, 2] != 0
                searching = depth > 0
                while True:
                    if searching:
                        if depth == 0:
                            break
                        depth -= 1
                        node = tree[depth]
                        wanted = best - max(0.0005, fineness * best) if best < np.inf else np.inf
                        if box_gap(box, t.boxes[node]) > total[one] + max(t.widest[0], wanted) + ROUNDING_M:
                            continue
                        if t.links[node, 0] >= 0:
                            tree[depth], tree[depth + 1] = t.links[node, 0], t.links[node, 1]
                            depth += 2
                            continue
                        two = t.links[node, 1]
                        if t.skip[t.moving_ints[one, OWNER], t.standing_ints[two, OWNER]] == SKIPPED:
                            continue
                    standing = two >= 0
                    way = total[one] if standing else relative_reach(t.joint_ints, t.moving_ints, reach, one, -1 - two)
                    margin = t.standing[two, MARGIN] if standing else 0.0
                    counts = (
                        t.skip[t.moving_ints[one, OWNER], t.standing_ints[two, OWNER]] == RANKED
                        if standing
                        else ranks_pair
                    )
                    wanted = -np.inf
                    if counts:
                        wanted = best - max(0.0005, fineness * best) if best < np.inf else np.inf
                    need = way + max(margin, wanted) + ROUNDING_M
                    if standing:
                        d = at_least(t.moving[one], places[one], t.standing[two], t.standing[two])
                    else:
                        d = at_least(t.moving[one], places[one], t.moving[-1 - two], places[-1 - two])
                    if d <= need:
                        if standing:
                            d = distance(
                                t.moving[one], t.moving_ints[one], places[one],
                                t.standing[two], t.standing_ints[two], t.standing[two],
                                t.corners, need, work, points,
                            )  # fmt: skip
                        else:
                            d = distance(
                                t.moving[one], t.moving_ints[one], places[one],
                                t.moving[-1 - two], t.moving_ints[-1 - two], places[-1 - two],
                                t.corners, need, work, points,
                            )  # fmt: skip
                        if d <= margin or (d - way - ROUNDING_M < margin and way <= RESOLUTION_M):
                            touched = True
                            if at < hit:
                                hit = at
                                places_out[0], places_out[4] = at, d
                                found[0] = 0 if standing else 1
                                found[1], found[2] = one, (two if standing else -1 - two)
                            break
                        # Beyond what was asked for, d is only a lower bound.
                        if counts and d < best and d <= need:
                            best = d
                            places_out[1] = at
                            found[3] = 0 if standing else 1
                            found[4], found[5] = one, (two if standing else -1 - two)
                            wanted = best - max(0.0005, fineness * best)
                        if d - way - ROUNDING_M < max(margin, wanted):
                            if count < room and count < LIST:
                                kept[base + count, 0], kept[base + count, 1] = one, two
                                kept[base + count, 2] = 1 if ranks_pair else 0
                            count += 1
                    if not searching:
                        break
                if touched:
                    break
            if touched:
                # Is there an earlier touch? Not worth asking where nothing moves any more.
                if farthest > RESOLUTION_M and low < at:
                    ends[top, 0], ends[top, 1] = low, at
                    lists[top, 0], lists[top, 1] = from_list, list_length
                    top += 1
                continue
            if count == 0:
                continue
            next_list, next_length = base, count
            if count > room or count > LIST:
                next_list, next_length = from_list, list_length
            for side in range(2):
                ends[top, 0] = at if side == 0 else low
                ends[top, 1] = high if side == 0 else at
                lists[top, 0], lists[top, 1] = next_list, next_length
                top += 1
        if end >= last:
            break
        start = end
    places_out[2] = best
    places_out[3] = best - max(0.0005, fineness * best) if best < np.inf else np.inf
    places_out[5] = looked
    return 1 if hit < np.inf else 0
