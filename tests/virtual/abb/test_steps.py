"""Steps, questions that signals take back, and what the event log says of errors, on the virtual controller."""

from pathlib import Path

import numpy as np
import pytest
from abb_stand import TWO_TASKS, AbbBench

from openpendant.protocols.rws import RwsCall, RwsOperation
from openpendant.virtual.abb import ControllerRefusal
from openpendant.virtual.abb.services.mastership import Mastership
from openpendant.virtual.abb.services.rws_replies import RwsReplies

EAX = "[9E9,9E9,9E9,9E9,9E9,9E9]"
CALLS = "a:=1; rise; IF a>2 THEN a:=a+10; ENDIF a:=twice(a);\nENDPROC\n"
ROUTINES = "PROC rise()\na:=a+1;\na:=a+1;\nENDPROC\nFUNC num twice(num x)\nRETURN 2*x;\nENDFUNC\nPROC unused()"


@pytest.fixture
def bench(tmp_path: Path) -> AbbBench:
    return AbbBench(tmp_path)


def stepped(bench: AbbBench, mode: str) -> str:
    bench.brain.start("once", mode)
    bench.tick_until(lambda: not bench.brain.program.running, 5.0)
    return bench.read("a")


def test_a_step_into_stops_at_every_statement(bench: AbbBench):
    bench.main(CALLS + ROUTINES, "PERS num a:=0;")
    bench.brain.panel.set_motors(on=True)
    # a:=1, the call, two statements and the end of the routine, IF, its statement, the call, RETURN: then a has 26.
    values = [stepped(bench, "stepin") for _ in range(9)]
    assert values == ["1", "1", "2", "3", "3", "3", "13", "13", "26"]
    assert not bench.brain.program.at_main
    assert stepped(bench, "stepin") == "26"
    assert bench.brain.program.at_main


def test_a_step_over_makes_calls_as_one_statement(bench: AbbBench):
    bench.main(CALLS + ROUTINES, "PERS num a:=0;")
    bench.brain.panel.set_motors(on=True)
    assert [stepped(bench, "stepover") for _ in range(5)] == ["1", "3", "3", "13", "26"]


def test_steps_of_loops_and_of_waits(bench: AbbBench):
    bench.main("FOR i FROM 1 TO 3 DO a:=a+i; ENDFOR WHILE a<8 DO a:=a+1; WaitTime 0.02; ENDWHILE", "PERS num a:=0;")
    bench.brain.panel.set_motors(on=True)
    assert [stepped(bench, "stepin") for _ in range(9)] == ["0", "1", "3", "6", "6", "7", "7", "7", "8"]


def test_a_stepped_move_ends_at_rest_where_it_is_meant_to(bench: AbbBench):
    moves = "".join(f"MoveAbsJ [[{one},10,20,0,60,0],{EAX}],v500,z50,tool0;" for one in (20, 30))
    bench.main("a:=1;" + moves, "PERS num a:=0;")
    bench.brain.panel.set_motors(on=True)
    stepped(bench, "stepin")
    for degrees in (20.0, 30.0):
        stepped(bench, "stepin")
        assert np.degrees(bench.unit.arm.plant.q[0]) == pytest.approx(degrees, abs=0.01)
    bench.brain.start("asis")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert bench.errors == []


def test_all_tasks_make_one_step(tmp_path: Path):
    bench = AbbBench(tmp_path, tasks=TWO_TASKS)
    bench.main("a:=1; a:=2;", "PERS num a:=0;")
    bench.main("b:=1; WaitTime 0.1; b:=2;", "PERS num b:=0;", "T_BACK")
    bench.brain.panel.set_motors(on=True)

    def both() -> tuple[str, str]:
        return stepped(bench, "stepin"), bench.brain.program.read(("T_BACK", "b"))

    assert [both() for _ in range(3)] == [("1", "1"), ("2", "1"), ("2", "2")]


