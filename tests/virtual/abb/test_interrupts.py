"""Interrupts by signals on the virtual controller: ISignalDI and ISignalDO, once or again and again."""

from pathlib import Path

import pytest
from abb_stand import AbbBench

DATA = "VAR intnum n; PERS num count:=0; PERS bool done:=FALSE;"
TRAP = "ENDPROC\nTRAP bump\ncount:=count+1;\nENDTRAP\nPROC unused()"


@pytest.fixture
def bench(tmp_path: Path) -> AbbBench:
    return AbbBench(tmp_path)


def begun(bench: AbbBench, order: str, after: str = "WaitUntil done;") -> None:
    bench.main(f"CONNECT n WITH bump; {order} {after}\n{TRAP}", DATA)
    bench.start()
    bench.brain.tick()


def switched(bench: AbbBench, *values: float, name: str = "diReady") -> str:
    for value in values:
        bench.brain.signals.write(name, value)
        bench.brain.tick()
        bench.brain.tick()
    return bench.read("count")


@pytest.mark.parametrize(
    ("order", "counts"),
    [
        ("ISignalDI diReady,1,n;", "2"),
        ("ISignalDI diReady,high,n;", "2"),
        ("ISignalDI diReady,0,n;", "1"),
        ("ISignalDI diReady,edge,n;", "3"),
        ("ISignalDI\\Single,diReady,edge,n;", "1"),
        ("ISignalDI diReady,1,n; ISleep n;", "0"),
        ("ISignalDI diReady,1,n; IDelete n;", "0"),
        ("ISignalDI diReady,1,n; ISleep n; IWatch n;", "2"),
    ],
)
def test_an_input_orders_its_trap(bench: AbbBench, order: str, counts: str):
    begun(bench, order)
    # Writing the same value again is no change.
    assert switched(bench, 0.0, 1.0, 1.0, 0.0, 1.0) == counts
    assert bench.brain.program.running


def test_an_output_of_the_program_orders_its_trap(bench: AbbBench):
    begun(bench, "ISignalDO pinzaOutput0,1,n;", "Set pinzaOutput0; Reset pinzaOutput0; Set pinzaOutput0; WaitTime 0.1;")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert bench.errors == []
    assert bench.read("count") == "2"


def test_no_trap_is_left_when_the_program_has_ended(bench: AbbBench):
    begun(bench, "ISignalDI diReady,1,n;", "")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert switched(bench, 1.0, 0.0, 1.0) == "0"
    begun(bench, "ISignalDI diReady,0,n;")
    bench.brain.program.stop()
    bench.brain.reset_pointers()
    assert switched(bench, 0.0, 1.0, 0.0) == "0"


def test_an_interrupt_without_a_trap_is_an_error(bench: AbbBench):
    bench.run("ISignalDI diReady,1,n; ERROR IF ERRNO=ERR_UNKINO THEN done:=TRUE; TRYNEXT; ENDIF", DATA)
    assert bench.read("done") == "TRUE"
    bench.brain.signals.write("diReady", 1.0)


def test_more_interrupts_than_can_wait_stop_the_program_and_not_the_client(bench: AbbBench):
    begun(bench, "IDisable; ISignalDI diReady,edge,n;")
    for place in range(150):
        bench.brain.signals.write("diReady", float(place % 2 == 0))
    bench.brain.tick()
    assert not bench.brain.program.running
    assert "interrupt queue is full" in bench.errors[0]
