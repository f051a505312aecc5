"""Samples in virtual time: what a stream tells is what the drives were sent and where the joints were, tick by tick.

The link, the robot's process, its loop and its gate are the real ones; what is sent and measured is written down at the
plant itself, below all of them.
"""

from collections.abc import Callable

import numpy as np
import pytest

from openpendant.errors import InputError
from openpendant.messages import JointIntent, SampleBatch
from openpendant.runtime import ArmSample, SampleStream
from virtual_cell import ARM, CELL, ROBOT, SWINGS, TICK_NS, MemoryBus, VirtualCell

TICKS_A_SECOND = 10**9 // TICK_NS
SAMPLES = f"{CELL.name}/{ROBOT}/sample"


class Drives:
    """The drives of the arm: what they are sent, and where the joints are, by tick."""

    def __init__(self, world: VirtualCell, weak: float = 1.0) -> None:
        """`weak`: the share of each step that they follow."""
        self.sent: dict[int, np.ndarray] = {}
        self._world, self._weak = world, weak
        plant = world.loop.controller
        self._servo: Callable[[str, np.ndarray], np.ndarray] = plant.servo
        plant.servo = self._take  # type: ignore[method-assign]

    def _take(self, arm: str, q: np.ndarray) -> np.ndarray:
        now = self._world.loop.controller.state.q[arm]
        self._servo(arm, now + self._weak * (np.array(q) - now))
        self.sent[self._world.now] = np.array(q)
        return np.array(q)


class Measured:
    """Where the joints are by the plant's own state, tick by tick."""

    def __init__(self, world: VirtualCell) -> None:
        self.q: dict[int, np.ndarray] = {}
        world.each_tick.append(lambda: self.q.__setitem__(world.now, world.q.copy()))


class Wiretap:
    """A third session on the bus: hears every batch, and counts what else is told about samples."""

    def __init__(self, world: VirtualCell) -> None:
        self.batches = 0
        MemoryBus(world, "tap").listen(SAMPLES, self._take)

    def _take(self, where: str, raw: bytes) -> None:
        self.batches += 1


def all_of(stream: SampleStream) -> tuple[ArmSample, ...]:
    chunk = stream.read(0.1)
    assert chunk.lost == 0
    return chunk.arm(ARM)


def jog(world: VirtualCell, velocity: float, periods: int) -> list[JointIntent]:
    """Jog the first joint, with an intent every four ticks."""
    arm = world.arms["me"]
    intents = []
    for _ in range(periods):
        values = (velocity, 0.0, 0.0, 0.0, 0.0, 0.0)
        intents.append(JointIntent(source=arm.client_id, arm=ARM, stamp_ns=world.now - 7, velocity=values))
        arm.intend(intents[-1])
        world.ticks(4)
    return intents


def test_a_run_is_told_as_it_was_sent_and_measured() -> None:
    world = VirtualCell()
    drives, measured = Drives(world), Measured(world)
    with world.arms["you"].samples() as stream:
        world.ticks(2)
        run = world.run(SWINGS)
        while not run.life.over:
            world.step()
        assert run.status == "done"
        world.ticks(20)
        samples = all_of(stream)
    stamps = [one.stamp_ns for one in samples]
    assert np.diff(stamps).tolist() == [TICK_NS] * (len(stamps) - 1), "a tick is missing"
    sent = {one.stamp_ns: np.array(one.sent) for one in samples if one.sent is not None}
    known = {stamp: q for stamp, q in drives.sent.items() if stamps[0] <= stamp <= stamps[-1]}
    assert len(sent) > 100
    assert sent.keys() == known.keys()
    assert all(np.array_equal(sent[stamp], q) for stamp, q in known.items())
    for one in samples:
        assert one.q is not None
        assert np.array_equal(one.q, measured.q[one.stamp_ns])
        assert one.state_ns <= one.stamp_ns
    jobs = {one.origin.job for one in samples if one.origin.doing == "path" and one.sent is not None}
    assert len(jobs) >= 2, "each chain of moves is its own job"
    assert all(one.origin.intent is None for one in samples)


def test_setpoints_name_the_intent_that_they_follow() -> None:
    world = VirtualCell()
    arm = world.arms["me"]
    arm.acquire()
    with arm.samples() as stream:
        world.ticks(10)  # Requests are looked at fifty times a second.
        arm.engage()
        intents = jog(world, 0.4, 30)
        world.ticks(200)
        samples = all_of(stream)
    following = [one for one in samples if one.origin.intent is not None]
    assert {one.origin.intent.stamp_ns for one in following} == {one.stamp_ns for one in intents}
    for one in following:
        assert one.sent is not None
        assert one.origin.doing == "servo"
        assert one.origin.intent in intents
        # An intent is there one tick after it was taken at the earliest, and is followed until the next one comes.
        assert one.stamp_ns - one.origin.intent.stamp_ns > 0
    first = {}
    for one in following:
        first.setdefault(one.origin.intent.stamp_ns, one.stamp_ns)
    assert {obeyed - stamp for stamp, obeyed in first.items()} == {TICK_NS + 7}
    # When the hand falls silent, what brings the arm to rest follows nobody.
    assert samples[-1].sent is None
    after = [one for one in samples if one.sent is not None and one.stamp_ns > following[-1].stamp_ns]
    assert after
    assert all(one.origin.intent is None for one in after)


