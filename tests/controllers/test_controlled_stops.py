"""Stops on the plant are controlled, and time passes as it is due."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openpendant.controllers import KinematicArm, KinematicRobot, SampledPath, brake_along, brake_joints
from openpendant.errors import LinkError

DT = 0.004
DECELERATION = np.array([4.0, 6.0])
ARM = KinematicArm(np.zeros(2), np.full(2, -3.0), np.full(2, 3.0), np.full(2, 1.5), deceleration=DECELERATION)


def moving_plant(curve=lambda t: np.stack([np.sin(t), 0.3 * (1.0 - np.cos(2.0 * t))], axis=1)) -> KinematicRobot:
    """An arm in full swing."""
    plant = KinematicRobot({"arm": ARM})
    plant.connect()
    t = np.arange(1, 400) * DT
    # Away from rest gently, so that only the stop is looked at.
    plant.run(SampledPath("arm", curve(t * t / (t + 0.4))))
    return plant


def rows_until_rest(plant: KinematicRobot, ticks: int) -> np.ndarray:
    rows = []
    for _ in range(ticks):
        rows.append(plant.state.q["arm"])
        plant.advance()
    return np.array(rows)


@pytest.mark.parametrize("when", [20, 100, 250])
def test_a_stop_on_a_path_keeps_to_the_path_and_to_the_acceleration(when: int):
    plant = moving_plant()
    before = rows_until_rest(plant, when)
    plant.stop("path")
    assert plant.state.moving["arm"]
    rows = np.vstack([before[-2:], rows_until_rest(plant, 300)])
    assert not plant.state.moving["arm"]
    assert plant.progress("arm").ended == "stopped"
    assert (np.abs(np.diff(rows, n=2, axis=0)) / DT**2 <= DECELERATION * 1.05).all()
    assert np.abs(rows[-1] - rows[-2]).max() == 0.0
    path = moving_plant()._arms["arm"].job
    off = [np.abs(path - row).max(axis=1).min() for row in rows]
    assert max(off) < 0.002
    assert [event.kind for event in plant.events()] == ["connected", "job started", "stopped"]


def test_a_hard_stop_stops_at_once():
    plant = moving_plant()
    plant.advance(100)
    q = plant.state.q["arm"]
    plant.stop("now")
    plant.advance(3)
    assert plant.state.q["arm"].tolist() == q.tolist()
    assert not plant.state.moving["arm"]


def test_setpoints_are_left_by_a_ramp():
    plant = KinematicRobot({"arm": ARM})
    plant.connect()
    for i in range(60):
        plant.servo("arm", [0.00006 * i * i, 0.0])
        plant.advance()
    plant.servo("arm", plant.state.q["arm"])
    plant.stop()
    rows = rows_until_rest(plant, 100)
    assert rows[-1, 0] > rows[0, 0]
    assert (np.abs(np.diff(rows, n=2, axis=0)) / DT**2 <= DECELERATION * 1.01).all()


@given(
    st.lists(st.floats(-3.0, 3.0), min_size=3, max_size=3),
    st.lists(st.floats(0.5, 40.0), min_size=3, max_size=3),
    st.sampled_from([0.002, 0.004, 0.01]),
)
@settings(max_examples=60)
def test_joints_come_to_rest_together(qd, acceleration, dt):
    qd, most = np.array(qd), np.array(acceleration)
    rows = np.vstack([-qd * dt, np.zeros(3), brake_joints(np.zeros(3), qd, most, most / 0.02, dt)])
    rows = np.vstack([rows, rows[-1:]])
    assert (np.abs(np.diff(rows, n=2, axis=0)) / dt**2 <= most * 1.02 + 1e-6).all()
    assert (np.sign(rows[-1]) == np.sign(np.where(rows[-1] == 0.0, 0.0, qd))).all()


def test_a_path_of_one_row_is_left_at_that_row():
    assert brake_along(np.ones((1, 2)), DECELERATION, DECELERATION / 0.02, DT).tolist() == [[1.0, 1.0]]


def test_time_passes_as_it_is_due():
    plant = KinematicRobot({"arm": ARM})
    plant.connect()
    start = 7_000_000_123
    plant.poll(start)
    assert plant.time_ns == 0
    plant.poll(start + 3_999_999)
    assert plant.time_ns == 0
    plant.poll(start + 4_000_000)
    assert plant.time_ns == 4_000_000
    plant.poll(start + 21_000_000)
    assert plant.time_ns == 20_000_000
    assert plant.state.stamp_ns == start + 21_000_000
    plant.poll(start + 20_000_000)
    assert plant.time_ns == 20_000_000
    plant.poll(start + 3_600_000_000_000)
    assert plant.time_ns == 20_000_000 + 250 * 4_000_000
    plant.poll(start + 3_600_004_000_000)
    assert plant.time_ns == 20_000_000 + 251 * 4_000_000


def test_a_closed_link_is_told():
    plant = KinematicRobot({"arm": ARM})
    plant.connect()
    plant.close()
    assert not plant.state.connected
    with pytest.raises(LinkError, match="connect first"):
        plant.servo("arm", [0.0, 0.0])
    plant.stop()
    plant.connect()
    assert plant.state.can_move
