"""Questions over the websocket get the numbers of the Python calls; whatever is wrong gets a sentence."""

import json
import re
import socket
from typing import Any

import numpy as np
import pytest
from talking import Talker
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import openpendant as op
from openpendant.spatial import make_transform, matrix_from_quaternion, pose_difference, quaternion_from_matrix

ARMS = [(name, arm) for name in op.names() for arm in op.load(name).arms]


def home_of(robot: str, arm: str) -> np.ndarray:
    """A posture inside all limits and away from singularities."""
    own = op.load(robot).arm(arm)
    lower, upper = np.maximum(own.limits_lower, -np.pi), np.minimum(own.limits_upper, np.pi)
    return lower + (upper - lower) * np.linspace(0.4, 0.6, own.dof)


def transform(pose: dict[str, Any]) -> np.ndarray:
    return make_transform(matrix_from_quaternion(pose["wxyz"]), pose["xyz"])


def forward_pose(T: np.ndarray) -> dict[str, Any]:
    return {"xyz": T[:3, 3].tolist(), "wxyz": quaternion_from_matrix(T[:3, :3]).tolist()}


def forward(robot: str, arm: str, /, **change: Any) -> dict[str, Any]:
    own = op.load(robot).arm(arm)
    question = {"type": "forward", "id": 1, "robot": robot, "arm": arm, "q": home_of(robot, arm).tolist()}
    return question | {"frame": own.flange, "base": own.base} | change


def inverse(robot: str, arm: str, /, **change: Any) -> dict[str, Any]:
    own = op.load(robot).arm(arm)
    question = {"type": "inverse", "id": 2, "robot": robot, "arm": arm, "seed": home_of(robot, arm).tolist()}
    pose = {"xyz": [0.0, 0.0, 0.0], "wxyz": [1.0, 0.0, 0.0, 0.0]}
    return question | {"frame": own.flange, "base": own.base, "pose": pose} | change


@pytest.mark.parametrize(("robot", "arm"), ARMS)
def test_forward_tells_what_python_tells(talker: Talker, robot: str, arm: str) -> None:
    own = op.load(robot).arm(arm)
    q = home_of(robot, arm)
    for frame in own.frames:
        answer = talker.ask(**forward(robot, arm, frame=frame, id=41))
        assert (answer["type"], answer["id"]) == ("forward", 41)
        np.testing.assert_allclose(transform(answer["pose"]), own.fk(q, frame=frame), atol=1e-12)
    assert answer["vendor"]["title"]
    assert answer["vendor"]["text"]
    assert answer["configuration"] == own.describe(q)
    assert answer["manipulability"] == pytest.approx(own.manipulability(q))
    told = [(one["name"], one["distance"], one["unit"], one["near"]) for one in answer["singularities"]]
    assert told == [(one.name, one.distance, one.unit, one.near) for one in own.singularities(q)]


@pytest.mark.parametrize(
    ("robot", "arm", "scale"), [("irb120", "arm", 1000.0), ("ur3e", "arm", 1.0), ("yumi", "left", 1000.0)]
)
def test_the_vendors_pose_is_that_of_a_tools_point(talker: Talker, robot: str, arm: str, scale: float) -> None:
    model = op.load(robot)
    own, q = model.arm(arm), home_of(robot, arm)
    tcp = {"xyz": [0.01, -0.02, 0.15], "wxyz": [0.0, 1.0, 0.0, 0.0]}
    answer = talker.ask(**forward(robot, arm, frame=own.flange, tcp=tcp))
    base = model.arm_facts(arm).controller_base or None
    place = (own.fk(q, frame=own.flange, base=base) @ transform(tcp))[:3, 3]
    shown = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?", answer["vendor"]["text"])][:3]
    np.testing.assert_allclose(shown, scale * place, atol=1e-5 * max(scale, 100.0))
    np.testing.assert_allclose(transform(answer["pose"]), own.fk(q, frame=own.flange), atol=1e-12)


