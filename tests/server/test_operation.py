"""Robots that run in an open project: connect, control, run, jog, stop, over real websockets."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from openpendant.client.joints import unpack_joints

pytestmark = pytest.mark.live

DEADLINE_S = 45.0
"""Less than a test may take, so that it says what it has seen."""
PRESENT_S = 0.2


class Operator:
    """A client that keeps the newest of everything."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self.socket = socket
        self.numbers = 0
        self.operating: dict = {}
        self.joints: tuple[float, ...] = ()
        """Measured, of the first arm, radians."""
        self.events: list[dict] = []
        self.present = 0.0
        self.tell(type="hello", client=name, name=name)
        self.until(lambda: self.operating)

    def tell(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def ask(self, kind: str, **message: object) -> dict:
        self.numbers += 1
        number = self.numbers
        self.tell(type=kind, id=number, **message)
        answer: dict = {}

        def answered(message: dict) -> None:
            if message["type"] in ("done", "refused") and message["id"] == number:
                answer.update(message)

        self.until(lambda: answer, answered)
        return answer

    def until(self, ready, look=lambda message: None):
        """Read until something is so; meanwhile say that somebody is there, as a page does."""
        end = time.monotonic() + DEADLINE_S
        while not ready():
            assert time.monotonic() < end, json.dumps([self.operating, self.events[-12:]])
            if time.monotonic() - self.present > PRESENT_S:
                self.present = time.monotonic()
                self.tell(type="present", stamp_ns=time.monotonic_ns())
            try:
                data = self.socket.recv(timeout=PRESENT_S)
            except TimeoutError:
                continue
            if isinstance(data, bytes):
                self.take_joints(data)
                continue
            message = json.loads(data)
            if message["type"] == "operating":
                self.operating = message
            elif message["type"] == "events":
                self.events += message["events"]
            look(message)

    def take_joints(self, frame: bytes) -> None:
        layout = tuple((key, dof) for key, dof in self.operating["layout"])
        told = unpack_joints(frame, layout)
        assert told is not None, (len(frame), layout)
        self.joints = next(iter(told.measured.values()))

    @property
    def run(self) -> dict:
        return self.operating.get("run") or {}

    def robot(self) -> dict:
        return self.operating["robots"][0]


KINEMATIC = {"irb120": "kinematic"}


@contextmanager
def entered(url: str, project: str, name: str) -> Iterator[Operator]:
    with connect(f"{url.replace('http', 'ws')}/ws/projects/{project}", max_size=None) as socket:
        yield Operator(socket, name)


@pytest.fixture(scope="module")
def project(http: httpx.Client) -> str:
    return http.post("/api/projects", json={"title": "running", "demo": "pick_and_place"}).json()["id"]


@pytest.fixture
def ann(url: str, project: str) -> Iterator[Operator]:
    with entered(url, project, "ann") as operator:
        if operator.operating["state"] == "off":
            assert operator.ask("connect", addresses=KINEMATIC)["type"] == "done"
        operator.until(lambda: operator.operating["robots"] and operator.robot()["ready"])
        operator.until(lambda: operator.run.get("status") not in ("checking", "running", "paused"))
        operator.until(lambda: not operator.robot()["moving"] and operator.joints)
        yield operator
        operator.ask("stop")


def test_a_program_runs_pauses_and_is_stopped_by_anybody(ann: Operator, url: str, project: str):
    assert ann.robot()["how"] == "kinematic"
    assert ann.operating["layout"] == [["irb120/arm", 6]]
    assert ann.ask("run", program="pallet_row")["type"] == "done"
    ann.until(lambda: ann.run.get("status") == "running" and ann.robot()["moving"])
    assert ann.robot()["holder"] == "ann"
    ann.ask("pause")
    ann.until(lambda: ann.run["status"] == "paused" and not ann.robot()["moving"])
    at = ann.joints
    ann.ask("resume")
    ann.until(lambda: ann.joints != at)
    with entered(url, project, "bob") as bob:
        refused = bob.ask("run", program="pallet_row")
        assert refused["type"] == "refused"
        assert "ann has control" in refused["message"]
        # A stop needs no permission.
        assert bob.ask("stop")["type"] == "done"
        bob.until(lambda: bob.run["status"] == "stopped" and not bob.robot()["moving"])
    ann.until(lambda: ann.run["status"] == "stopped")


def test_a_stop_while_a_run_is_checked_keeps_it_from_beginning(ann: Operator):
    before = ann.joints
    ann.tell(type="run", id=1000, program="sort_cubes")
    ann.until(lambda: ann.run.get("status") == "checking")
    ann.ask("stop")
    ann.until(lambda: ann.run["status"] != "checking")
    assert (ann.run["status"], ann.run["message"]) == ("stopped", "sort_cubes was stopped before it started")
    ann.joints = ()
    ann.until(lambda: ann.joints)
    assert ann.joints == before


def test_single_steps_and_a_run_from_the_middle(ann: Operator):
    assert ann.ask("run", program="pallet_row", single=True)["type"] == "done"
    ann.until(lambda: ann.run.get("status") == "paused" and not ann.robot()["moving"])
    first, at = ann.run["step"], ann.joints
    assert ann.ask("step")["type"] == "done"
    ann.until(lambda: ann.run["status"] == "paused" and ann.run["step"] != first)
    assert ann.ask("stop")["type"] == "done"
    ann.until(lambda: ann.run["status"] == "stopped")
    assert ann.ask("step")["message"] == "no program is running"
    refused = ann.ask("run", program="pallet_row", from_step="nowhere")
    assert "no step" in refused["message"]
    assert ann.ask("run", program="pallet_row", from_step=first, single=True)["type"] == "done"
    ann.until(lambda: ann.run["status"] == "paused" and ann.run["step"] == first)
    assert ann.joints == pytest.approx(at, abs=1e-3)
    ann.ask("stop")


def test_a_run_that_fails_says_why_by_a_code_with_values(ann: Operator):
    wait = {"do": "wait input", "id": "w", "signal": "cubes ready", "value": False, "timeout_s": 0.2}
    late = {"name": "late", "robot": "irb120", "steps": [wait]}
    assert ann.ask("edit", edit={"edit": "add program", "program": late})["type"] == "done"
    assert ann.ask("run", program="late")["type"] == "done"
    ann.until(lambda: ann.run["program"] == "late" and ann.run["status"] == "failed")
    assert ann.run["said"]["code"] == "run.did_not_come"
    assert ann.run["said"]["values"] == {"step": "w", "signal": "cubes ready", "within_s": 0.2}
    assert ann.run["message"] == ann.run["said"]["text"]
    ann.ask("undo")


def test_control_is_asked_for_given_and_taken(ann: Operator, url: str, project: str):
    ann.ask("take control", robot="irb120")
    with entered(url, project, "bob") as bob:
        assert "ann has control" in bob.ask("take control", robot="irb120")["message"]
        bob.ask("ask control", robot="irb120")
        ann.until(lambda: ann.robot()["asking"] == ["bob"])
        assert ann.ask("give control", robot="irb120", to="bob")["type"] == "done"
        bob.until(lambda: bob.robot()["holder"] == "bob")
        assert ann.ask("take control", robot="irb120", take_over=True)["type"] == "done"
        bob.until(lambda: bob.robot()["holder"] == "ann")
    assert ann.ask("give control", robot="irb120")["type"] == "done"
    assert "do not have control" in ann.ask("give control", robot="irb120")["message"]


def test_another_name_takes_nothing_away_and_stands_in_the_log(ann: Operator):
    assert ann.ask("run", program="pallet_row")["type"] == "done"
    ann.until(lambda: ann.run.get("status") == "running" and ann.robot()["moving"])
    names: list[str] = []

    def look(message: dict) -> None:
        if message["type"] == "people":
            names[:] = [person["name"] for person in message["people"]]

    ann.tell(type="introduce", name="Anna Lee")
    ann.until(lambda: names == ["Anna Lee"], look)
    assert ann.robot()["holder"] == "ann"
    assert ann.run["status"] == "running"
    ann.ask("pause")
    ann.until(lambda: any(one["about"] == "pause" for one in ann.events))
    did = [(one["who"], one["about"], one["message"]) for one in ann.events if one["kind"] == "person"]
    assert ("ann", "run", "pallet_row") in did
    assert did[-1] == ("Anna Lee", "pause", "")
    ann.tell(type="introduce", name="")
    refusals: list[dict] = []
    ann.until(lambda: refusals, lambda message: refusals.append(message) if message["type"] == "refused" else None)
    assert "1 to 60" in refusals[0]["message"]


def test_parts_that_a_run_has_moved_are_told(ann: Operator):
    assert ann.ask("run", program="sort_cubes")["type"] == "done"
    ann.until(lambda: any(part["arm"] == "irb120/arm" for part in ann.operating.get("parts", ())))
    held = next(part["name"] for part in ann.operating["parts"] if part["arm"])
    ann.until(lambda: any(part["name"] == held and not part["arm"] for part in ann.operating.get("parts", ())))
    ann.ask("stop")


def test_jogging_moves_while_it_is_wanted_and_ends_when_the_person_leaves(ann: Operator, url: str, project: str):
    with entered(url, project, "cid") as cid:
        cid.until(lambda: cid.operating["robots"])
        assert cid.ask("engage", robot="irb120")["type"] == "done"
        before = cid.joints or None
        end = time.monotonic() + 20.0
        while not (cid.joints and before and abs(cid.joints[0] - before[0]) > 0.05) and time.monotonic() < end:
            intent = {"type": "joints", "source": "", "stamp_ns": 0, "velocity": [0.4, 0, 0, 0, 0, 0]}
            cid.tell(type="intend", robot="irb120", intent=intent)
            cid.until(lambda: True)
            data = cid.socket.recv(timeout=10)
            if isinstance(data, bytes):
                cid.take_joints(data)
                before = before or cid.joints
        assert before
        assert abs(cid.joints[0] - before[0]) > 0.05, cid.events[-8:]
    ann.until(lambda: not ann.robot()["moving"] and ann.robot()["holder"] == "")


def test_a_hand_that_lets_go_makes_room_for_the_next_and_for_a_run(ann: Operator):
    def jog(velocity: float, *, clutch: bool) -> None:
        intent = {
            "type": "joints",
            "source": "",
            "stamp_ns": 0,
            "velocity": [velocity, 0, 0, 0, 0, 0],
            "clutch": clutch,
        }
        ann.tell(type="intend", robot="irb120", intent=intent)

    for velocity in (0.4, -0.4):
        assert ann.ask("engage", robot="irb120")["type"] == "done"
        before = ann.joints

        def there(velocity: float = velocity, before: tuple[float, ...] = before) -> bool:
            jog(velocity, clutch=True)
            return abs(ann.joints[0] - before[0]) > 0.02

        ann.until(there)
        jog(velocity, clutch=False)
    # It may still be coming to rest.
    assert ann.ask("run", program="pallet_row")["type"] == "done"
    ann.until(lambda: ann.run["status"] == "running" and ann.robot()["moving"])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "null", '"1"'])
