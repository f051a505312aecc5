"""EGMMoveL and EGMMoveC: paths that a sensor shifts sideways, and how guidance ends."""

import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from abb_stand import READY, TICK_S, TWO_TASKS, AbbBench

from openpendant.protocols.egm import (
    EgmCartesian,
    EgmHeader,
    EgmMessageType,
    EgmPathCorr,
    EgmPlanned,
    EgmSensor,
    EgmSensorPathCorr,
    decode_robot,
    decode_sensor,
    encode_message,
)
from openpendant.virtual.abb import ControllerRefusal
from openpendant.virtual.abb.guided_path import GuidedPath

SET_UP = 'EGMGetId id; EGMSetupUC ROB_1,id,"default","UCdevice"\\PathCorr\\CommTimeout:=0.5;'
DATA = (
    "VAR egmident id; VAR robtarget p; CONST pose frame:=[[0,0,0],[1,0,0,0]]; PERS num state:=-1;"
    "PERS bool lost:=FALSE; CONST egm_minmax near:=[-0.1,0.1];"
)
MOVE = SET_UP + "EGMActMove id,frame\\SampleRate:=24; p:=CRobT(\\Tool:=tool0\\WObj:=wobj0); "


class Seam:
    """A sensor that looks at a seam, a straight line in the base, and says where it is, seen from the tool."""

    def __init__(self, bench: AbbBench) -> None:
        self.bench = bench
        self.shift = np.zeros(3)
        self.talks = True
        self.number = 0
        self.messages = 0
        self.places: list[Any] = []

    @property
    def place(self) -> Any:
        return 1000.0 * self.bench.unit.arm.T_base_tool[:3, 3]

    def tick(self) -> None:
        self.bench.brain.tick()
        self.places.append(self.place)
        for data in self.bench.brain.guidance.take_outbox():
            decode_robot(data)
            self.messages += 1
            if self.talks:
                self.number += 1
                self.say()

    def say(self) -> None:
        """Tell where the seam is: where the tool began, and a shift."""
        T = self.bench.unit.arm.T_base_tool
        off = self.begin + self.shift - self.place
        x, y, z = (T[:3, :3].T @ off).tolist()
        header = EgmHeader(self.number, None, EgmMessageType.PATH_CORRECTION)
        message = EgmSensorPathCorr(header, EgmPathCorr(EgmCartesian(x, y, z), 0))
        self.bench.brain.guidance.receive(decode_sensor(encode_message(message)))

    def run(self, body: str, task_data: str = DATA, most_s: float = 60.0) -> None:
        self.begin = self.place.copy()
        self.bench.main(body, task_data)
        self.bench.start()
        self.until(lambda: not self.bench.brain.program.running, most_s)

    def until(self, done: Any, most_s: float = 60.0) -> None:
        for _ in range(int(most_s / TICK_S)):
            if done():
                return
            self.tick()
        raise AssertionError(self.bench.errors)


@pytest.fixture
def seam(tmp_path: Path) -> Seam:
    return Seam(AbbBench(tmp_path, tasks=TWO_TASKS))


class Forwards(Seam):
    """A seam along y: only its sideways place is told, as of a sensor that looks at the tool's own cross-section."""

    def say(self) -> None:
        T = self.bench.unit.arm.T_base_tool
        off = self.begin + self.shift - self.place
        off[1] = 0.0
        x, y, z = (T[:3, :3].T @ off).tolist()
        header = EgmHeader(self.number, None, EgmMessageType.PATH_CORRECTION)
        message = EgmSensorPathCorr(header, EgmPathCorr(EgmCartesian(x, y, z), 0))
        self.bench.brain.guidance.receive(decode_sensor(encode_message(message)))


@pytest.fixture
def along_y(tmp_path: Path) -> Forwards:
    return Forwards(AbbBench(tmp_path, tasks=TWO_TASKS))


