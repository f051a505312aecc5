"""find_detour: a joint path round what is in the way, by OMPL's RRT-Connect."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError

from .limits import JointLimits
from .moves import MoveJoint, as_joints
from .speed import Speed
from .zone import FINE, Zone

Array = NDArray[np.float64]

SEARCH_STEP = 0.05
"""Radians (metres for sliding joints) between two looks while searching."""
FINAL_STEP = 0.01
"""The same on the path that is given back."""
SHORTCUTS = 150
TRIES = 8


def find_detour(
    collides: Callable[[Array], bool],
    q_start: ArrayLike,
    goals: Sequence[ArrayLike],
    limits: JointLimits,
    *,
    seed: int = 1,
    time_s: float = 5.0,
) -> Array | None:
    """Return joints (N, n) from the start to one of the goals, with a free straight way from each to the next.

    The path is shortened, and checked every 0.01 rad before it is returned.

    Args:
        collides: Returns whether the arm touches anything at joints (n,).
        q_start: (n,) where the arm is.
        goals: One or more places (n,), such as all branches of a pose; those that collide are left out.
        limits: Of the joints; joints without end may go one turn beyond start and goals.
        seed: Of the random choices: the same seed finds the same way.
        time_s: Longest search.

    Raises:
        InputError: No goals, wrong sizes, or a start beyond the limits.
    """
    start = as_joints(q_start, limits.dof, "q_start")
    ends = [as_joints(goal, limits.dof, f"goal {i}") for i, goal in enumerate(goals)]
    if not ends:
        raise InputError("no goals; a path needs at least one")
    low, high = _bounds(limits, [start, *ends])
    for name, q in [("q_start", start), *((f"goal {i}", goal) for i, goal in enumerate(ends))]:
        if (q < low - 1e-9).any() or (q > high + 1e-9).any():
            raise InputError(f"{name} {q.tolist()} is beyond the limits {low.tolist()} … {high.tolist()}")
    free = [goal for goal in ends if not collides(goal)]
    if collides(start) or not free:
        return None
    direct = sorted(free, key=lambda goal: float(np.abs(goal - start).max()))
    for goal in direct:
        if _clear(collides, start, goal, FINAL_STEP):
            return np.array([start, goal])
    random = np.random.default_rng(seed)
    for attempt in range(TRIES):
        found = _search(collides, start, free, (low, high), seed + attempt, time_s / TRIES)
        if found is None:
            continue
        short = _shortcut(collides, found, random)
        if all(_clear(collides, a, b, FINAL_STEP) for a, b in pairwise(short)):
            return short
    return None


def detour_moves(path: Array, speed: Speed | None = None, zone: Zone | None = None) -> tuple[MoveJoint, ...]:
    """Return the moves along a way of `find_detour`, with small zones between and a stop at its end.

    Corners cut across the straight ways between the points: check the planned trajectory again, and use a
    smaller zone where it touches.
    """
    speed = Speed() if speed is None else speed
    zone = Zone(0.005) if zone is None else zone
    return tuple(MoveJoint(q, speed, FINE if i == len(path) - 1 else zone) for i, q in enumerate(path) if i > 0)


def _bounds(limits: JointLimits, points: list[Array]) -> tuple[Array, Array]:
    turn = 2.0 * np.pi
    low = np.where(np.isfinite(limits.lower), limits.lower, np.min(points, axis=0) - turn)
    high = np.where(np.isfinite(limits.upper), limits.upper, np.max(points, axis=0) + turn)
    return low, high


def _search(
    collides: Callable[[Array], bool],
    start: Array,
    goals: list[Array],
    bounds: tuple[Array, Array],
    seed: int,
    time_s: float,
) -> Array | None:
    # Here, not above: only who searches needs OMPL, and virtual controllers run where it does not exist.
    from ompl import base, geometric, util  # pyright: ignore[reportMissingTypeStubs]

    ob, og, ou = cast(Any, base), cast(Any, geometric), cast(Any, util)
    n = len(start)
    low, high = bounds
    ou.setLogLevel(ou.LOG_NONE)
    ou.RNG.setSeed(seed)
    space = ob.RealVectorStateSpace(n)
    box = ob.RealVectorBounds(n)
    for j in range(n):
        box.setLow(j, float(low[j]) - 1e-9)
        box.setHigh(j, float(high[j]) + 1e-9)
    space.setBounds(box)
    setup = og.SimpleSetup(space)

    def valid(state: Any) -> bool:
        return not collides(np.array([state[j] for j in range(n)]))

    setup.setStateValidityChecker(valid)
    info = setup.getSpaceInformation()
    info.setStateValidityCheckingResolution(SEARCH_STEP / float(space.getMaximumExtent()))

    def state_of(q: Array) -> Any:
        state = info.allocState()
        for j in range(n):
            state[j] = float(q[j])
        return state

    setup.setStartState(state_of(start))
    target = ob.GoalStates(info)
    for goal in goals:
        target.addState(state_of(goal))
    setup.setGoal(target)
    setup.setPlanner(og.RRTConnect(info))
    if not setup.solve(time_s) or not setup.haveExactSolutionPath():
        return None
    path = setup.getSolutionPath()
    return np.array([[path.getState(i)[j] for j in range(n)] for i in range(path.getStateCount())])


def _clear(collides: Callable[[Array], bool], a: Array, b: Array, step: float) -> bool:
    """Return whether the straight path is free; checks the middle first, which finds collisions sooner."""
    count = max(1, int(np.ceil(float(np.abs(b - a).max()) / step)))
    order = sorted(range(1, count + 1), key=lambda i: -(i & -i))
    return not any(collides(a + (b - a) * (i / count)) for i in order)


def _shortcut(collides: Callable[[Array], bool], path: Array, random: np.random.Generator) -> Array:
    """Replace stretches between two random places of the way by straight ones where those are free."""
    for _ in range(SHORTCUTS):
        if len(path) < 3:
            break
        length = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1)))
        first, last = np.sort(random.uniform(0.0, float(length[-1]), 2))
        i, j = (np.searchsorted(length, [first, last], "right") - 1).tolist()
        if i == j:
            continue
        a = path[i] + (path[i + 1] - path[i]) * (first - length[i]) / (length[i + 1] - length[i])
        b = path[j] + (path[j + 1] - path[j]) * (last - length[j]) / (length[j + 1] - length[j])
        if _clear(collides, a, b, FINAL_STEP):
            path = np.vstack([path[: i + 1], a, b, path[j + 1 :]])
    return _without_middles(path)


def _without_middles(path: Array) -> Array:
    """Leave out points on the straight way between their neighbours."""
    kept = [path[0]]
    for i in range(1, len(path) - 1):
        before, after = path[i] - kept[-1], path[i + 1] - path[i]
        size = float(np.linalg.norm(before)) * float(np.linalg.norm(after))
        if size > 1e-12 and float(before @ after) < size * (1.0 - 1e-9):
            kept.append(path[i])
    return np.array([*kept, path[-1]])
