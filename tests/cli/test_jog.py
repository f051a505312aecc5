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

from at_once import AtOnce
from openpendant.cli import main
from openpendant.cli.jog import STEP_S, read_keys
from openpendant.cli.jog_keys import HOLD_S, JogKeys
from openpendant.cli.jog_session import JogSession
from openpendant.messages import JointIntent, TwistIntent
from processes import children_of, commands_of
from virtual_cell import ARM, ROBOT, TICK_NS, VirtualCell

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


class Hand:
    """Somebody who jogs a robot in virtual time."""

    def __init__(self, *, joints: bool = False) -> None:
        self.cell = VirtualCell()
        self.session = JogSession(self.cell.arms["me"], "", AtOnce(), joints=joints)

    @property
    def q(self) -> np.ndarray:
        return self.cell.q

    def hold(self, key: str, seconds: float) -> None:
        """Hold a key that repeats 30 times a second; an empty one is none."""
        for index in range(round(seconds / STEP_S)):
            if key and index % 2 == 0:
                self.session.keys.press(key, self.cell.now)
            self.session.step()
            self.cell.ticks(round(STEP_S * 1e9) // TICK_NS)


def test_a_held_key_moves_and_letting_go_stops():
    hand = Hand()
    start = hand.session.T_base_tool
    hand.hold("r", 1.0)
    assert hand.cell.moving
    hand.hold("", 0.6)
    assert not hand.cell.moving
    assert not hand.session.moving
    way = hand.session.T_base_tool[:3, 3] - start[:3, 3]
    assert 0.02 < way[2] < 0.08, "0.05 m/s for a second, and the stop"
    assert np.linalg.norm(way[:2]) < 0.002
    hand.hold("f", 0.5)
    assert hand.cell.moving, "the next press engages again"


def test_a_key_moves_no_faster_than_reduced_speed():
    hand = Hand()
    # As `make_runtime` has it; 250 mm/s is the limit of ISO 10218-1 for motion by hand.
    hand.cell.loop.gate.reduced = True
    hand.cell.ticks(10)
    for _ in range(8):
        hand.session.keys.press("+", hand.cell.now)
    fastest = [0.0]
    last = [hand.session.T_base_tool]

    def measure() -> None:
        now = hand.cell.scene.arm(f"{ROBOT}/{ARM}").kinematics.fk(hand.q, check_limits=False)
        now = now @ hand.session.placed.T_flange_tcp
        fastest[0] = max(fastest[0], float(np.linalg.norm(now[:3, 3] - last[0][:3, 3])) / (TICK_NS * 1e-9))
        last[0] = now

    hand.cell.each_tick.append(measure)
    hand.hold("a", 1.0)
    assert 0.15 < fastest[0] <= 0.2501


def test_the_stop_key_stops_at_once_and_needs_a_new_press():
    hand = Hand(joints=True)
    hand.hold("1", 0.5)
    assert hand.cell.moving
    hand.session.keys.press(" ", hand.cell.now)
    hand.session.step()
    assert not hand.cell.moving, "the stop is over when the key has been obeyed"
    assert "stopped" in [event.kind for event in hand.session.robot.events]
    at = hand.q
    hand.hold("", 0.3)
    assert hand.q == pytest.approx(at, abs=1e-9)
    hand.hold("1", 0.3)
    assert hand.cell.moving


def test_a_stop_while_the_robot_engages_keeps_it_at_rest():
    hand = Hand(joints=True)
    at = hand.q
    hand.session.keys.press("1", hand.cell.now)
    engage, ended = hand.session.robot.engage, []

    def late(*args, **kwargs):
        since = hand.cell.links["me"].stop_counts()
        hand.session.keys.press(" ", hand.cell.now)
        ended.append(hand.session.robot.stop())
        return engage(*args, since=since, **kwargs)

    hand.session.robot.engage = late  # type: ignore[method-assign]
    hand.session.step()
    assert ended
    hand.hold("", 0.5)
    assert hand.q == pytest.approx(at, abs=1e-9)
    assert not hand.session.job


def test_a_jog_that_is_held_says_why_and_needs_a_new_press():
    hand = Hand(joints=True)
    for _ in range(8):
        hand.session.keys.press("+", hand.cell.now)
    hand.hold("5", 4.0)
    limit = hand.session.placed.kinematics.limits_upper[4]
    assert hand.q[4] == pytest.approx(limit, abs=0.05)
    assert hand.q[4] <= limit
    assert any("5" in why for why in hand.session.why), hand.session.why


def test_it_says_what_the_arm_gives_way_to_while_it_is_jogged():
    hand = Hand()
    for _ in range(8):
        hand.session.keys.press("+", hand.cell.now)
    told: set[str] = set()
    hand.cell.each_tick.append(lambda: told.update(hand.session.why))
    hand.hold("w", 3.0)
    assert told & {"at the edge of its reach", "singular"}, told
    hand.hold("", 0.5)
    assert hand.session.report.limited_by == ()


def test_somebody_elses_control_is_told_and_not_taken():
    hand = Hand()
    hand.cell.arms["you"].acquire()
    hand.hold("w", 0.3)
    assert not hand.cell.moving
    assert "you has control" in hand.session.why[0]
    hand.cell.arms["you"].release()
    hand.hold("w", 0.3)
    assert not hand.cell.moving, "the key is still held"
    hand.hold("", 0.2)
    hand.hold("w", 0.3)
    assert hand.cell.moving


def test_a_session_that_dies_lets_the_robot_stop():
    hand = Hand(joints=True)
    hand.hold("1", 0.5)
    assert hand.cell.moving
    for session in hand.cell.sessions:
        if session.name == "me":
            session.close()
            break
    hand.cell.ticks(100)
    assert not hand.cell.moving


@pytest.mark.live
@pytest.mark.parametrize("words", [["irb120"], ["yumi", "--arm", "right"]])
def test_keys_can_be_played(words: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["jog", *words, "--keys", "rrrr"]) == 0
    before, after = (float(x) for x in re.findall(r"tool \S+ \S+ (\S+) mm", capsys.readouterr().out))
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


def begin_in_terminal() -> tuple[int, subprocess.Popen[bytes]]:
    """Start `jog` in its own terminal; return where its keys come from, and the process."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "openpendant", "jog", "irb120", "--joints"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"},
        start_new_session=True,
    )
    os.close(slave)
    return master, process


@pytest.mark.live
def test_in_a_terminal():
    master, process = begin_in_terminal()
    try:
        read_until(master, rb"STOP")
        read_until(master, rb"Axis 1[^\n]*0\.00")
        read_until(master, rb"Axis 1\D+[1-9]\d*\.\d\d|Axis 1\D+0\.[1-9]", held=b"1")
        os.write(master, b"x")
        deadline = time.monotonic() + 60.0
        while process.poll() is None and time.monotonic() < deadline:
            if select.select([master], [], [], 0.1)[0]:
                try:
                    os.read(master, 65536)
                except OSError:
                    break  # Nobody has the terminal open any more.
        assert process.wait(60.0) == 0
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(master)


@pytest.mark.live
def test_a_terminal_that_is_closed_ends_it_and_its_robot():
    master, process = begin_in_terminal()
    try:
        read_until(master, rb"Axis 1[^\n]*0\.00")
        read_until(master, rb"Axis 1\D+[1-9]\d*\.\d\d|Axis 1\D+0\.[1-9]", held=b"1")
        children = children_of(process.pid)
        assert children
        os.close(master)
        assert process.wait(30.0) == 0
        assert not commands_of(children)
    finally:
        if process.poll() is None:
            process.kill()
            os.close(master)
        process.wait()
