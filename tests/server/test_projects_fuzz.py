"""Whatever a client of a project says: the server lives, says only what is documented, and serves the others."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from inventing import invent
from msgspec import inspect as wire
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from openpendant.messages.operation import Connect, Probe
from openpendant.messages.project import FromClient, FromServer
from openpendant.server.studio import LONGEST_MESSAGE

decode = msgspec.json.Decoder(FromServer).decode
EXAMPLES = int(os.environ.get("OPENPENDANT_FUZZ", "60"))
MODEST = settings(
    max_examples=EXAMPLES,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
KNOWN = ["cube 1", "cube 2", "irb120", "irb120/arm", "sort_cubes", "pallet_row", "s1", "s4", "world", "table", "start"]
NAMES = st.one_of(
    st.sampled_from(KNOWN), st.sampled_from(["", "../x", "<script>", "\x00", "x" * 300]), st.text(max_size=8)
)
# Starting robots and looking at addresses reach out of the server: not with made-up values.
SAYINGS = [one for one in get_args(FromClient) if one not in (Connect, Probe)]
WELL_FORMED = st.one_of([invent(wire.type_info(one), NAMES) for one in SAYINGS])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10))
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4))


class Fuzzer:
    """A client that says anything, and hears everything."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self.socket = socket
        self.number = 0
        self.say({"type": "hello", "client": name, "name": name})
        self.hear(lambda told: told["type"] == "whole")

    def say(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def hear(self, last: Any) -> dict[str, Any]:
        while True:
            data = self.socket.recv(timeout=60)
            if isinstance(data, bytes):
                continue
            decode(data)
            assert "internal error" not in data
            told = json.loads(data)
            if last(told):
                return told

    def fence(self) -> dict[str, Any]:
        """Ask something plain, and wait for its answer: everything before was survived."""
        self.number += 1
        mark = 2**60 + self.number
        self.say({"type": "save", "id": mark, "overwrite": True})
        return self.hear(lambda told: told.get("id") == mark)


@pytest.fixture(scope="module")
def place(url: str, http: httpx.Client) -> str:
    made = http.post("/api/projects", json={"title": "fuzzed", "demo": "pick_and_place"}).json()["id"]
    return f"{url.replace('http', 'ws')}/ws/projects/{made}"


@contextmanager
def entered(place: str, name: str) -> Iterator[Fuzzer]:
    with connect(place, max_size=None) as socket:
        yield Fuzzer(socket, name)


def still_works(place: str) -> None:
    with entered(place, "second") as second:
        move = {"do": "move", "name": "cube 1", "pose": {"xyz": [0.1, 0.0, 0.5], "wxyz": [1.0, 0.0, 0.0, 0.0]}}
        second.say({"type": "edit", "id": 1, "edit": {"edit": "cell", "command": move}})
        answer = second.hear(lambda told: told.get("id") == 1)
        # What was fuzzed may have taken the cube away; that is told, too.
        assert answer["type"] == "done" or "cube 1" in answer["message"]


def test_any_json_and_any_bytes(place: str) -> None:
    with entered(place, "fuzzer") as fuzzer:

        @MODEST
        @given(st.one_of(JSON, st.text(max_size=40), st.binary(max_size=40)))
        def survived(message: Any) -> None:
            fuzzer.say(message if isinstance(message, (str, bytes)) else json.dumps(message))
            fuzzer.fence()

        survived()
        still_works(place)


def test_any_well_formed_message(place: str) -> None:
    with entered(place, "fuzzer") as fuzzer:

        @MODEST
        @given(st.lists(WELL_FORMED, min_size=1, max_size=4))
        def survived(messages: list[Any]) -> None:
            for message in messages:
                fuzzer.say(message)
            fuzzer.fence()

        survived()
        still_works(place)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"type": "edit", "id": 5, "edit": ' + '{"edits": [' * 50_000, "9" * 100_000]
)
def test_what_is_nested_or_long_without_end(place: str, text: str) -> None:
    with entered(place, "fuzzer") as fuzzer:
        fuzzer.say(text)
        assert fuzzer.hear(lambda told: told["type"] == "refused")["message"]
        fuzzer.fence()


@pytest.mark.parametrize("data", ["x" * (LONGEST_MESSAGE + 1), bytes(LONGEST_MESSAGE + 1)], ids=["text", "binary"])
def test_what_is_too_large_ends_the_talk_with_a_reason(place: str, data: str | bytes) -> None:
    with entered(place, "witness") as witness, entered(place, "fuzzer") as fuzzer:
        fuzzer.say(data)
        with pytest.raises(ConnectionClosed) as closed:
            fuzzer.hear(lambda told: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        witness.fence()
    still_works(place)


@pytest.mark.parametrize("first", ["", "{", "[]", b"\x00", "null", '{"type": "hello"}', '{"type": "stop"}'])
def test_whoever_does_not_say_hello_is_sent_away(place: str, first: str | bytes) -> None:
    with connect(place) as socket:
        socket.send(first)
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=20)
    still_works(place)
