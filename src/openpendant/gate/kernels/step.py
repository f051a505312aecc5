"""One tick of an arm: as near to what is wanted as all limits allow, and always able to stop inside them.

After every step there is a planned stop that keeps all limits. The next step is either a piece of that stop, or a
state for which a new stop has been found: so whatever is wanted, no limit is ever passed. What is wanted is followed
with motion limits; stops use stop limits, and bring all joints to rest together, so that the tool keeps to its line.

A state without such a stop is never entered.

Source: T. Fraichard and H. Asama, Inevitable collision states - a step towards safer robots?, Advanced Robotics
18(10), 2004.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .shape import Shape, fastest_speed, work_space
from .stop import STOP, go_along, plan_stop, rest_of_stop, stop_extent, stretch

Array = NDArray[np.float64]

# Columns of a joint's state.
POS, VEL, ACC = 0, 1, 2
"""Place, and velocity and acceleration as differences of the places that were sent."""
PLAN = 3
"""STOP numbers of the planned stop."""
SINCE = PLAN + STOP
"""Seconds since the planned stop begins."""
FROM = SINCE + 1
"""Where it begins."""
JOINT_NUMBERS = FROM + 1

LOWER, UPPER, VELOCITY, ACCELERATION, JERK, DECELERATION, STOP_JERK = 0, 1, 2, 3, 4, 5, 6
SLOWED_BY_JOINTS, SLOWED_BY_SPEED, SLOWED_BY_NEARNESS = 1, 2, 4
HALVINGS, HALVINGS_OF_ALL = 10, 8
LOOKS = 10
"""At so many times of a planned stop the speeds of tool and elbow are looked at."""
CATCH_UP_S = 0.04
"""A joint that lags behind what is wanted comes nearer by this time constant."""
TINY = 1e-9


@jit
def _begin_stop(joint: Array, limits: Array, i: int, dt: float, share: float) -> None:
    """Plan the stop of joint i from its state, with a share of its stop limits."""
    v, a = joint[VEL], joint[ACC]
    # Differences of places are velocities in the middle of a tick; a joint that slows down is slower at its end.
    if a * v < 0.0:
        v += 0.5 * a * dt
    plan_stop(v, a, share * limits[DECELERATION, i], share * limits[STOP_JERK, i], joint[PLAN:SINCE])
    joint[SINCE], joint[FROM] = 0.0, joint[POS]


@jit
def _inside(joint: Array, limits: Array, i: int, extent: Array) -> bool:
    """Return whether the stop of joint i stays within its limits of position."""
    low, high = joint[POS] + extent[0], joint[POS] + extent[1]
    return low >= limits[LOWER, i] - TINY and high <= limits[UPPER, i] + TINY


@jit
def _settle(before: Array, limits: Array, i: int, dt: float, v: float, out: Array, extent: Array) -> bool:
    """Write joint i after a tick at the velocity v with its stop; return whether that stop keeps all limits."""
    a = (v - before[VEL]) / dt
    out[POS], out[VEL], out[ACC] = before[POS] + v * dt, v, a
    _begin_stop(out, limits, i, dt, 1.0)
    stop_extent(out[PLAN:SINCE], extent)
    slows = v * before[VEL] >= 0.0 and abs(v) <= abs(before[VEL])
    return (
        _inside(out, limits, i, extent)
        and abs(v) <= limits[VELOCITY, i] * (1.0 + TINY)
        and abs(a) <= limits[DECELERATION if slows else ACCELERATION, i] * (1.0 + TINY)
    )


@jit
def _join_stops(after: Array, limits: Array, dt: float, extent: Array) -> None:
    """Let all joints whose stop was planned at this tick come to rest together, where their limits allow it."""
    longest = 0.0
    for i in range(after.shape[0]):
        longest = max(longest, extent[i, 3])
    for i in range(after.shape[0]):
        joint = after[i]
        if joint[SINCE] != 0.0 or extent[i, 3] >= longest or joint[PLAN] == 0.0:
            continue
        share = stretch(joint[PLAN], joint[PLAN + 1], limits[DECELERATION, i], limits[STOP_JERK, i], longest)
        _begin_stop(joint, limits, i, dt, share)
        stop_extent(joint[PLAN:SINCE], extent[i])
        if not _inside(joint, limits, i, extent[i]):
            _begin_stop(joint, limits, i, dt, 1.0)
            stop_extent(joint[PLAN:SINCE], extent[i])


@jit
def _keep_stopping(before: Array, dt: float, out: Array, extent: Array) -> float:
    """Write a joint after another tick of its planned stop; return the velocity."""
    since = before[SINCE] + dt
    rest_of_stop(before[PLAN:SINCE], since, out[PLAN:SINCE])
    stop_extent(out[PLAN:SINCE], extent)
    x, _, _ = go_along(before[PLAN:SINCE], since)
    # The stop itself stays as it was planned: planning it again at every tick would add up rounding.
    out[PLAN:] = before[PLAN:]
    out[SINCE] = since
    out[POS] = before[FROM] + x
    out[VEL] = (out[POS] - before[POS]) / dt
    out[ACC] = (out[VEL] - before[VEL]) / dt
    return out[VEL]


@jit
def _wanted_velocity(
    before: Array, limits: Array, i: int, dt: float, want: float, want_v: float
) -> tuple[float, float]:
    """Return the velocity that brings joint i to what is wanted, and from which side it comes; 0: it gets there now."""
    v, a = before[VEL], before[ACC]
    most_a, most_j, release = limits[ACCELERATION, i], limits[JERK, i], limits[STOP_JERK, i]
    # After a piece of a stop: what motion limits would not release before the joint turns back, stop limits release.
    ahead = v - want_v
    fall = release if a > most_a or (ahead < 0.0 < a and a * a > -2.0 * most_j * ahead) else most_j
    rise = release if a < -most_a or (a < 0.0 < ahead and a * a > 2.0 * most_j * ahead) else most_j
    low = v + max(min(a - most_j * dt, max(a - fall * dt, 0.0)), -most_a) * dt
    high = v + min(max(a + most_j * dt, min(a + rise * dt, 0.0)), most_a) * dt
    exact = (want - before[POS]) / dt
    # Only what also has about the velocity of the target: a joint that rushes through it is not there.
    if low <= exact <= high and abs(exact - want_v) <= most_j * dt * dt:
        return exact, 0.0
    return (high, 1.0) if exact > want_v else (low, -1.0)


@jit
def _overshoots(after: Array, limits: Array, i: int, dt: float, want: float, want_v: float, side: float) -> bool:
    """Return whether joint i could no longer slow down to the target's velocity before it has passed the target."""
    most_a, most_j = limits[ACCELERATION, i], limits[JERK, i]
    v, a = after[VEL] + 0.5 * after[ACC] * dt - want_v, min(max(after[ACC], -most_a), most_a)
    return side * (after[POS] + _distance_to_zero(v, a, most_a, most_j) - want) > 0.0


