"""What every robot of the catalogue must be; a new folder is covered without touching this file."""

import math

import numpy as np
import pytest

from openpendant.errors import InputError, UnknownNameError
from openpendant.robots import load, names
from openpendant.robots.facts_file import encode_facts, read_facts
from openpendant.robots.validation import find_fault

OWN = names()


def test_the_five_robots_are_there() -> None:
    assert {"irb120", "robomap", "rx90l", "ur3e", "yumi"} <= set(OWN)


@pytest.mark.parametrize("name", OWN)
def test_facts_are_sound_and_sourced(name: str) -> None:
    facts = load(name).facts
    assert find_fault(facts) is None
    assert facts.sources
    assert all(source.title and source.covers for source in facts.sources)
    assert facts.summary.endswith(".")
    assert load(name) is load(name)


@pytest.mark.parametrize("name", OWN)
def test_facts_survive_being_written(name: str, tmp_path) -> None:
    facts = load(name).facts
    (tmp_path / name).mkdir()
    (tmp_path / name / "facts.toml").write_text(encode_facts(facts), encoding="utf-8")
    assert read_facts(tmp_path / name / "facts.toml") == facts


@pytest.mark.parametrize("name", OWN)
def test_every_moving_joint_has_its_limits(name: str) -> None:
    for edge in load(name).tree.edges:
        if not edge.moves:
            continue
        assert edge.velocity is not None
        assert edge.velocity > 0
        assert edge.kind == "continuous" or (math.isfinite(edge.lower) and math.isfinite(edge.upper))
        assert edge.acceleration is not None or edge.title == "Gripper"


@pytest.mark.parametrize("name", OWN)
def test_masses_can_be_simulated(name: str) -> None:
    robot = load(name)
    for edge in robot.tree.edges:
        node = robot.tree.nodes[edge.child]
        if edge.moves:
            assert node.mass > 0, edge.child
        if node.mass > 0:
            xx, yy, zz, xy, xz, yz = node.inertia
            moments = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
            assert moments[0] > 0
            assert moments[2] <= moments[0] + moments[1] + 1e-12


@pytest.mark.parametrize("name", OWN)
def test_arms_answer(name: str) -> None:
    robot = load(name)
    for arm in robot.arms.values():
        facts = robot.arm_facts(arm.name)
        assert arm.flange == "tool0"
        assert ("tcp" in arm.frames) == bool(facts.tool)
        for posture in facts.postures:
            q = robot.posture(posture.name, arm.name)
            np.testing.assert_array_equal(arm.check_q(q), q)
            assert robot.label(q, arm.name)
            assert robot.print_pose(q, arm.name).text
        # What appears first can be dragged in every direction.
        first = robot.posture(arm=arm.name)
        assert not any(one.near for one in arm.singularities(first)), arm.singularities(first)
        solutions = arm.ik(arm.fk(first), seed=first).solutions
        np.testing.assert_allclose(solutions[0].q, first, atol=1e-6)


@pytest.mark.parametrize("name", OWN)
def test_wrong_names_are_told(name: str) -> None:
    robot = load(name)
    with pytest.raises(InputError):
        robot.arm("third")
    with pytest.raises(UnknownNameError, match="no joint named 'knee'"):
        robot.link_poses({"knee": 0.0})
    moving = next(edge.name for edge in robot.tree.edges if edge.moves)
    with pytest.raises(InputError, match="finite"):
        robot.link_poses({moving: math.nan})
    for arm in robot.arms:
        with pytest.raises(UnknownNameError, match="posture"):
            robot.posture("yoga", arm)
        with pytest.raises(UnknownNameError, match="frame"):
            robot.link_of("nose", arm)


def test_a_platform_has_no_arm_and_says_so() -> None:
    with pytest.raises(InputError, match="robomap has no arm"):
        load("robomap").arm()


def test_a_misspelt_robot_is_guessed() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean irb120"):
        load("irb-120")
    for name in ("../ur3e", "", "UR3E", "conventions", "a/b"):
        with pytest.raises(UnknownNameError):
            load(name)
