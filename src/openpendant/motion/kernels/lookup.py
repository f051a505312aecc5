"""Find the cell of a course or a law that a place or a time is in.

Derivation: bisection; the last cell whose lower bound is not above the value.
"""

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]


@jit
def cell_at(bounds: Array, value: float) -> int:
    """Return the cell between rising bounds that holds the value, the nearest where none does."""
    low, high = 0, bounds.shape[0] - 2
    while low < high:
        middle = (low + high + 1) // 2
        if bounds[middle] <= value:
            low = middle
        else:
            high = middle - 1
    return low
