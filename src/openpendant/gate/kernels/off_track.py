"""How far measured joints lie from where they were sent of late.

Derivation: a joint that follows with a lag of at most N - 1 ticks, without overshooting, is between the least and the
greatest of its last N setpoints. What lies outside of that interval by more than an allowance does not follow.
"""

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]


@jit
def farthest_off(rows: Array, newest: int, count: int, measured: Array, rad: float, out: Array) -> int:
    """Return which measured joint lies farthest outside of where it was sent, of those too far outside; -1: none does.

    Args:
        rows: (N, n): a ring of what was sent.
        newest: Row that was sent last.
        count: So many rows count: that one, and those sent before it.
        measured: (n,).
        rad: So far a joint may lie outside of all that it was sent in these rows.
        out: (2,): its distance from the newest row, and the largest one that is allowed.
    """
    worst, found = rad, -1
    for i in range(measured.shape[0]):
        last = rows[newest, i]
        low = high = last
        for k in range(1, count):
            # Python's remainder is never negative.
            sent = rows[(newest - k) % rows.shape[0], i]
            low, high = min(low, sent), max(high, sent)
        off = max(low - measured[i], measured[i] - high)
        if off > worst:
            worst, found = off, i
            out[0] = abs(measured[i] - last)
            out[1] = out[0] - off + rad
    return found
