"""A stop is a stop: at any moment of any motion of every arm, against the shortest stop found another way.

The robot's own loop, servo and gate run in virtual time. The oracle knows nothing of ticks: it integrates the motion
along the path in steps of a quarter of a millisecond, each time with the hardest deceleration that the joints have.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from loop_bench import ME, Bench

from openpendant import robots
from openpendant.messages import JointIntent, TwistIntent, bus
from openpendant.motion import MoveJoint, MoveLine, StopLimits, Trajectory, Zone, plan

ARMS = [(name, arm) for name in robots.names() if robots.is_built_in(name) for arm in robots.load(name).arms]
FACTOR = 1.15
"""A stop may take so many times the shortest one, in time and in distance."""
STEP_S = 0.00025
ALMOST_M = 0.001
JOG_M_S = 0.25
MOST_TRIES = 3
"""Moments tried for each stop that is made."""


@dataclass
class Stopped:
    """What was sent from two ticks before a stop until the arm rested."""

    Q: np.ndarray
    dt: float

    @property
    def steps(self) -> np.ndarray:
        """(N,): distance in joint space of every tick; the first was made before the stop."""
        return np.linalg.norm(np.diff(self.Q[1:], axis=0), axis=1)

    @property
    def seconds(self) -> float:
        return float(np.count_nonzero(self.steps[1:] > 1e-9)) * self.dt

    @property
    def distance(self) -> float:
        return float(self.steps[1:].sum())


def halt(bench: Bench) -> Stopped:
    # What was sent last before the stop is where the arm is at the next tick.
    begin = len(bench.Q) - 2
    bench.ask(bus.Halt(who="somebody"))
    bench.ticks(2)
    while not bench.rests() or bench.drive.outcome == "running":
        bench.ticks(1)
        assert len(bench.Q) - begin < 600, "it does not come to rest"
    return Stopped(np.array(bench.Q[begin:]), bench.tick_ns * 1e-9)


def keeps_limits(bench: Bench, stopped: Stopped, strong: float = 1.01) -> None:
    limits, Q = bench.limits, stopped.Q
    steps = stopped.steps
    assert steps[1] <= steps[0] * (1.0 + 1e-9) + 1e-12, "faster at the tick after the stop"
    assert (np.diff(steps) <= 1e-9).all(), "faster again during the stop"
    assert steps[0] < 1e-6 or steps[1] < steps[0], "not slower at the tick after the stop"
    felt = np.abs(np.diff(Q[1:], n=2, axis=0)) / stopped.dt**2
    assert (felt <= strong * limits.stop.deceleration).all(), (felt / limits.stop.deceleration).max()
    assert (np.abs(np.diff(Q, axis=0)) / stopped.dt <= 1.001 * limits.velocity).all()
    assert (limits.lower - 1e-6 <= Q).all()
    assert (limits.upper + 1e-6 >= Q).all()


def shortest(trajectory: Trajectory, stopped: Stopped, stop: StopLimits) -> tuple[float, float]:
    """Return seconds and distance in joint space of the hardest stop along a trajectory, from where `stopped` began."""
    t = np.arange(0.0, trajectory.duration, 0.0005)
    samples = trajectory.samples_at(t)
    speed = np.linalg.norm(samples.qd, axis=1)
    moving = speed > 1e-5
    q, qd, qdd, speed = samples.q[moving], samples.qd[moving], samples.qdd[moving], speed[moving]
    tangent = qd / speed[:, None]
    along = np.einsum("ij,ij->i", qdd, tangent)
    bend = (qdd - tangent * along[:, None]) / speed[:, None] ** 2
    place = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(q, axis=0), axis=1))])
    at = int(np.linalg.norm(q - stopped.Q[2], axis=1).argmin())
    before, last = np.linalg.norm(np.diff(stopped.Q[:3], axis=0), axis=1) / stopped.dt
    v, a, x, seconds = float(last), min(0.0, float(last - before) / stopped.dt), float(place[at]), 0.0
    start = x
    while v > 1e-6 and seconds < 3.0:
        while at < len(place) - 1 and place[at] < x:
            at += 1
        size = np.maximum(np.abs(tangent[at]), 1e-9)
        turn = np.sign(tangent[at]) * bend[at] * v * v
        hardest = min(float(((-stop.deceleration - turn) / size).max()), 0.0)
        jerk = float((stop.jerk / size).min())
        a = max(a - jerk * STEP_S, hardest, -np.sqrt(2.0 * jerk * v))
        v_next = max(0.0, v + a * STEP_S)
        x += 0.5 * (v + v_next) * STEP_S
        v = v_next
        seconds += STEP_S
    return seconds, x - start


def random_path(bench: Bench, rng: np.random.Generator) -> Trajectory:
    """Return joint moves and lines with zones, from where the arm is."""
    limits, arm = bench.limits, bench.drive.parts.kinematics
    while True:
        moves, q = [], bench.q
        for _ in range(int(rng.integers(1, 4))):
            q = np.clip(q + rng.uniform(-0.8, 0.8, arm.dof), limits.lower + 0.02, limits.upper - 0.02)
            moves.append(MoveJoint(q, zone=Zone(float(rng.choice([0.0, 0.005, 0.05])))))
            if rng.random() < 0.5:
                T = arm.fk(q)
                T[:3, 3] += rng.uniform(-0.05, 0.05, 3)
                moves.append(MoveLine(T, zone=Zone(float(rng.choice([0.0, 0.01])))))
        found = plan(arm, limits, bench.q, moves)
        if isinstance(found, Trajectory):
            return found


def stop_in_a_path(bench: Bench, rng: np.random.Generator) -> bool:
    """Stop at a random moment of a random path; return whether there was something to stop."""
    path, pace = random_path(bench, rng), float(rng.choice([0.3, 1.0, 1.0]))
    assert bench.follow(path, pace=pace) == bus.Accepted()
    bench.ticks(int(rng.integers(3, max(4, int(path.duration / pace / (bench.tick_ns * 1e-9))))))
    paused = rng.random() < 0.2
    if paused:
        bench.ask(bus.PauseMotion(holder=ME))
        bench.ticks(int(rng.integers(1, 15)))
    if bench.drive.outcome != "running":
        bench.ask(bus.Halt(who="somebody"))
        bench.until("done", "held", "stopped")
        return False
    stopped = halt(bench)
    keeps_limits(bench, stopped)
    seconds, distance = shortest(path, stopped, bench.limits.stop)
    assert stopped.seconds <= FACTOR * seconds + stopped.dt, (stopped.seconds, seconds)
    assert stopped.distance <= FACTOR * distance + 1e-6, (stopped.distance, distance)
    arm = bench.drive.parts.kinematics
    on = arm.fk(path.samples_at(np.arange(0.0, path.duration + 0.002, 0.002)).q, check_limits=False)[:, :3, 3]
    for row in stopped.Q[::3]:
        p = arm.fk(row, check_limits=False)[:3, 3]
        i = int(np.linalg.norm(on - p, axis=1).argmin())
        a, b = on[max(i - 1, 0)], on[min(i + 1, len(on) - 1)]
        along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-12)
        off = p - on[i] - along * float((p - on[i]) @ along)
        assert np.linalg.norm(off) < ALMOST_M, "it leaves the path"
    return True


def stop_in_a_jog(bench: Bench, rng: np.random.Generator) -> bool:
    """Stop at a random moment of a random jog; return whether there was something to stop."""
    arm, n = bench.drive.parts.kinematics, bench.limits.dof
    assert bench.ask(bus.EngageArm(holder=ME, job="jog", arm=bench.arm, stops=bench.loop.stops)) == bus.Accepted()
    tool = rng.random() < 0.6
    direction = rng.normal(size=3)
    linear = tuple((JOG_M_S * direction / np.linalg.norm(direction)).tolist())
    velocity = tuple((rng.uniform(-1.0, 1.0, n) * bench.limits.velocity * rng.choice([0.3, 1.0])).tolist())
    for _ in range(int(rng.integers(2, 90))):
        intent = (
            TwistIntent(source=ME, stamp_ns=bench.now, arm=bench.arm, linear=linear)
            if tool
            else JointIntent(source=ME, stamp_ns=bench.now, arm=bench.arm, velocity=velocity)
        )
        bench.loop.intend(intent, bench.now)
        bench.ticks(1)
    if bench.drive.outcome != "running":
        return False
    stopped = halt(bench)
    keeps_limits(bench, stopped, 1.02)
    v = np.abs(stopped.Q[2] - stopped.Q[1]) / stopped.dt
    stop = bench.limits.stop
    seconds = max(own_stop(v[i], float(stop.deceleration[i]), float(stop.jerk[i])) for i in range(n))
    assert stopped.seconds <= FACTOR * seconds + stopped.dt, (stopped.seconds, seconds)
    # A stop takes whole ticks: from a crawl it is one, however short it could be.
    assert stopped.distance <= 0.5 * float(np.linalg.norm(v)) * (FACTOR * seconds + stopped.dt)
    if tool:
        T = arm.fk(stopped.Q, check_limits=False)[:, :3, 3]
        along = T[2] - T[1]
        if np.linalg.norm(along) > 1e-5:
            along /= np.linalg.norm(along)
            gone = T[2:] - T[2]
            beside = np.linalg.norm(gone - np.outer(gone @ along, along), axis=1).max()
            assert beside < ALMOST_M + bend_m(bench, stopped), "it leaves its line"
    return True


def bend_m(bench: Bench, stopped: Stopped) -> float:
    """Return how far the tool may get beside its line in a stop that is straight in joint space.

    Along q + s Δq its second derivative over s is at most R (Σ|Δq|)², where R, its largest distance from an axis, is no
    more than all links put end to end.
    """
    chain = bench.drive.parts.kinematics.chain
    links = [*chain.T_parent_joint[1:, :3, 3], chain.T_last_flange[:3, 3]]
    turned = float(np.abs(stopped.Q[-1] - stopped.Q[2]).sum())
    return 0.5 * sum(float(np.linalg.norm(link)) for link in links) * turned * turned


def own_stop(v: float, most: float, jerk: float) -> float:
    """Return how long a joint needs to come to rest by itself, by bisection over its largest deceleration."""
    low, high = 0.0, most
    for _ in range(50):
        peak = 0.5 * (low + high)
        low, high = (peak, high) if peak * peak / jerk < v else (low, peak)
    return v / high + high / jerk if high > 0.0 else 0.0


def stop_often(name: str, arm: str, seed: int, stops: int) -> None:
    """Make `stops` stops. A moment at which nothing moves any more is none, and another is tried."""
    rng, bench, made, k = np.random.default_rng([seed, ARMS.index((name, arm))]), Bench(name, arm=arm), 0, -1
    home = bench.q.copy()
    while made < stops:
        k += 1
        assert k < MOST_TRIES * stops, f"only {made} of {k} moments had something to stop"
        bench.take()
        if k % 10 == 9:
            back = bench.path(home)
            assert bench.follow(back) == bus.Accepted()
            bench.until("done", "held", "failed")
        made += (stop_in_a_path if k % 3 else stop_in_a_jog)(bench, rng)
        bench.Q[:] = bench.Q[-3:]
    print(f"{name} {arm}, seed {seed}: {made} stops at {k + 1} moments")  # noqa: T201


@pytest.mark.timeout(180)
@pytest.mark.parametrize(("name", "arm"), ARMS)
def test_a_stop_is_almost_the_shortest_there_is(name: str, arm: str) -> None:
    stop_often(name, arm, 1, 15 if name == "yumi" else 30)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "arm"), ARMS)
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_stops(name: str, arm: str, seed: int) -> None:
    stop_often(name, arm, 100 + seed, 200)


@pytest.mark.parametrize("name", ["irb120", "ur3e"])
def test_a_swing_that_still_speeds_up_is_stopped_within_a_hand(name: str) -> None:
    """0.2 rad after the start of a joint move at full speed; both arms went on for more than 1.7 rad once."""
    bench = Bench(name)
    bench.take()
    start = bench.q.copy()
    turn = np.zeros(bench.limits.dof)
    turn[0] = 1.8
    assert bench.follow(bench.path(start + turn)) == bus.Accepted()
    while abs(bench.q[0] - start[0]) < 0.2:
        bench.ticks(1)
    stopped = halt(bench)
    keeps_limits(bench, stopped)
    assert stopped.seconds <= 0.16
    assert stopped.distance <= 0.22
