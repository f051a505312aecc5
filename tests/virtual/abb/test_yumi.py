"""The virtual controller of a YuMi in its own time: two tasks, two arms that see each other, seven axes."""

import math
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from abb_stand import free_port
from yumi_bench import TICK_S, YumiBench

from openpendant.kinematics import arm_angle
from openpendant.protocols.egm import EgmHeader, EgmMessageType, EgmPlanned, EgmSensor, decode_robot
from openpendant.protocols.rws import parse_call
from openpendant.robots import load
from openpendant.virtual.abb import AbbHost
from openpendant.virtual.abb.guidance_settings import GuidanceSettings
from openpendant.virtual.abb.services.rws_reads import RwsReads

ADDRESS = "127.0.0.75"
HOME = {"left": (0.0, -130.0, 30.0, 0.0, 40.0, 0.0, 135.0), "right": (0.0, -130.0, 30.0, 0.0, 40.0, 0.0, -135.0)}
PRINTED = {
    "left": ((-9.578, 182.610, 198.628), (0.066010726, 0.842420918, -0.111214912, 0.523068661)),
    "right": ((-9.578, -182.610, 198.628), (0.066010726, -0.842420918, -0.111214912, -0.523068661)),
}
"""What controllers print at home."""
TARGETS = (
    "LOCAL PERS jointtarget now:=[[0,0,0,0,0,0],[0,0,0,0,0,0]];"
    "LOCAL PERS jointtarget back:=[[0,0,0,0,0,0],[0,0,0,0,0,0]];"
    "LOCAL PERS robtarget here:=[[0,0,0],[1,0,0,0],[0,0,0,0],[0,0,0,0,0,0]];"
    "LOCAL PERS robtarget there:=[[0,0,0],[1,0,0,0],[0,0,0,0],[0,0,0,0,0,0]];"
)


@pytest.fixture
def bench(tmp_path: Path) -> YumiBench:
    return YumiBench(tmp_path)


@pytest.fixture
def working(tmp_path: Path) -> YumiBench:
    return YumiBench(tmp_path, "at work")


def joints(*degrees: float) -> str:
    return f"[[{','.join(f'{one:.9f}' for one in degrees[:6])}],[{degrees[6]:.9f},9E9,9E9,9E9,9E9,9E9]]"


def numbers(text: str) -> Any:
    return eval(text.replace("E+", "E"), {})


def test_home_is_printed_as_controllers_print_it(bench: YumiBench):
    ask = "here:=CRobT(\\Tool:=tool0\\WObj:=wobj0); now:=CJointT();"
    bench.run(dict.fromkeys(HOME, ask), TARGETS)
    assert bench.errors == []
    robot = load("yumi")
    for arm, (place, turn) in PRINTED.items():
        here = numbers(bench.read(arm, "here"))
        # The published mounting of axis 1 is up to 0.2° off, the lengths 1.5 mm.
        assert here[0] == pytest.approx(place, abs=1.7)
        assert 2.0 * math.acos(abs(np.dot(here[1], turn))) < math.radians(0.18)
        shown = numbers(robot.print_pose(robot.posture("home", arm), arm).text)
        assert here[0] == pytest.approx(shown[0], abs=1e-3)
        assert here[1] == pytest.approx(shown[1], abs=1e-5)
        assert here[3][0] == pytest.approx(
            math.degrees(arm_angle(robot.arm(arm), robot.posture("home", arm))), abs=1e-3
        )
        assert numbers(bench.read(arm, "now")) == [
            pytest.approx(HOME[arm][:6], abs=1e-6),
            [pytest.approx(HOME[arm][6]), *[9e9] * 5],
        ]


def test_targets_of_seven_axes_come_back(working: YumiBench):
    q = np.degrees(load("yumi").posture("at work", "left")) + np.array([5, -5, 8, -10, 6, 20, -4])
    body = (
        f"MoveAbsJ {joints(*q)},v1000,fine,tool0; now:=CJointT(); here:=CRobT(); there:=CalcRobT(now,tool0);"
        " back:=CalcJointT(here,tool0); MoveL Offs(here,0,0,20),v200,z10,tool0; MoveJ here,v1000,fine,tool0;"
    )
    working.run({"left": body}, TARGETS)
    assert working.errors == []
    for name in ("now", "back"):
        robot, external = numbers(working.read("left", name))
        assert [*robot, external[0]] == pytest.approx(q, abs=1e-2)
    here, there = (numbers(working.read("left", name)) for name in ("here", "there"))
    assert here[0] == pytest.approx(there[0], abs=0.05)
    assert here[3][0] == pytest.approx(there[3][0], abs=0.01)
    assert np.degrees(working.left.arm.plant.q) == pytest.approx(q, abs=0.05)
    assert working.right.arm.plant.q == pytest.approx(load("yumi").posture("at work", "right"))


