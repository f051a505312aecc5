"""Tasks of RAPID: error handlers, interrupts, shared data, meetings, stops, and a budget that nothing escapes."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rapid_running import Bench, module, run_main
from scipy.spatial.transform import Rotation

from openpendant.dialects.rapid import RapidError, RapidMachine, host_routine, host_table, parse_module


def failure(body: str, data: str = "", routines: str = "") -> str:
    machine = run_main(body, data, routines)
    assert machine.state == "failed"
    assert machine.report is not None
    return str(machine.report)


# Errors

DIVIDE = "PROC divide()\n n := n + 1;\n x := 1 / zero;\n n := n + 100;\n%s\nENDPROC"
DATA = "VAR num n;\nVAR num x;\nVAR num zero;"


def test_an_error_without_a_handler_stops_with_name_module_and_line():
    text = failure("x := 1;\nx := x / zero;", DATA)
    assert text == "40194 Value error: T_ROB1/bench/main, line 7: division by zero"
    assert "40229 Unhandled error" in failure("WaitUntil FALSE \\MaxTime:=0.02;")
    assert "40223 Execution error" in failure('x := StrLen(StrPart("abc", 9, 1));', DATA)


def test_trynext_goes_on_after_the_statement_that_failed():
    machine = run_main("divide;", DATA, DIVIDE % "ERROR\n TRYNEXT;")
    assert machine.read("T_ROB1", "n") == 101.0


def test_an_error_goes_to_the_caller_and_its_whole_call_is_retried():
    machine = run_main("divide;\nERROR\n zero := 1;\n RETRY;", DATA, DIVIDE % "")
    assert machine.state == "finished"
    assert machine.read("T_ROB1", "n") == 102.0


def test_raise_in_a_handler_goes_to_the_caller():
    machine = run_main("divide;\nERROR\n n := n + 7;\n TRYNEXT;", DATA, DIVIDE % "ERROR\n n := n + 50;\n RAISE;")
    assert machine.read("T_ROB1", "n") == 58.0


def test_a_handler_that_falls_off_its_end_returns():
    machine = run_main("divide;", DATA, DIVIDE % "ERROR\n n := n + 50;")
    assert machine.read("T_ROB1", "n") == 51.0


def test_an_error_in_a_handler_is_not_for_that_handler():
    assert "40194" in failure("x := 1 / zero;\nERROR\n x := 1 / zero;", DATA)


def test_retries_have_a_limit():
    text = failure("n := n + 1;\nx := 1 / zero;\nERROR\n RETRY;", DATA)
    assert text.startswith("40195 Limit error")
    machine = run_main("x := 1 / zero;\nERROR\n n := n + 1;\n IF n = 9 zero := 1;\n RETRY;", DATA, retries=10)
    assert machine.state == "finished"


def test_a_handler_may_retry_a_statement_inside_a_loop():
    body = "FOR i FROM 1 TO 3 DO\n x := 1 / zero;\n n := n + 10;\nENDFOR\nERROR\n n := n + 1;\n zero := 1;\n RETRY;"
    machine = run_main(body, DATA)
    assert machine.read("T_ROB1", "n") == 31.0


def test_array_bounds_and_missing_arguments_are_errors():
    data = "VAR num a{3};\nVAR num n;"
    body = "a{4} := 1;\nERROR\n IF ERRNO = ERR_OUTOFBND n := 1;\n TRYNEXT;"
    assert run_main(body, data).read("T_ROB1", "n") == 1.0
    routine = "PROC p(\\num x)\n n := x;\nENDPROC"
    assert run_main("p;\nERROR\n IF ERRNO = ERR_NOTPRES n := 2;\n TRYNEXT;", data, routine).read("T_ROB1", "n") == 2.0


def test_a_function_without_a_value_fails():
    assert "returns no value" in failure("n := f();", DATA, "FUNC num f()\n IF n = 1 RETURN 1;\nENDFUNC")


# Motion and the program pointer


MOVES = (
    "CONST robtarget p := [[0,0,0],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];",
    "MoveL p, v100, z50, tool0;\nn := 1;\nMoveL p, v100, z50, tool0;\nn := 2;\nMoveL p, v100, fine, tool0;\nn := 3;",
)


def test_the_program_pointer_runs_ahead_of_motion():
    bench = Bench(ahead=2)
    machine = bench.machine(module(MOVES[1], f"{MOVES[0]}\nVAR num n;"))
    machine.step()
    # Two moves flow, the third stops at its point: the task waits for the motion there.
    assert [given["Zone"][0] for _, given in bench.moves] == [False, False, True]
    assert machine.read("T_ROB1", "n") == 2.0
    assert machine.tasks["T_ROB1"].line == 9
    bench.steps += 20
    machine.step()
    assert machine.state == "finished"


def test_arguments_come_by_the_names_of_the_manual():
    bench = Bench()
    body = "MoveL \\Conc, Offs(p, 1, 2, 3) \\ID:=7, v100 \\T:=2, z10, tool0 \\WObj:=wobj0;"
    bench.run(bench.machine(module(body, MOVES[0])))
    name, given = bench.moves[0]
    assert name == "MoveL"
    assert given["Conc"] is True
    assert given["ToPoint"][0] == (1.0, 2.0, 3.0)
    assert (given["ID"], given["T"], given["Speed"][0], given["Zone"][1]) == (7.0, 2.0, 100.0, 10.0)
    assert "V" not in given


def test_stop_break_exit_and_cycles():
    bench = Bench()
    machine = bench.machine(module("n := n + 1;\nStop;\nn := n + 1;\nBreak;\nn := n + 1;", DATA))
    bench.run(machine)
    assert (machine.state, machine.stopped_by, machine.read("T_ROB1", "n")) == ("stopped", "stop", 1.0)
    machine.start()
    bench.run(machine)
    assert (machine.stopped_by, machine.read("T_ROB1", "n")) == ("break", 2.0)
    machine.start()
    bench.run(machine)
    assert (machine.state, machine.read("T_ROB1", "n")) == ("finished", 3.0)
    assert run_main("EXIT;\nn := 5;", DATA).read("T_ROB1", "n") == 0.0
    machine = run_main("n := n + 1;\nIF n < 4 ExitCycle;\nEXIT;", DATA, forever=True)
    assert (machine.read("T_ROB1", "n"), machine.cycles) == (4.0, 3)


# Interrupts


def test_a_timer_interrupts_a_wait_and_a_loop():
    data = "VAR intnum i;\nVAR num n;\nVAR num m;"
    trap = "TRAP tick\n n := n + 1;\n m := INTNO;\nENDTRAP"
    body = "CONNECT i WITH tick;\nITimer 0.1, i;\nWaitTime 0.35;\nWHILE n < 5 DO\n m := m;\nENDWHILE\nIDelete i;"
    machine = run_main(body, data, trap)
    assert (machine.state, machine.read("T_ROB1", "n"), machine.read("T_ROB1", "m")) == ("finished", 5.0, 1.0)


def test_disabled_interrupts_wait_and_sleeping_ones_are_lost():
    data = "VAR intnum i;\nVAR num n;"
    trap = "TRAP tick\n n := n + 1;\nENDTRAP"
    start = "CONNECT i WITH tick;\nITimer \\Single, 0.05, i;\n"
    body = "IDisable;\nWaitTime 0.1;\nIF n = 0 n := 10;\nIEnable;\nWaitTime 0.1;"
    assert run_main(start + body, data, trap).read("T_ROB1", "n") == 11.0
    body = "ISleep i;\nWaitTime 0.1;\nIWatch i;\nWaitTime 0.1;"
    assert run_main(start + body, data, trap).read("T_ROB1", "n") == 0.0


def test_hosts_order_interrupts():
    bench = Bench()
    table = bench.table() | host_table(
        host_routine("ISignalDI", lambda task, given: wired.append((task, int(given["Interrupt"].get()))))
    )
    wired: list[tuple[object, int]] = []
    body = "CONNECT i WITH seen;\nISignalDI diStart, 1, i;\nWaitUntil n = 1;"
    text = module(body, "VAR intnum i;\nVAR num n;", "TRAP seen\n n := 1;\nENDTRAP")
    machine = RapidMachine({"T_ROB1": [parse_module(text)]}, table, clock=bench.now)
    for _ in range(5):
        machine.step()
    assert machine.state == "running"
    machine.tasks["T_ROB1"].interrupt(wired[0][1])
    bench.run(machine)
    assert machine.state == "finished"


# Tasks and persistent data

LEFT = "MODULE left\nPERS num shared := 1;\nTASK PERS num own := 1;\nPROC main()\n%s\nENDPROC\nENDMODULE"
RIGHT = "MODULE right\nPERS num shared := 5;\nTASK PERS num own := 2;\nVAR num n;\nPROC main()\n%s\nENDPROC\nENDMODULE"


def test_tasks_share_persistent_data_and_wait_in_busy_loops():
    bench = Bench()
    left = LEFT % "WaitTime 0.1;\nown := 10;\nshared := 7;"
    right = RIGHT % "n := shared;\nWHILE shared <> 7 DO\nENDWHILE\nshared := shared + n + own;"
    machine = bench.run(bench.machine(tasks={"T_ROB_L": left, "T_ROB_R": right}))
    assert machine.state == "finished"
    assert machine.read("T_ROB_L", "shared") == 10.0
    assert machine.read("T_ROB_R", "own") == 2.0
    kept = machine.persistents
    again = bench.machine(tasks={"T_ROB_L": LEFT % "", "T_ROB_R": RIGHT % ""}, persistents=kept)
    assert again.read("T_ROB_R", "shared") == 10.0
    assert again.read("T_ROB_L", "own") == 10.0


SYNC = (
    'TASK PERS tasks both{2} := [["T_ROB_L"], ["T_ROB_R"]];\nVAR syncident meet;\nPERS num count := 0;\n'
    "PROC main()\n FOR i FROM 1 TO 3 DO\n  WaitTime %s;\n  WaitSyncTask meet, both%s;\n"
    "  count := count + 1;\n ENDFOR\nENDPROC"
)


def test_tasks_meet_as_often_as_they_come():
    bench = Bench()
    tasks = {name: f"MODULE m\n{SYNC % (time, '')}\nENDMODULE" for name, time in (("T_ROB_L", 0.2), ("T_ROB_R", 0.02))}
    machine = bench.machine(tasks=tasks)
    for _ in bench.stepping(machine, 40):
        pass
    assert machine.read("T_ROB_L", "count") == 0.0
    bench.run(machine)
    assert (machine.state, machine.read("T_ROB_L", "count")) == ("finished", 6.0)
    assert bench.now() == pytest.approx(0.6, abs=0.1)


def test_a_meeting_may_time_out():
    text = SYNC % (0.02, " \\TimeOut:=0.1")
    tasks = {"T_ROB_L": f"MODULE m\n{text}\nENDMODULE", "T_ROB_R": RIGHT % "WaitTime 5;"}
    bench = Bench()
    machine = bench.run(bench.machine(tasks=tasks))
    assert machine.report is not None
    assert machine.report.error == "ERR_WAITSYNCTASK"


# Budget

RUNAWAYS = {
    "loop": ("WHILE TRUE DO\nENDWHILE", ""),
    "goto": ("a:\nGOTO a;", ""),
    "for": ("FOR i FROM 1 TO 2 STEP 0 DO\nENDFOR", ""),
    "condition": ("WaitUntil FALSE;", ""),
    "calls": ("WHILE TRUE DO\n p;\nENDWHILE", "PROC p()\nENDPROC"),
    "cycle": ("ExitCycle;", ""),
}


@pytest.mark.parametrize("name", RUNAWAYS)
def test_nothing_escapes_the_budget(name: str):
    body, routines = RUNAWAYS[name]
    bench = Bench()
    machine = bench.machine(module(body, "", routines), forever=True, budget=200)
    for _ in bench.stepping(machine, 50):
        pass
    assert machine.state == "running"
    machine.close()
    assert machine.state == "finished"


def test_endless_recursion_fails_in_words():
    assert "200 calls inside each other" in failure("p;", "", "PROC p()\n p;\nENDPROC")


def test_a_task_without_main_or_with_faults_is_refused():
    with pytest.raises(RapidError, match="no routine main"):
        Bench().machine("MODULE m\nENDMODULE")
    with pytest.raises(RapidError, match="unknown data zero"):
        Bench().machine(module("zero := 1;"))


@given(st.text(st.sampled_from(list('abxyz019 .,;:=<>+-*/()[]{}\\"%!?\n')), max_size=60))
@settings(max_examples=300, deadline=None)
def test_garbage_is_refused_with_a_documented_error(text: str):
    try:
        machine = Bench().machine(module(text, DATA))
    except RapidError as wrong:
        assert wrong.line >= 1  # noqa: PT017 - most texts raise, some run
        return
    for _ in range(3):
        machine.step()
    assert machine.cause is None or machine.report is not None


WORDS = (
    "IF THEN ELSE ENDIF WHILE DO ENDWHILE FOR FROM TO ENDFOR TEST CASE ENDTEST n := 1 2 + ; ( ) x "
    "RETURN ERROR RETRY [ ] { }"
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=25))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_words_in_any_order_are_refused_or_run(words: list[str]):
    try:
        machine = Bench().machine(module(" ".join(words), DATA))
    except RapidError:
        return
    for _ in range(3):
        machine.step()
    assert machine.state in ("running", "finished", "failed")


# Poses against scipy

angles = st.floats(-179.0, 179.0)
lengths = st.floats(-500.0, 500.0)


def quaternion(turn: Rotation) -> np.ndarray:
    w = turn.as_quat(scalar_first=True)
    return w if w[0] >= 0 else -w


def value(expression: str, kind: str) -> np.ndarray:
    machine = run_main(f"v := {expression};", f"VAR {kind} v;")
    assert machine.report is None
    return np.concatenate(
        [np.ravel(part) for part in np.atleast_1d(np.array(machine.read("T_ROB1", "v"), dtype=object))]
    )


def same_turn(got: np.ndarray, wanted: Rotation) -> None:
    assert abs(float(np.dot(got, quaternion(wanted)))) == pytest.approx(1.0, abs=1e-9)


@given(angles, st.floats(-89.0, 89.0), angles, lengths, lengths)
@settings(max_examples=40, deadline=None)
def test_pose_functions_are_scipys(z: float, y: float, x: float, a: float, b: float):
    turn = Rotation.from_euler("ZYX", [z, y, x], degrees=True)
    orient = f"OrientZYX({z:.9f}, {y:.9f}, {x:.9f})"
    same_turn(value(orient, "orient").astype(float), turn)
    for word, wanted in (("Z", z), ("Y", y), ("X", x)):
        assert float(value(f"EulerZYX(\\{word}, {orient})", "num")[0]) == pytest.approx(wanted, abs=1e-6)
    point = f"PoseVect([[{a:.6f}, 1, 2], {orient}], [{b:.6f}, -3, 4])"
    wanted = turn.apply([b, -3.0, 4.0]) + np.array([a, 1.0, 2.0])
    np.testing.assert_allclose(value(point, "pos").astype(float), wanted, atol=1e-5)
    target = f"[[{a:.6f}, 0, 0], {orient}, [0, 0, 0, 0], [9E9, 9E9, 9E9, 9E9, 9E9, 9E9]]"
    machine = run_main(
        f"p := {target};\nt := RelTool(p, 1, 2, {b:.6f} \\Rx:=10 \\Ry:=20 \\Rz:=30);",
        "VAR robtarget p;\nVAR robtarget t;",
    )
    place, got, *_ = machine.read("T_ROB1", "t")
    np.testing.assert_allclose(place, turn.apply([1.0, 2.0, b]) + np.array([a, 0.0, 0.0]), atol=1e-5)
    same_turn(np.array(got), turn * Rotation.from_euler("XYZ", [10, 20, 30], degrees=True))


def test_a_quaternion_of_an_earlier_system():
    # Printed in the listing of a program for this controller beside its angles.
    got = value("OrientZYX(176.332, -1.91076, 177.684)", "orient").astype(float)
    np.testing.assert_allclose(np.abs(got), [0.0160149, 0.0323332, 0.999134, 0.0207343], atol=2e-5)


# Persistent data of an earlier run


def test_persistents_of_an_earlier_run_count_where_they_fit_their_type():
    data = 'PERS num n:=1; PERS pos p:=[1,2,3]; PERS string s{2}:=["a","b"]; PERS bool b:=FALSE;'
    kept = {"n": 7.0, "p": (4.0, 5.0, 6.0), "s": ["x", "y"], "b": True}
    machine = run_main("", data, persistents=kept)
    assert {name: machine.read("T_ROB1", name) for name in kept} == kept
    wrong = {"n": "7", "p": (4.0, 5.0), "s": ["x", "y", "z"], "b": 1.0}
    machine = run_main("", data, persistents=wrong)
    assert machine.read("T_ROB1", "n") == 1.0
    assert machine.read("T_ROB1", "p") == (1.0, 2.0, 3.0)
    assert machine.read("T_ROB1", "s") == ["a", "b"]
    assert machine.read("T_ROB1", "b") is False
    machine = run_main("", data, persistents={"p": [4, 5, 6]})
    assert machine.read("T_ROB1", "p") == (4.0, 5.0, 6.0)


def test_a_task_may_leave_the_value_of_shared_data_to_another():
    bench = Bench()
    tasks = {"T_A": "MODULE a PERS num x; PROC main() ENDPROC ENDMODULE"}
    tasks["T_B"] = "MODULE b PERS num x:=4; PROC main() ENDPROC ENDMODULE"
    machine = bench.machine(tasks=tasks)
    assert machine.read("T_A", "x") == machine.read("T_B", "x") == 4.0
    with pytest.raises(RapidError, match="another type in another task"):
        bench.machine(tasks=tasks | {"T_B": "MODULE b PERS bool x; PROC main() ENDPROC ENDMODULE"})