def test_without_a_shift_the_line_is_the_programmed_one(along_y: Forwards):
    along_y.run(MOVE + "EGMMoveL id,Offs(p,0,60,0),v50,fine,tool0; state:=EGMGetState(id); EGMReset id;")
    assert along_y.bench.errors == []
    path = np.array(along_y.places) - along_y.begin
    assert path[-1] == pytest.approx([0.0, 60.0, 0.0], abs=0.1)
    assert np.abs(path[:, [0, 2]]).max() < 0.2
    speeds = np.linalg.norm(np.diff(path, axis=0), axis=1) / TICK_S
    assert np.quantile(speeds, 0.7) == pytest.approx(50.0, rel=0.03)
    assert speeds.max() < 55.0
    assert along_y.bench.read("state") == "1"
    # One message in 24 ms, as the program has asked for.
    assert along_y.messages == pytest.approx(len(path) / 6, rel=0.1)


def test_the_line_follows_the_seam_and_keeps_its_shift(along_y: Forwards):
    along_y.shift = np.array([5.0, 0.0, -3.0])
    along_y.run(
        MOVE + "EGMMoveL id,Offs(p,0,40,0),v50,fine,tool0; EGMMoveL id,Offs(p,0,80,0),v50,fine,tool0; EGMReset id;"
    )
    assert along_y.bench.errors == []
    path = np.array(along_y.places) - along_y.begin
    assert path[-1] == pytest.approx([5.0, 80.0, -3.0], abs=0.2)
    second = path[(path[:, 1] > 35.0)]
    assert np.abs(second[:, [0, 2]] - [5.0, -3.0]).max() < 0.3
    # It takes effect without a jump.
    assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() / TICK_S < 130.0


def test_nocorr_leads_back_to_the_programmed_line(along_y: Forwards):
    along_y.shift = np.array([5.0, 0.0, 0.0])
    along_y.run(
        MOVE + "EGMMoveL id,Offs(p,0,40,0),v50,fine,tool0; EGMMoveL id,Offs(p,0,80,0),v50,fine,tool0\\NoCorr;"
        "EGMReset id;"
    )
    assert along_y.bench.errors == []
    assert along_y.place - along_y.begin == pytest.approx([0.0, 80.0, 0.0], abs=0.2)


def test_an_arc_goes_through_its_point(along_y: Forwards):
    along_y.talks = False
    along_y.run(MOVE + "EGMMoveC id,Offs(p,0,30,-30),Offs(p,0,0,-60),v100,fine,tool0\\NoCorr; EGMReset id;")
    assert along_y.bench.errors == []
    path = np.array(along_y.places) - along_y.begin
    assert np.linalg.norm(path - [0.0, 0.0, -30.0], axis=1) == pytest.approx(30.0, abs=0.4)
    assert path[:, 1].max() == pytest.approx(30.0, abs=0.4)
    assert path[-1] == pytest.approx([0.0, 0.0, -60.0], abs=0.1)


def test_a_silent_sensor_ends_the_move_with_an_error_that_programs_see(along_y: Forwards):
    along_y.talks = False
    along_y.run(
        MOVE
        + "EGMMoveL id,Offs(p,0,200,0),v20,fine,tool0; ERROR IF ERRNO=ERR_UDPUC_COMM THEN lost:=TRUE; TRYNEXT; ENDIF"
    )
    assert along_y.bench.errors == []
    assert along_y.bench.read("lost") == "TRUE"
    # Half a second at 20 mm/s.
    assert 5.0 < (along_y.place - along_y.begin)[1] < 14.0


def test_a_stopped_program_rests_on_the_path_and_goes_on(along_y: Forwards):
    along_y.shift = np.array([4.0, 0.0, 0.0])
    along_y.begin = along_y.place.copy()
    bench = along_y.bench
    bench.main(MOVE + "EGMMoveL id,Offs(p,0,80,0),v50,fine,tool0; EGMReset id;", DATA)
    bench.start()
    along_y.until(lambda: along_y.place[1] - along_y.begin[1] > 40.0)
    bench.brain.program.stop()
    for _ in range(100):
        along_y.tick()
    stood = along_y.place - along_y.begin
    assert 40.0 < stood[1] < 50.0
    for _ in range(250):
        along_y.tick()
    assert along_y.place - along_y.begin == pytest.approx(stood, abs=0.05)
    bench.brain.start("asis")
    along_y.until(lambda: not bench.brain.program.running)
    assert bench.errors == []
    assert along_y.place - along_y.begin == pytest.approx([4.0, 80.0, 0.0], abs=0.2)


