"""The command line as a whole: version, help, and misuse told in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from verbs import complained, said

import openpendant as op

ZERO = "0,0,0,0,0,0"
REACHED = "0.2,0.1,0.3,1,0,0,0"


pytestmark = pytest.mark.usefixtures("wide")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--version") == f"{op.__version__}\n"


@pytest.mark.parametrize("words", [("--help",), ("fk", "--help"), ("robots", "--help"), ("robots", "show", "--help")])
def test_help(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert "Usage: openpendant" in said(capsys, *words)


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
