"""The plant: exact ticks, and nothing that a robot could not do."""

import numpy as np
import pytest

from openpendant.controllers import Controller, Fingers, KinematicArm, KinematicRobot, SampledPath, VendorText
from openpendant.errors import InputError, UnknownNameError

ARM = KinematicArm(np.zeros(2), np.full(2, -2.0), np.full(2, 2.0), np.full(2, 1.0), Fingers(0.02, 0.1))


def plant() -> KinematicRobot:
    made = KinematicRobot({"arm": ARM}, {"ready": False}, {"lamp": False})
    made.connect()
    return made


def test_it_keeps_the_interface():
    def takes(controller: Controller) -> int:
        return controller.capabilities.tick_ns

    assert takes(plant()) == 4_000_000


def test_a_path_takes_one_tick_for_each_row():
    robot = plant()
    Q = np.linspace(0.0, 0.02, 6)[1:, None].repeat(2, axis=1)
    robot.run(SampledPath("arm", Q))
    for row in Q:
        assert robot.state.moving["arm"]
        robot.advance()
        assert robot.state.q["arm"].tolist() == row.tolist()
        assert robot.state.qd["arm"] == pytest.approx([1.0, 1.0])
    assert robot.progress("arm").finished
    assert not robot.state.moving["arm"]
    assert robot.time_ns == 5 * 4_000_000
    robot.advance()
    assert robot.state.qd["arm"].tolist() == [0.0, 0.0]
    assert [event.kind for event in robot.events()] == ["connected", "job started", "job done"]
    assert robot.events() == ()


def test_fingers_take_their_time():
    robot = plant()
    robot.tool("arm", 0.004, closes=True)
    ticks = 0
    while robot.state.tool_moving["arm"]:
        robot.advance()
        ticks += 1
    assert ticks == 40
    assert robot.state.openings["arm"] == pytest.approx(0.004)


def test_a_setpoint_is_cut_to_what_can_be_done():
    robot = plant()
    assert robot.servo("arm", [1.0, 0.001]).tolist() == pytest.approx([0.004, 0.001])
    robot.advance()
    assert robot.state.q["arm"] == pytest.approx([0.004, 0.001])


def test_a_stop_holds_it_where_it_is():
    robot = plant()
    robot.run(SampledPath("arm", np.full((9, 2), 0.004)))
    robot.advance(2)
    robot.stop()
    robot.advance(5)
    assert robot.state.q["arm"].tolist() == [0.004, 0.004]
    assert not robot.state.moving["arm"]
    robot.close()


@pytest.mark.parametrize(
    ("job", "says"),
    [
        (SampledPath("arm", np.array([[0.5, 0.0]])), "jump"),
        (SampledPath("arm", np.array([[3.0, 0.0]])), "limits are -2 to 2"),
        (SampledPath("arm", np.zeros((3, 5))), "which has 2"),
        (SampledPath("other", np.zeros((3, 2))), "no arm of this robot"),
        (VendorText("rapid", "x", ""), "does not run rapid"),
    ],
)
def test_jobs_that_cannot_be_done_are_refused(job: SampledPath | VendorText, says: str):
    with pytest.raises(InputError, match=says):
        plant().run(job)


def test_misuse_is_told():
    robot, bare = plant(), KinematicArm(np.zeros(1), np.zeros(1), np.zeros(1), np.ones(1))
    for call in (
        lambda: SampledPath("arm", np.zeros((0, 2))),
        lambda: SampledPath("arm", np.array([[np.nan, 0.0]])),
        lambda: robot.servo("arm", [np.nan, 0.0]),
        lambda: robot.tool("arm", 0.5, closes=False),
        lambda: robot.advance(-1),
        lambda: KinematicRobot({}),
        lambda: KinematicRobot({"arm": ARM}, tick_ns=0),
        lambda: KinematicRobot({"arm": bare}).tool("arm", 0.01, closes=False),
    ):
        with pytest.raises(InputError):
            call()
    with pytest.raises(UnknownNameError, match="Did you mean lamp"):
        robot.set_output("lmap", value=True)


def test_signals_are_told_once():
    robot = plant()
    robot.events()
    robot.set_output("lamp", value=True)
    robot.set_output("lamp", value=True)
    robot.set_input("ready", value=True)
    assert [(event.kind, event.about, event.message) for event in robot.events()] == [
        ("output", "lamp", "on"),
        ("input", "ready", "on"),
    ]
