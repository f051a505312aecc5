"""What the verbs print for people, and what they say where something is wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import openpendant as op
from openpendant.cli import main
from openpendant.kinematics import arm_angle

ZERO = "0,0,0,0,0,0"
REACHED = "0.2,0.1,0.3,1,0,0,0"


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No line is broken, nothing of the user's own is touched."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def complained(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--version") == f"{op.__version__}\n"


@pytest.mark.parametrize("words", [("--help",), ("fk", "--help"), ("robots", "--help"), ("robots", "show", "--help")])
def test_help(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert "Usage: openpendant" in said(capsys, *words)


def test_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "robots")
    assert all(name in text for name in op.names())
    assert "7 + 7" in text


@pytest.mark.parametrize("name", op.names())
def test_show(capsys: pytest.CaptureFixture[str], name: str) -> None:
    text = said(capsys, "robots", "show", name)
    robot = op.load(name)
    assert robot.title in text
    assert "Where the numbers come from" in text
    joints = [joint for arm in robot.facts.arms for joint in arm.joints]
    joints += [] if robot.facts.platform is None else robot.facts.platform.joints
    assert joints
    assert all(joint in text for joint in joints)


def test_fk_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "fk", "irb120", ZERO)
    assert "tool0 in base_link" in text
    assert "x 0.374000  y 0.000000  z 0.630000 m" in text
    assert "374" in text
    assert "wrist singularity" in text


@pytest.mark.parametrize(
    "typed",
    [
        ["-0.1,0.2,-0.3,0.4,-0.5,0.6"],
        ["-0.1, 0.2, -0.3, 0.4, -0.5, 0.6"],
        ["-0.1,", "0.2,", "-0.3,", "0.4,", "-0.5,", "0.6"],
        ["-.1", "0.2", "-.3", "4e-1", "-5e-1", "+0.6"],
    ],
)
def test_joints_as_people_type_them(capsys: pytest.CaptureFixture[str], typed: list[str]) -> None:
    T = json.loads(said(capsys, "fk", "irb120", *typed, "--json"))["T"]
    np.testing.assert_allclose(T, op.load("irb120").arm().fk([-0.1, 0.2, -0.3, 0.4, -0.5, 0.6]), atol=1e-12)
    assert json.loads(said(capsys, "fk", "--json", "irb120", *typed))["T"] == T


def test_degrees(capsys: pytest.CaptureFixture[str]) -> None:
    degrees = json.loads(said(capsys, "fk", "irb120", "10,20,-30,40,50,60", "--deg", "--json"))["T"]
    np.testing.assert_allclose(degrees, op.load("irb120").arm().fk(np.deg2rad([10, 20, -30, 40, 50, 60])), atol=1e-12)


def test_frames_and_bases(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "fk", "ur3e", ZERO, "--base", "base", "--frame", "wrist_3_link", "--json"))
    assert (told["base"], told["frame"]) == ("base", "wrist_3_link")
    expected = op.load("ur3e").arm().fk(np.zeros(6), frame="wrist_3_link", base="base")
    np.testing.assert_allclose(told["T"], expected, atol=1e-12)


@pytest.mark.parametrize("arm", ["left", "right"])
def test_both_arms(capsys: pytest.CaptureFixture[str], arm: str) -> None:
    q = op.load("yumi").posture(arm=arm)
    told = json.loads(said(capsys, "fk", "yumi", ",".join(map(repr, q.tolist())), "--arm", arm, "--json"))
    assert (told["base"], told["frame"]) == ("yumi_body", "tool0")
    np.testing.assert_allclose(told["T"], op.load("yumi").arm(arm).fk(q), atol=1e-12)


def test_ik_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "ik", "ur3e", REACHED, "--deg")
    assert "solutions, nearest to the seed first; joints in °" in text
    assert "configuration" in text
    out_of_reach = said(capsys, "ik", "ur3e", "2,0,0,1,0,0,0")
    assert "cannot be reached" in out_of_reach
    assert "Joints of the nearest reachable pose (in rad)" in out_of_reach


def test_ik_takes_rounded_quaternions_and_variants(capsys: pytest.CaptureFixture[str]) -> None:
    pose = "0.2,0.1,0.3,0.7071,0,0.7071,0"
    few = json.loads(said(capsys, "ik", "ur3e", pose, "--json"))["solutions"]
    many = json.loads(said(capsys, "ik", "ur3e", pose, "--json", "--variants", "--seed", "-0.5,0,0,0,0,0"))["solutions"]
    assert 0 < len(few) < len(many)


def test_ik_holds_the_redundancy_axis(capsys: pytest.CaptureFixture[str]) -> None:
    robot = op.load("yumi")
    q = robot.posture(arm="left")
    from openpendant.spatial import quaternion_from_matrix

    T = robot.arm("left").fk(q)
    pose = ",".join(map(repr, [*T[:3, 3].tolist(), *quaternion_from_matrix(T[:3, :3]).tolist()]))
    told = json.loads(said(capsys, "ik", "yumi", pose, "--arm", "left", "--redundancy", repr(float(q[6])), "--json"))
    assert told["solutions"]
    assert all(abs(one["q"][6] - q[6]) < 1e-9 for one in told["solutions"])


def test_ik_holds_the_arm_angle(capsys: pytest.CaptureFixture[str]) -> None:
    arm = op.load("yumi").arm("left")
    words = ("ik", "yumi", "0.4,0.2,0.3,0,0,1,0", "--json", "--deg", "--arm-angle")
    solutions = json.loads(said(capsys, *words, "-30"))["solutions"]
    assert solutions
    assert all(abs(arm_angle(arm, one["q"]) + np.radians(30)) < 1e-8 for one in solutions)


def test_one_solution_is_one_solution(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "ik", "irb120", "0.374,0,0.63,0.7071,0,0.7071,0", "--deg")
    assert "1 solution; joints in °" in text
    assert "-0.00" not in text


def test_a_platform_is_told_by_x_y_and_heading(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "fk", "robomap", "1,-2,90", "--deg", "--json"))
    assert (told["robot"], told["base"], told["frame"]) == ("robomap", "floor", "body")
    np.testing.assert_allclose(told["T"], [[0, -1, 0, 1], [1, 0, 0, -2], [0, 0, 1, 0], [0, 0, 0, 1]], atol=1e-12)
    text = said(capsys, "fk", "robomap", "1,-2,90", "--deg", "--frame", "camera")
    assert "camera in floor" in text
    assert "y -1.950000" in text


def test_a_terminal_without_our_signs_shows_others(tmp_path: Path) -> None:
    """Box lines, °, … and − are not in every encoding."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "OPENPENDANT_HOME": str(tmp_path)}
    pose = "0.4,0.2,0.3,0,0,1,0"
    for words, text in ((("robots", "show", "irb120"), "ABB IRB 120"), (("ik", "yumi", pose, "--json"), "axis 2 ")):
        done = subprocess.run(
            [sys.executable, "-m", "openpendant", *words], env=environment, capture_output=True, check=True
        )
        assert text in done.stdout.decode("ascii")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fk", "irb12", ZERO], "no robot named 'irb12'. Did you mean irb120?"),
        (["fk", "irb120", "0,0,0"], "needs 6 numbers (Axis 1, Axis 2, Axis 3, Axis 4, Axis 5, Axis 6), got 3: '0,0,0'"),
        (["fk", "irb120", "0,0,x,0,0,0"], "'x' is not a number"),
        (["fk", "irb120", "0,0,nan,0,0,0"], "'nan' is not a finite number"),
        (["fk", "irb120", "0,0,inf,0,0,0"], "'inf' is not a finite number"),
        (["fk", "irb120", "9,0,0,0,0,0"], "joint_1 (Axis 1) is at 9 rad (515.7°); allowed: -165.0° … 165.0°"),
        (["fk", "irb120", ZERO, "--frame", "tol0"], "no frame named 'tol0'. Did you mean tool0"),
        (["fk", "irb120", ZERO, "--base", "bas_link"], "Did you mean base_link"),
        (["fk", "irb120", ZERO, "--arm", "left"], "no arm named 'left'. Known: arm."),
        (["fk", "yumi", "0,0,0,0,0,0,0", "--arm", "lft"], "Did you mean left?"),
        (["fk", "irb120", "0,,0,0,0,0,0"], "q: a number is missing between the commas"),
        (["fk", "irb120", "-inf,0,0,0,0,0"], "'-inf' is not a finite number"),
        (["fk", "irb120", "-nan,0,0,0,0,0"], "'-nan' is not a finite number"),
        (["fk", "robomap", "0,0,0", "--arm", "left"], "robomap has no arm"),
        (["fk", "robomap", "0,0"], "q needs 3 numbers (x, y, heading), got 2: '0,0'"),
        (["fk", "robomap", "0,26,0"], "y is at 26; allowed: -25 … 25"),
        (["fk", "robomap", "0,0,0", "--frame", "kamera"], "no frame named 'kamera'. Did you mean camera?"),
        (["fk", "robomap", "0,0,0", "--base", "flor"], "no base named 'flor'. Did you mean floor?"),
        (["ik", "robomap", REACHED], "robomap has no arm: it is a platform that moves in the plane"),
        (["ik", "ur3e", REACHED, "--arm-angle", "up"], "arm angle: 'up' is not a number"),
        (["ik", "ur3e", "0,0,0"], "needs 7 numbers (x,y,z,qw,qx,qy,qz), got 3"),
        (["ik", "ur3e", "0,0,0,1,1,0,0"], "has norm 1.41421; a unit quaternion has norm 1"),
        (["ik", "ur3e", REACHED, "--seed", "0,0"], "seed needs 6 numbers"),
        (["ik", "ur3e", REACHED, "--redundancy", "zero"], "redundancy: 'zero' is not a number"),
        (["ik", "ur3e", REACHED, "--redundancy", "0"], "redundan"),
        (["robots", "show", "yummi"], "no robot named 'yummi'. Did you mean yumi?"),
        (["robots", "remove", "ur3e"], "only imported robots can be removed"),
        (["robots", "remove", "nobody"], "no robot named 'nobody'"),
        (
            ["robots", "urdf", "ur3e", "--no-visuals", "-o", "/nowhere/at/all.urdf"],
            "cannot write /nowhere/at/all.urdf: No such file",
        ),
        (["robots", "import", "/nowhere.urdf"], "/nowhere.urdf"),
        (["robots", "import", "/nowhere.urdf", "--package", "meshes"], "'meshes' is not of the form NAME=PATH"),
        (["robots", "import", "/nowhere.urdf", "--package", "a=/nowhere"], "/nowhere is not a folder"),
        (["robot"], "No such command 'robot'. Did you mean 'robots'?"),
        (["robots", "shwo"], "Did you mean 'show'?"),
        (["fk", "irb120", ZERO, "--jsn"], "No such option: --jsn (Possible options: --json)"),
        (["fk"], "Missing argument 'ROBOT'"),
        (["serve", "--port", "http"], "port"),
    ],
)
def test_misuse_is_told_in_one_line(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert message in complained(capsys, *words)


def test_urdf(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = said(capsys, "robots", "urdf", "irb120", "--no-visuals")
    assert text.startswith("<?xml")
    assert '<robot name="irb120"' in text
    assert "<visual" not in text
    file = tmp_path / "arm.urdf"
    assert said(capsys, "robots", "urdf", "irb120", "--no-visuals", "-o", str(file)) == f"wrote {file}\n"
    assert file.read_text() == text


def test_import_show_solve_and_remove(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    assert main(["robots", "urdf", "ur3e", "--no-visuals", "-o", str(file)]) == 0
    capsys.readouterr()
    assert "imported mine" in said(capsys, "robots", "import", str(file), "--name", "mine")
    assert "(imported)" in said(capsys, "robots")
    assert "mine" in said(capsys, "robots", "show", "mine")
    assert "mine" in complained(capsys, "robots", "import", str(file), "--name", "mine")
    assert "imported mine" in said(capsys, "robots", "import", str(file), "--name", "mine", "--replace")
    assert said(capsys, "robots", "remove", "mine") == "removed mine\n"
    assert "no robot named 'mine'" in complained(capsys, "robots", "show", "mine")


def test_a_broken_entry_does_not_hide_the_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    broken = tmp_path / "data" / "robots" / "broken"
    broken.mkdir(parents=True)
    (broken / "facts.toml").write_text("format = 1\n")
    text = said(capsys, "robots")
    assert "cannot be used" in text
    assert "ur3e" in text
    assert "facts.toml" in complained(capsys, "robots", "show", "broken")
