"""A tree of axis-parallel boxes over standing bodies.

Built from the top, split at the median.

Source: C. Ericson, Real-Time Collision Detection, Morgan Kaufmann 2005, chapter 6.
"""

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .rows import BOUND

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@jit
def box_of(body: Floats, place: Floats, out: Floats) -> None:
    """Write the axis-parallel box of a body (low corner, high corner) into `out` (6,)."""
    for row in range(3):
        half = (
            abs(place[3 * row]) * body[BOUND]
            + abs(place[3 * row + 1]) * body[BOUND + 1]
            + abs(place[3 * row + 2]) * body[BOUND + 2]
        )
        out[row] = place[9 + row] - half
        out[3 + row] = place[9 + row] + half


@jit
def build_tree(bodies: Floats, boxes: Floats, links: Ints) -> int:
    """Write a tree over standing bodies; return the number of its nodes.

    Each node is split at the median of its bodies' middles along its longest side.

    Args:
        bodies: (O, BODY_FLOATS) with their places in the world.
        boxes: (2 O, 6): boxes of the nodes, written.
        links: (2 O, 2): children, or -1 and the row of a body, written.
    """
    count = bodies.shape[0]
    if count == 0:
        return 0
    own = np.empty((count, 6))
    for i in range(count):
        box_of(bodies[i], bodies[i], own[i])
    order = np.empty(count, dtype=np.int64)
    for i in range(count):
        order[i] = i
    stack = np.empty((64 + count, 3), dtype=np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, 0, count
    top = 1
    used = 1
    while top > 0:
        top -= 1
        node, start, end = stack[top, 0], stack[top, 1], stack[top, 2]
        for c in range(3):
            boxes[node, c] = np.inf
            boxes[node, 3 + c] = -np.inf
        for i in range(start, end):
            for c in range(3):
                boxes[node, c] = min(boxes[node, c], own[order[i], c])
                boxes[node, 3 + c] = max(boxes[node, 3 + c], own[order[i], 3 + c])
        if end - start == 1:
            links[node, 0] = -1
            links[node, 1] = order[start]
            continue
        # Large things (floors, walls) would hide the spread of the many small ones: look at the middles.
        axis = 0
        widest = -1.0
        for c in range(3):
            low, high = np.inf, -np.inf
            for i in range(start, end):
                middle = own[order[i], c] + own[order[i], 3 + c]
                low, high = min(low, middle), max(high, middle)
            if high - low > widest:
                widest = high - low
                axis = c
        part = np.empty(end - start, dtype=np.int64)
        keys = np.empty(end - start)
        for i in range(end - start):
            part[i] = order[start + i]
            keys[i] = own[part[i], axis] + own[part[i], 3 + axis]
        ranks = np.argsort(keys, kind="mergesort")
        for i in range(end - start):
            order[start + i] = part[ranks[i]]
        half = (start + end) // 2
        links[node, 0], links[node, 1] = used, used + 1
        stack[top, 0], stack[top, 1], stack[top, 2] = used, start, half
        stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = used + 1, half, end
        top += 2
        used += 2
    return used
