"""One tick of the servo up to the solver, in one call: every call from Python costs as much as the mathematics.

Derivation: none of its own; the tool's velocity is J q̇, everything else is in the kernels that are called.
"""

import numpy as np
from numpy.typing import NDArray

from .chain import place_chain
from .compile import jit
from .limiter import bounds
from .program import joint_program, tool_program
from .reference import demand

Array = NDArray[np.float64]


@jit
def tool_tick(
    chain: Array,
    last: Array,
    state: Array,
    limits: Array,
    rooms: Array,
    ref: Array,
    goal: Array,
    settings: Array,
    blocked: float,
    obstacles: Array,
    dt: float,
    places: Array,
    T: Array,
    J: Array,
    twist: Array,
    box: Array,
    weak: Array,
    H: Array,
    f: Array,
    A: Array,
    upper: Array,
    lower: Array,
) -> None:
    """Look where the tool is, let the reference go on, and write the program of the tick; see the kernels called.

    `state` (3, n) holds q, v and a. `settings` holds those of the reference, from place 14 the weights (6), from
    place 20 how obstacles are approached (2).
    """
    q, v, a = state[0], state[1], state[2]
    place_chain(chain, last, q, places, T, J)
    bounds(q, v, a, limits, rooms, dt, box)
    going = np.zeros(6)
    for r in range(6):
        for j in range(v.shape[0]):
            going[r] += J[r, j] * v[j]
    demand(ref, goal, T, going, settings, blocked, dt, twist)
    tool_program(
        chain,
        places,
        J,
        twist,
        settings[14:20],
        blocked,
        q,
        v,
        a,
        limits,
        box,
        obstacles,
        settings[20:22],
        weak,
        H,
        f,
        A,
        upper,
        lower,
    )


@jit
def joint_tick(
    chain: Array,
    last: Array,
    state: Array,
    limits: Array,
    rooms: Array,
    wanted: Array,
    settings: Array,
    obstacles: Array,
    dt: float,
    places: Array,
    T: Array,
    J: Array,
    box: Array,
    H: Array,
    f: Array,
    A: Array,
    upper: Array,
    lower: Array,
) -> None:
    """Write the program of a tick for wanted joint velocities."""
    place_chain(chain, last, state[0], places, T, J)
    bounds(state[0], state[1], state[2], limits, rooms, dt, box)
    joint_program(chain, places, wanted, limits, box, obstacles, settings[20:22], H, f, A, upper, lower)