def test_errors_of_seven_axes_are_seen_by_programs(working: YumiBench):
    working.run(
        {
            "right": "p:=CRobT(); p.trans.x:=5000; j:=CalcJointT(p,tool0); "
            "ERROR IF ERRNO=ERR_OUTSIDE_REACH far:=TRUE; TRYNEXT;",
            "left": "p:=CalcRobT([[0,0,0,0,0,0],[169,9E9,9E9,9E9,9E9,9E9]],tool0); "
            "ERROR IF ERRNO=ERR_ROBLIMIT far:=TRUE; TRYNEXT;",
        },
        "LOCAL PERS bool far:=FALSE; VAR robtarget p; VAR jointtarget j;",
    )
    assert working.errors == []
    assert (working.read("left", "far"), working.read("right", "far")) == ("TRUE", "TRUE")


def test_both_arms_move_at_the_same_time(working: YumiBench):
    q = {arm: np.degrees(load("yumi").posture("at work", arm)) for arm in HOME}
    moves = {arm: f"MoveAbsJ {joints(*(q[arm] + (0, 0, 0, 0, 0, 60, 0)))},v100,fine,tool0;" for arm in HOME}
    one = working.run({"left": moves["left"]})
    working.run({arm: f"MoveAbsJ {joints(*q[arm])},v1000,fine,tool0;" for arm in HOME})
    both = working.run(moves)
    assert working.errors == []
    assert both == pytest.approx(one, abs=2 * TICK_S)


def test_a_touch_stops_both_arms_and_is_an_event(working: YumiBench):
    lift = "p:=CRobT(); MoveL Offs(p,0,{y},0),v100,fine,tool0;"
    working.load({"left": lift.format(y=-300), "right": lift.format(y=60)}, "VAR robtarget p;")
    working.start()
    units = working.left, working.right
    working.tick_until(lambda: not working.brain.program.running)
    assert working.errors[0].startswith("50204 Motion supervision: yumi/")
    assert "touches yumi/" in working.errors[0]
    for unit in units:
        # As hard as the arm can stop: the slowest joint's full speed in well under 0.2 s.
        q = unit.arm.plant.q.copy()
        working.tick_until(lambda unit=unit: bool(np.abs(unit.arm.plant.qd).max() < 1e-4), most_s=0.2)
        assert np.degrees(np.abs(unit.arm.plant.q - q).max()) < 2.0
    # Back out again, by another program.
    before = working.left.arm.plant.q.copy()
    working.load({"left": lift.format(y=150), "right": lift.format(y=-60)}, "VAR robtarget p;")
    working.start()
    working.tick_until(lambda: not working.brain.program.running)
    assert len(working.errors) == 1
    assert np.abs(working.left.arm.plant.q - before).max() > 0.1


def test_after_a_touch_the_move_at_the_pointer_is_made(working: YumiBench):
    body = "p:=CRobT(); MoveL Offs(p,0,-300,0),v100,fine,tool0; done:=TRUE;"
    working.load({"left": body}, "VAR robtarget p; PERS bool done:=FALSE;")
    working.start()
    working.tick_until(lambda: not working.brain.program.running)
    assert working.read("left", "done") == "FALSE"
    working.brain.start("asis")
    # It goes deeper, which is another touch.
    working.tick_until(lambda: not working.brain.program.running)
    assert [one.split(":")[0] for one in working.errors] == ["50204 Motion supervision"] * 2
    assert working.read("left", "done") == "FALSE"


def test_each_arm_has_its_own_guidance(working: YumiBench):
    guide = (
        'EGMGetId id; EGMSetupUC {unit},id,"default","UCdevice"\\Joint\\CommTimeout:=1;'
        "EGMActJoint id\\J1:=near\\LpFilter:=20\\SampleRate:=4\\MaxSpeedDeviation:=60;"
        "EGMRunJoint id,EGM_STOP_HOLD\\J1\\CondTime:=0.3\\RampInTime:=0.1; EGMReset id;"
    )
    working.load(
        {"left": guide.format(unit="ROB_L"), "right": guide.format(unit="ROB_R")},
        "VAR egmident id; CONST egm_minmax near:=[-0.1,0.1];",
    )
    goals = {
        unit.name: np.degrees(unit.arm.plant.q) + sign * np.array([0, 0, 0, 0, 0, 10, 5])
        for unit, sign in ((working.left, 1.0), (working.right, -1.0))
    }
    working.start()
    number = 0

    def told() -> bool:
        nonlocal number
        for name, guidance in working.brain.guidances.items():
            for data in guidance.take_outbox():
                fed = decode_robot(data).feed_back
                assert fed is not None
                assert fed.joints is not None
                assert fed.external_joints is not None
                assert (len(fed.joints), len(fed.external_joints)) == (6, 1)
                number += 1
                planned = EgmPlanned(joints=tuple(goals[name][:6]), external_joints=(goals[name][6],))
                guidance.receive(EgmSensor(EgmHeader(number, None, EgmMessageType.CORRECTION), planned))
        return not working.brain.program.running

    working.tick_until(told)
    assert working.errors == []
    for unit in (working.left, working.right):
        assert np.degrees(unit.arm.plant.q) == pytest.approx(goals[unit.name], abs=0.05)