@jit
def _distance_to_zero(v: float, a: float, most_a: float, most_j: float) -> float:
    """Return how far a joint goes while its velocity gets to zero with motion limits, jerk both ways."""
    # Where the velocity goes when the acceleration is only released decides to which side the joint has to slow down.
    side = 1.0 if v + a * abs(a) / (2.0 * most_j) > 0.0 else -1.0
    v, a = side * v, side * a
    peak, hold = math.sqrt(max(0.0, most_j * v + 0.5 * a * a)), 0.0
    if peak > most_a:
        peak = most_a
        hold = max(0.0, (v + (a * a - 2.0 * peak * peak) / (2.0 * most_j)) / peak)
    x, j = 0.0, -most_j
    for h in (max(0.0, (a + peak) / most_j), hold, peak / most_j):
        x += h * (v + h * (a / 2.0 + h * j / 6.0))
        v += h * (a + h * j / 2.0)
        a += h * j
        j = 0.0 if j < 0.0 else most_j
    return side * x


@jit
def _need(before: Array, after: Array, extent: Array, rho: Array) -> float:
    """Return how far any point of the arm can get from where it is now until it has stopped."""
    need = 0.0
    for i in range(before.shape[0]):
        ahead = after[i, POS] - before[i, POS]
        need += rho[i] * max(abs(ahead + extent[i, 0]), abs(ahead + extent[i, 1]))
    return need


@jit
def _too_fast(
    shape: Shape, after: Array, extent: Array, rho: Array, speed: float, q: Array, qd: Array, work: Array
) -> bool:
    """Return whether tool or elbow is faster than `speed`, now or during the stop that is planned.

    Joints whose motions cancel each other do not come to rest at the same time, so a stop can be faster than the
    motion before it. `q`, `qd` (n,) and `work` are space to work in.
    """
    n = after.shape[0]
    longest = bound = 0.0
    for i in range(n):
        longest = max(longest, extent[i, 3])
        bound += rho[i] * max(extent[i, 4], abs(after[i, VEL]))
        q[i], qd[i] = after[i, POS], after[i, VEL]
    # The bound is of this moment; on the way the arm can stretch.
    if 2.0 * bound <= speed:
        return False
    if fastest_speed(shape, q, qd, work) > speed:
        return True
    for look in range(LOOKS):
        bound = 0.0
        for i in range(n):
            x, v, _ = go_along(after[i, PLAN:SINCE], after[i, SINCE] + look * longest / LOOKS)
            q[i], qd[i] = after[i, FROM] + x, v
            bound += rho[i] * abs(v)
        # No joint speeds up in a stop: what is slow enough by now stays so.
        if 2.0 * bound <= speed:
            return False
        if fastest_speed(shape, q, qd, work) > speed:
            return True
    return False


