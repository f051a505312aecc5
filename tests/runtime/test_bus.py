"""The bus: newest values, questions with deadlines, who is alive; on loopback only, and nothing is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.runtime.bus import Bus, BusError, key

PATIENCE_S = 10.0


def wait_for(condition, what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen within {PATIENCE_S} s"
        time.sleep(0.002)


def test_samples_reach_those_who_listen() -> None:
    with Bus.hub() as hub, Bus.join(hub.endpoint) as one, Bus.join(hub.endpoint) as two:
        got: dict[str, bytes] = {}
        two.listen("cell/*/state", lambda where, raw: got.__setitem__(where, raw))

        def sent() -> bool:
            one.publish("cell/arm/state", b"one")
            hub.publish("cell/other/state", b"hub")
            return len(got) == 2

        wait_for(sent, "a sample of each")
        assert got == {"cell/arm/state": b"one", "cell/other/state": b"hub"}


def test_questions_are_answered_or_end_at_their_deadline() -> None:
    with Bus.hub() as hub, Bus.join(hub.endpoint) as robot, Bus.join(hub.endpoint) as client:
        later = []
        robot.serve("cell/arm/command", lambda asked, reply: reply(asked[::-1]))
        robot.serve("cell/arm/silent", lambda asked, reply: later.append(reply))

        def heard() -> bool:
            try:
                return client.request("cell/arm/command", b"abc", 5.0) == b"cba"
            except BusError:
                return False

        wait_for(heard, "an answer")
        with pytest.raises(BusError, match=r"no answer from cell/arm/silent within 0\.2 s"):
            client.request("cell/arm/silent", b"", 0.2)
        with pytest.raises(BusError, match="nobody answers at cell/none/command"):
            client.request("cell/none/command", b"", 5.0)
        for reply in later:
            reply(b"too late")


def test_the_end_of_a_process_is_seen_at_once() -> None:
    script = (
        "import sys, time; from openpendant.runtime.bus import Bus; "
        "bus = Bus.join(sys.argv[1]); bus.show_alive('live/x'); time.sleep(60)"
    )
    with Bus.hub() as hub:
        seen: list[bool] = []
        hub.watch_alive("live/*", lambda where, alive: seen.append(alive))
        process = subprocess.Popen([sys.executable, "-c", script, hub.endpoint])
        try:
            wait_for(lambda: seen == [True], "the token")
            process.kill()
            wait_for(lambda: seen == [True, False], "the end of the token")
        finally:
            process.kill()
            process.wait()


def test_a_session_joins_again_after_the_hub_was_away() -> None:
    hub = Bus.hub()
    client = Bus.join(hub.endpoint)
    hub.close()
    with pytest.raises(BusError):
        client.request("a/b", b"", 0.5)
    client.close()
    assert client.closed
    client.publish("a/b", b"ignored")


def test_no_thread_is_left() -> None:
    before = set(threading.enumerate())
    with Bus.hub() as hub, Bus.join(hub.endpoint) as other:
        other.listen("x", lambda *_: None)
    # The library's own thread of a listener ends a moment after its session.
    end = time.monotonic() + 10.0
    while more := set(threading.enumerate()) - before:
        assert time.monotonic() < end, more
        time.sleep(0.01)


def test_only_loopback_is_joined() -> None:
    with pytest.raises(InputError, match="loopback"):
        Bus.join("tcp/10.0.0.1:7447")


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4))
def test_keys_take_any_name(parts: list[str]) -> None:
    made = key(*parts)
    assert not set(made) & set("*$#? ")
    assert made.count("/") == len(parts) - 1


def test_empty_names_make_no_key() -> None:
    with pytest.raises(InputError):
        key("cell", "")


HUB = """
import time
from openpendant.runtime.bus import Bus
hub = Bus.hub()
hub.listen("a/**", lambda *_: None)
print(hub.endpoint, flush=True)
time.sleep(60)
"""


def test_what_waits_for_a_hub_that_hangs_does_not_hold_up_states() -> None:
    hub = subprocess.Popen([sys.executable, "-c", HUB], stdout=subprocess.PIPE, text=True)
    try:
        assert hub.stdout is not None
        bus = Bus.join(hub.stdout.readline().strip())
        stopped = threading.Event()

        def publish_events() -> None:
            while not stopped.is_set():
                bus.publish("a/event", bytes(20_000), newest=False)

        bus.publish("a/state", b"one")
        bus.publish("a/event", b"one", newest=False)
        os.kill(hub.pid, signal.SIGSTOP)
        waiting = threading.Thread(target=publish_events)
        waiting.start()
        end, states = time.monotonic() + 20.0, 0
        while states < 100:
            # A put that waits would wait for as long as the hub is stopped.
            bus.publish("a/state", bytes(2_000))
            states += 1
            assert time.monotonic() < end, f"{states} states in 20 s"
            time.sleep(0.01)
        stopped.set()
        os.kill(hub.pid, signal.SIGCONT)
        waiting.join(20.0)
        bus.close()
    finally:
        hub.kill()
        hub.wait()
        hub.stdout.close()
