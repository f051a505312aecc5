"""The server in the network: only who is paired comes in, and may do what the role says."""

import json
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from networked import Networked, TlsSocket, networked
from websockets.exceptions import ConnectionClosed, InvalidStatus

import openpendant as op
from openpendant.client import pair
from openpendant.errors import InputError, LinkError
from openpendant.messages import Pose
from openpendant.scene import Move
from openpendant.server import AUDIT_FILE, offer_pairing, read_audit

HERE = {"xyz": [0.1, 0.0, 0.5], "wxyz": [1.0, 0.0, 0.0, 0.0]}
EDIT = {"edit": "cell", "command": {"do": "move", "name": "cube 1", "pose": HERE}}


@pytest.fixture(scope="module")
def lan(tmp_path_factory: pytest.TempPathFactory, page: Path) -> Iterator[Networked]:
    with networked(tmp_path_factory.mktemp("access"), page) as server:
        yield server


@pytest.fixture(scope="module")
def project(lan: Networked) -> str:
    made = httpx.post(f"{lan.local}/api/projects", json={"title": "net", "demo": "pick_and_place"}, timeout=60)
    return made.json()["id"]


def ask(socket: TlsSocket, **message: object) -> dict:
    socket.send(json.dumps({"id": 7} | message))
    while True:
        told = json.loads(socket.recv(timeout=60))
        if told["type"] in ("done", "refused") and told.get("id") == 7:
            return told


def hello(socket: TlsSocket, name: str = "x", client: str = "") -> dict:
    socket.send(json.dumps({"type": "hello", "client": client or secrets.token_hex(8), "name": name}))
    return json.loads(socket.recv(timeout=60))


def hear_out(socket: TlsSocket) -> None:
    while True:
        socket.recv(timeout=20)