def test_after_a_step_the_program_can_run_on(bench: AbbBench):
    bench.main("a:=1; a:=a+1; a:=a+1;", "PERS num a:=0;")
    bench.brain.panel.set_motors(on=True)
    assert stepped(bench, "stepin") == "1"
    assert stepped(bench, "continue") == "3"
    with pytest.raises(ControllerRefusal, match="continue, stepin, stepover"):
        bench.brain.start("once", "stepback")


def test_robot_web_services_step(bench: AbbBench):
    bench.main("a:=1; a:=2;", "PERS num a:=0;")
    bench.brain.panel.set_motors(on=True)
    replies = RwsReplies(bench.brain, Mastership(bench.brain.panel))
    fields = (("cycle", "once"), ("execmode", "stepin"))
    replies.reply_to(RwsCall(RwsOperation.START, (), fields), "me")
    bench.tick_until(lambda: not bench.brain.program.running)
    assert bench.read("a") == "1"


# Questions


@pytest.mark.parametrize(
    ("argument", "signal", "error"),
    [
        ("\\DIBreak:=diReady", "diReady", "ERR_TP_DIBREAK"),
        ("\\DOBreak:=pinzaOutput0", "pinzaOutput0", "ERR_TP_DOBREAK"),
        ("\\MaxTime:=0.1", "", "ERR_TP_MAXTIME"),
    ],
)
@pytest.mark.parametrize("ask", ['TPReadFK a,"Go?","Yes","","","",""', 'TPReadNum a,"How many?"'])
def test_questions_are_taken_back(bench: AbbBench, ask: str, argument: str, signal: str, error: str):
    bench.main(
        f"{ask}{argument}; ERROR IF ERRNO={error} THEN a:=7; TRYNEXT; ENDIF", "PERS num a:=0; PERS bool same:=FALSE;"
    )
    bench.start()
    bench.brain.tick()
    assert bench.brain.terminal.question is not None
    if signal:
        bench.brain.signals.write(signal, 1.0)
    bench.tick_until(lambda: not bench.brain.program.running, 1.0)
    assert bench.errors == []
    assert bench.read("a") == "7"
    assert bench.brain.terminal.question is None
    bench.main(
        f"{ask}{argument}\\BreakFlag:=why; same:=why={error};", "PERS num a:=0; PERS bool same:=FALSE; VAR errnum why;"
    )
    bench.start()
    bench.tick_until(lambda: not bench.brain.program.running, 1.0)
    assert (bench.read("a"), bench.read("same")) == ("0", "TRUE")


def test_an_answer_leaves_no_break(bench: AbbBench):
    bench.main(
        'TPReadNum a,"How many?"\\DIBreak:=diReady\\BreakFlag:=why; same:=why=0;',
        "PERS num a:=0; PERS bool same:=FALSE; VAR errnum why:=5;",
    )
    bench.start()
    bench.brain.tick()
    bench.brain.terminal.reply("3")
    bench.tick_until(lambda: not bench.brain.program.running, 1.0)
    assert (bench.read("a"), bench.read("same")) == ("3", "TRUE")


# The event log


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("VAR num n;\nn:=1/n;", "40194 Value error: T_ROB1/MainModule/main, line 5: division by zero (ERR_DIVZERO = "),
        (
            "\nWaitDI diReady,1\\MaxTime:=0.01;",
            "40229 Unhandled error: T_ROB1/MainModule/main, line 5: diReady did not",
        ),
        ("VAR errnum e;\nBookErrno e;\nRAISE e;", "(ERRNO = 100"),
    ],
)
def test_errors_have_name_number_module_and_line(bench: AbbBench, body: str, text: str):
    bench.main(body)
    bench.start()
    bench.tick_until(lambda: not bench.brain.program.running, 1.0)
    (error,) = bench.errors
    assert text in error
    entry = next(one for one in bench.brain.log.newest_first() if one.level == 3)
    assert entry.arguments[:3] == ("T_ROB1", "MainModule", "main")
    assert entry.arguments[3] in ("5", "6")
    assert f" = {entry.arguments[5]})" in error