@jit
def step(
    state: Array,
    limits: Array,
    dt: float,
    want: Array,
    want_v: Array,
    shape: Shape,
    rho: Array,
    speed: float,
    budget: float,
    after: Array,
    rest: Array,
    report: Array,
) -> int:
    """Make one tick towards what is wanted.

    Args:
        state: (n, JOINT_NUMBERS): now; not changed.
        limits: (7, n): lower, upper, velocity, acceleration, jerk, deceleration and jerk of stops.
        dt: Seconds.
        want: (n,): where the joints should be after the tick; all NaN: come to rest.
        want_v: (n,): velocity of what is wanted.
        shape: The arm.
        rho: (n,): as `farthest_points` writes it.
        speed: Largest speed of the tool's point and of all joints' centres.
        budget: Largest way of any point of the arm until it has stopped.
        after: (n, JOINT_NUMBERS): written; the state after the tick.
        rest: (n,): written; where the joints would come to rest from there.
        report: (2,): written; seconds until rest, needed way.

    Returns:
        Marks of what slowed it, added up; 0: it is where it was wanted.
    """
    n = state.shape[0]
    extent = np.empty((n, 5))
    stop_v, wish_v, q, qd = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    work = work_space(n)
    marks = 0
    for i in range(n):
        stop_v[i] = _keep_stopping(state[i], dt, after[i], extent[i])
    if not math.isnan(want[0]):
        for i in range(n):
            wish, side = _wanted_velocity(state[i], limits, i, dt, want[i], want_v[i])
            share, low, high = 1.0, 0.0, 1.0
            for _ in range(HALVINGS):
                v = stop_v[i] + share * (wish - stop_v[i])
                if _settle(state[i], limits, i, dt, v, after[i], extent[i]) and (
                    side == 0.0 or not _overshoots(after[i], limits, i, dt, want[i], want_v[i], side)
                ):
                    low = share
                    if share == 1.0:
                        break
                else:
                    high = share
                share = 0.5 * (low + high)
            share = low
            wish_v[i] = stop_v[i] + share * (wish - stop_v[i])
            # A stop goes on as it was planned: begun again at every tick, it would never get to its full jerk.
            if share == 0.0 or not _settle(state[i], limits, i, dt, wish_v[i], after[i], extent[i]):
                wish_v[i] = _keep_stopping(state[i], dt, after[i], extent[i])
            if abs(after[i, POS] - want[i]) > TINY:
                marks |= SLOWED_BY_JOINTS
        _join_stops(after, limits, dt, extent)
        too_fast = _too_fast(shape, after, extent, rho, speed, q, qd, work)
        too_near = _need(state, after, extent, rho) > budget
        if too_fast or too_near:
            marks |= (SLOWED_BY_SPEED if too_fast else 0) | (SLOWED_BY_NEARNESS if too_near else 0)
            share, high = 0.0, 1.0
            for _ in range(HALVINGS_OF_ALL):
                middle = 0.5 * (share + high)
                good = _all_settle(state, limits, dt, stop_v, wish_v, middle, after, extent)
                good = good and _need(state, after, extent, rho) <= budget
                if good and not _too_fast(shape, after, extent, rho, speed, q, qd, work):
                    share = middle
                else:
                    high = middle
            if share == 0.0 or not _all_settle(state, limits, dt, stop_v, wish_v, share, after, extent):
                for i in range(n):
                    _keep_stopping(state[i], dt, after[i], extent[i])
    longest = 0.0
    for i in range(n):
        rest[i] = after[i, POS] + extent[i, 2]
        longest = max(longest, extent[i, 3])
    report[0], report[1] = longest, _need(state, after, extent, rho)
    return marks


@jit
def plan_rest(state: Array, limits: Array, dt: float) -> None:
    """Plan the stop of an arm that has moved along a path until now."""
    extent = np.empty((state.shape[0], 5))
    for i in range(state.shape[0]):
        _begin_stop(state[i], limits, i, dt, 1.0)
        stop_extent(state[i, PLAN:SINCE], extent[i])
    _join_stops(state, limits, dt, extent)


@jit
def places_on_stop(state: Array, seconds: float, shares: Array, places: Array) -> None:
    """Write where the joints are at shares of `seconds` into the stop that is planned."""
    for k in range(shares.shape[0]):
        for i in range(state.shape[0]):
            x, _, _ = go_along(state[i, PLAN:SINCE], state[i, SINCE] + shares[k] * seconds)
            places[k, i] = state[i, FROM] + x


@jit
def _all_settle(
    state: Array, limits: Array, dt: float, stop_v: Array, wish_v: Array, share: float, after: Array, extent: Array
) -> bool:
    """Write all joints after a tick between their stop (share 0) and their wish (1); return whether limits are kept."""
    for i in range(state.shape[0]):
        v = stop_v[i] + share * (wish_v[i] - stop_v[i])
        if not _settle(state[i], limits, i, dt, v, after[i], extent[i]):
            return False
    _join_stops(after, limits, dt, extent)
    return True
