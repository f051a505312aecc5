"""widen_slow_places: a law that the arm follows as a mean over time is slow around slow places, not only there."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LEAST = 1e-3
"""As the law itself has it: braking is never taken to be weaker."""
TINY = 1e-12


def widen_slow_places(grid: Array, rates: Array, asked: Array, reach_s: float) -> None:
    """Lower the envelope of a law: within `reach_s` of a place, no faster than that place allows.

    Args:
        grid: (N,) places s, rising.
        rates: As `lay_law` writes them; column 0, the largest ṡ², is lowered.
        asked: Of `lay_law`: by move, largest velocities, then accelerations, of each row.
        reach_s: Seconds, at the speed of the slow place. At a stop there is nothing to widen.
    """
    z = rates[:, 0]
    before, after = np.append(np.inf, z[:-1]), np.append(z[1:], np.inf)
    edges = np.flatnonzero((z <= before) & (z <= after) & ((z < before) | (z < after)) & (z > 0.0))
    if not len(edges):
        return
    wide = z.copy()
    for place in edges:
        reach = reach_s * np.sqrt(z[place])
        first, last = np.searchsorted(grid, (grid[place] - reach, grid[place] + reach))
        np.minimum(wide[first:last], z[place], out=wide[first:last])
    rows = asked.shape[1] // 2
    along, bend = rates[:, 2 : 2 + rows], rates[:, 2 + rows : 2 + 2 * rows]
    limits = asked[rates[:, 1].astype(np.int64), rows:]
    room = limits + np.sign(along) * bend * wide[:, None]
    most = np.maximum((room / np.maximum(np.abs(along), TINY)).min(axis=1), LEAST)
    # Backwards, so that braking is always possible.
    gain = (2.0 * np.diff(grid) * most[1:]).tolist()
    found = wide.tolist()
    for n in range(len(found) - 2, -1, -1):
        found[n] = min(found[n], found[n + 1] + gain[n])
    rates[:, 0] = found
