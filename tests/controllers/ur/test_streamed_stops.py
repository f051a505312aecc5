"""A streamed UR comes to rest as it should when its states stay away, and by its controller's fastest stop."""

from collections.abc import Iterator

import numpy as np
import pytest
from streaming import DT, Streamed

from openpendant import robots
from openpendant.messages import bus
from openpendant.motion import MoveJoint, MoveLine, Speed

SILENT_S = 0.25
"""A state older than this is not believed (docs/gate.md, 'following')."""
PATH_M = 0.001
OVER = 1.02
"""Rounding of a sampled stop."""
THERE_RAD = 0.001
STILL_RAD_S = 0.01
COMMAND, SERVO_STOP = "input_int_register_0", 16
"""Where ur_rtde writes what its program on the controller is to do, and the number of `servoStop`."""
MAKER = {0: (0.18, 0.159), 1: (0.20, 0.154), 2: (0.15, 0.092)}
"""Radians and seconds of stop category 0 from 183°/s, by joint (UR3/CB3 user manual 3.10, appendix A.1)."""
PERIOD_S = 0.002
"""A stop begins at the next period of the controller."""
LAG_S = 0.012
"""Of a streamed UR: smoothing and transport. The 30 ms of servoj's look-ahead do not count, because `stopj` brakes from
where servoj is."""
SETTLE_S = 0.04
"""Drives of 20 Hz come to rest after the end of a stop in five of their time constants of 8 ms."""


@pytest.fixture
def pair() -> Iterator[Streamed]:
    made = Streamed("127.0.12.46")
    yield made
    made.close()


def test_states_that_stay_away_are_a_stop_along_the_path(pair: Streamed, monkeypatch: pytest.MonkeyPatch) -> None:
    arm, stop = pair.drive.parts.kinematics, pair.drive.parts.limits.stop
    pair.follow(MoveJoint(np.array([0.0, -1.9, 2.2, -1.9, -1.57, 0.0])))
    pair.until(lambda: not pair.drive.busy, "the start of the line")
    start = arm.fk(pair.drive.q_rest)
    end = start.copy()
    end[:3, 3] += (0.0, -0.45, 0.0)
    pair.follow(MoveLine(end, Speed(tool_m_s=0.7)))
    pair.tick(100)
    links = pair.driver._links
    assert links is not None
    monkeypatch.setattr(links.state, "poll", lambda _now_ns: False)
    pair.until(lambda: pair.drive.doing == "stopping", "the stop", SILENT_S + 2.0 * DT)
    given = pair.given(monkeypatch)
    pair.until(lambda: not pair.drive.busy, "the end of the stop")
    assert not any(event.kind == "lost" for event in pair.loop.drain_events()), "the link was given up in the stop"
    pair.until_still(STILL_RAD_S)
    rows = np.array(given)
    P = np.array([arm.fk(q)[:3, 3] for q in rows]) - start[:3, 3]
    assert float(np.linalg.norm(P[:, [0, 2]], axis=1).max()) < PATH_M
    speeds = np.linalg.norm(np.diff(P, axis=0), axis=1)
    assert speeds[0] > 0.3 * DT, "it was fast"
    assert (np.diff(speeds) < 1e-9).all(), "slower at every tick"
    assert (np.abs(np.diff(rows, n=2, axis=0)) / DT**2 <= OVER * stop.deceleration).all()
    assert np.abs(pair.q - rows[-1]).max() < THERE_RAD, "the arm rests where the stop ends"
    assert np.abs(pair.setpoint - rows[-1]).max() < 1e-6


@pytest.mark.parametrize(("joint", "side"), [(0, 1.0), (1, 1.0), (2, -1.0)], ids=["base", "shoulder", "elbow"])
def test_the_last_resort_is_as_short_as_the_makers_stop(pair: Streamed, joint: int, side: float) -> None:
    pair.follow(MoveJoint(robots.load("ur3e").posture()))
    pair.until(lambda: not pair.drive.busy, "the posture")
    top = float(pair.drive.parts.limits.velocity[joint])
    pair.follow(MoveJoint(pair.drive.q_rest + 1.6 * side * np.eye(6)[joint]))
    pair.until(lambda: abs(pair.qd[joint]) > 0.99 * top, "full speed")
    pair.loop.drain_events()
    assert pair.ask(bus.Halt(who="somebody", kind="now")) == bus.Halted(stops=pair.loop.stops)
    # What ur_rtde's process takes to hear of it is the machine's, and its arm goes on meanwhile.
    pair.until(lambda: pair.brain.read(COMMAND) == SERVO_STOP, "the stop at the controller", 0.5)
    begin = pair.q[joint]
    took_s = pair.until_still(STILL_RAD_S)
    way = abs(pair.q[joint] - begin)
    most_rad, most_s = MAKER[joint]
    assert way <= most_rad + top * (PERIOD_S + LAG_S)
    assert took_s <= most_s + PERIOD_S + LAG_S + SETTLE_S
    told = lambda: [event.message for event in pair.loop.drain_events() if event.kind == "stopped"]  # noqa: E731
    words: list[str] = []
    pair.until(lambda: bool(words.extend(told()) or words), "the words", 1.0)
    (said,) = words
    assert said.endswith(" mm (by the controller: stopj at 40 rad/s²)")
    measure = pair.loop.meter.last
    assert measure is not None
    assert f"stopped in {measure.rest_s:.2f} s, {1000.0 * measure.distance_m:.0f} mm" in said
    assert measure.distance_m > 0.02