def wait_for(look: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not look():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_nobody_comes_in_without_being_paired(lan: Networked, project: str) -> None:
    with lan.client() as http:
        assert http.get("/api/me").json() == {"name": "", "role": None, "local": False, "lan": True}
        assert http.get("/").status_code == 200
        for path in ("/api/robots", f"/api/projects/{project}/archive.zip", "/api/openapi.json", "/api/sessions"):
            answer = http.get(path)
            assert answer.status_code == 401
            assert "pair this device" in answer.json()["message"]
        assert http.post("/api/pairings", json={"role": "engineer"}).status_code == 401
        assert http.get("/api/robots", headers={"authorization": "Bearer nonsense"}).status_code == 401
    with pytest.raises(InvalidStatus) as refused, lan.project(project, ""):
        pass
    assert refused.value.response.status_code == 401


def test_plain_http_finds_nobody_there(lan: Networked) -> None:
    with pytest.raises(httpx.HTTPError):
        httpx.get(lan.url.replace("https", "http") + "/api/me")


def test_a_code_pairs_once_and_gives_a_page_a_cookie_that_scripts_cannot_read(lan: Networked) -> None:
    offer = offer_pairing(lan.access, "viewer")
    with lan.client() as http:
        answer = http.post("/api/sessions", json={"code": f"{offer.code[:3]} {offer.code[3:]}", "name": "Tablet"})
        assert answer.json() == {"name": "Tablet", "role": "viewer", "token": ""}
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-openpendant=")
        assert all(word in cookie for word in ("HttpOnly", "Secure", "SameSite=strict", "Path=/"))
        assert "Domain" not in cookie
        assert http.get("/api/me").json()["role"] == "viewer"
        assert http.get("/api/robots").status_code == 200
        with lan.client() as again:
            assert again.post("/api/sessions", json={"code": offer.code}).status_code == 403
        assert http.delete("/api/me").status_code == 200
        assert http.get("/api/robots").status_code == 401


def test_a_link_pairs_by_its_secret(lan: Networked) -> None:
    offer = offer_pairing(lan.access, "operator", "Headset")
    link = urlsplit(offer.links[0])
    assert f"{link.scheme}://{link.netloc}" == lan.url
    secret = link.fragment.removeprefix("/pair/")
    with lan.client() as http:
        answer = http.post("/api/sessions", json={"code": secret, "name": "ignored"})
    assert answer.json()["name"] == "Headset"
    assert offer.qr.startswith("data:image/svg+xml")


@pytest.mark.parametrize(
    ("role", "robots", "create", "run", "edit", "over"),
    [
        ("viewer", 200, 403, False, False, False),
        ("operator", 200, 403, True, False, False),
        ("engineer", 200, 201, True, True, True),
    ],
)
def test_each_role_may_do_its_own(
    lan: Networked, project: str, role: str, robots: int, create: int, run: bool, edit: bool, over: bool
) -> None:
    token = lan.token(role, role)
    with lan.client(token) as http:
        assert http.get("/api/robots").status_code == robots
        made = http.post("/api/projects", json={"title": "by role"})
        assert made.status_code == create
        assert http.get("/api/sessions").status_code == (200 if role == "engineer" else 403)
    with lan.project(project, token) as socket:
        assert hello(socket, "made up")["people"][-1]["name"] == role
        assert ask(socket, type="stop")["type"] == "done"
        told = ask(socket, type="run", program="sort_cubes")["message"]
        assert ("not connected" in told) if run else (f"needs the role operator; you are paired as {role}" in told)
        answer = ask(socket, type="edit", edit=EDIT)
        assert answer["type"] == ("done" if edit else "refused")
        told = ask(socket, type="take control", robot="irb120", take_over=True)["message"]
        assert ("not connected" in told) if over else ("needs the role engineer" in told)


def test_whoever_is_not_paired_any_more_is_out_at_once(lan: Networked, project: str) -> None:
    boss = lan.client(lan.token("engineer", "boss"))
    with lan.project(project, lan.token("operator", "leaver")) as socket:
        hello(socket)
        (leaver,) = [one for one in boss.get("/api/sessions").json() if one["name"] == "leaver"]
        assert leaver["connected"]
        assert not leaver["you"]
        assert boss.delete(f"/api/sessions/{leaver['id']}").status_code == 200
        with pytest.raises(ConnectionClosed) as closed:
            hear_out(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
    assert boss.delete(f"/api/sessions/{leaver['id']}").status_code == 404
    boss.close()


def test_nobody_takes_the_place_of_another_client(lan: Networked, project: str) -> None:
    mine, yours = lan.token("engineer", "ann"), lan.token("engineer", "bob")
    with lan.project(project, mine) as socket:
        hello(socket, client="ann's browser")
    with lan.project(project, yours) as socket, pytest.raises(ConnectionClosed, match="somebody else"):
        hello(socket, client="ann's browser")
    with lan.project(project, mine) as socket:
        assert hello(socket, client="ann's browser")["type"] == "whole"


def test_on_this_machine_nobody_signs_in(lan: Networked) -> None:
    with httpx.Client(base_url=lan.local) as http:
        assert http.get("/api/me").json() == {"name": "", "role": "engineer", "local": True, "lan": True}
        assert "nobody signs in" in http.post("/api/sessions", json={"code": "1"}).json()["message"]
        offer = http.post("/api/pairings", json={"role": "viewer", "name": "Ann"}).json()
        assert len(offer["code"]) == 6
        assert http.post("/api/pairings", json={"role": "king"}).status_code == 422
        assert http.get("/ca.crt").content == Path(lan.ca).read_bytes()


def test_python_pairs_and_does_what_the_page_does(lan: Networked, project: str) -> None:
    code = op.connect(lan.local).offer_pairing("engineer").code
    token = pair(lan.url, code, name="Script", ca=lan.ca)
    studio = op.connect(lan.url, token=token, ca=lan.ca)
    assert studio.me().name == "Script"
    with studio.open(project) as there:
        before = there.seq
        there.edit_cell(Move(name="cube 1", pose=Pose(xyz=(0.2, 0.1, 0.5), wxyz=(1.0, 0.0, 0.0, 0.0))))
        assert there.seq == before + 1
        assert {one.name for one in there.people} == {"Script"}
    with pytest.raises(InputError, match="wrong"):
        pair(lan.url, code, name="Again", ca=lan.ca)
    with pytest.raises(InputError, match="pair this device"):
        op.connect(lan.url, ca=lan.ca)
    with pytest.raises(LinkError, match="certificate"):
        op.connect(lan.url, token=token)
    with pytest.raises(InputError, match="not encrypted"):
        op.connect(lan.local, token=token)
    with pytest.raises(InputError, match="not a certificate authority file"):
        op.connect(lan.url, token=token, ca="/nowhere.crt")


@pytest.mark.parametrize("host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "192.168.77.1:{port}", "", "[::1"])
def test_foreign_names_are_refused_in_the_network_too(lan: Networked, host: str) -> None:
    with lan.client() as http:
        answer = http.get("/api/me", headers={"host": host.format(port=urlsplit(lan.url).port)})
    assert answer.status_code == 403
    assert "is not this server" in answer.json()["message"]


@pytest.mark.parametrize("origin", ["http://127.0.0.1:{port}", "https://evil.example", "https://127.0.0.1", "null"])
def test_foreign_pages_are_refused_in_the_network_too(lan: Networked, project: str, origin: str) -> None:
    foreign = origin.format(port=urlsplit(lan.url).port)
    with lan.client() as http:
        assert http.get("/api/me", headers={"origin": foreign}).status_code == 403
    with pytest.raises(InvalidStatus), lan.project(project, lan.token("engineer"), Origin=foreign):
        pass


def test_own_names_are_welcome_and_strict_transport_is_asked_for(lan: Networked) -> None:
    assert lan.access.lan is not None
    port = urlsplit(lan.url).port
    names = [name for name in lan.access.lan.hosts if name.endswith(".local")]
    assert names
    with lan.client() as http:
        for name in names:
            answer = http.get("/api/me", headers={"host": f"{name}:{port}", "origin": f"https://{name}:{port}"})
            assert answer.status_code == 200
            assert answer.headers["strict-transport-security"] == "max-age=86400"
        # The same browser opens http://127.0.0.1: it must not be told to use HTTPS there.
        assert "strict-transport-security" not in http.get("/api/me").headers
    assert "strict-transport-security" not in httpx.get(f"{lan.local}/api/me").headers


def test_wrong_codes_are_slowed_down(lan: Networked) -> None:
    with lan.client() as http:
        answers = [http.post("/api/sessions", json={"code": "wrong"}) for _ in range(5)]
        assert [one.status_code for one in answers] == [403, 403, 403, 429, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1
        # Not even the right one counts now; it is not used up either.
        code = offer_pairing(lan.access, "viewer").code
        assert http.post("/api/sessions", json={"code": code}).status_code == 429
        lan.access.tries.succeeded("127.0.0.1")
        assert http.post("/api/sessions", json={"code": code}).status_code == 201


def test_it_is_written_down_who_did_what_without_secrets(lan: Networked, project: str) -> None:
    token = lan.token("engineer", "Auditor")
    with lan.client(token) as http:
        assert http.get(f"/api/projects/{project}/programs/nope/exports/csv").status_code == 404
        assert http.delete("/api/robots/nobody").status_code == 404
    with lan.project(project, token) as socket:
        hello(socket)
        ask(socket, type="edit", edit=EDIT)
        ask(socket, type="edit", edit=EDIT)
        ask(socket, type="run", program="sort_cubes")
        ask(socket, type="stop")
    file = lan.access.audit.file
    assert file is not None
    assert file.name == AUDIT_FILE

    def mine() -> dict[str, dict]:
        return {str(one["what"]): one for one in read_audit(file, 1000) if one["who"] == "Auditor"}

    wait_for(lambda: "edited" in mine())
    found = mine()
    assert found["edited"]["edits"] == 2
    assert "move cube 1" in found["edited"]["last"]
    assert "not connected" in found["run"]["refused"]
    assert found["exported"]["status"] == 404
    assert found["robot removed"]["path"] == "/api/robots/nobody"
    assert found["robot removed"]["status"] == 404
    assert found["stop"]["role"] == "engineer"
    assert found["stop"]["from"] == "127.0.0.1"
    text = file.read_text()
    assert "paired" in text
    assert "sign-in refused" in text
    assert token not in text
    assert file.stat().st_mode & 0o077 == 0
    sessions = file.parent / "sessions.json"
    wait_for(lambda: "Auditor" in sessions.read_text())
    assert token not in sessions.read_text()


def test_who_asks_too_often_waits(lan: Networked, monkeypatch: pytest.MonkeyPatch) -> None:
    from openpendant.server.access.rates import Rates

    monkeypatch.setattr(lan.access, "requests", Rates(0.001, 3))
    with lan.client() as http:
        assert [http.get("/api/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert httpx.get(f"{lan.local}/api/me").status_code == 200


def test_a_stop_is_heard_however_fast_somebody_speaks(
    lan: Networked, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from openpendant.server.access.rates import Bucket

    monkeypatch.setattr(lan.access, "messages", lambda: Bucket(0.001, 2.1))
    with lan.project(project, lan.token("viewer")) as socket:
        hello(socket)
        for _ in range(3):
            socket.send(json.dumps({"type": "resync"}))
        while (told := json.loads(socket.recv(timeout=20)))["type"] != "refused":
            pass
        assert "too many messages" in told["message"]
        assert ask(socket, type="stop")["type"] == "done"
        socket.send("\n".join(["x"] * 10))
        for _ in range(600):
            socket.send("{}")
        with pytest.raises(ConnectionClosed, match="too many"):
            hear_out(socket)


def test_the_kinematics_answer_over_the_network_too(lan: Networked) -> None:
    with lan.socket("/ws", lan.token("viewer")) as socket:
        assert "greeting" in str(socket.recv(timeout=60))
        socket.send("{}")
        assert "not a question" in str(socket.recv(timeout=60))
