"""Calibration over REST: what was touched goes in, tool or work object comes out."""

import math

import httpx
import numpy as np
import pytest

from openpendant.messages import Pose
from openpendant.server.poses import pose_from_transform
from openpendant.spatial import make_transform, matrix_from_rotation_vector

TCP = np.array([0.01, -0.02, 0.15])
POINT = np.array([0.4, 0.1, 0.2])
TURNS = [(math.pi, 0.0, 0.0), (2.6, 0.4, 0.0), (2.8, -0.5, 0.3), (2.5, 0.1, -0.7)]


def as_json(pose: Pose) -> dict[str, list[float]]:
    return {"xyz": list(pose.xyz), "wxyz": list(pose.wxyz)}


def touches(turns: list[tuple[float, float, float]]) -> list[dict[str, list[float]]]:
    found: list[dict[str, list[float]]] = []
    for turn in turns:
        R = matrix_from_rotation_vector(np.array(turn))
        found.append(as_json(pose_from_transform(make_transform(R, POINT - R @ TCP))))
    return found


def test_four_touches_tell_the_tool(http: httpx.Client) -> None:
    answer = http.post("/api/calibrations/tool", json={"flanges": touches(TURNS)})
    assert answer.status_code == 200
    found = answer.json()
    assert found["xyz"] == pytest.approx(TCP.tolist(), abs=1e-9)
    assert found["point"] == pytest.approx(POINT.tolist(), abs=1e-9)
    assert max(found["residuals_m"]) < 1e-9
    assert 0.0005 < found["uncertainty_m"] < 0.02


def test_touches_of_one_orientation_are_refused_with_what_to_do(http: httpx.Client) -> None:
    answer = http.post("/api/calibrations/tool", json={"flanges": touches([TURNS[0]] * 4)})
    assert answer.status_code == 422
    assert "turn the tool" in answer.json()["message"]


def test_too_many_touches_are_refused(http: httpx.Client) -> None:
    answer = http.post("/api/calibrations/tool", json={"flanges": touches([TURNS[0]] * 101)})
    assert answer.status_code == 422
    assert "at most 100" in answer.json()["message"]


def test_three_points_tell_the_frame(http: httpx.Client) -> None:
    body = {
        "origin": [1.0, 2.0, 0.5],
        "on_x": [1.0, 2.3, 0.5],
        "in_xy": [0.8, 2.1, 0.5],
        "further": [[0.9, 2.2, 0.503]],
    }
    answer = http.post("/api/calibrations/frame", json=body)
    assert answer.status_code == 200
    found = answer.json()
    assert found["pose"]["xyz"] == pytest.approx([1.0, 2.0, 0.5])
    assert found["pose"]["wxyz"] == pytest.approx([math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)])
    assert (found["x_length_m"], found["y_length_m"]) == pytest.approx((0.3, 0.2))
    assert found["heights_m"] == pytest.approx([0.003])


def test_points_on_a_line_are_refused(http: httpx.Client) -> None:
    body = {"origin": [0, 0, 0], "on_x": [0.1, 0, 0], "in_xy": [0.2, 0, 0]}
    answer = http.post("/api/calibrations/frame", json=body)
    assert answer.status_code == 422
    assert "one line" in answer.json()["message"]
