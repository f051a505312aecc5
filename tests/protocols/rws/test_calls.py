"""Requests of Robot Web Services: those of another client, all of ours there and back, whatever arrives."""

from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from abb_robot_client.rws import RWS, JointTarget, SubscriptionResourcePriority, SubscriptionResourceRequest
from abb_robot_client.rws import SubscriptionResourceType as Kind
from hypothesis import given
from hypothesis import strategies as st
from requests import PreparedRequest, Request

from openpendant.protocols.rws import (
    RwsCall,
    RwsFailure,
    RwsOperation,
    encode_call,
    parse_call,
)


def parsed(method: str, target: str, body: bytes) -> RwsCall:
    url = urlsplit(target)
    return parse_call(method, unquote(url.path), parse_qsl(url.query, keep_blank_values=True), body)


class Overheard(RWS):
    """The other client, whose requests are kept in place of being sent."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:80")
        self.calls: list[RwsCall] = []
        self._session.send = self.keep  # type: ignore[method-assign]

    def keep(self, request: PreparedRequest, **_: Any) -> Any:
        body = request.body or b""
        assert request.method is not None
        self.calls.append(parsed(request.method, request.path_url, body.encode() if isinstance(body, str) else body))
        raise KeyboardInterrupt  # nothing of the client catches it


@pytest.mark.parametrize(
    ("asks", "call"),
    [
        (lambda rws: rws.get_ramdisk_path(), RwsCall(RwsOperation.READ_ENVIRONMENT, ("$RAMDISK",))),
        (lambda rws: rws.get_execution_state(), RwsCall(RwsOperation.READ_EXECUTION)),
        (lambda rws: rws.stop(), RwsCall(RwsOperation.STOP, (), (("stopmode", "stop"),))),
        (lambda rws: rws.resetpp(), RwsCall(RwsOperation.RESET_POINTERS)),
        (lambda rws: rws.get_tasks(), RwsCall(RwsOperation.LIST_TASKS)),
        (lambda rws: rws.activate_task("T_ROB1"), RwsCall(RwsOperation.ACTIVATE_TASK, ("T_ROB1",))),
        (lambda rws: rws.get_controller_state(), RwsCall(RwsOperation.READ_CONTROLLER_STATE)),
        (
            lambda rws: rws.set_controller_state("motoron"),
            RwsCall(RwsOperation.SET_CONTROLLER_STATE, (), (("ctrl-state", "motoron"),)),
        ),
        (lambda rws: rws.get_operation_mode(), RwsCall(RwsOperation.READ_OPERATION_MODE)),
        (lambda rws: rws.get_speedratio(), RwsCall(RwsOperation.READ_SPEED_RATIO)),
        (
            lambda rws: rws.set_speedratio(50.0),
            RwsCall(RwsOperation.SET_SPEED_RATIO, (), (("speed-ratio", "50.0"),)),
        ),
        (lambda rws: rws.get_digital_io("doGrip"), RwsCall(RwsOperation.READ_SIGNAL, ("Local", "DRV_1", "doGrip"))),
        (
            lambda rws: rws.set_digital_io("doGrip", 1),
            RwsCall(RwsOperation.WRITE_SIGNAL, ("Local", "DRV_1", "doGrip"), (("lvalue", "1"),)),
        ),
        (lambda rws: rws.get_rapid_variable("p10"), RwsCall(RwsOperation.READ_DATA, ("T_ROB1", "p10"))),
        (
            lambda rws: rws.set_rapid_variable_jointtarget("home", JointTarget([0.0] * 6, [0.0] * 6)),
            RwsCall(
                RwsOperation.WRITE_DATA,
                ("T_ROB1", "home"),
                (("value", "[[" + ",".join(["0.0000"] * 6) + "],[" + ",".join(["0.0000"] * 6) + "]]"),),
            ),
        ),
        (lambda rws: rws.read_event_log(), RwsCall(RwsOperation.LIST_LOG, ("0",), (("lang", "en"),))),
        (lambda rws: rws.get_jointtarget(), RwsCall(RwsOperation.READ_JOINTS, ("ROB_1",))),
        (
            lambda rws: rws.get_robtarget(),
            RwsCall(RwsOperation.READ_POSE, ("ROB_1",), (("tool", "tool0"), ("wobj", "wobj0"), ("coordinate", "Base"))),
        ),
        (
            lambda rws: rws.read_file("$HOME/a b.csv"),
            RwsCall(RwsOperation.READ_FILE, ("$HOME", "a b.csv"), as_json=False),
        ),
        (
            lambda rws: rws.upload_file("$HOME/x.mod", b"action=1&2"),
            RwsCall(RwsOperation.WRITE_FILE, ("$HOME", "x.mod"), (), b"action=1&2", as_json=False),
        ),
        (lambda rws: rws.delete_file("a/x.mod"), RwsCall(RwsOperation.DELETE_FILE, ("a", "x.mod"), as_json=False)),
        (lambda rws: rws.list_files("$HOME"), RwsCall(RwsOperation.READ_FILE, ("$HOME",))),
        (lambda rws: rws.read_ipc_message("q"), RwsCall(RwsOperation.READ_QUEUE, ("q",))),
        (
            lambda rws: rws.request_rmmp(),
            RwsCall(RwsOperation.REQUEST_REMOTE, (), (("privilege", "modify"),)),
        ),
        (
            lambda rws: rws.subscribe(
                [
                    SubscriptionResourceRequest(Kind.ExecutionState, SubscriptionResourcePriority.Medium),
                    SubscriptionResourceRequest(Kind.Signal, SubscriptionResourcePriority.High, "doGrip"),
                ],
                print,
            ),
            RwsCall(
                RwsOperation.SUBSCRIBE,
                (),
                (
                    ("1", "/rw/rapid/execution;ctrlexecstate"),
                    ("1-p", "1"),
                    ("2", "/rw/iosystem/signals/Local/DRV_1/doGrip;state"),
                    ("2-p", "2"),
                    ("resources", "1"),
                    ("resources", "2"),
                ),
            ),
        ),
        (lambda rws: rws.logout(), RwsCall(RwsOperation.LOG_OUT)),
    ],
)
def test_another_clients_requests(asks: Any, call: RwsCall):
    rws = Overheard()
    with pytest.raises(KeyboardInterrupt):
        asks(rws)
    (came,) = rws.calls
    assert came == call


def test_starting_needs_a_cycle():
    form = {"regain": "continue", "execmode": "continue", "cycle": "once", "condition": "none", "stopatbp": "disabled"}
    made = Request("POST", "http://127.0.0.1/rw/rapid/execution?action=start&json=1", data=form).prepare()
    assert isinstance(made.body, str)
    assert parsed("POST", made.path_url, made.body.encode()).get("cycle") == "once"
    with pytest.raises(RwsFailure, match="cycle is missing") as refused:
        parsed("POST", made.path_url, b"")
    assert refused.value.status == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/", HTTPStatus.NOT_FOUND),
        ("GET", "/rw/rapid/execution/more", HTTPStatus.NOT_FOUND),
        ("GET", "/fileservice", HTTPStatus.NOT_FOUND),
        ("DELETE", "/rw/rapid/execution", HTTPStatus.METHOD_NOT_ALLOWED),
        ("POST", "/rw/rapid/execution", HTTPStatus.BAD_REQUEST),
        ("POST", "/rw/rapid/execution?action=jump", HTTPStatus.BAD_REQUEST),
        ("POST", "/rw/panel/speedratio?action=setspeedratio", HTTPStatus.BAD_REQUEST),
    ],
)
def test_what_does_not_exist_is_refused(method: str, target: str, status: HTTPStatus):
    with pytest.raises(RwsFailure) as refused:
        parsed(method, target, b"")
    assert refused.value.status == status


names = st.text(st.characters(codec="utf-8", exclude_characters="/"), min_size=1, max_size=12)
pairs = st.tuples(names.filter(lambda name: name not in ("action", "json")), st.text(max_size=20))


@st.composite
def calls(draw: st.DrawFn) -> RwsCall:
    operation = draw(st.sampled_from(RwsOperation))
    route = operation.value
    places = route.path.count("{}")
    rest = draw(st.lists(names, min_size=1, max_size=3)) if route.path.endswith("{*}") else []
    needed = [(name, draw(st.text(max_size=10))) for name in route.needs]
    fields = (*needed, *draw(st.lists(pairs, max_size=3)))
    data = draw(st.binary(max_size=40)) if route.raw else b""
    found = [draw(names) for _ in range(places)] + rest
    return RwsCall(operation, tuple(found), fields, data, draw(st.booleans()))


@given(calls())
def test_calls_come_back(call: RwsCall):
    method, target, body = encode_call(call)
    assert parsed(method, target, body) == call


@given(
    st.sampled_from(["GET", "POST", "PUT", "DELETE", "BREW"]),
    st.lists(st.sampled_from(["rw", "rapid", "execution", "tasks", "fileservice", "..", "", "subscription", "ä"])),
    st.lists(st.tuples(st.sampled_from(["action", "json", "x"]), st.sampled_from(["start", "stop", "1", "set", ""]))),
    st.binary(max_size=60),
)
def test_whatever_is_asked_is_a_call_or_refused(
    method: str, path: list[str], query: list[tuple[str, str]], body: bytes
):
    with suppress(RwsFailure):
        assert parse_call(method, "/".join(path), query, body).operation.value.method == method
