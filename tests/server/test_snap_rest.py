"""Snapping over REST: a tool and a surface go in, the tool on it comes out."""

import httpx
import pytest

LEVEL = [1.0, 0.0, 0.0, 0.0]
DOWN = [0.0, 1.0, 0.0, 0.0]
TOOL = {"xyz": [1.1, 0.15, 0.12], "wxyz": DOWN}
BOX = {"pose": {"xyz": [1.0, 0.0, 0.05], "wxyz": LEVEL}, "size": [0.4, 0.2, 0.1]}
TOUCH = {"at": [1.0, 0.0, 0.1], "normal": [0.0, 0.0, 1.0]}


@pytest.mark.parametrize(
    ("asked", "xyz"),
    [
        ({"to": "edge", "box": BOX, "weld": "lap"}, [1.1, 0.1, 0.1]),
        ({"to": "face", "box": BOX}, [1.1, 0.1, 0.1]),
        ({"to": "touch", "box": BOX, "touch": TOUCH}, [1.0, 0.0, 0.1]),
        ({"to": "touch", "touch": TOUCH}, [1.0, 0.0, 0.1]),
    ],
)
def test_the_tool_comes_to_where_it_is_sent(http: httpx.Client, asked: dict[str, object], xyz: list[float]) -> None:
    answer = http.post("/api/snaps", json={"tool": TOOL, **asked})
    assert answer.status_code == 200
    assert answer.json()["xyz"] == pytest.approx(xyz)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"to": "face"}, "only a box"),
        ({"to": "touch"}, "no place"),
        ({"to": "face", "box": {**BOX, "size": [0.0, 1.0, 1.0]}}, "positive"),
        ({"to": "face", "box": {**BOX, "size": [1e9, 1.0, 1.0]}}, "1000 m"),
        ({"to": "touch", "touch": {**TOUCH, "normal": [0.0, 0.0, 0.0]}}, "normal"),
        ({"to": "edge", "box": BOX, "weld": "butt"}, "butt"),
    ],
)
def test_what_has_no_surface_is_refused(http: httpx.Client, asked: dict[str, object], why: str) -> None:
    answer = http.post("/api/snaps", json={"tool": TOOL, **asked})
    assert answer.status_code == 422
    assert why in answer.json()["message"]