def test_after_motors_off_the_move_is_made_from_where_the_arm_is(along_y: Forwards):
    bench = along_y.bench
    along_y.begin = along_y.place.copy()
    bench.main(MOVE + "EGMMoveL id,Offs(p,0,80,0),v50,fine,tool0; EGMReset id;", DATA)
    bench.start()
    along_y.until(lambda: along_y.place[1] - along_y.begin[1] > 30.0)
    bench.brain.panel.set_motors(on=False)
    for _ in range(100):
        along_y.tick()
    assert 30.0 < (along_y.place - along_y.begin)[1] < 45.0
    bench.brain.panel.set_motors(on=True)
    bench.brain.start("asis")
    along_y.until(lambda: not bench.brain.program.running)
    assert bench.errors == []
    assert along_y.place - along_y.begin == pytest.approx([0.0, 80.0, 0.0], abs=0.2)


def test_stopmove_of_the_background_holds_a_corrected_move(along_y: Forwards):
    bench = along_y.bench
    along_y.begin = along_y.place.copy()
    bench.main(MOVE + "EGMMoveL id,Offs(p,0,60,0),v50,fine,tool0; EGMReset id;", DATA)
    bench.main("WaitUntil halt; StopMove; WaitUntil NOT halt; StartMove;", "PERS bool halt:=FALSE;", "T_BACK")
    bench.start()
    along_y.until(lambda: along_y.place[1] - along_y.begin[1] > 20.0)
    bench.brain.program.write(("T_BACK", "halt"), "TRUE")
    for _ in range(200):
        along_y.tick()
    assert 20.0 < (along_y.place - along_y.begin)[1] < 30.0
    assert bench.brain.program.running
    bench.brain.program.write(("T_BACK", "halt"), "FALSE")
    along_y.until(lambda: not bench.brain.program.running)
    assert (along_y.place - along_y.begin)[1] == pytest.approx(60.0, abs=0.1)


@pytest.mark.parametrize("far", [math.nan, math.inf, 1e300, 1e6])
def test_senseless_corrections_change_nothing(along_y: Forwards, far: float):
    along_y.begin = along_y.place.copy()
    bench = along_y.bench
    bench.main(MOVE + "EGMMoveL id,Offs(p,0,40,0),v50,fine,tool0; EGMReset id;", DATA)
    bench.start()

    def done() -> bool:
        receive = bench.brain.guidance.receive
        header = EgmHeader(along_y.number + 1, None, EgmMessageType.PATH_CORRECTION)
        receive(EgmSensorPathCorr(header, EgmPathCorr(EgmCartesian(far, far, far), 0)))
        receive(EgmSensorPathCorr(header, EgmPathCorr(EgmCartesian(0.0, 0.0, 0.0), 1 << 31)))
        receive(EgmSensor(header, EgmPlanned(joints=(80.0, 0.0, 0.0, 0.0, 0.0, 0.0))))
        along_y.number += 1
        return not bench.brain.program.running

    along_y.until(done)
    assert bench.errors == []
    assert along_y.place - along_y.begin == pytest.approx([0.0, 40.0, 0.0], abs=0.5)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("EGMMoveL id,p,v50,fine,tool0;", "has no process"),
        ("EGMGetId id; EGMMoveL id,p,v50,fine,tool0;", "not set up guidance by path"),
        ('EGMGetId id; EGMSetupUC ROB_9,id,"default","UCdevice"\\Joint;', "ROB_9"),
        (MOVE + "EGMMoveC id,Offs(p,0,0,-30),Offs(p,0,0,-60),v50,fine,tool0;", "50055 Circle uncertain"),
        (MOVE + "EGMMoveL id,Offs(p,0,5000,0),v50,fine,tool0;", "50050 Position outside reach"),
    ],
)
def test_what_cannot_be_corrected(along_y: Forwards, body: str, why: str):
    along_y.begin = along_y.place.copy()
    along_y.bench.main(body, DATA)
    # What names no unit is found when the program is linked.
    with suppress(ControllerRefusal):
        along_y.bench.start()
        along_y.until(lambda: not along_y.bench.brain.program.running, 10.0)
    assert any(why in one for one in along_y.bench.errors)


