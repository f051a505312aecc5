"""Answers and events of Robot Web Services: as in the manual, read by another client, there and back."""

import json
from contextlib import suppress
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from abb_robot_client.rws import (
    RWS,
    ABBException,
    ControllerState,
    EventLogEntryEvent,
    OperationalMode,
    RAPIDExecutionState,
    RWSSubscription,
    Signal,
    VariableValue,
)
from hypothesis import given
from hypothesis import strategies as st

from openpendant.protocols import ProtocolError
from openpendant.protocols.rws import (
    JSON,
    XHTML,
    RwsArgument,
    RwsEvent,
    RwsFailure,
    RwsState,
    decode_events,
    decode_failure,
    decode_states,
    decode_subscribed,
    encode_events,
    encode_failure,
    encode_states,
    encode_subscribed,
)

SPACE = "{http://www.w3.org/1999/xhtml}"


def tree(page: bytes | str) -> list[tuple[str, dict[str, str], str]]:
    """Return the elements of a page in their order; spaces between them do not count."""
    return [
        (one.tag.removeprefix(SPACE), dict(one.attrib), (one.text or "").strip())
        for one in ElementTree.fromstring(page).iter()
    ]


MANUAL_POINTER = b"""<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
<title>tasks</title>
<base href="http://127.0.0.1:9898/rw/rapid/"/>
</head>
<body>
<div class="state">
<a href= "tasks/T_ROB1/execution" rel="self"/>
<ul>
<li class="rap-pcp" title="pcp">
<span class="module">mymodule</span>
<span class="routine">routine1</span>
<span class="startline">10</span>
</li>
</ul>
</div>
</body>
</html>"""
MANUAL_FAILURE = b"""<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
<title>rw</title>
<base href="" />
</head>
<body>
<div class="status">
<span class="code">-1073414146</span>
<span class="msg">no mastership</span>
</div>
</body>
</html>"""
MANUAL_EVENT = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml">
<head>
    <title>Event</title>
    <base href="http://localhost/"/>
</head>
<body>
    <div class="state">
    <a href="subscription/4" rel="group"/>
    <a href="ws://localhost/poll/4" rel="self"/>
    <a href="subscription/4?action=show" rel="action"/>
    <ul>
        <li class="rap-ctrlexecstate-ev" title="ctrlexecstate">
            <a href="/rw/rapid/execution;ctrlexecstate" rel="self"/>
            <span class="ctrlexecstate">stopped</span>
        </li>
    </ul>
    </div>
