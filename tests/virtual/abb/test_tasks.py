"""Several tasks on one controller: one moves the arm, others run in the background."""

from pathlib import Path

import pytest
from abb_stand import TWO_TASKS, AbbBench, make_controller

from openpendant.errors import InputError
from openpendant.protocols.rws import RwsCall, RwsOperation
from openpendant.virtual.abb import NotThere, TaskSetup
from openpendant.virtual.abb.services.rws_reads import RwsReads

MEET = 'PERS tasks both{2}:=[["T_ROB1"],["T_BACK"]]; VAR syncident here;'
UP = "[[0,0,20,0,60,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"


@pytest.fixture
def bench(tmp_path: Path) -> AbbBench:
    return AbbBench(tmp_path, tasks=TWO_TASKS)


def tasks_shown(bench: AbbBench) -> dict[str, tuple[str, str, str]]:
    found = RwsReads(bench.brain).read(RwsCall(RwsOperation.LIST_TASKS)) or ()
    return {one.title: tuple(one.fields[key] for key in ("excstate", "active", "motiontask")) for one in found}  # type: ignore[misc]


def test_tasks_share_persistents_and_meet(bench: AbbBench):
    bench.main(
        f"MoveAbsJ {UP},v1000,fine,tool0; wanted:=5; WaitSyncTask here,both; total:=total+reply;",
        MEET + "PERS num wanted:=0; PERS num reply:=0; PERS num total:=100;",
    )
    bench.main(
        "WaitUntil wanted>0; reply:=2*wanted; early:=arrived; WaitSyncTask here,both; arrived:=TRUE;",
        MEET + "PERS num wanted; PERS num reply; PERS bool arrived:=FALSE; PERS bool early:=TRUE;",
        "T_BACK",
    )
    bench.start()
    assert tasks_shown(bench) == {"T_ROB1": ("started", "On", "TRUE"), "T_BACK": ("started", "On", "FALSE")}
    bench.tick_until(lambda: not bench.brain.program.running)
    assert bench.errors == []
    assert bench.read("total") == "110"
    assert [bench.brain.program.read(("T_BACK", name)) for name in ("arrived", "early")] == ["TRUE", "FALSE"]
    assert tasks_shown(bench)["T_BACK"][0] == "ready"


def test_start_stop_and_pointers_are_those_of_all_tasks(bench: AbbBench):
    program = bench.brain.program
    bench.main("WHILE TRUE DO a:=a+1; WaitTime 0.01; ENDWHILE", "PERS num a:=0;")
    bench.main("VAR num n; n:=b; WHILE TRUE DO b:=b+1; WaitTime 0.01; ENDWHILE", "PERS num b:=0;", "T_BACK")
    bench.start()
    bench.tick_until(lambda: bench.read("a") == "5")
    program.stop()
    seen = bench.read("a"), program.read(("T_BACK", "b"))
    assert float(seen[1]) > 2
    for _ in range(20):
        bench.brain.tick()
    assert (bench.read("a"), program.read(("T_BACK", "b"))) == seen
    assert {one[0] for one in tasks_shown(bench).values()} == {"stopped"}
    assert program.place("T_BACK")[:2] == ("MainModule", "main")
    line = program.place("T_BACK")[2]
    bench.brain.start("asis")
    bench.tick_until(lambda: program.read(("T_BACK", "b")) != seen[1])
    program.stop()
    bench.brain.reset_pointers()
    assert program.place("T_BACK")[2] <= line
    assert {one[0] for one in tasks_shown(bench).values()} == {"ready"}


def test_a_task_that_is_not_active_does_not_run(bench: AbbBench):
    bench.main("b:=b+1;", "PERS num b:=0;", "T_BACK")
    bench.brain.program.activate("T_BACK", active=False)
    assert tasks_shown(bench)["T_BACK"][1] == "Off"
    bench.run("WaitTime 0.02;")
    bench.brain.program.activate("T_BACK", active=True)
    assert bench.brain.program.read(("T_BACK", "b")) == "0"
    bench.run("WaitTime 0.02;")
    assert bench.brain.program.read(("T_BACK", "b")) == "1"


def test_the_log_says_in_which_task_an_error_was(bench: AbbBench):
    bench.main("VAR num n; n:=1/n;", "", "T_BACK")
    bench.main("WaitTime 10;")
    bench.start()
    bench.tick_until(lambda: not bench.brain.program.running, 1.0)
    (error,) = bench.errors
    assert error.startswith("40194 Value error: T_BACK/MainModule/main, line 4")


def test_a_background_task_moves_nothing(bench: AbbBench):
    bench.main(f"MoveAbsJ {UP},v1000,fine,tool0;", "", "T_BACK")
    bench.run("WaitTime 0.1;")
    assert "T_BACK moves no mechanical unit" in bench.errors[0]


def test_persistents_of_two_types_under_one_name_are_a_fault(bench: AbbBench):
    bench.main("", "PERS num x:=0;")
    bench.main("", 'PERS string x:="";', "T_BACK")
    assert not bench.brain.program.linked
    assert "another type in another task" in bench.errors[0]


@pytest.mark.parametrize(
    "tasks",
    [
        (TaskSetup("T_BACK"),),
        (TaskSetup("T_ROB1", "ROB_2"),),
        (TaskSetup("T_ROB1", "ROB_1"), TaskSetup("T_ROB2", "ROB_1")),
        (TaskSetup("T_ROB1", "ROB_1"), TaskSetup("T_ROB1")),
    ],
    ids=str,
)
def test_every_unit_has_one_task(tmp_path: Path, tasks: tuple[TaskSetup, ...]):
    with pytest.raises(InputError, match="task"):
        make_controller(tmp_path, tasks=tasks)


def test_an_unknown_task_is_not_there(bench: AbbBench):
    with pytest.raises(NotThere, match="T_ROB1, T_BACK"):
        bench.brain.program.place("T_NOBODY")