def test_an_arm_is_guided_by_its_own_task_only(along_y: Forwards):
    along_y.bench.main("EGMGetId id;", "VAR egmident id;", "T_BACK")
    along_y.bench.run("WaitTime 0.1;")
    assert "T_BACK moves no mechanical unit" in along_y.bench.errors[0]


# Ramping out

JOINTS = (
    'EGMGetId id; EGMSetupUC ROB_1,id,"default","UCdevice"\\Joint\\CommTimeout:=0.5;'
    "EGMActJoint id\\J1:=near\\MaxSpeedDeviation:=60;"
    "EGMRunJoint id,{mode}\\J1\\CondTime:=0.2\\RampInTime:=0.1{out}; state:=EGMGetState(id); EGMReset id;"
)


def guided(seam: Seam, mode: str, out: str) -> tuple[float, list[float]]:
    """Guide axis 1 to 10°; return how long the program ran on from there, and axis 1 at each tick."""
    bench = seam.bench
    bench.main(JOINTS.format(mode=mode, out=out), DATA)
    bench.start()
    degrees: list[float] = []
    goal = EgmPlanned(joints=(10.0, *np.degrees(READY)[1:].tolist()))
    number = 0
    for _ in range(2500):
        if not bench.brain.program.running:
            break
        bench.brain.tick()
        degrees.append(math.degrees(bench.unit.arm.plant.q[0]))
        for _ in bench.brain.guidance.take_outbox():
            number += 1
            bench.brain.guidance.receive(EgmSensor(EgmHeader(number), goal))
    assert bench.errors == []
    assert max(degrees) == pytest.approx(10.0, abs=0.05)
    there = next(tick for tick, one in enumerate(degrees) if one > 9.9)
    return (len(degrees) - there) * TICK_S, degrees


def test_hold_stays_and_ramp_down_goes_back_in_its_time(tmp_path: Path):
    took: dict[str, float] = {}
    for name, mode, out in (
        ("hold", "EGM_STOP_HOLD", "\\RampOutTime:=2"),
        ("soon", "EGM_STOP_RAMP_DOWN", "\\RampOutTime:=0.5"),
        ("late", "EGM_STOP_RAMP_DOWN", "\\RampOutTime:=2"),
    ):
        (tmp_path / name).mkdir()
        took[name], degrees = guided(Seam(AbbBench(tmp_path / name, tasks=TWO_TASKS)), mode, out)
        assert degrees[-1] == pytest.approx(10.0 if name == "hold" else 0.0, abs=0.02)
        assert np.abs(np.diff(degrees)).max() / TICK_S < 66.0
    assert took["soon"] - took["hold"] == pytest.approx(0.5, abs=0.15)
    assert took["late"] - took["hold"] == pytest.approx(2.0, abs=0.15)


# Geometry


def test_arcs_have_the_length_of_their_circle():
    def pose(x: float, y: float) -> Any:
        T = np.eye(4)
        T[:3, 3] = x, y, 0.0
        return T

    for x, y, share in ((-1.0, 0.0, 0.5), (0.0, -1.0, 0.75), (math.cos(6.0), math.sin(6.0), 6.0 / math.tau)):
        arc = GuidedPath.arc(pose(1.0, 0.0), pose(0.0, 1.0), pose(x, y))
        assert arc is not None
        assert arc.length_m == pytest.approx(share * math.tau)
        assert arc.at(arc.length_m)[:3, 3] == pytest.approx([x, y, 0.0])
        for s in np.linspace(0.0, arc.length_m, 9):
            assert arc.nearest(arc.at(s)[:3, 3] * 1.2) == pytest.approx(s, abs=1e-9)
            assert arc.along(s) @ arc.at(s)[:3, 3] == pytest.approx(0.0, abs=1e-12)
    assert GuidedPath.arc(pose(0.0, 0.0), pose(1.0, 0.0), pose(2.0, 0.0)) is None
