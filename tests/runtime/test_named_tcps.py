"""TCPs that a program names beside that of the carried tool keep to reduced speed and spaces, in virtual time."""

from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from loop_bench import ME, Bench, cell_of
from measuring import EACH_ARM, Measured, away

from openpendant.controllers import Progress
from openpendant.messages import Pose, bus
from openpendant.runtime import Corridor
from openpendant.scene import CellSpace, Scene
from openpendant.spatial import translation

REDUCED_M_S = 0.25
REACHES_M = 0.001
"""So far a TCP may get into what is forbidden."""
HALF_M = 0.03
LONG = (0.35, 0.0, 0.1)
"""A TCP far beside the flange, metres."""


@EACH_ARM
def test_a_tcp_that_a_program_names_keeps_to_reduced_speed(model: str, arm: str) -> None:
    bench = Bench(model, arm=arm, reduced=True)
    bench.take()
    longest, own = Measured(bench, translation(*LONG)), Measured(bench)
    path = bench.path(away(bench, 0.8))
    assert bench.follow(path, tcps=((0.0, 0.0, 0.05), LONG)) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    assert 0.2 < max(longest.fastest(), own.fastest()) <= REDUCED_M_S
    # What is not named does not make an arm slower.
    begin = len(bench.Q)
    assert bench.follow(bench.path(path.q_start)) == bus.Accepted()
    assert bench.until("done", "held", "failed") == "done", bench.drive.reason
    assert 0.2 < own.fastest(begin) <= REDUCED_M_S


def beside(kind: str) -> tuple[Bench, Callable[[np.ndarray], float], np.ndarray]:
    """A bench with a box on the way of the long TCP only, how deep that is in it, and where to go."""
    placed = next(iter(Scene(cell_of("ur3e")).arms.values()))
    q = placed.q_start
    goal = q + np.array([0.9, 0.0, 0.0, 0.0, 0.0, 0.0])

    def point(joints: np.ndarray) -> np.ndarray:
        return (placed.T_world_base @ placed.kinematics.fk(joints) @ translation(*LONG))[:3, 3]

    middle = point(q + 0.5 * (goal - q)) if kind == "forbidden" else point(q)
    pose = Pose(xyz=tuple(middle.tolist()), wxyz=(1.0, 0.0, 0.0, 0.0))
    half = HALF_M if kind == "forbidden" else 0.45
    space = CellSpace(name="press", kind=kind, size=(2 * half,) * 3, pose=pose)
    bench = Bench("ur3e", cell=msgspec.structs.replace(cell_of("ur3e"), spaces=(space,)))
    bench.take()

    def deep_m(joints: np.ndarray) -> float:
        inside = half - float(np.abs(point(joints) - middle).max())
        return inside if kind == "forbidden" else -inside

    return bench, deep_m, goal


def test_a_tcp_that_a_program_names_keeps_out_of_what_is_forbidden() -> None:
    bench, deep_m, goal = beside("forbidden")
    assert bench.follow(bench.path(goal), tcps=(LONG,)) == bus.Accepted()
    assert bench.until("held", "done", "failed") == "held"
    assert "forbidden space press" in bench.drive.reason
    assert max(deep_m(q) for q in bench.Q) <= REACHES_M
    bench.ticks(100)
    # The carried tool alone passes the box.
    assert bench.follow(bench.path(goal)) == bus.Accepted()
    assert bench.until("held", "done", "failed") == "done", bench.drive.reason
    assert max(deep_m(q) for q in bench.Q) > HALF_M / 2.0


@pytest.mark.parametrize("tcps", [(), (LONG,)])
def test_an_uploaded_program_is_stopped_where_a_tcp_that_it_names_is_too_fast(
    monkeypatch: pytest.MonkeyPatch, tcps: bus.Tcps
) -> None:
    bench = Bench("ur3e", reduced=True)
    bench.take()
    plant, stops = bench.loop.controller, []
    # The controller turns the base at such a speed that only the long TCP is too fast.
    turning = np.eye(6)[0] * 0.9 * REDUCED_M_S / float(np.linalg.norm(bench.drive.p_tool[:2]))
    monkeypatch.setattr(plant, "run", lambda _job: None)
    monkeypatch.setattr(plant, "progress", lambda _arm: Progress(1, 9))
    monkeypatch.setattr(plant, "stop", stops.append)
    corridor = Corridor(bench.q[None, :], 1.0).encode()
    start = tuple(bench.q.tolist())
    upload = bus.Upload(
        holder=ME,
        job="up",
        arm="arm",
        dialect="urscript",
        name="x",
        text="",
        corridor=corridor,
        q_start=start,
        tcps=tcps,
    )
    assert bench.ask(upload) == bus.Accepted()
    for _ in range(50):
        plant.servo("arm", bench.q + turning * bench.tick_ns * 1e-9)
        bench.ticks(1)
    assert bool(stops) == bool(tcps)


def test_tcps_that_are_no_points_are_refused() -> None:
    bench = Bench("ur3e")
    bench.take()
    refused = bench.follow(bench.path(bench.q + 0.1), tcps=((float("nan"), 0.0, 0.0),))
    assert isinstance(refused, bus.Denied)
    assert refused.kind == "input"