def test_the_following_error_of_weak_drives_is_seen() -> None:
    """The controller's own target hides it: what is compared is what was sent."""
    world = VirtualCell()
    arm = world.arms["me"]
    arm.acquire()
    Drives(world, weak=0.5)
    with arm.samples() as stream:
        arm.engage()
        jog(world, 0.2, 60)
        state = arm.state.arms[ARM]
        samples = all_of(stream)
    steady = [one for one in samples if one.sent is not None][100:140]
    step = 0.2 * TICK_NS * 1e-9
    # Drives that make half of the step that is left stay two steps behind the setpoint of the tick, minus none.
    behind = [abs(one.sent[0] - one.q[0]) for one in steady if one.sent is not None and one.q is not None]
    assert behind == pytest.approx([2.0 * step] * len(behind), rel=0.05)
    assert state.q_sent is not None
    assert abs(state.q_sent[0] - state.q[0]) == pytest.approx(2.0 * step, rel=0.05)
    assert abs(state.q_target[0] - state.q[0]) < 1.1 * step


def test_nobody_asks_and_nothing_is_sent_or_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    world = VirtualCell()
    tap = Wiretap(world)
    taken = []
    take = world.robot.process._sampler.add_tick
    monkeypatch.setattr(world.robot.process._sampler, "add_tick", lambda *a: (taken.append(a), take(*a))[1])
    run = world.run(SWINGS)
    while not run.life.over:
        world.step()
    assert not taken
    assert tap.batches == 0
    stream = world.arms["you"].samples()
    other = world.arms["me"].samples()
    world.ticks(TICKS_A_SECOND)
    # Twenty batches a second, however many read.
    assert 18 <= tap.batches <= 21
    assert len(taken) == pytest.approx(TICKS_A_SECOND, abs=10)
    stream.close()
    world.ticks(TICKS_A_SECOND)
    assert 36 <= tap.batches <= 42, "the other still reads"
    other.close()
    world.ticks(10)
    taken.clear()
    before = tap.batches
    world.ticks(3 * TICKS_A_SECOND)
    assert not taken
    assert tap.batches == before


def test_a_reader_that_dies_costs_nothing_after_two_seconds() -> None:
    world = VirtualCell()
    tap = Wiretap(world)
    stream = world.arms["you"].samples()
    world.ticks(TICKS_A_SECOND)
    assert tap.batches > 0
    stream._end()  # Its process is gone: it asks no longer, and closes nothing.
    world.ticks(3 * TICKS_A_SECOND)
    before = tap.batches
    assert before <= 20 * 3.6
    world.ticks(2 * TICKS_A_SECOND)
    assert tap.batches == before
    assert not world.robot.process._sampler.is_requested


def test_a_slow_reader_loses_the_oldest_and_is_told_how_many() -> None:
    world = VirtualCell()
    with world.arms["you"].samples() as whole, world.arms["me"].samples(most=100) as slow:
        world.ticks(1000)
        everything, kept = all_of(whole), slow.read(0.1)
        samples = kept.arm(ARM)
        assert 80 < len(samples) <= 100
        assert kept.lost + len(samples) == len(everything) > 900
        assert samples == everything[kept.lost :], "the newest are kept"
        # From then on nothing is missing.
        world.ticks(50)
        later = all_of(slow)
        assert later[0].stamp_ns == samples[-1].stamp_ns + TICK_NS


def test_what_is_missing_on_the_way_is_counted() -> None:
    world = VirtualCell()
    with world.arms["me"].samples() as stream:
        world.ticks(100)
        before = stream.read(0.1)
        world.cut_until = world.now + 100 * TICK_NS  # The link of 'me' is cut for so long.
        world.ticks(200)
        after = stream.read(0.1)
    last, first = before.batches[-1], after.batches[0]
    gap = first.number - last.number - len(last.stamps_ns)
    assert after.lost >= 80
    assert after.lost >= gap > 0


def test_samples_go_on_after_the_robots_process_was_started_again() -> None:
    world = VirtualCell()
    with world.arms["you"].samples() as stream:
        world.ticks(100)
        before = stream.read(0.1)
        world.kill(again_ns=300_000_000)
        world.ticks(500)
        after = stream.read(0.1)
    assert after.batches
    last: SampleBatch = before.batches[-1]
    assert after.batches[0].number > last.number
    missing = after.batches[0].stamps_ns[0] - last.stamps_ns[-1]
    assert after.lost == pytest.approx(missing / TICK_NS, abs=30)


def test_what_was_sent_is_forgotten_where_it_no_longer_counts() -> None:
    world = VirtualCell()
    arm = world.arms["me"]
    assert arm.state.arms[ARM].q_sent is None, "nothing was sent yet"
    arm.acquire()
    arm.engage()
    jog(world, 0.3, 20)
    state = arm.state.arms[ARM]
    assert state.q_sent is not None
    assert 0 < state.intent_ns < state.obeyed_ns <= state.sent_ns
    assert arm.stop().reached
    world.ticks(10)
    state = arm.state.arms[ARM]
    assert state.q_sent is not None, "it stands where it was sent"
    assert state.q_sent == pytest.approx(state.q, abs=1e-6)
    assert state.intent_ns == state.obeyed_ns == 0
    assert arm.stop(now=True).reached
    world.ticks(10)
    again = VirtualCell()
    arm = again.arms["me"]
    arm.acquire()
    arm.engage()
    jog(again, 0.3, 20)
    assert arm.stop(now=True).reached
    again.ticks(10)
    assert arm.state.arms[ARM].q_sent is None, "its controller has stopped it somewhere else"


def test_a_stream_must_keep_something() -> None:
    world = VirtualCell()
    with pytest.raises(InputError, match="most is 0; at least one tick must be kept"):
        world.arms["me"].samples(most=0)