def test_a_jog_that_is_no_number_is_refused_and_moves_nothing(ann: Operator, number: str):
    assert ann.ask("engage", robot="irb120")["type"] == "done"
    before, refused = ann.joints, []
    intent = f'{{"type": "joints", "source": "", "stamp_ns": 0, "velocity": [{number}, 0, 0, 0, 0, 0]}}'
    ann.socket.send(f'{{"type": "intend", "robot": "irb120", "intent": {intent}}}')
    ann.until(lambda: refused, lambda message: refused.extend([message] if message["type"] == "refused" else []))
    assert "not a message" in refused[0]["message"]
    frames = []
    ann.until(lambda: len(frames) > 3, lambda message: frames.append(message))
    assert ann.joints == before
    assert not ann.robot()["moving"]


def test_an_edit_of_the_cell_is_noticed_and_the_next_run_knows_it(ann: Operator):
    pose = {"xyz": [0.3, 0.3, 0.5], "wxyz": [1, 0, 0, 0]}
    edit = {"edit": "cell", "command": {"do": "move", "name": "cube 3", "pose": pose}}
    assert ann.ask("edit", edit=edit)["type"] == "done"
    ann.until(lambda: ann.operating["stale"])
    assert ann.ask("run", program="pallet_row")["type"] == "done"
    assert not ann.operating["stale"] or ann.until(lambda: not ann.operating["stale"]) is None
    ann.until(lambda: ann.run["status"] == "running")
    ann.ask("undo")


def test_what_cannot_be_done_is_said(ann: Operator):
    ann.until(lambda: ann.run.get("status") not in ("checking", "running", "paused"))
    assert "already connected" in ann.ask("connect")["message"]
    assert "no program named" in ann.ask("run", program="none")["message"]
    assert "none" in ann.ask("take control", robot="none")["message"]
    assert "virtual controller" in ann.ask("press", robot="irb120", button="power_on")["message"]
    assert "no program is running" in ann.ask("speed", fraction=0.5)["message"]
    (found,) = ann.ask("probe", robot="irb120", address="127.0.0.251")["findings"]
    assert (found["code"], found["hopeless"]) == ("refused", True)
    assert "1 to 253" in ann.ask("probe", robot="irb120", address=" ")["message"]


def test_disconnecting_ends_the_robots(ann: Operator):
    assert ann.ask("disconnect")["type"] == "done"
    ann.until(lambda: ann.operating["state"] == "off")
    assert "not connected" in ann.ask("run", program="pallet_row")["message"]
    assert ann.ask("connect", addresses=KINEMATIC)["type"] == "done"