</body>
</html>"""


def test_pages_are_those_of_the_manual():
    """ "Get program counter position", with a title; "RobotWare return codes"; "Subscribe RAPID Execution"."""
    state = RwsState("rap-pcp", "pcp", {"module": "mymodule", "routine": "routine1", "startline": "10"})
    kind, page = encode_states([state], "http://127.0.0.1:9898/rw/rapid/", "tasks/T_ROB1/execution", as_json=False)
    assert kind == XHTML
    assert tree(page) == tree(MANUAL_POINTER)
    failure = RwsFailure(HTTPStatus.BAD_REQUEST, "no mastership", -1073414146)
    assert tree(encode_failure(failure, as_json=False)[1]) == tree(MANUAL_FAILURE)
    event = RwsEvent(
        "rap-ctrlexecstate-ev", "/rw/rapid/execution;ctrlexecstate", {"ctrlexecstate": "stopped"}, "ctrlexecstate"
    )
    assert tree(encode_events("localhost", 4, [event])) == tree(MANUAL_EVENT)
    assert decode_events(MANUAL_EVENT) == (event,)


def test_json_of_a_state():
    state = RwsState("pnl-ctrlstate", "ctrlstate", {"ctrlstate": "motoron"})
    kind, body = encode_states([state], "http://127.0.0.1/rw/panel/ctrlstate/", "", as_json=True)
    assert kind == JSON == "application/json"
    assert json.loads(body) == {
        "_links": {"base": {"href": "http://127.0.0.1/rw/panel/ctrlstate/"}, "self": {"href": ""}},
        "_embedded": {"_state": [{"_type": "pnl-ctrlstate", "_title": "ctrlstate", "ctrlstate": "motoron"}]},
    }


def answered(status: HTTPStatus, kind: str, body: bytes) -> Any:
    """Let another client read a response."""
    response = SimpleNamespace(
        status_code=int(status),
        headers={"Content-Type": kind},
        content=body,
        text=body.decode(),
        json=lambda: json.loads(body),
    )
    return RWS()._process_response(response)


def test_another_client_reads_states_and_failures():
    entry = RwsState(
        "elog-message-li",
        "/rw/elog/0/8",
        {"msgtype": "2", "code": "20573", "argc": "2"},
        (RwsArgument("string", "EIO"), RwsArgument("float", "6.0")),
    )
    told = answered(HTTPStatus.OK, *encode_states([entry], "", "0", as_json=True))
    assert [one["value"] for one in told["_embedded"]["_state"][0]["argv"]] == ["EIO", "6.0"]
    refused = RwsFailure(HTTPStatus.BAD_REQUEST, "the queue q exists", -1073445879)
    with pytest.raises(ABBException, match="the queue q exists") as error:
        answered(refused.status, *encode_failure(refused, as_json=True))
    assert error.value.code == -1073445879


@pytest.mark.parametrize(
    ("event", "heard"),
    [
        (
            RwsEvent(
                "ios-signalstate-ev", "/rw/iosystem/signals/Local/DRV_1/doGrip;state", {"lvalue": "1", "lstate": ""}
            ),
            Signal("doGrip", "1"),
        ),
        (
            RwsEvent("rap-ctrlexecstate-ev", "/rw/rapid/execution;ctrlexecstate", {"ctrlexecstate": "running"}),
            RAPIDExecutionState("running", ""),
        ),
        (RwsEvent("pnl-ctrlstate-ev", "/rw/panel/ctrlstate", {"ctrlstate": "motoroff"}), ControllerState("motoroff")),
        (RwsEvent("pnl-opmode-ev", "/rw/panel/opmode", {"opmode": "AUTO"}), OperationalMode("AUTO")),
        (RwsEvent("elog-message-ev", "/rw/elog/0/17", {"seqnum": "17"}), EventLogEntryEvent("17")),
        (
            RwsEvent("rap-data", "/rw/rapid/symbol/data/RAPID/T_ROB1/p;value", {"value": "[1,2]"}),
            VariableValue("T_ROB1", "[1,2]", "p"),
        ),
    ],
)
def test_another_client_reads_events(event: RwsEvent, heard: Any):
    got: list[Any] = []
    listener = RWSSubscription.__new__(RWSSubscription)
    real_thread = RWSSubscription._run
    RWSSubscription._run = lambda self: None  # type: ignore[method-assign]
    try:
        listener.__init__("ws://127.0.0.1/poll/1", {}, got.append)
    finally:
        RWSSubscription._run = real_thread  # type: ignore[method-assign]
    listener._on_message(None, encode_events("127.0.0.1", 1, [event]))
    assert got == [heard]


def test_the_address_of_the_websocket():
    body = encode_subscribed("127.0.0.2:8080", 12)
    assert decode_subscribed(body) == "/poll/12"
    ElementTree.fromstring(body)
    assert b'<a href="ws://127.0.0.2:8080/poll/12" rel="self">' in body
    with pytest.raises(ProtocolError, match="without the address"):
        decode_subscribed(b'<a href="http://127.0.0.1/poll/4">')


# What crosses XHTML unharmed: no control characters, and no other line ends.
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=30)
names = st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True)
fields = st.dictionaries(names, texts, max_size=5)
states = st.lists(
    st.builds(
        RwsState,
        names,
        texts,
        fields.filter(lambda found: "argv" not in found),
        st.lists(st.builds(RwsArgument, names, texts), max_size=3).map(tuple),
    ),
    max_size=4,
)
events = st.lists(st.builds(RwsEvent, names, texts, fields, texts), max_size=4).map(tuple)


@given(states.map(tuple))
def test_states_come_back(some: tuple[RwsState, ...]):
    assert decode_states(encode_states(some, "http://x/", "y", as_json=True)[1]) == some
    ElementTree.fromstring(encode_states(some, "http://x/", "y", as_json=False)[1])


@given(events)
def test_events_come_back(some: tuple[RwsEvent, ...]):
    message = encode_events("127.0.0.1", 3, some)
    ElementTree.fromstring(message)
    assert decode_events(message) == some


@given(st.sampled_from([400, 403, 404, 500, 503]).map(HTTPStatus), st.text(max_size=30), st.integers(-(2**31), -1))
def test_failures_come_back(status: HTTPStatus, message: str, code: int):
    failure = decode_failure(status, encode_failure(RwsFailure(status, message, code), as_json=True)[1])
    assert (failure.status, str(failure), failure.return_code) == (status, message, code)
    ElementTree.fromstring(encode_failure(failure, as_json=False)[1])


KEYS = ["_embedded", "_state", "_type", "argv", "status", "code", "x"]
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["_embedded", "_state", "_type", "argv", "status", "code", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
def test_whatever_is_answered_is_read_or_refused(body: bytes):
    with suppress(ProtocolError):
        assert isinstance(decode_states(body), tuple)
    assert decode_failure(HTTPStatus.FORBIDDEN, body).status is HTTPStatus.FORBIDDEN
    decode_events(body.decode("latin-1"))


def test_bodies_nested_too_deeply_are_refused():
    deep = b'{"_embedded":' * 100_000
    with pytest.raises(ProtocolError):
        decode_states(deep)
    assert str(decode_failure(HTTPStatus.FORBIDDEN, deep)) == "Forbidden"
    with pytest.raises(ProtocolError, match="invalid status 200"):
        decode_failure(HTTPStatus.OK, b"{}")
