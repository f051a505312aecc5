"""Solutions that differ by whole turns of their joints."""

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from .chain import Chain
from .kernels.planar import LIMIT_TOLERANCE

Array = NDArray[np.float64]

TURN = 2.0 * math.pi


def with_whole_turns(chain: Chain, Q: Array, seed: Array) -> Array:
    """Return the rows of Q (B, n) and all their variants by whole turns of turning joints.

    Inside the limits; for joints without limits those within one turn of the seed.
    """
    turning = np.zeros(chain.dof, dtype=np.bool_)
    turning[chain.order] = ~chain.prismatic
    rows: list[tuple[float, ...]] = []
    for q in Q.tolist():
        choices = [
            _values(value, float(seed[j]), float(chain.lower[j]), float(chain.upper[j])) if turning[j] else [value]
            for j, value in enumerate(q)
        ]
        rows.extend(itertools.product(*choices))
    return np.array(rows).reshape(-1, chain.dof)


def _values(value: float, seed: float, lower: float, upper: float) -> list[float]:
    low = max(lower, seed - TURN) if math.isinf(lower) else lower
    high = min(upper, seed + TURN) if math.isinf(upper) else upper
    first = math.ceil((low - LIMIT_TOLERANCE - value) / TURN)
    last = math.floor((high + LIMIT_TOLERANCE - value) / TURN)
    return [value + TURN * k for k in range(first, last + 1)] or [value]
