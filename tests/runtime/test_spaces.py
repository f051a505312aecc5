"""Allowed and forbidden spaces of a cell in virtual time: the tool keeps to them, whatever moves it."""

from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from loop_bench import ME, Bench, cell_of
from measuring import EACH_ARM, Measured

from openpendant.messages import JointIntent, Pose, bus
from openpendant.scene import CellSpace, Scene

REACHES_M = 0.001
"""So far the tool may get into what is forbidden, or out of what is allowed."""
HALF_M = 0.06


def made(model: str, arm: str, kind: str) -> tuple[Bench, Measured, Callable[[np.ndarray], float], np.ndarray]:
    """A bench with a box about the tool (allowed) or beside it (forbidden), how far it is left, and where to go."""
    scene = Scene(cell_of(model))
    placed = next(one for one in scene.arms.values() if one.arm == arm)
    q, turn = placed.q_start, np.eye(placed.kinematics.dof)[0]
    # Away from where an arm would touch its own body first.
    side = -1.0 if q[0] > 0.0 or arm == "right" else 1.0

    def tool(joints: np.ndarray) -> np.ndarray:
        return (placed.T_world_base @ placed.kinematics.fk(joints) @ placed.T_flange_tcp)[:3, 3]

    goal = q + 0.9 * side * turn
    middle = tool(q) if kind == "allowed" else tool(q + 0.45 * side * turn)
    at = Pose(xyz=tuple(middle.tolist()), wxyz=(1.0, 0.0, 0.0, 0.0))
    space = CellSpace(name="press", kind=kind, size=(2 * HALF_M,) * 3, pose=at)
    cell = msgspec.structs.replace(cell_of(model), spaces=(space,))
    bench = Bench(model, arm=arm, cell=cell)
    bench.take()

    def left_m(joints: np.ndarray) -> float:
        beyond = float((np.abs(tool(joints) - middle) - HALF_M).max())
        return beyond if kind == "allowed" else -beyond

    return bench, Measured(bench), left_m, goal


@EACH_ARM
@pytest.mark.parametrize("kind", ["allowed", "forbidden"])
@pytest.mark.parametrize("how", ["path", "jog", "law"])
def test_the_tool_keeps_to_the_spaces_of_its_cell(model: str, arm: str, kind: str, how: str) -> None:
    bench, measured, left_m, goal = made(model, arm, kind)
    start = measured.places(bench.q)[0]
    if how == "path":
        assert bench.follow(bench.path(goal)) == bus.Accepted()
        assert bench.until("held", "done", "failed") == "held"
        assert "space" in bench.drive.reason
    elif how == "law":
        q = tuple(goal.tolist())
        law = bus.Approach(holder=ME, job="law", arm=arm, q=q, gain=2.0, exponent=0.6, tolerance_rad=0.002)
        assert bench.ask(law) == bus.Accepted()
        bench.ticks(400)
    else:
        assert bench.ask(bus.EngageArm(holder=ME, job="hand", arm=arm, stops=bench.loop.stops)) == bus.Accepted()
        v = tuple((0.8 * np.sign(goal - bench.q)).tolist())
        for _ in range(100):
            bench.loop.intend(JointIntent(source=ME, stamp_ns=bench.now, arm=arm, velocity=v), bench.now)
            bench.ticks(4)
    assert max(left_m(q) for q in bench.Q) <= REACHES_M
    assert np.linalg.norm(measured.places(bench.q)[0] - start) > 0.01, "it did not move at all"
