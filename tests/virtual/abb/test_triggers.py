"""Triggers: outputs that programs set at places of their moves (TriggIO, TriggL and its kin)."""

from pathlib import Path

import numpy as np
import pytest
from abb_stand import TICK_S, AbbBench

DATA = "VAR robtarget p; VAR triggdata gun; VAR triggdata glue;"
MM_S = 100.0


@pytest.fixture
def bench(tmp_path: Path) -> AbbBench:
    return AbbBench(tmp_path)


def seen(bench: AbbBench, body: str, signal: str = "pinzaOutput0") -> list[tuple[float, float, float]]:
    """Run a program; return time, way of the path in mm and value of a signal whenever it has changed."""
    arm = bench.unit.arm
    places = [arm.T_base_tool[:3, 3]]
    bench.main(f"p:=CRobT(); {body}", DATA)
    bench.start()
    found, before = [], bench.brain.signals.read(signal)

    def done() -> bool:
        nonlocal before
        places.append(arm.model.arm.fk(arm.mover.raw[0], check_limits=False)[:3, 3])
        now = bench.brain.signals.read(signal)
        if now != before:
            way = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
            found.append((bench.brain.clock.seconds, 1000.0 * way, now))
        before = now
        return not bench.brain.program.running

    bench.tick_until(done)
    return found


@pytest.mark.parametrize(
    ("trigger", "place_mm"),
    [("10", 40.0), ("0", 50.0), ("20\\Start", 20.0), ("0\\Start", 0.0), ("80", 0.0), ("80\\Start", 50.0)],
)
@pytest.mark.parametrize("move", ["TriggL Offs(p,0,0,-50)", "TriggJ Offs(p,0,0,-50)"])
def test_an_output_is_set_at_its_place(bench: AbbBench, trigger: str, place_mm: float, move: str):
    ((_, way, value),) = seen(bench, f"TriggIO gun,{trigger}\\DOp:=pinzaOutput0,1; {move},v100,gun,fine,tool0;")
    assert bench.errors == []
    assert value == 1.0
    assert way == pytest.approx(place_mm, abs=2.5 * MM_S * TICK_S)


def test_several_outputs_along_moves_with_zones(bench: AbbBench):
    body = (
        "TriggIO gun,15\\DOp:=pinzaOutput0,1; TriggIO glue,25\\Start\\DOp:=pinzaOutput0,0;"
        "TriggL Offs(p,0,0,-50),v100,gun,z10,tool0; TriggL Offs(p,0,50,-50),v100,glue,fine,tool0;"
    )
    (_, on, first), (_, off, second) = seen(bench, body)
    assert (first, second) == (1.0, 0.0)
    # The rounded corner is a little shorter than its two halves; its middle is where the moves meet.
    assert 30.0 < on < 35.5
    assert 68.0 < off < 75.5


def test_an_output_may_be_delayed_and_have_any_number(bench: AbbBench):
    body = "TriggIO gun,30\\DOp:=pinzaOutput0,1\\DODelay:=0.1; TriggL Offs(p,0,0,-50),v100,gun,fine,tool0;"
    ((_, way, _),) = seen(bench, body)
    assert way == pytest.approx(20.0 + 0.1 * MM_S, abs=2.5 * MM_S * TICK_S)
    bench.run("p:=CRobT(); MoveL Offs(p,0,0,50),v500,fine,tool0;", DATA)
    body = "TriggIO gun,30\\AOp:=aoGlue,2.5; TriggL Offs(p,0,0,-50),v100,gun,fine,tool0;"
    ((_, way, value),) = seen(bench, body, "aoGlue")
    assert (value, way) == (2.5, pytest.approx(20.0, abs=2.5 * MM_S * TICK_S))


@pytest.mark.parametrize(
    ("trigger", "why"),
    [
        ("TriggIO gun,0.1\\Time\\DOp:=pinzaOutput0,1;", "by time"),
        ("TriggIO gun,-1\\DOp:=pinzaOutput0,1;", "-1 mm"),
        ("TriggIO gun,5\\DOp:=pinzaOutput0,2;", "pinzaOutput0 is 2; 0 and 1 are allowed"),
        ("TriggIO gun,5,1;", "without an output"),
        ("", "not been set by TriggInt or TriggIO"),
    ],
)
def test_triggers_that_are_none(bench: AbbBench, trigger: str, why: str):
    bench.run(f"{trigger} p:=CRobT(); TriggL Offs(p,0,0,-20),v100,gun,fine,tool0;", DATA)
    assert why in bench.errors[0]
    assert bench.brain.signals.read("pinzaOutput0") == 0.0


def test_a_stopped_move_keeps_its_triggers_and_a_cleared_one_loses_them(bench: AbbBench):
    body = "TriggIO gun,10\\DOp:=pinzaOutput0,1; TriggL Offs(p,0,0,-50),v100,gun,z10,tool0;"
    held = "WaitUntil DOutput(pinzaOutput1)=1; StopMove; WaitRob\\ZeroSpeed; {} StartMove; WaitRob\\InPos;"
    early = "TriggIO glue,10\\Start\\DOp:=pinzaOutput1,1;"
    both = body.replace("v100,gun,", "v100,gun\\T2:=glue,")
    assert len(seen(bench, early + both + held.format(""))) == 1
    bench.run("p:=CRobT(); Reset pinzaOutput0; Reset pinzaOutput1; MoveL Offs(p,0,0,50),v500,fine,tool0;", DATA)
    assert seen(bench, early + both + held.format("ClearPath;")) == []
    assert bench.errors == []
