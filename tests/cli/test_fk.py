"""`openpendant fk`: what it prints for people, and how joints may be typed."""

import json

import numpy as np
import pytest
from verbs import said

import openpendant as op

ZERO = "0,0,0,0,0,0"


pytestmark = pytest.mark.usefixtures("wide")


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
