"""Moving by hand in virtual time: how old a sample may be, whose clock it is, and the dead-man switch."""

from collections.abc import Iterator

import numpy as np
import pytest
from loop_bench import ME, Bench
from measuring import EACH_ARM
from test_stops import FACTOR, own_stop

from openpendant.messages import JointIntent, TwistIntent, bus

MS = 1_000_000
PERIOD_NS = 16 * MS
"""Between samples: a page's animation frames."""
OLDEST_NS = 300 * MS
"""No sample may steer an arm for longer than this, whatever its rate."""
RESTS_RAD_S = 0.01
REST_S = 0.35
"""A UR3e that jogs at 0.5 rad/s rests within this time after it is let go."""


def jog(bench: Bench, stamp_ns: int, *, clutch: bool = True, held: bool = False) -> JointIntent:
    velocity = (0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
    return JointIntent(source=ME, stamp_ns=stamp_ns, arm=bench.arm, velocity=velocity, clutch=clutch, dead_man=held)


def hand(bench: Bench, count: int, late_ns: int = 0, **more: bool) -> Iterator[int]:
    """Take samples for `count` periods, each arriving `late_ns` after it was taken."""
    for _ in range(count):
        bench.loop.intend(jog(bench, bench.now - late_ns, **more), bench.now)
        bench.ticks(PERIOD_NS // bench.tick_ns)
        yield bench.now


def moving(bench: Bench, **more: bool) -> None:
    for _ in hand(bench, 30, **more):
        pass
    assert bench.drive.outcome == "running", bench.drive.reason
    assert speed(bench) > 0.4


def speed(bench: Bench) -> float:
    return float(np.abs(bench.Q[-1] - bench.Q[-2]).max()) / (bench.tick_ns * 1e-9)


def engaged(*, needs: bool = False, **more: object) -> Bench:
    bench = Bench(**more)
    bench.take()
    assert (
        bench.ask(bus.EngageArm(holder=ME, job="hand", arm=bench.arm, needs_dead_man=needs, stops=bench.loop.stops))
        == bus.Accepted()
    )
    return bench


@pytest.mark.parametrize("stall_s", [0.2, 0.5, 2.0])
def test_a_burst_after_a_stall_is_old(stall_s: float) -> None:
    bench = engaged()
    moving(bench)
    begin, stalled = len(bench.Q), bench.now
    bench.ticks(int(stall_s * 1e9) // bench.tick_ns)
    # All that was taken meanwhile arrives at once; the person has let go since.
    for stamp in range(stalled, bench.now - 101 * MS, PERIOD_NS):
        bench.loop.intend(jog(bench, stamp), bench.now)
    before = speed(bench)
    for _ in range(150):
        bench.ticks(1)
        assert speed(bench) <= max(before + 1e-9, RESTS_RAD_S), "what is old drives it on"
        before = speed(bench)
    assert bench.rests()
    way = np.abs(np.array(bench.Q[begin:]) - bench.Q[begin]).max()
    assert way <= 0.5 * 0.1 + 0.5 * REST_S


@pytest.mark.parametrize("stall_s", [0.6, 2.0])
def test_a_hand_that_holds_on_through_a_stall_has_to_press_again(stall_s: float) -> None:
    bench = engaged()
    moving(bench)
    bench.ticks(int(stall_s * 1e9) // bench.tick_ns)
    assert bench.drive.outcome == "held"
    start = bench.q.copy()
    for _ in hand(bench, 60):
        assert np.abs(bench.q - start).max() == 0.0, "what was held all the time drives it on"
    assert bench.ask(bus.EngageArm(holder=ME, job="again", arm="arm", stops=bench.loop.stops)) == bus.Accepted()
    moving(bench)


@pytest.mark.parametrize("late_s", [0.2, 0.4, 0.45])
def test_letting_go_counts_however_late_it_comes(late_s: float) -> None:
    bench = engaged()
    moving(bench)
    let_go = bench.now
    bench.ticks(int(late_s * 1e9) // bench.tick_ns)
    bench.loop.intend(jog(bench, let_go, clutch=False), bench.now)
    bench.ticks(1_000_000_000 // bench.tick_ns)
    # Nothing was interrupted, and something else may begin at once.
    assert bench.drive.outcome == "running"
    assert bench.rests()
    assert bench.ask(bus.EngageArm(holder=ME, job="next", arm="arm", stops=bench.loop.stops)) == bus.Accepted()


def test_a_jog_that_was_interrupted_is_never_in_the_way() -> None:
    for ticks in range(16):
        bench = engaged()
        moving(bench)
        bench.ticks(450 * MS // bench.tick_ns + ticks)
        bench.ask(bus.EngageArm(holder=ME, job="next", arm="arm", stops=bench.loop.stops))
        assert bench.drive.job == "next", f"{ticks}: {bench.drive.doing}"


def test_a_short_stall_does_not_end_a_jog() -> None:
    bench = engaged()
    moving(bench)
    bench.ticks(300 * MS // bench.tick_ns)
    moving(bench)
    assert bench.drive.outcome == "running"


def test_a_link_that_is_late_from_the_beginning_moves_nothing() -> None:
    bench = engaged()
    start = bench.q.copy()
    for _ in hand(bench, 60, late_ns=2_000 * MS):
        assert np.abs(bench.q - start).max() == 0.0
    assert bench.drive.outcome == "running"


@pytest.mark.parametrize("jump_ns", [-5_000 * MS, -400 * MS, 50 * MS, 5_000 * MS])
def test_a_clock_that_jumps_brings_the_arm_to_rest(jump_ns: int) -> None:
    bench = engaged()
    moving(bench)
    begin = len(bench.Q)
    for _ in hand(bench, 60, late_ns=-jump_ns):
        pass
    assert bench.rests()
    way = np.abs(np.array(bench.Q[begin:]) - bench.Q[begin]).max()
    assert way <= 0.5 * (OLDEST_NS * 1e-9) + 0.5 * REST_S


def test_slow_samples_are_given_more_time_but_not_more_than_allowed() -> None:
    bench = engaged()
    for _ in range(20):
        bench.loop.intend(jog(bench, bench.now), bench.now)
        bench.ticks(80 * MS // bench.tick_ns)
    assert speed(bench) > 0.4, "three periods of 80 ms are allowed"
    begin = bench.now
    while speed(bench) > 0.49:
        bench.ticks(1)
    assert bench.now - begin <= OLDEST_NS


def test_a_released_switch_stops_at_the_next_tick_and_latches() -> None:
    bench = engaged(needs=True)
    moving(bench, held=True)
    bench.loop.intend(jog(bench, bench.now), bench.now)
    bench.ticks(1)  # The setpoint of the tick before is on its way.
    for _ in range(4):
        fast = speed(bench)
        bench.ticks(1)
        assert speed(bench) < fast, "it goes on"
    assert bench.until("held", most=200) == "held"
    assert "dead-man" in bench.drive.reason
    assert bench.rests()
    place = bench.q.copy()
    for _ in hand(bench, 20, held=True):
        pass
    assert np.abs(bench.q - place).max() == 0.0, "held again, it needs a new clutch-in"
    assert (
        bench.ask(bus.EngageArm(holder=ME, job="again", arm=bench.arm, needs_dead_man=True, stops=bench.loop.stops))
        == bus.Accepted()
    )
    moving(bench, held=True)


def test_letting_go_of_both_ends_the_job_without_a_complaint() -> None:
    bench = engaged(needs=True)
    moving(bench, held=True)
    bench.loop.intend(jog(bench, bench.now, clutch=False), bench.now)
    assert bench.until("done", "held", most=200) == "done"
    assert bench.rests()


def test_nothing_moves_before_the_switch_is_held() -> None:
    bench = engaged(needs=True)
    start = bench.q.copy()
    for _ in hand(bench, 5):
        assert np.abs(bench.q - start).max() == 0.0
    assert bench.drive.outcome == "held"


def test_a_robot_that_needs_one_needs_it_whatever_is_said() -> None:
    bench = engaged(dead_man=True)
    twist = TwistIntent(source=ME, stamp_ns=bench.now, linear=(0.1, 0.0, 0.0), arm=bench.arm)
    bench.loop.intend(twist, bench.now)
    start = bench.q.copy()
    bench.ticks(20)
    assert bench.drive.outcome == "held"
    assert np.abs(bench.q - start).max() == 0.0
    # Paths have nobody's hand on them.
    assert bench.follow(bench.path(bench.q + 0.1)) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done"


EVENTS = ("stall", "freeze", "clock back", "clock ahead", "dead-man", "gone")


@EACH_ARM
def test_at_any_moment_it_rests_soon(model: str, arm: str) -> None:
    """Twenty random moments of random jogs of each arm: time and distance to rest."""
    bench = Bench(model, arm=arm)
    bench.take()
    rng = np.random.default_rng(11)
    limits, home = bench.limits, bench.q.copy()
    for number in range(20):
        if not bench.loop.leases.holder:
            assert bench.take() == bus.Accepted()
        toward = np.clip(home, limits.lower + 0.3, limits.upper - 0.3) + rng.uniform(-0.2, 0.2, len(home)) - bench.q
        v = tuple((0.5 * toward / np.abs(toward).max()).tolist())
        asked = bus.EngageArm(holder=ME, job=str(number), arm=arm, needs_dead_man=True, stops=bench.loop.stops)
        assert bench.ask(asked) == bus.Accepted()

        def sample(stamp_ns: int, held: bool = True, v: tuple[float, ...] = v) -> None:
            intent = JointIntent(source=ME, stamp_ns=stamp_ns, arm=arm, velocity=v, dead_man=held)
            bench.loop.intend(intent, bench.now)

        for _ in range(int(rng.integers(3, 30))):
            sample(bench.now)
            bench.ticks(int(rng.integers(2, 6)))
        begin, last, event = len(bench.Q) - 1, bench.now, EVENTS[number % len(EVENTS)]
        if event == "dead-man":
            sample(bench.now, held=False)
        elif event == "gone":
            bench.loop.lose(ME)
        elif event == "stall":
            bench.ticks(int(rng.choice([0.2, 0.5, 2.0]) * 1e9) // bench.tick_ns)
            for stamp in range(last, bench.now - 101 * MS, PERIOD_NS):
                sample(stamp)
        for _ in range(80):
            if event.startswith("clock"):
                sample(bench.now + (3_000 * MS if event == "clock ahead" else -3_000 * MS))
            bench.ticks(2)
        assert bench.rests(), event
        Q, tick_s = np.array(bench.Q[begin:]), bench.tick_ns * 1e-9
        steps = np.abs(np.diff(Q, axis=0))
        moved = np.flatnonzero(steps.max(axis=1) > 0.0)
        # The switch and the lease count at once; what is old steers until it is too old.
        waits_s = 0.0 if event in ("dead-man", "gone") else OLDEST_NS * 1e-9
        # What was sent last before the event is where the arm gets in the first tick. Where it still steers, a joint
        # may get as fast as it was asked to be, but never faster.
        fast = steps[0] / tick_s if waits_s == 0.0 else np.maximum(steps[0] / tick_s, np.abs(v))
        stop = limits.stop
        stop_s = np.array([own_stop(*one) for one in zip(fast, stop.deceleration, stop.jerk, strict=True)])
        # One tick passes until it is noticed, and one setpoint is on its way.
        most_s = FACTOR * float(stop_s.max()) + 2.0 * tick_s
        took_s = (len(moved) and moved[-1] + 1) * tick_s
        assert took_s <= waits_s + most_s, (event, took_s, most_s)
        # The joints stop together: each may take as long as the slowest, on a mean of half its speed.
        allowed = fast * (waits_s + 2.0 * tick_s + 0.5 * FACTOR * float(stop_s.max())) + 1e-6
        assert (steps.sum(axis=0) <= allowed).all(), (event, steps.sum(axis=0), allowed)


@pytest.mark.parametrize("model", ["irb120", "rx90l"])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_jog_into_the_end_of_a_joint_stops_before_it(model: str, side: float) -> None:
    """The last joint of these turns the tool alone, and nothing is in its way; that of a UR3e has no end."""
    bench = Bench(model)
    bench.take()
    limits, arm = bench.limits, bench.arm
    assert bench.ask(bus.EngageArm(holder=ME, job="end", arm=arm, stops=bench.loop.stops)) == bus.Accepted()
    velocity = (0.0,) * (limits.dof - 1) + (side * float(limits.velocity[-1]),)
    begin = len(bench.Q)
    for _ in range(1500):
        bench.loop.intend(JointIntent(source=ME, stamp_ns=bench.now, arm=arm, velocity=velocity), bench.now)
        bench.ticks(4)
        if len(bench.Q) - begin > 100 and bench.rests():
            break
    Q = np.array(bench.Q[begin:])
    assert bench.rests(), "it pushes against the end"
    assert (limits.lower - 1e-6 <= Q).all()
    assert (limits.upper + 1e-6 >= Q).all()
    end = limits.upper[-1] if side > 0.0 else limits.lower[-1]
    assert abs(Q[-1, -1] - end) < 0.02, "it gets there"
    fastest, hardest = bench.worst(begin)
    assert fastest <= 1.001
    assert hardest <= 1.01
    v = np.abs(np.diff(Q[:, -1])) / (bench.tick_ns * 1e-9)
    # What is left to the end is enough for a stop with the deceleration in its facts, at every moment.
    left = np.abs(end - Q[:-1, -1])
    assert (v**2 / (2.0 * limits.stop.deceleration[-1]) <= left + 1e-6).all()
