"""What is nearest to an arm, as the page asks it while a hand drags."""

import json

import httpx
import numpy as np
import pytest
from websockets.sync.client import connect

from openpendant.errors import OpenPendantError
from openpendant.scene import CollisionWorld, Scene, load_demo
from openpendant.server.studio import nearest_replies
from openpendant.server.studio.nearest_replies import nearest_in

BALL = {
    "name": "ball",
    "shape": {"type": "sphere", "radius": 0.05},
    "pose": {"xyz": [0.0, 0.0, 0.6], "wxyz": [1.0, 0.0, 0.0, 0.0]},
    "frame": "irb120",
}
"""About the upper arm, however it is turned."""


@pytest.fixture(scope="module")
def world() -> CollisionWorld:
    return CollisionWorld(Scene(load_demo("pick_and_place").cell))


def test_the_pair_has_names_and_points_as_far_apart_as_it_says(world: CollisionWorld) -> None:
    near, touches = nearest_in(world, {"irb120/arm": (0.0, 0.0, 0.0, 0.0, 0.5, 0.0)})
    assert near is not None
    assert not touches
    assert near.a.startswith("irb120/")
    apart = float(np.linalg.norm(np.subtract(near.point_a, near.point_b)))
    assert apart == pytest.approx(near.distance_m, abs=1e-4)


def test_an_arm_in_the_table_touches_it(world: CollisionWorld) -> None:
    near, touches = nearest_in(world, {"irb120/arm": (0.0, 1.6, 0.3, 0.0, 0.0, 0.0)})
    assert touches
    assert near is not None
    assert near.distance_m <= near.margin_m + 1e-4


def test_an_unknown_arm_is_refused(world: CollisionWorld) -> None:
    with pytest.raises(OpenPendantError, match="nobody"):
        nearest_in(world, {"nobody/arm": (0.0,) * 6})


def test_it_is_answered_over_the_websocket_by_another_process(
    url: str, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("bodies are laid out in the server's own process")

    monkeypatch.setattr(nearest_replies, "CollisionWorld", never)
    project = http.post("/api/projects", json={"title": "near", "demo": "pick_and_place"}).json()["id"]
    with connect(f"{url.replace('http', 'ws')}/ws/projects/{project}", max_size=None) as socket:
        socket.send(json.dumps({"type": "hello", "client": "a", "name": "a"}))
        socket.send(json.dumps({"type": "nearest", "id": 7, "joints": {"irb120/arm": [0.0] * 6}}))
        socket.send(json.dumps({"type": "nearest", "id": 8, "joints": {"irb120/arm": [0.0]}}))
        own = {"do": "add", "section": "objects", "item": BALL}
        socket.send(json.dumps({"type": "edit", "id": 9, "edit": {"edit": "cell", "command": own}}))
        socket.send(json.dumps({"type": "nearest", "id": 10, "joints": {"irb120/arm": [0.0] * 6}}))
        answers: dict[int, dict] = {}
        while len(answers) < 4:
            message = json.loads(socket.recv(timeout=60))
            if message.get("id") in (7, 8, 9, 10):
                answers[message["id"]] = message
    assert answers[7]["type"] == "nearest"
    assert answers[7]["near"]["a"].startswith("irb120/")
    assert answers[8]["type"] == "refused"
    assert answers[9]["type"] == "done", answers[9]
    assert answers[10]["near"]["b"] == "ball", "an edit counts at once"
