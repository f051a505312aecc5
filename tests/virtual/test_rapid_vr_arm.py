"""The text messages of an earlier system for ABB arms, from the first byte to the last, and RAPID that serves them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from abb_stand import READY, SIGNALS, TICK_S
from program_wires import ProgramWires, WireEnd

from openpendant.protocols.abb_text import (
    CheckPose,
    JointReply,
    MoveToPose,
    TargetPose,
    encode_joints,
    encode_request,
    parse_reply,
)
from openpendant.rapid_modules import rapid_set
from openpendant.virtual.abb import AbbController, AbbSetup, TaskSetup, build_controller

PORT, VIEWER = 5000, 7000
TASKS = (TaskSetup("T_ROB1", "ROB_1"), TaskSetup("T_VR_SERVER"), TaskSetup("T_VR_STREAM"))


class VrArmBench:
    """The controller with the modules running, and a client in the same time."""

    def __init__(self, folder: Path) -> None:
        for name in ("home", "ramdisk"):
            (folder / name).mkdir()
        self.wires = ProgramWires()
        setup = AbbSetup("irb120", "127.0.0.1", folder / "home", folder / "ramdisk", SIGNALS, tasks=TASKS)
        self.brain: AbbController = build_controller(setup, self.wires, start_q=READY)
        self.unit = self.brain.units["ROB_1"]
        for file in rapid_set("vr_arm").files:
            self.brain.program.load(file.task, file.text, file.path.name, replace=True)
        self.brain.panel.set_motors(on=True)
        self.brain.start("forever")
        self.until(lambda: self.wires.listens(PORT))

    def until(self, done: Callable[[], bool], most_s: float = 30.0) -> float:
        for tick in range(int(most_s / TICK_S)):
            if done():
                return tick * TICK_S
            self.brain.tick()
        raise AssertionError([str(one) for one in self.brain.log.newest_first()[:3]])

    def ask(self, *pieces: bytes, gap_s: float = 0.0) -> WireEnd:
        end = self.wires.connect(PORT)
        for piece in pieces:
            end.send(piece)
            self.pass_time(gap_s)
        return end

    def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.brain.tick()

    def reply(self, *pieces: bytes, gap_s: float = 0.0) -> bytes:
        end = self.ask(*pieces, gap_s=gap_s)
        self.until(lambda: end.closed_by_robot)
        return bytes(end.came)

    @property
    def outputs(self) -> tuple[float, float]:
        read = self.brain.signals.read
        return read("pinzaOutput0"), read("pinzaOutput1")

    @property
    def q_deg(self) -> list[float]:
        return np.degrees(self.unit.arm.plant.q).tolist()


@pytest.fixture
def bench(tmp_path: Path) -> VrArmBench:
    return VrArmBench(tmp_path)


def target(bench: VrArmBench, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> TargetPose:
    """A pose beside the present one, with the tool down."""
    place = bench.unit.robtarget_of(np.array(READY), *_tool0())[0]
    return TargetPose(place[0] + dx, place[1] + dy, place[2] + dz, 180.0, 0.0, 180.0, -1 if place[1] + dy < 0 else 0)


def _tool0() -> tuple[tuple[object, ...], tuple[object, ...]]:
    from openpendant.virtual.abb.unit import TOOL0, WOBJ0

    return TOOL0, WOBJ0


def test_the_whole_dialogue(bench: VrArmBench):
    # I: the tool closes, joints come for five seconds, and then the reply.
    bench.brain.signals.write("pinzaOutput0", 1.0)
    bench.brain.signals.write("pinzaOutput1", 0.0)
    end = bench.ask(b"I")
    took = bench.until(lambda: end.closed_by_robot)
    assert bytes(end.came) == b"initialised"
    assert 5.0 <= took < 5.1
    assert bench.outputs == (0.0, 1.0)
    assert set(bench.wires.datagrams) == {("127.0.0.1", VIEWER, b"0;10;20;0;60;0")}
    assert len(bench.wires.datagrams) > 100

    # XC: joints without a move; what is out of reach is an error.
    here = CheckPose(target(bench, 20.0))
    before = bench.q_deg
    checked = bench.reply(encode_request(here))
    joints = parse_reply(checked)
    assert isinstance(joints, JointReply)
    assert checked == encode_joints(joints.joints)
    assert bench.reply(b"XC2000;0;300;180;0;180;0;0;0;0;") == b"error"
    assert bench.q_deg == pytest.approx(before, abs=1e-9)

    # X: there, in a straight line; the reply comes when the arm is there.
    bench.wires.datagrams.clear()
    assert bench.reply(encode_request(MoveToPose(here.target, 2, 1, straight=True))) == b"success"
    assert bench.unit.in_position
    assert encode_joints(bench.q_deg) == checked
    assert bench.wires.datagrams[-1][2] == checked
    assert bench.brain.terminal.lines[-1] == "MoveL, speed medium (v400), precision high (fine)"
    assert bench.reply(encode_request(MoveToPose(target(bench, 20.0, 30.0), 3, 3))) == b"success"
    assert bench.brain.terminal.lines[-1] == "MoveJ, speed high (v2000), precision low (z200)"

    # AC and A: joints.
    assert bench.reply(b"AC[10.00,20.00,-10.00,15.00,40.00,-25.00]") == b"10;20;-10;15;40;-25"
    assert bench.reply(b"AC[200,20,-10,15,40,-25]") == b"error"
    assert bench.reply(b"A13[200,20,-10,15,40,-25]") == b"error"
    assert bench.reply(b"A32[10,20,-10,15,40,-25]") == b"success"
    assert bench.q_deg == pytest.approx([10, 20, -10, 15, 40, -25], abs=0.02)

    # Y: writes only what differs.
    written: list[tuple[str, float]] = []
    for name in ("pinzaOutput0", "pinzaOutput1"):
        bench.brain.signals.watch(name, lambda value, name=name: written.append((name, value)))
    assert bench.reply(b"YT") == b"success"
    assert bench.outputs == (1.0, 0.0)
    assert bench.reply(b"YT") == b"success"
    assert bench.reply(b"YF") == b"success"
    assert written == [("pinzaOutput1", 0.0), ("pinzaOutput0", 1.0), ("pinzaOutput0", 0.0), ("pinzaOutput1", 1.0)]
    assert bench.brain.program.running


def test_pause_and_resume_in_the_middle_of_a_move(bench: VrArmBench):
    moving = bench.ask(b"A11[60,10,20,0,60,0]")
    bench.until(lambda: bench.q_deg[0] > 5.0)
    assert bench.reply(b"pause") == b"paused"
    bench.until(lambda: bench.unit.arm.still)
    held = bench.q_deg
    assert bench.reply(b"YT") == b"error"
    bench.pass_time(2.0)
    assert bench.q_deg == pytest.approx(held, abs=0.05)
    assert held[0] < 50.0
    assert not moving.came
    assert bench.reply(b"resume") == b"resumed"
    bench.until(lambda: moving.closed_by_robot)
    assert bytes(moving.came) == b"success"
    assert bench.q_deg[0] == pytest.approx(60.0, abs=0.02)
    assert bench.outputs == (0.0, 1.0)


CHECKS = (b"AC[10.00,20.00,-10.00,15.00,40.00,-25.00]", b"XC2000;0;300;180;0;180;0;0;0;0;")
REQUESTS = (b"YF", *CHECKS, b"pause", b"resume")


@pytest.mark.parametrize("request_", REQUESTS, ids=bytes.decode)
def test_a_request_is_the_same_however_it_is_cut(bench: VrArmBench, request_: bytes):
    whole = bench.reply(request_)
    assert whole
    single = [bytes([one]) for one in request_]
    assert bench.reply(*single, gap_s=0.02) == whole
    assert bench.reply(request_[:1], request_[1:], gap_s=0.5) == whole
    # What follows a request belongs to nobody.
    assert bench.reply(request_ + b"YT\0\xff") == whole
    assert bench.outputs == (0.0, 1.0)


GARBAGE: Sequence[bytes] = (
    b"GET / HTTP/1.1\r\n\r\n",
    b"\0\xff\xfe",
    b"Z",
    b"Yx",
    b"pausd",
    b"X11Q1;2;3;4;5;6;0;0;0;0;",
    b"XC1;2;3;4;5;;0;0;0;0;",
    b"XC1;2;3;4;5;6;0.5;0;0;0;",
    b"XC1;2;3;4;5;six;0;0;0;0;",
    b"XC" + b"1" * 90,
    b"AC[1,2,3,4,5]",
    b"AC[1,2,3,4,5,nan]",
    b"A11[1,2,3,4,5,6",
    b"A11[1,2,3,4,5,6000000000000000000000000000000]",
    b"A1x1,2,3,4,5,6]",
)


def test_garbage_truncation_and_silence_change_nothing(bench: VrArmBench):
    before, lines = bench.q_deg, len(bench.brain.terminal.lines)
    for data in GARBAGE:
        reply = bench.reply(data)
        assert reply in (b"error", b""), data
        # Nothing is answered to what never becomes a request: the connection is closed after two seconds.
        assert (reply == b"") == (data == b"A11[1,2,3,4,5,6"), data
    gone = bench.ask(b"A11[60,10,")
    bench.pass_time(0.1)
    gone.close()
    silent = bench.ask()
    bench.until(lambda: gone.closed_by_robot and silent.closed_by_robot, 6.0)
    assert bench.q_deg == pytest.approx(before, abs=1e-9)
    assert (bench.outputs, len(bench.brain.terminal.lines)) == ((0.0, 1.0), lines)
    assert bench.reply(b"AC[0,10,20,0,60,0]") == b"0;10;20;0;60;0"
    assert [one for one in bench.brain.log.newest_first() if one.level == 3] == []


def test_a_client_that_leaves_does_not_stop_the_robot(bench: VrArmBench):
    end = bench.ask(b"A31[20,10,20,0,60,0]")
    bench.until(lambda: bench.q_deg[0] > 5.0)
    end.close()
    bench.until(lambda: bench.unit.in_position and bench.q_deg[0] > 19.9)
    bench.pass_time(0.1)
    assert bench.reply(b"YT") == b"success"


def test_a_request_from_before_a_stop_is_not_executed_after_the_next_start(bench: VrArmBench):
    bench.ask(b"A11[60,10,20,0,60,0]")
    bench.until(lambda: bench.q_deg[0] > 5.0)
    bench.brain.program.stop()
    bench.brain.reset_pointers()
    bench.until(lambda: bench.unit.arm.still)
    held = bench.q_deg
    bench.brain.start("forever")
    bench.until(lambda: bench.wires.listens(PORT))
    assert bench.reply(b"YT") == b"success"
    bench.pass_time(1.0)
    assert bench.q_deg == pytest.approx(held, abs=0.05)
