"""A program on the controller always comes to rest: whatever is cut, silent or late, and however STOP is pressed."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from lockstep import Lockstep, swing

from unsafe import promise

HEARTBEAT_S = 0.402
"""After so long without a beat the controller stops the program (2.5 Hz, and one tick)."""
NOTICED_S = 0.36
"""After so long without a state the driver counts the link as lost."""
STOP_S = 0.159
"""Of the base of a UR3 from full speed (maker's manual, stop category 0)."""
SLACK_S = 0.03
"""A beat of 20 ms on its way, and ticks of both sides."""
PORTS = {"30001": (30001,), "30004": (30004,), "29999": (29999,), "all": ()}


@pytest.fixture(scope="module")
def pair() -> Iterator[Lockstep]:
    made = Lockstep("127.0.12.40")
    yield made
    made.close()


def stays_at_rest(pair: Lockstep, seconds: float = 1.0) -> None:
    """The arm rests, and nothing of ours begins again."""
    q = pair.q
    for _ in range(round(seconds * 50)):
        pair.tick(10)
        promise(pair.rests, "it moves after a stop")
    promise(np.abs(pair.q - q).max() < 1e-3, "it has moved after a stop")


def rounds(seed: int, count: int) -> list[tuple[int, str]]:
    return [(seed + n, list(PORTS)[n % len(PORTS)]) for n in range(count)]


def cut_at_random(pair: Lockstep, seed: int, ports: str) -> None:
    """Cut a link for 50 ms to 5 s while a program runs, without a STOP, then go on pressing STOP."""
    random = np.random.default_rng(seed)
    pair.get_ready()
    pair.start(swing())
    pair.tick(int(random.integers(1, 800)))
    kind = "drop" if random.random() < 0.5 or ports == "29999" else "silence"
    lasts = float(np.exp(random.uniform(np.log(0.05), np.log(5.0))))
    pair.fault(kind, PORTS[ports], seconds=lasts)
    # Not faster than the clock: the links are to come back before the heartbeat is missed, where they can.
    pair.faster = 1.0
    told = f"{kind} of {ports} for {lasts:.2f} s"
    unheard = ports == "29999" or (kind == "silence" and (ports == "30001" or lasts < NOTICED_S))
    if unheard:
        # Nothing that supervises the program is gone: it goes on until a person stops it.
        pair.tick(100)
        assert not pair.rests, told
        pair.driver.stop()
    bound = HEARTBEAT_S + STOP_S + SLACK_S + (NOTICED_S if kind == "silence" and not unheard else 0.0)
    took = pair.until(lambda: pair.rests, f"rest after {told}", 30.0)
    promise(took <= bound, f"{told}: {took:.3f} s")
    for _ in range(3):
        pair.driver.stop()
        pair.tick(5)
    stays_at_rest(pair)


@pytest.mark.parametrize(("seed", "ports"), rounds(10, 5))
def test_a_cut_link_leaves_the_arm_at_rest(pair: Lockstep, seed: int, ports: str) -> None:
    cut_at_random(pair, seed, ports)


@pytest.mark.parametrize("ports", PORTS)
def test_links_that_are_back_at_once_do_not_keep_the_program_alive(pair: Lockstep, ports: str) -> None:
    pair.get_ready()
    pair.start(swing())
    pair.faster = 1.0
    pair.fault("drop", PORTS[ports])
    if ports == "29999":
        pair.driver.stop()
    took = pair.until(lambda: pair.rests, "rest")
    promise(took <= HEARTBEAT_S + STOP_S + SLACK_S, f"at rest after {took:.3f} s")
    stays_at_rest(pair)
    told = [event.kind for event in pair.driver.events()]
    assert "stopped" in told
    assert ("lost" in told) == (ports != "29999")


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("seed", "ports"), rounds(1000, 50))
def test_a_cut_link_leaves_the_arm_at_rest_fifty_times(pair: Lockstep, seed: int, ports: str) -> None:
    cut_at_random(pair, seed, ports)


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("kind", ["path", "now"])
def test_a_stop_gets_through_although_ports_are_silent(pair: Lockstep, ports: str, kind: str) -> None:
    pair.get_ready()
    pair.start(swing())
    pair.fault("silence", PORTS[ports], seconds=3.0)
    pair.driver.stop(kind)
    took = pair.until(lambda: pair.rests, "rest")
    promise(took <= HEARTBEAT_S + STOP_S + SLACK_S, f"at rest after {took:.3f} s")
    for _ in range(3):
        pair.driver.stop(kind)
        pair.tick(20)
    stays_at_rest(pair, 3.2)
    pair.get_ready()
    pair.start(swing())
    pair.driver.stop()
    pair.until(lambda: pair.rests, "rest", STOP_S + 0.1)


@pytest.mark.parametrize("late_ms", [250.0, 900.0])
@pytest.mark.parametrize("after", [0, 3, 60])
def test_a_stop_before_the_script_has_started_is_not_lost(pair: Lockstep, late_ms: float, after: int) -> None:
    pair.get_ready()
    pair.fault("delay", (30001,), ms=late_ms)
    home = pair.q
    pair.driver.run(swing())
    pair.until(lambda: pair.driver._slot.upload.phase == "starting", "the script on its way")
    pair.tick(after)
    pair.driver.stop()
    moved = 0.0
    for _ in range(round((late_ms * 1e-3 + 3.0) * 500)):
        pair.tick()
        moved = max(moved, float(np.abs(pair.q - home).max()))
    assert pair.rests
    # The stop arrives as much later as it was sent later; so long it accelerates, and then brakes at least as hard.
    gets_going_s = after * 0.002 + SLACK_S
    assert moved <= 6.0 * gets_going_s**2
    assert not pair.driver.state.moving["arm"]
    assert [event.kind for event in pair.driver.events()].count("stopped") == 1


def test_a_program_that_was_replaced_does_not_go_on(pair: Lockstep) -> None:
    pair.get_ready()
    pair.start(swing())
    pair.driver.run(swing(-0.5))
    pair.until(lambda: pair.q[0] < -0.3, "the second program")
    pair.driver.stop()
    pair.until(lambda: pair.rests, "rest")
    pair.get_ready()


@pytest.mark.parametrize(("kind", "says"), [("path", "stop script"), ("now", "stopj at 40 rad/s²")])
def test_how_it_was_stopped_is_told(pair: Lockstep, kind: str, says: str) -> None:
    pair.get_ready()
    pair.start(swing())
    pair.driver.stop(kind)
    pair.until(lambda: not pair.driver.state.moving["arm"], "the end")
    told = [event for event in pair.driver.events() if event.kind == "stopped"]
    assert len(told) == 1
    assert says in told[0].message
    assert pair.driver.progress("arm").ended == "stopped"
    pair.get_ready()


def test_pressing_stop_again_and_again_costs_two_threads(pair: Lockstep) -> None:
    pair.get_ready()
    pair.start(swing())
    before = threading.active_count()
    pair.fault("silence", seconds=2.0)
    for _ in range(200):
        pair.driver.stop()
        pair.tick()
    assert threading.active_count() <= before + 3, "one for each channel, one to find the links again"
    pair.get_ready()
