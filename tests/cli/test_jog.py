"""`openpendant jog`: what keys mean, what becomes of them, and the terminal itself."""

import os
import pty
import re
import select
import subprocess
import sys
import time
import tty

import numpy as np
import pytest

from openpendant import robots
from openpendant.cli import main
from openpendant.cli.jog import Jog, make_controller, read_keys
from openpendant.cli.jog_keys import HOLD_S, JogKeys
from openpendant.messages import JointIntent, TwistIntent

TOP = (3.0,) * 7
HOLD_NS = int(HOLD_S * 1e9)


def test_keys_become_intents_and_time_lets_go():
    keys = JogKeys(6)
    keys.press("w", 0)
    intent = keys.intent(HOLD_NS, TOP)
    assert isinstance(intent, TwistIntent)
    assert intent.linear == pytest.approx((0.05, 0.0, 0.0))
    assert intent.frame == "base"
    assert not keys.intent(HOLD_NS + 1, TOP).clutch, "nobody repeats the key: it is let go"
    keys.press("l", 0)
    assert keys.intent(1, TOP).angular == pytest.approx((0.0, 0.0, -0.16))


def test_repetition_holds_and_any_other_key_lets_go():
    keys = JogKeys(6)
    for now in range(0, 10 * HOLD_NS, HOLD_NS // 2):
        keys.press("a", now)
        assert keys.intent(now, TOP).clutch
    for other in ("m", "+", "\t", " ", "?", ""):
        keys.press("a", 0)
        keys.press(other, 1)
        assert not keys.held(2), other


def test_modes_frames_speeds_stop_and_quit():
    keys = JogKeys(7)
    for frame in ("tool", "world", "base"):
        keys.press("m", 0)
        assert keys.frame == frame
    for _ in range(20):
        keys.press("+", 0)
    assert keys.speed == 1.0
    for _ in range(20):
        keys.press("-", 0)
    assert keys.speed == 0.01
    keys.press("\t", 0)
    keys.press("u", 0)
    intent = keys.intent(1, TOP)
    assert isinstance(intent, JointIntent)
    assert intent.velocity is not None
    assert intent.velocity[6] == pytest.approx(-0.01 * np.pi / 2)
    assert "±J7" in keys.help()
    keys.press(" ", 0)
    assert keys.stop_wanted()
    assert not keys.stop_wanted()
    keys.press("x", 0)
    assert keys.quit


def test_a_joint_key_beyond_the_arm_means_nothing():
    keys = JogKeys(6, "joints")
    keys.press("7", 0)
    assert not keys.held(0)


@pytest.mark.parametrize(("robot", "arm"), [("irb120", None), ("rx90l", None), ("ur3e", None), ("yumi", "right")])
def test_a_held_key_moves_and_letting_go_stops(robot: str, arm: str | None):
    model = robots.load(robot)
    controller = make_controller(model, arm, None)
    controller.connect()
    jog = Jog(model, arm, controller, joints=False, full_speed=False)
    now = 0
    start = jog.servo.T_world_tool
    for tick in range(250):
        now += jog.tick_ns
        if tick % 8 == 0:
            jog.keys.press("r", now)
        jog.tick(now)
    assert jog.servo.moving
    for _ in range(150):
        now += jog.tick_ns
        jog.tick(now)
    assert not jog.servo.moving
    way = jog.servo.T_world_tool[:3, 3] - start[:3, 3]
    assert way[2] > 0.02
    assert np.linalg.norm(way[:2]) < 0.002
    assert controller.state.q[jog.arm.name] == pytest.approx(jog.servo.q, abs=1e-3), "what was sent is where it is"


def test_the_stop_key_stops_at_once_and_needs_a_new_press():
    model = robots.load("ur3e")
    controller = make_controller(model, None, None)
    controller.connect()
    jog = Jog(model, None, controller, joints=True, full_speed=False)
    now = 0
    for tick in range(100):
        now += jog.tick_ns
        if tick % 8 == 0:
            jog.keys.press("1", now)
        jog.tick(now)
    jog.keys.press(" ", now)
    for _ in range(100):
        now += jog.tick_ns
        jog.tick(now)
    assert not jog.servo.moving
    jog.keys.press("1", now)
    for _ in range(20):
        now += jog.tick_ns
        jog.tick(now)
    assert jog.servo.moving


def test_keys_can_be_played(capsys: pytest.CaptureFixture[str]):
    assert main(["jog", "irb120", "--keys", "wwww"]) == 0
    before, after = (float(x) for x in re.findall(r"tool (\S+) ", capsys.readouterr().out))
    assert 10.0 < after - before < 60.0


@pytest.mark.parametrize(
    "words",
    [
        ["jog", "irb120"],
        ["jog", "irb121"],
        ["jog", "robomap", "--keys", "w"],
        ["jog", "rx90l", "--address", "127.0.0.9"],
    ],
)
def test_misuse_is_told(words: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("openpendant: ")


def read_until(fd: int, pattern: bytes, seconds: float = 50.0, *, held: bytes = b"") -> bytes:
    """Return what a terminal shows until a pattern comes; a key that is held comes again and again until then."""
    seen, deadline = b"", time.monotonic() + seconds
    while not re.search(pattern, seen):
        left = deadline - time.monotonic()
        assert left > 0.0, seen[-2000:]
        if held:
            os.write(fd, held)
        if select.select([fd], [], [], min(left, 0.05))[0]:
            seen += os.read(fd, 65536)
    return seen


def test_keys_that_come_together_are_heard_together():
    master, slave = pty.openpty()
    try:
        tty.setcbreak(slave)
        os.write(master, "1+ é".encode())
        assert select.select([slave], [], [], 10.0)[0]
        assert read_keys(slave) == "1+ é", "STOP does not wait for the next key"
        assert not select.select([slave], [], [], 0.0)[0]
    finally:
        os.close(master)
        os.close(slave)


def test_in_a_terminal():
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen(
        [sys.executable, "-m", "openpendant", "jog", "irb120", "--joints"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
    )
    try:
        read_until(master, rb"STOP")
        read_until(master, rb"Axis 1[^\n]*0\.00")
        read_until(master, rb"Axis 1\D+[1-9]\d*\.\d\d|Axis 1\D+0\.[1-9]", held=b"1")
        os.write(master, b"x")
        deadline = time.monotonic() + 60.0
        while process.poll() is None and time.monotonic() < deadline:
            if select.select([master], [], [], 0.1)[0]:
                os.read(master, 65536)
        assert process.returncode == 0
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(master)
        os.close(slave)