def test_moves_with_the_same_id_begin_and_end_together(working: YumiBench):
    q = {arm: np.degrees(load("yumi").posture("at work", arm)) for arm in HOME}
    away = {arm: q[arm] + np.array([0, 0, 0, 0, 0, turn, 0]) for arm, turn in (("left", 15), ("right", 60))}
    body = (
        "WaitTime {late}; SyncMoveOn begun,all; MoveAbsJ {away}\\ID:=10,v100,fine,tool0;"
        " MoveAbsJ {home}\\ID:=20,v100,fine,tool0; SyncMoveOff ended; MoveAbsJ {away},v1000,fine,tool0;"
    )
    working.load(
        {
            arm: body.format(late=late, away=joints(*away[arm]), home=joints(*q[arm]))
            for arm, late in (("left", 0.0), ("right", 0.3))
        },
        'VAR syncident begun; VAR syncident ended; PERS tasks all{2}:=[["T_ROB_L"],["T_ROB_R"]];',
    )
    working.start()
    rows: list[tuple[Any, Any]] = []

    def over() -> bool:
        rows.append((working.left.arm.mover.raw[0].copy(), working.right.arm.mover.raw[0].copy()))
        return not working.brain.program.running

    working.tick_until(over)
    assert working.errors == []
    left, right = (np.abs(np.diff([row[side] for row in rows], axis=0)).max(axis=1) > 1e-9 for side in (0, 1))
    # Two moves in step; then each goes on by itself.
    spans = [[(int(on), int(off)) for on, off in _spans(moving)] for moving in (left, right)]
    assert [len(some) for some in spans] == [3, 3]
    for (on, off), (other_on, other_off) in zip(spans[0][:2], spans[1][:2], strict=True):
        assert on * TICK_S > 0.3
        assert abs(on - other_on) <= 1
        assert abs(off - other_off) <= 3
    assert abs(spans[0][2][1] - spans[1][2][1]) > 20


MEETING = (
    'VAR syncident begun; VAR syncident ended; PERS tasks all{2}:=[["T_ROB_L"],["T_ROB_R"]];'
    "PERS bool go:=FALSE; PERS bool skip:=FALSE;"
)


def test_a_move_that_waits_for_the_other_arm_is_made_after_motors_off(working: YumiBench):
    q = {arm: np.degrees(load("yumi").posture("at work", arm)) for arm in HOME}
    away = {arm: q[arm] + np.array([0, 0, 0, 0, 0, 20, 0]) for arm in HOME}
    body = "SyncMoveOn begun,all; {wait} MoveAbsJ {away}\\ID:=10,v300,fine,tool0; SyncMoveOff ended;"
    waits = {"left": "", "right": "WaitUntil go;"}
    working.load({arm: body.format(wait=waits[arm], away=joints(*away[arm])) for arm in HOME}, MEETING)
    working.start()
    for _ in range(50):
        working.brain.tick()
    working.brain.panel.set_motors(on=False)
    working.tick_until(lambda: not working.left.arm.released)
    working.start("asis")
    for _ in range(50):
        working.brain.tick()
    assert np.degrees(working.left.arm.plant.q) == pytest.approx(q["left"], abs=0.01)
    working.brain.program.write(("T_ROB_R", "go"), "TRUE")
    working.tick_until(lambda: not working.brain.program.running)
    assert working.errors == []
    for arm, unit in (("left", working.left), ("right", working.right)):
        assert np.degrees(unit.arm.plant.q) == pytest.approx(away[arm], abs=0.01)


