"""What is nearest to an arm, as the page asks it while a hand drags."""

import json

import httpx
import numpy as np
import pytest
from websockets.sync.client import connect

from openpendant.errors import OpenPendantError
from openpendant.scene import CollisionWorld, Scene, load_demo
from openpendant.server.studio.nearness import nearest_in


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


def test_it_is_answered_over_the_websocket(url: str, http: httpx.Client) -> None:
    project = http.post("/api/projects", json={"title": "near", "demo": "pick_and_place"}).json()["id"]
    with connect(f"{url.replace('http', 'ws')}/ws/projects/{project}", max_size=None) as socket:
        socket.send(json.dumps({"type": "hello", "client": "a", "name": "a"}))
        socket.send(json.dumps({"type": "nearest", "id": 7, "joints": {"irb120/arm": [0.0] * 6}}))
        socket.send(json.dumps({"type": "nearest", "id": 8, "joints": {"irb120/arm": [0.0]}}))
        answers: dict[int, dict] = {}
        while len(answers) < 2:
            message = json.loads(socket.recv(timeout=60))
            if message.get("id") in (7, 8):
                answers[message["id"]] = message
    assert answers[7]["type"] == "nearest"
    assert answers[7]["near"]["a"].startswith("irb120/")
    assert answers[8]["type"] == "refused"
