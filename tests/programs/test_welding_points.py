"""A published welding test as a program: reachable, checked, and back again through the text for the controller."""

import re

import numpy as np
import pytest
from welding_points import POINTS_MM, YPR_DEG, welding_cell, welding_program

from openpendant.programs import Report, check_program
from openpendant.programs.export import export_replay, export_vplus
from openpendant.robots import load
from openpendant.spatial import transform_from_vplus, vplus_from_transform

NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
CELL, PROGRAM = welding_cell(), welding_program()


@pytest.fixture(scope="module")
def report() -> Report:
    return check_program(CELL, PROGRAM)


def test_all_points_are_reached_and_the_way_is_clear(report: Report):
    assert report.clear, report.summary
    assert len(report.steps) == 26
    assert all(step.visits == 1 for step in report.steps)
    assert report.duration_s > 5.0
    assert report.clearance is None or report.clearance.distance_m > 0.005


def joints_in(text: str) -> np.ndarray:
    """Return the joints of every precision point in a text, radians."""
    found = re.findall(r"#PPOINT\(([^)]*)\)", text)
    rows = [[float(value) for value in NUMBERS.findall(one)] for one in found if NUMBERS.search(one)]
    return np.radians(np.array([row for row in rows if len(row) == 6]))


def assert_the_same_points(Q: np.ndarray) -> None:
    arm = load("rx90l").arm()
    assert len(Q) == len(POINTS_MM)
    for q, expected in zip(Q, POINTS_MM, strict=True):
        x, y, z, *_ = vplus_from_transform(arm.fk(q))
        assert np.linalg.norm(np.array([x, y, z]) - expected) < 0.01


def test_the_exported_program_holds_the_same_points_to_a_hundredth_of_a_millimetre():
    (file,) = export_vplus(CELL, PROGRAM)
    assert file.name == "weld.26.pg"
    moves = re.findall(r"MOVE (#[\w.]+)\n", file.text)
    defined = dict(re.findall(r"SET (#[\w.]+) = (#PPOINT\([^)]*\))", file.text))
    assert_the_same_points(np.vstack([joints_in(defined[name]) for name in moves]))
    # It stops where the zone is fine, and nowhere else.
    assert file.text.count("BREAK") == 20


def test_the_replayed_points_are_the_same_too():
    points, replay = export_replay(CELL, PROGRAM)
    assert points.text.startswith("DO SPEED 20\nDO DECOMPOSE J_V[0]=#PPOINT(")
    indices = [int(index) for index in re.findall(r"J_V\[(\d+)\]", points.text)]
    assert indices == list(range(0, 6 * 26, 6))
    assert_the_same_points(joints_in(points.text))
    assert points.text.count("]=1;") == 20
    assert "FOR i = 0 TO LAST(j_v[]) STEP 6" in replay.text


def test_the_stated_orientation_is_kept():
    T = transform_from_vplus((*POINTS_MM[6], *YPR_DEG))
    assert T[:3, 2] == pytest.approx((0.0, -(0.5**0.5), -(0.5**0.5)))
