"""An exported move has the speed that its step shows, wherever the arm stands when the program begins."""

import numpy as np
import pytest
from ur_brain import READY, make_brain, until, words

from openpendant.messages import Pose
from openpendant.programs import Action, GoTo, MoveAxis, Program, Repeat, Wait
from openpendant.programs.export import export_urscript
from openpendant.scene import Cell, CellPoint, CellRobot, Scene
from openpendant.spatial import quaternion_from_matrix
from openpendant.virtual.ur import RuntimeState

DRAWN = ((0.9, 0.4, -0.7, 0.5, 0.3, 0.0), (-0.8, -0.3, 0.4, 0.2, -0.4, 0.9), (0.0, 0.0, 0.0, 0.0, 0.0, 2.0))


def exported(step: Action) -> str:
    """A program whose only move goes to where the arm is said to start: the check finds no way to go."""
    cell = Cell(name="desk", robots=(CellRobot(name="arm", model="ur3e", joints={"arm": READY}),))
    T = Scene(cell).arm("arm").kinematics.fk(np.array(READY))
    pose = Pose(xyz=tuple(T[:3, 3].tolist()), wxyz=tuple(quaternion_from_matrix(T[:3, :3]).tolist()))
    cell = Cell(
        name="desk",
        robots=cell.robots,
        points=(CellPoint(name="start", frame="arm", robot="arm", pose=pose, q=READY),),
    )
    return export_urscript(cell, Program(name="go", robot="arm", steps=(step,)))[0].text


@pytest.mark.parametrize("step", [GoTo(id="s", to="start", speed="200 mm/s"), MoveAxis(id="s", q=READY, speed="v200")])
@pytest.mark.parametrize("away", DRAWN)
def test_the_first_move_keeps_to_the_speed_that_is_shown(step: Action, away: tuple[float, ...]) -> None:
    brain = make_brain(start_q=tuple((np.array(READY) + away).tolist()))
    brain.run_script(exported(step))
    speeds: list[float] = []
    before = np.array(brain.read("target_TCP_pose"))[:3]

    def over() -> bool:
        nonlocal before
        now = np.array(brain.read("target_TCP_pose"))[:3]
        speeds.append(float(np.linalg.norm(now - before)) / 0.002)
        before = now
        return len(speeds) > 100 and brain.read("runtime_state") == RuntimeState.STOPPED

    until(brain, over, 40_000)
    assert np.abs(np.array(brain.read("actual_q")) - READY).max() < 1e-3
    assert max(speeds) <= 0.2 * 1.02
    if max(abs(one) for one in away[:5]) > 0:
        assert max(speeds) > 0.2 * 0.9, "and not much slower either"


def test_a_loop_that_begins_with_the_first_move_makes_all_its_passes() -> None:
    first = GoTo(id="s", to="start", speed="200 mm/s")
    text = exported(Repeat(id="r", times=3, steps=(first, Wait(id="w", seconds=0.125))))
    assert "sleep(0.125)" in text
    brain = make_brain()
    brain.messages()
    brain.run_script(text.replace("sleep(0.125)", 'textmsg("pass")'))
    until(brain, lambda: brain.read("runtime_state") == RuntimeState.STOPPED)
    assert words(list(brain.messages())) == ["pass"] * 3