@pytest.mark.parametrize(("robot", "arm"), ARMS)
def test_a_drag_is_followed_without_jumps_until_it_ends(talker: Talker, robot: str, arm: str) -> None:
    own = op.load(robot).arm(arm)
    q = op.load(robot).posture(arm=arm)
    T = own.fk(q)
    reason = None
    for _ in range(400):
        T[0, 3] += 0.005
        pose = forward_pose(T)
        answer = talker.ask(**inverse(robot, arm, seed=q.tolist(), pose=pose, follow=True))
        reason = answer["reason"]
        best = answer["nearest"] if reason else answer["branches"][0]
        assert np.abs(np.array(best["q"]) - q).max() < 0.6
        q = np.array(best["q"])
        if reason:
            np.testing.assert_allclose(transform(answer["nearest_pose"]), own.fk(q), atol=1e-9)
            break
        np.testing.assert_allclose(own.fk(q), T, atol=1e-9)
    assert reason, "2 m further is out of reach"


@pytest.mark.parametrize(("robot", "arm"), ARMS)
def test_inverse_leads_back(talker: Talker, robot: str, arm: str) -> None:
    own = op.load(robot).arm(arm)
    q = home_of(robot, arm)
    pose = talker.ask(**forward(robot, arm))["pose"]
    answer = talker.ask(**inverse(robot, arm, pose=pose))
    assert (answer["type"], answer["reason"], answer["nearest"]) == ("inverse", None, None)
    assert answer["solve_us"] > 0
    np.testing.assert_allclose(answer["branches"][0]["q"], q, atol=1e-6)
    for branch in answer["branches"]:
        far_m, far_rad = pose_difference(own.fk(branch["q"]), transform(pose))
        assert max(far_m, far_rad) < 1e-7
        assert branch["label"]


@pytest.mark.parametrize(("robot", "arm"), ARMS)
def test_out_of_reach_is_an_answer_with_the_nearest_pose(talker: Talker, robot: str, arm: str) -> None:
    own = op.load(robot).arm(arm)
    pose = {"xyz": [9.0, 0.0, 0.5], "wxyz": [1.0, 0.0, 0.0, 0.0]}
    answer = talker.ask(**inverse(robot, arm, pose=pose))
    assert answer["type"] == "inverse"
    assert answer["branches"] == []
    assert answer["reason"]
    far_m, _ = pose_difference(own.fk(answer["nearest"]["q"]), transform(answer["nearest_pose"]))
    assert far_m < 1e-6


def test_variants_are_asked_for(talker: Talker) -> None:
    pose = talker.ask(**forward("ur3e", "arm"))["pose"]
    few = talker.ask(**inverse("ur3e", "arm", pose=pose))["branches"]
    many = talker.ask(**inverse("ur3e", "arm", pose=pose, variants=True))["branches"]
    assert len(many) > len(few)


def test_the_redundancy_axis_is_held(talker: Talker) -> None:
    own = op.load("yumi").arm("left")
    index = own.redundancy
    assert index is not None
    pose = talker.ask(**forward("yumi", "left"))["pose"]
    held = float(home_of("yumi", "left")[index])
    answer = talker.ask(**inverse("yumi", "left", pose=pose, redundancy=held))
    assert answer["branches"]
    for branch in answer["branches"]:
        assert branch["q"][index] == pytest.approx(held, abs=1e-9)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (forward("ur3e", "arm", robot="ur3"), "no robot named 'ur3'. Did you mean ur3e?"),
        (forward("ur3e", "arm", arm="left"), "'left'"),
        (forward("ur3e", "arm", frame="tool1"), "no frame named 'tool1'. Did you mean tool0"),
        (forward("ur3e", "arm", base="bse"), "'bse'"),
        (forward("ur3e", "arm", q=[0.0] * 5), "6"),
        (forward("ur3e", "arm", q=[7.0, 0, 0, 0, 0, 0]), "(Base) is at 7 rad"),
        (forward("ur3e", "arm", robot="robomap"), "robomap has no arm"),
        (inverse("ur3e", "arm", pose={"xyz": [0, 0, 0], "wxyz": [1, 1, 0, 0]}), "norm 1.414"),
        (inverse("ur3e", "arm", pose={"xyz": [0, 0, 0], "wxyz": [0, 0, 0, 0]}), "norm 0"),
        (inverse("ur3e", "arm", seed=[]), "6"),
        (inverse("ur3e", "arm", redundancy=0.1), "redundan"),
    ],
)
def test_a_value_not_allowed_is_named(talker: Talker, question: dict[str, Any], said: str) -> None:
    answer = talker.ask(**question)
    assert answer["type"] == "failed"
    assert answer["id"] == question["id"]
    assert said in answer["message"]
    assert talker.ask(**forward("ur3e", "arm"))["type"] == "forward"


