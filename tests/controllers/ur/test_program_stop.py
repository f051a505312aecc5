"""A program on the controller always comes to rest: whatever is cut, silent or late, and however STOP is pressed.

In virtual time, so that every seed is the same run on every machine; `test_cut_links.py` has the same over sockets.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from uploading import (
    HEARTBEAT_S,
    PORTS,
    SLACK_S,
    STOP_S,
    Uploads,
    cut_at_random,
    stays_at_rest,
    stop_that_hardly_gets_through,
    swing,
)

from unsafe import promise

WHAT = (*PORTS, "late")


@pytest.fixture(scope="module")
def pair() -> Iterator[Uploads]:
    made = Uploads()
    yield made
    made.close()


def chaos(seed: int) -> tuple[list[str], np.ndarray]:
    """Live through one round; return what the driver told, and where the arm came to rest."""
    pair, random = Uploads(), np.random.default_rng(seed)
    try:
        what = WHAT[seed % len(WHAT)]
        if what == "late":
            stop_that_hardly_gets_through(pair, random)
        else:
            cut_at_random(pair, random, what)
        q = pair.q
        pair.recover()
        told = [f"{event.time_ns} {event.kind} {event.message}" for event in pair.driver.events()]
    finally:
        pair.close()
    return told, q


@pytest.mark.parametrize("seed", range(200))
def test_chaos_leaves_the_arm_at_rest_and_is_recovered_from(seed: int) -> None:
    told, _ = chaos(seed)
    assert sum(" stopped " in one for one in told) == 1


@pytest.mark.parametrize("seed", [3, 4])
def test_a_round_is_the_same_every_time(seed: int) -> None:
    first, second = chaos(seed), chaos(seed)
    assert first[0] == second[0]
    assert first[1].tolist() == second[1].tolist()


@pytest.mark.parametrize("ports", PORTS)
def test_links_that_are_back_at_once_do_not_keep_the_program_alive(pair: Uploads, ports: str) -> None:
    pair.get_ready()
    pair.start(swing())
    pair.fault("drop", PORTS[ports])
    if ports == "29999":
        pair.driver.stop()
    took = pair.until(lambda: pair.rests, "rest")
    promise(took <= HEARTBEAT_S + STOP_S + SLACK_S, f"at rest after {took:.3f} s")
    stays_at_rest(pair)
    told = [event.kind for event in pair.driver.events()]
    assert "stopped" in told
    assert ("lost" in told) == (ports != "29999")


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("kind", ["path", "now"])
def test_a_stop_gets_through_although_ports_are_silent(pair: Uploads, ports: str, kind: str) -> None:
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
def test_a_stop_before_the_script_has_started_is_not_lost(pair: Uploads, late_ms: float, after: int) -> None:
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


def test_a_program_that_was_replaced_does_not_go_on(pair: Uploads) -> None:
    pair.get_ready()
    pair.start(swing())
    pair.driver.run(swing(-0.5))
    pair.until(lambda: pair.q[0] < -0.3, "the second program")
    pair.driver.stop()
    pair.until(lambda: pair.rests, "rest")
    pair.get_ready()


@pytest.mark.parametrize(("kind", "says"), [("path", "stop script"), ("now", "stopj at 40 rad/s²")])
def test_how_it_was_stopped_is_told(pair: Uploads, kind: str, says: str) -> None:
    pair.get_ready()
    pair.start(swing())
    pair.driver.stop(kind)
    pair.until(lambda: not pair.driver.state.moving["arm"], "the end")
    told = [event for event in pair.driver.events() if event.kind == "stopped"]
    assert len(told) == 1
    assert says in told[0].message
    assert pair.driver.progress("arm").ended == "stopped"
    pair.get_ready()


def test_pressing_stop_again_and_again_costs_a_connection_for_each_channel(pair: Uploads) -> None:
    pair.get_ready()
    pair.start(swing())
    pair.fault("silence", seconds=2.0)
    for _ in range(200):
        pair.driver.stop()
        pair.tick()
        # The dashboard has one more, which asks for the operating mode.
        assert all(len(pair.host.wire.links(port)) <= most for port, most in ((29999, 2), (30002, 1)))
    pair.get_ready()
