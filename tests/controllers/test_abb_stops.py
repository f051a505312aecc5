"""An ABB arm always comes to rest: whatever is cut, silent, late or garbled, and however STOP is pressed.

In virtual time; what is measured is the plant of the virtual controller.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from abb_pair import TICK_S, AbbPair, arms_of, moves, swing, wave

from openpendant.controllers import SampledPath
from openpendant.motion import joint_limits
from openpendant.protocols.rapid_server import PORT, RequestKind
from openpendant.robots import load
from openpendant.virtual.abb.guidance import AHEAD_S
from unsafe import promise

HEARTBEAT_S = 0.4
"""After so long without a beat that counts our server stops the arms."""
STOP_S = 0.159
"""Of the slowest joint of an IRB 120 from full speed with the stop limits of the catalogue (docs/gate.md, "Stops")."""
SLACK_S = 0.05
"""A beat of 20 ms on its way, ticks of both sides, the drives 16 ms behind."""
PORTS = {"rws": (80,), "server": (PORT,), "all": ()}
WHAT = (*PORTS, "late", "garbage")
UNHEARD_S = 0.3
"""A silence that is shorter leaves the heartbeat going."""


ROUNDS, ALL_ROUNDS = 40, 200
"""Of chaos, in every run; and in all, with the marker `soak`."""


class PairLender:
    """Lends one pair to test after test; what fails keeps its own, so that the next is judged by itself."""

    def __init__(self) -> None:
        self._made: list[AbbPair] = []
        self._free: AbbPair | None = None

    def lend(self) -> AbbPair:
        pair, self._free = self._free, None
        if pair is None:
            pair = AbbPair()
            self._made.append(pair)
        pair.recover()
        pair.driver.events()
        return pair

    def give_back(self, pair: AbbPair) -> None:
        self._free = pair

    def close(self) -> None:
        for pair in self._made:
            pair.close()


@pytest.fixture(scope="module")
def lender() -> Iterator[PairLender]:
    made = PairLender()
    yield made
    made.close()


@pytest.fixture
def pair(lender: PairLender) -> Iterator[AbbPair]:
    lent = lender.lend()
    yield lent
    lender.give_back(lent)


def last_motion(pair: AbbPair, seconds: float) -> float:
    """Let time pass; return when the arm moved last, seconds. At a turning point it rests for a moment, too."""
    last = 0.0
    for count in range(1, round(seconds / TICK_S) + 1):
        pair.tick()
        last = last if pair.rests else count * TICK_S
    return last


def stays_at_rest(pair: AbbPair, seconds: float) -> None:
    """The arm rests, and nothing of ours begins again."""
    q = pair.plant()
    for _ in range(round(seconds / (10 * TICK_S))):
        pair.tick(10)
        promise(pair.rests, "it moves after a stop")
    promise(float(np.abs(pair.plant() - q).max()) < 1e-3, "it has moved after a stop")


def chaos(pair: AbbPair, seed: int) -> None:
    """Let something go wrong while a program runs; then press STOP and look that it rests."""
    random = np.random.default_rng(seed)
    what = WHAT[seed % len(WHAT)]
    pair.start(swing(pair))
    pair.tick(int(random.integers(1, 100)))
    lasts = float(np.exp(random.uniform(np.log(0.05), np.log(1.0))))
    bound = HEARTBEAT_S + STOP_S + SLACK_S
    kind = "path" if random.random() < 0.5 else "now"
    if what == "late":
        ms = float(random.uniform(20.0, 1000.0))
        pair.fault("delay", ms=ms, jitter_ms=20.0)
        told = f"{ms:.0f} ms late"
        pair.tick(int(random.integers(0, 50)))
        pair.driver.stop(kind)
    elif what == "garbage":
        told = "garbage"
        pair.fault("corrupt", (PORT,), share=0.5, count=3)
        pair.tick(20)
        pair.driver.stop(kind)
    else:
        drop = random.random() < 0.5
        told = f"{'drop' if drop else 'silence'} of {what} for {lasts:.2f} s"
        pair.fault("drop" if drop else "silence", PORTS[what], seconds=lasts)
        if not drop and (what == "rws" or lasts < UNHEARD_S + 0.12):
            # Perhaps nothing that supervises the program is gone: it may go on until a person stops it.
            pair.tick(5)
            pair.driver.stop(kind)
            bound += lasts if what != "rws" else 0.0
    took = last_motion(pair, bound + 0.3)
    promise(took <= bound, f"{told}: {took:.3f} s")
    pair.driver.stop(kind)
    stays_at_rest(pair, min(lasts, 0.5))
    pair.recover()


@pytest.mark.parametrize(
    "seed", [*range(ROUNDS), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(ROUNDS, ALL_ROUNDS))]
)
def test_chaos_leaves_the_arm_at_rest_and_is_recovered_from(lender: PairLender, seed: int):
    pair = lender.lend()
    chaos(pair, seed)
    assert pair.kinds().count("stopped") >= 1
    assert not pair.driver.state.moving["arm"]
    lender.give_back(pair)


def test_a_round_is_the_same_every_time():
    seen = []
    for _ in range(2):
        pair = AbbPair()
        chaos(pair, 2)
        seen.append(
            ([f"{one.time_ns} {one.kind} {one.message}" for one in pair.driver.events()], pair.plant().tolist())
        )
        pair.close()
    assert seen[0] == seen[1]


def test_a_driver_that_falls_silent_is_stopped_by_the_server(pair: AbbPair):
    pair.start(swing(pair))
    moved = 0.0
    for count in range(400):
        # Nobody calls the driver any more.
        pair.clock.sleep(TICK_S)
        if pair.rests:
            moved = count * TICK_S
            break
    promise(0.0 < moved <= HEARTBEAT_S + STOP_S + SLACK_S, f"at rest after {moved:.3f} s")
    for _ in range(100):
        pair.clock.sleep(TICK_S)
    assert pair.rests


def test_a_guided_arm_whose_driver_falls_silent_stays_where_it_was_sent(pair: AbbPair):
    rows = wave(pair, "arm", 0.5, 1.0)
    for row in rows[:125]:
        pair.driver.servo("arm", row)
        pair.tick()
    for _ in range(200):
        pair.clock.sleep(TICK_S)
    assert pair.rests
    assert float(np.abs(pair.plant() - rows[124]).max()) < 0.05


@pytest.mark.parametrize("kind", ["path", "now"])
def test_a_program_stops_on_its_path_at_once(pair: AbbPair, kind: str):
    pair.start(swing(pair))
    before, speed = pair.plant(), pair.speed()
    pair.driver.stop(kind)
    took = pair.until(lambda: pair.rests, "rest", 1.0)
    promise(took <= STOP_S + SLACK_S + 0.04, f"{took:.3f} s")
    way = float(np.abs(pair.plant() - before).max())
    promise(way <= speed * (STOP_S / 2.0 + SLACK_S + 0.04), f"{way:.3f} rad from {speed:.2f} rad/s")
    assert float(np.abs((pair.plant() - before)[1:]).max()) < 1e-3
    pair.until(lambda: pair.driver.progress("arm").over, "the end of the job", 1.0)
    pair.recover()
    told = [event.message for event in pair.driver.events() if event.kind == "stopped"]
    assert len(told) == 1
    assert ("Quick" in told[0]) == (kind == "now")
    assert pair.driver.progress("arm").ended == "stopped"


@pytest.mark.parametrize("kind", ["path", "now"])
def test_a_streamed_arm_stops_within_its_limits(pair: AbbPair, kind: str):
    # Towards the middle: the arm rests anywhere after a stop.
    Q = wave(pair, "arm", -float(np.copysign(1.5, pair.plant()[0])), 1.5)
    pair.driver.run(SampledPath("arm", Q))
    pair.tick(190)
    before, speed = pair.plant(), pair.speed()
    assert speed > 1.0
    pair.driver.stop(kind)
    took = pair.until(lambda: pair.rests, "rest", 1.0)
    promise(took <= STOP_S + SLACK_S + 0.04, f"{took:.3f} s")
    promise(float(np.abs(pair.plant() - before).max()) <= speed * (STOP_S / 2.0 + 0.09), "a long way")
    off = np.abs(Q - pair.plant()).max(axis=1).min()
    assert off < 0.01
    pair.recover()
    assert pair.kinds().count("stopped") == 1


def test_a_base_at_full_speed_rests_in_the_time_that_is_promised():
    """As tests/client/test_stop_from_outside.py, without the transport: 0.45 rad, and what its drives are late."""
    limits = joint_limits(load("irb120"), "arm")
    most = float(limits.velocity[0])
    pair = AbbPair(arms=[replace(one, stop_deceleration=limits.stop.deceleration) for one in arms_of("irb120")])
    pair.driver.run(SampledPath("arm", wave(pair, "arm", 2.4, 1.875 * 2.4 / most)))
    pair.until(lambda: pair.speed() > 0.98 * most, "full speed")
    before = pair.plant()[0]
    pair.driver.stop()
    took = pair.until(lambda: pair.rests, "rest", 1.0)
    way = pair.plant()[0] - before
    promise(took <= 0.30, f"at rest after {took:.3f} s")
    promise(way <= 0.45 + most * AHEAD_S, f"{way:.3f} rad from {most:.2f} rad/s")
    pair.close()


@pytest.mark.parametrize("after", [0, 3, 10, 20, 40, 60])
@pytest.mark.parametrize("late_ms", [0.0, 150.0])
def test_a_stop_before_the_program_has_started_is_not_lost(pair: AbbPair, after: int, late_ms: float):
    if late_ms:
        pair.fault("delay", (80,), ms=late_ms)
    pair.driver.run(swing(pair))
    pair.tick(after)
    # The last ones come when it has just begun to move.
    before, speed = pair.plant(), pair.speed()
    pair.driver.stop()
    moved = 0.0
    for _ in range(round((1.0 + 6e-3 * late_ms) / TICK_S)):
        pair.tick()
        moved = max(moved, float(np.abs(pair.plant() - before).max()))
    promise(pair.rests, "it moves after a stop")
    way = 0.05 + speed * (STOP_S / 2.0 + SLACK_S + 0.04)
    promise(moved < way, f"{moved:.3f} rad from {speed:.2f} rad/s")
    pair.recover()


def test_a_program_that_was_replaced_does_not_go_on(pair: AbbPair):
    at = pair.plant()[0]
    pair.start(swing(pair))
    pair.driver.run(swing(pair, -0.6))
    pair.until(lambda: pair.plant()[0] < at - 0.2, "the second program")
    pair.driver.stop()
    pair.until(lambda: pair.rests, "rest", 1.0)
    pair.recover()


def test_a_program_that_stands_still_in_a_move_is_given_up(pair: AbbPair):
    pair.driver.run(swing(pair))
    pair.until(lambda: pair.speed() > 0.5, "motion")
    pair.brain.panel.set_speed(1.0)
    pair.tick(100)
    server = pair.driver._links.start.server  # type: ignore[union-attr]
    assert server is not None
    server.request(RequestKind.PAUSE)
    pair.until(lambda: pair.driver.progress("arm").over, "the end", 5.0)
    assert "progress" in pair.driver.progress("arm").ended
    pair.brain.panel.set_speed(100.0)
    pair.recover()


def test_pause_and_resume_during_a_move(pair: AbbPair):
    pair.start(swing(pair))
    server = pair.driver._links.start.server  # type: ignore[union-attr]
    assert server is not None
    server.request(RequestKind.PAUSE)
    pair.until(lambda: pair.rests, "rest", 0.5)
    pair.tick(100)
    assert pair.rests
    server.request(RequestKind.RESUME)
    pair.until(lambda: pair.speed() > 0.5, "motion", 1.0)
    pair.driver.stop()
    pair.until(lambda: pair.rests, "rest", 0.5)


def test_checks_and_poses_are_answered_while_a_program_waits(pair: AbbPair):
    pair.driver.run(moves("waits", "    WaitTime 100;\n"))
    pair.until(lambda: pair.driver._control.phase == "runs job", "the program")
    server = pair.driver._links.start.server  # type: ignore[union-attr]
    assert server is not None
    server.request(RequestKind.POSE, 1.0)
    pair.until(lambda: server.reply is not None, "the pose", 0.5)
    assert server.reply is not None
    target = server.reply.values[:12]
    place, *_ = pair.brain.units["ROB_1"].jointtarget
    server.reply = None
    server.request(RequestKind.CHECK, 1.0, *target)
    pair.until(lambda: server.reply is not None, "the check", 0.5)
    assert server.reply is not None
    assert server.reply.values[0] == 0.0
    assert server.reply.values[1:7] == pytest.approx(place, abs=1e-2)
    server.reply = None
    server.request(RequestKind.CHECK, 1.0, 9000.0, *target[1:])
    pair.until(lambda: server.reply is not None, "the check", 0.5)
    assert server.reply is not None
    assert server.reply.values[0] in (1.0, 2.0)
    pair.driver.stop()
    pair.until(lambda: pair.driver.progress("arm").over, "the end")


def test_a_client_without_the_session_moves_nothing(pair: AbbPair):
    pair.driver.close()
    pair.driver.connect()
    link = pair.dialler.dial("robot", PORT)
    pair.tick(5)
    link.send(b"OPB1" + bytes(60))
    pair.tick(50)
    assert pair.driver.state.can_move
    link.close()