@pytest.mark.parametrize(
    ("text", "number", "said"),
    [
        ("", None, "not a question"),
        ("{", None, "not a question"),
        ("[]", None, "Expected `object`, got `array`"),
        ('{"type": "dance", "id": 5}', 5, "allowed: 'forward' and 'inverse'"),
        ('{"id": 6}', 6, "type"),
        ('{"type": "forward", "id": 7}', 7, "missing required field `robot`"),
        ('{"type": "forward", "id": "8"}', None, "$.id"),
        (json.dumps(forward("ur3e", "arm", extra=1)), 1, "unknown field `extra`"),
        (json.dumps(forward("ur3e", "arm", q=["a"] * 6)), 1, "$.q[0]"),
        (json.dumps(forward("ur3e", "arm", q=[float("nan")] * 6)), None, "malformed"),
        (json.dumps(forward("ur3e", "arm", q=[0] * 6)).replace("[0,", "[1e999,"), 1, "Number out of range"),
        ("[" * 60_000, None, "not a question"),
        ('{"type": ' + '{"a": ' * 9_000, None, "not a question"),
    ],
)
def test_garbage_is_told_of_and_the_connection_stays(talker: Talker, text: str, number: int | None, said: str) -> None:
    answer = talker.send(text)
    assert (answer["type"], answer["id"]) == ("failed", number)
    assert said in answer["message"]
    assert talker.ask(**forward("ur3e", "arm"))["type"] == "forward"


def test_an_unknown_type_is_told_by_its_code(talker: Talker) -> None:
    said = talker.send('{"type": "dance", "id": 5}')["said"]
    assert (said["code"], said["values"]["type"]) == ("request.unknown_question", "dance")


def test_a_binary_message_is_refused(talker: Talker) -> None:
    assert talker.send(b"\x00\x01")["message"] == "a binary message; questions are JSON text"


def test_a_long_name_does_not_come_back_whole(talker: Talker) -> None:
    answer = talker.ask(**forward("ur3e", "arm", robot="x" * 50_000))
    assert answer["type"] == "failed"
    assert len(answer["message"]) < 600


@pytest.mark.parametrize("size", [65_537, 1_000_000])
def test_a_message_too_long_ends_the_connection_with_the_reason(url: str, size: int) -> None:
    with connect(f"{url.replace('http', 'ws')}/ws") as long:
        assert json.loads(long.recv(timeout=60))["type"] == "greeting"
        long.send(" " * size)
        with pytest.raises(ConnectionClosed) as closed:
            long.recv(timeout=60)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    assert closed.value.rcvd.reason


def test_a_flood_is_answered_in_order_and_holds_up_nobody(url: str, talker: Talker) -> None:
    with connect(f"{url.replace('http', 'ws')}/ws") as flood:
        assert json.loads(flood.recv(timeout=60))["type"] == "greeting"
        for number in range(300):
            flood.send(json.dumps(forward("ur3e", "arm", id=number)))
        assert talker.ask(**forward("ur3e", "arm", id=9))["id"] == 9
        assert [json.loads(flood.recv(timeout=60))["id"] for _ in range(300)] == list(range(300))


def test_a_client_that_leaves_without_reading_holds_up_nobody(url: str, talker: Talker) -> None:
    with connect(f"{url.replace('http', 'ws')}/ws") as leaver:
        for number in range(50):
            leaver.send(json.dumps(inverse("ur3e", "arm", id=number)))
        leaver.socket.shutdown(socket.SHUT_RDWR)
    assert talker.ask(**forward("ur3e", "arm", id=9))["id"] == 9
