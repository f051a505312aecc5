"""Random programs among random obstacles: what is called clear has no collision and breaks no limit.

Replayed densely, a millimetre at a time, every pose asked by itself; and with lazier and sharper blends than ours.
"""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from openpendant.messages import Pose
from openpendant.motion import corner_triangles, joint_limits
from openpendant.programs import GoTo, InlinePoint, MoveAxis, Program, Report, SpeedOverride, check_program
from openpendant.programs.check.trace import trace_program
from openpendant.robots import load
from openpendant.scene import BoxShape, Cell, CellObject, CellRobot, CollisionWorld, Scene, SphereShape
from openpendant.spatial import make_transform, quaternion_from_matrix

Array = NDArray[np.float64]
ARM = load("irb120").arm()
READY = load("irb120").posture()


def random_cell(random: np.random.Generator) -> Cell:
    objects = [
        CellObject(
            name="floor",
            shape=BoxShape(size=(3.0, 3.0, 0.02)),
            pose=Pose(xyz=(0.0, 0.0, -0.012), wxyz=(1.0, 0.0, 0.0, 0.0)),
        )
    ]
    for number in range(12):
        angle, radius = random.uniform(-math.pi, math.pi), random.uniform(0.35, 0.7)
        xyz = (radius * math.cos(angle), radius * math.sin(angle), random.uniform(0.05, 0.7))
        size = random.uniform(0.02, 0.1)
        shape = SphereShape(radius=size / 2) if number % 2 else BoxShape(size=(size, size, size))
        margin = float(random.choice([0.0, 0.005]))
        pose = Pose(xyz=xyz, wxyz=(1.0, 0.0, 0.0, 0.0))
        objects.append(CellObject(name=f"thing {number}", shape=shape, pose=pose, margin_m=margin))
    return Cell(name="random", robots=(CellRobot(name="r", model="irb120"),), objects=tuple(objects))


def random_program(random: np.random.Generator) -> Program:
    q, T = READY.copy(), np.eye(4)
    steps: list[GoTo | MoveAxis] = []
    for number in range(7):
        zone = str(random.choice(["fine", "z5", "z20", "z50", "z100"]))
        if number % 3 == 0:
            q = np.clip(q + random.uniform(-0.5, 0.5, 6), ARM.limits_lower * 0.9, ARM.limits_upper * 0.9)
            steps.append(MoveAxis(id=f"s{number}", q=tuple(map(float, q)), speed="60%", zone=zone))
            continue
        T = ARM.fk(q, frame="tcp") if number % 3 == 1 else T
        p = T[:3, 3] + random.uniform(-0.08, 0.08, 3)
        T = make_transform(T[:3, :3], p)
        w, x, y, z = map(float, quaternion_from_matrix(T[:3, :3]))
        target = InlinePoint(pose=Pose(xyz=(float(p[0]), float(p[1]), float(p[2])), wxyz=(w, x, y, z)), frame="r")
        steps.append(GoTo(id=f"s{number}", to=target, how="line", speed="v500", zone=zone))
    return Program(name="random", robot="r", steps=tuple(steps))


@cache
def samples() -> list[tuple[CollisionWorld, Cell, Program, Report]]:
    random = np.random.default_rng(7)
    made = []
    for number in range(30):
        if number % 5 == 0:
            cell = random_cell(random)
            world = CollisionWorld(Scene(cell))
        program = random_program(random)
        report = check_program(cell, program, world=world, alternatives=False)
        made.append((world, cell, program, report))
    return made


def clear_ones() -> list[tuple[CollisionWorld, Cell, Program, Report]]:
    return [one for one in samples() if one[3].clear]


def dense(Q: Array, step_m: float = 0.001) -> Array:
    """Return joints so dense that nothing on the arm moves farther than about a millimetre between two."""
    rows = [Q[:1]]
    for a, b in pairwise(Q):
        count = max(1, math.ceil(float(np.abs(b - a).sum()) * 0.75 / step_m))
        rows.append(a + (b - a) * np.linspace(0.0, 1.0, count + 1)[1:, None])
    return np.vstack(rows)


def test_the_samples_tell_something():
    verdicts = [report.clear for *_, report in samples()]
    assert 5 <= sum(verdicts) <= 27


def test_clear_programs_touch_nothing_and_keep_all_limits():
    limits = joint_limits(load("irb120"))
    for world, cell, program, _ in clear_ones():
        for stretch in trace_program(cell, program).stretches:
            found = stretch.trajectory.sample(0.002)
            assert (found.q >= limits.lower - 1e-9).all()
            assert (found.q <= limits.upper + 1e-9).all()
            assert (np.abs(found.qd) <= limits.velocity * (1.0 + 1e-6)).all()
            assert (np.abs(found.qdd) <= limits.acceleration * (1.0 + 1e-6)).all()
            assert not world.touches_many(dense(found.q)).any()


def test_lazier_and_sharper_blends_inside_the_corner_touch_nothing_either():
    # Rows of a triangle: over the programmed point, on the shortest way, and what lies between.
    spaces: list[str] = []
    for world, cell, program, _ in clear_ones():
        for stretch in trace_program(cell, program).stretches:
            tool = stretch.chain.setting.T_flange_tool()
            for triangle in corner_triangles(ARM, stretch.trajectory, tool, rows=6, columns=25):
                spaces.append(triangle.space)
                for blend in triangle.Q:
                    assert not world.touches_many(dense(blend)).any()
    assert spaces.count("joint") >= 5
    assert spaces.count("tool") >= 2


def test_a_failing_program_really_touches_or_cannot_be_made():
    looked = 0
    for world, _, _, report in samples():
        for step in report.failing:
            for finding in step.findings:
                if finding.kind != "collision" or finding.q is None:
                    continue
                looked += 1
                # Just before the touch: the resolution is a tenth of a millimetre.
                assert finding.near is not None
                assert finding.near.distance_m <= finding.near.margin_m + 2e-4
                wide = np.array(finding.q) + np.linspace(-0.02, 0.02, 41)[:, None] * np.eye(6).reshape(6, 1, 6)
                assert world.touches_many(np.clip(wide.reshape(-1, 6), ARM.limits_lower, ARM.limits_upper)).any()
    assert looked >= 3


@pytest.mark.parametrize("percent", [50.0, 20.0])
def test_time_grows_when_speed_falls(percent: float):
    for _, cell, program, report in clear_ones()[:4]:
        slow = Program(name="slow", robot="r", steps=(SpeedOverride(id="o", percent=percent), *program.steps))
        assert check_program(cell, slow, collisions=False).duration_s > report.duration_s
