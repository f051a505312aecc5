"""Pieces of a path and of a law, cut out between two places or times.

Derivation: a polynomial in x + h instead of x has coefficients that repeated synthetic division by Horner's scheme
gives (Taylor shift), so that what is cut out is the same curve and not an approximation.
"""

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .lookup import cell_at

Array = NDArray[np.float64]


@jit
def _last_below(bounds: Array, value: float, first: int) -> int:
    """Return the last cell, not before `first`, whose lower bound is below the value."""
    low, high = first, bounds.shape[0] - 2
    while low < high:
        middle = (low + high + 1) // 2
        if bounds[middle] < value:
            low = middle
        else:
            high = middle - 1
    return low


@jit
def cut_path(s: Array, cells: Array, begin: float, end: float) -> tuple[Array, Array]:
    """Return cells (M, 6, n) and their widths (M,) from one place of a path to another.

    Args:
        s: (C + 1,) knots.
        cells: (C, 6, n) the path.
        begin: Place s.
        end: Place s, behind it.
    """
    first = cell_at(s, begin)
    last = _last_below(s, end, first)
    out = cells[first : last + 1].copy()
    widths = np.empty(last - first + 1)
    for k in range(widths.shape[0]):
        widths[k] = s[first + k + 1] - s[first + k]
    x = begin - s[first]
    for j in range(cells.shape[2]):
        for i in range(6):
            for k in range(4, i - 1, -1):
                out[0, k, j] += x * out[0, k + 1, j]
    widths[0] = s[first + 1] - begin
    widths[last - first] = end - (begin if last == first else s[last])
    return out, widths


@jit
def cut_law(breaks: Array, law: Array, begin: float, end: float, shift: float, same: float) -> tuple[Array, Array]:
    """Return lengths (M,) and cubics (M, 4) of the slots of a law from one time to another.

    Args:
        breaks: (K + 1,) times.
        law: (K, 4) s(t).
        begin: Seconds.
        end: Seconds, after it.
        shift: Added to s.
        same: Times this near to each other are one.
    """
    first = cell_at(breaks, begin + same)
    last = _last_below(breaks, end - same, first)
    out = law[first : last + 1].copy()
    times = np.empty(last - first + 1)
    for k in range(times.shape[0]):
        times[k] = breaks[first + k + 1] - breaks[first + k]
    x = begin - breaks[first]
    for i in range(4):
        for k in range(2, i - 1, -1):
            out[0, k] += x * out[0, k + 1]
    for k in range(out.shape[0]):
        out[k, 0] += shift
    times[0] = breaks[first + 1] - begin
    times[last - first] = end - (begin if last == first else breaks[last])
    return times, out
