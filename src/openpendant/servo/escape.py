"""escape: out of a singular posture if the requested motion has no component that the joints can follow.

With u the direction that is wanted and lost (uᵀJ = 0), the joints still move the tool along u to second order:
½ wᵀM w with M[j, k] = u · ∂J_j/∂q_k. A stretched elbow that is asked to draw back bends, that way or the other; asked
to reach farther it rests, since no w makes wᵀM w positive. Where the tool does not move at all (two axes of a wrist in
one line), the joints turn against each other until another axis can do what is wanted.
"""

import numpy as np
from numpy.typing import NDArray

from .kernels.program import LENGTH

Array = NDArray[np.float64]

LOST = 0.01
"""Directions of joints whose effect is below this share of the strongest count as lost."""


def escape(chain: Array, places: Array, J: Array, twist: Array, before: Array | None) -> Array | None:
    """Return a direction in the joints (largest part 1) that leads out of the singularity, or None where none does.

    Args:
        chain: As `kernels.chain.look`.
        places: As it writes them.
        J: (6, n), as it writes it.
        twist: (6,): what is wanted.
        before: The direction of the tick before: the sign is kept.
    """
    scale = np.array([1.0 / LENGTH, 1.0 / LENGTH, 1.0 / LENGTH, 1.0, 1.0, 1.0])
    U, S, Vt = np.linalg.svd(scale[:, None] * J)
    wish = scale * twist
    rank = int((LOST * S[0] < S).sum())
    lost = wish - U[:, :rank] @ (U[:, :rank].T @ wish)
    null = Vt[rank:].T
    size = float(np.linalg.norm(lost))
    if size < 1e-9 or null.shape[1] == 0:
        return None
    M = _curvature(chain, places, J, scale * lost / size)
    values, vectors = np.linalg.eigh(null.T @ (0.5 * (M + M.T)) @ null)
    strongest = float(np.abs(M).max())
    if values[-1] > 1e-3 * strongest:
        direction = null @ vectors[:, -1]
    else:
        _, gains, turns = np.linalg.svd(M @ null)
        if values[0] < -1e-3 * strongest or gains[0] < 1e-3 * strongest or strongest < 1e-9:
            return None
        direction = null @ turns[0]
    direction = direction / np.abs(direction).max()
    if before is not None and float(direction @ before) < 0.0:
        direction = -direction
    return direction


def _curvature(chain: Array, places: Array, J: Array, u: Array) -> Array:
    """Return (n, n) u · ∂J_j/∂q_k, j and k as in q."""
    n = J.shape[1]
    M = np.zeros((n, n))
    turns = chain[:, 15] == 0.0
    order = chain[:, 16].astype(np.int64)
    for i, j in enumerate(order):
        for m, k in enumerate(order):
            # The nearer to the base of the two turns the effect of the other.
            first, other = (i, j) if i <= m else (m, k)
            if not turns[first]:
                continue
            axis = places[first, 3:]
            moved = k if i <= m else j
            M[j, k] = u[:3] @ np.cross(axis, J[:3, moved])
            if m < i and other == k:
                M[j, k] += u[3:] @ np.cross(axis, J[3:, j])
    return M