def test_clear_path_withdraws_a_move_that_waits_for_the_other_arm(working: YumiBench):
    q = {arm: np.degrees(load("yumi").posture("at work", arm)) for arm in HOME}
    first, then = (q["left"] + np.array([0, 0, 0, 0, 0, turn, 0]) for turn in (40, 20))
    working.load(
        {
            "left": "CONNECT cleared WITH withdraw; IPers skip,cleared; SyncMoveOn begun,all;"
            f" MoveAbsJ {joints(*first)}\\ID:=10,v300,fine,tool0; MoveAbsJ {joints(*then)}\\ID:=10,v300,fine,tool0;"
            " SyncMoveOff ended; ENDPROC TRAP withdraw ClearPath; ENDTRAP PROC rest()",
            "right": "SyncMoveOn begun,all; WaitUntil go;"
            f" MoveAbsJ {joints(*q['right'])}\\ID:=10,v300,fine,tool0; SyncMoveOff ended;",
        },
        MEETING + "VAR intnum cleared;",
    )
    working.start()
    for _ in range(50):
        working.brain.tick()
    for task, name in (("T_ROB_L", "skip"), ("T_ROB_R", "go")):
        working.brain.program.write((task, name), "TRUE")
        for _ in range(5):
            working.brain.tick()
    farthest = -math.inf

    def over() -> bool:
        nonlocal farthest
        farthest = max(farthest, float(np.degrees(working.left.arm.plant.q[5])))
        return not working.brain.program.running

    working.tick_until(over)
    assert working.errors == []
    assert farthest == pytest.approx(then[5], abs=0.1)
    assert np.degrees(working.left.arm.plant.q) == pytest.approx(then, abs=0.01)


def _spans(moving: Any) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], moving.astype(int), [0]])))
    return list(zip(edges[::2], edges[1::2], strict=True))


def test_each_arm_sends_to_a_port_of_its_own(tmp_path: Path):
    waiting = neighbours()
    peer = waiting[0].getsockname()
    host = AbbHost(ADDRESS, lambda _: YumiBench(tmp_path).brain, rws_port=free_port(ADDRESS), sensor=(peer[0], peer[1]))
    try:
        for guidance in host.brain.guidances.values():
            guidance.set_up(GuidanceSettings())
            guidance.streaming = True
        host.step()
        heard = [decode_robot(one.recv(2048)).feed_back for one in waiting]
        axis_7 = [fed.external_joints for fed in heard if fed is not None]
        assert axis_7 == [(pytest.approx(HOME[arm][6]),) for arm in HOME]
    finally:
        host.close()
        for one in waiting:
            one.close()


def neighbours() -> tuple[socket.socket, socket.socket]:
    """Return sockets at two ports that follow each other."""
    while True:
        first, second = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        first.settimeout(10.0)
        second.settimeout(10.0)
        first.bind(("127.0.0.1", 0))
        try:
            second.bind(("127.0.0.1", first.getsockname()[1] + 1))
        except OSError:
            first.close()
            second.close()
            continue
        return first, second


def test_a_corrected_line_carries_the_tool_that_lines_carry(working: YumiBench):
    body = (
        'EGMGetId id; EGMSetupUC ROB_L,id,"default","UCdevice"\\PathCorr; EGMActMove id,frame; p:=CRobT(\\Tool:=grip);'
        " EGMMoveL id,Offs(p,0,0,20),v100,fine,grip\\NoCorr; here:=CRobT(\\Tool:=grip);"
        " MoveL p,v100,fine,grip; MoveL Offs(p,0,0,20),v100,fine,grip; there:=CRobT(\\Tool:=grip); EGMReset id;"
    )
    tool = "[TRUE,[[10,-20,125],[0.5,0.5,0.5,0.5]],[1,[0,0,50],[1,0,0,0],0,0,0]]"
    data = f"VAR egmident id; VAR robtarget p; CONST pose frame:=[[0,0,0],[1,0,0,0]]; PERS tooldata grip:={tool};"
    working.run({"left": body}, data + TARGETS)
    assert working.errors == []
    here, there = (numbers(working.read("left", name)) for name in ("here", "there"))
    assert here[0] == pytest.approx(there[0], abs=0.05)
    assert here[1] == pytest.approx(there[1], abs=1e-4)


@pytest.mark.parametrize(("unit", "arm"), [("ROB_L", "left"), ("ROB_R", "right")])
def test_robot_web_services_print_it_too(bench: YumiBench, unit: str, arm: str):
    reads = RwsReads(bench.brain)

    def asked(what: str) -> dict[str, float]:
        found = reads.read(parse_call("GET", f"/rw/motionsystem/mechunits/{unit}/{what}", (("json", "1"),), b""))
        assert found is not None
        (state,) = found
        return {name: float(value) for name, value in state.fields.items()}

    place, turn = PRINTED[arm]
    pose, q = asked("robtarget"), asked("jointtarget")
    assert [pose[name] for name in "xyz"] == pytest.approx(place, abs=1.7)
    assert [pose[f"q{number}"] for number in range(1, 5)] == pytest.approx(turn, abs=0.0015)
    assert [q[f"rax_{axis}"] for axis in range(1, 7)] == pytest.approx(HOME[arm][:6])
    assert q["eax_a"] == pytest.approx(HOME[arm][6])
    assert abs(pose["eaxa"]) <= 180.0
    assert pose["eaxb"] == q["eax_b"] == 9e9
