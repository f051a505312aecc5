"""`openpendant pendant` as a person starts it."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from openpendant.virtual import VirtualHandle, start_virtual

ADDRESS = "127.0.10.40"
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", ADDRESS, power="off") as robot:
        yield robot


def pendant(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "openpendant", "pendant", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_orders_one_at_a_time(robot: VirtualHandle):
    assert json.loads(pendant(ADDRESS, "state", "--json").stdout)["robot_mode"] == "POWER_OFF"
    assert "ur3e" in pendant(ADDRESS, "initialise").stdout
    assert pendant(ADDRESS, "speed", "40").returncode == 0
    assert robot.state()["speed_slider"] == pytest.approx(0.4)
    assert json.loads(pendant(ADDRESS, "emergency-stop", "--json").stdout)["emergency"]
    assert not json.loads(pendant(ADDRESS, "emergency-reset", "--json").stdout)["emergency"]
    assert json.loads(pendant(ADDRESS, "fault", "delay", "--json").stdout)["mains"] == "on"


def test_what_cannot_be_is_told(robot: VirtualHandle):
    assert robot.state()["mains"] == "on"
    for words, why in (
        ((ADDRESS, "play"), "cannot be pressed"),
        ((ADDRESS, "dance"), "no button named"),
        ((ADDRESS, "speed", "fast"), "not a number"),
        ((ADDRESS, "load", "nothing.urp"), "not loaded"),
        ((ADDRESS, "a", "b", "c"), "not a command"),
        (("127.0.10.251",), "no reply from a virtual controller"),
    ):
        done = pendant(*words)
        assert done.returncode == 2
        assert why in done.stderr


def test_the_screen_follows_and_takes_keys(robot: VirtualHandle):
    main, other = pty.openpty()
    command = [sys.executable, "-m", "openpendant", "pendant", ADDRESS]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "50"}
    process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=environment)
    os.close(other)
    shown = ""

    def read() -> None:
        nonlocal shown
        if select.select([main], [], [], 0.1)[0]:
            shown += os.read(main, 65536).decode(errors="replace")

    def until(condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, f"waited in vain for {what}: {shown[-2000:]}"
            try:
                read()
            except OSError:
                # The other end of the terminal is closed.
                break

    until(lambda: "Shoulder" in shown, "the joints")
    os.write(main, b"e")
    until(lambda: robot.state()["emergency"], "the stop")
    os.write(main, b"q")
    until(lambda: process.poll() is not None, "the end")
    assert process.wait(PATIENCE_S) == 0
    os.close(main)
    robot.press("emergency_reset")
