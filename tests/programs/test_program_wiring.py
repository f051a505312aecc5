"""Wiring: the place of a signal in the list means nothing; what lacks a port, or is another robot's, is told."""

import itertools

import msgspec
import pytest
from exported import ABB, UR, VPLUS, everything
from small_cells import BENCH, at, program

from openpendant.controllers import VendorText
from openpendant.errors import InputError
from openpendant.programs import (
    GoTo,
    Group,
    If,
    Program,
    Runner,
    SetOutput,
    Tool,
    WaitInput,
    check_program,
    find_wiring_fault,
    make_kinematic_robots,
)
from openpendant.programs.export import export_rapid, export_urscript, export_vplus
from openpendant.scene import (
    Cell,
    CellRobot,
    CellSpace,
    CellTool,
    Reorder,
    Scene,
    Signal,
    SignalValue,
    ToolAction,
    edit,
)

JOINTS = {
    "abb": (0.0, 0.2, 0.3, 0.0, 1.0, 0.0),
    "ur": (0.0, -1.4, 1.6, -1.7, -1.57, 0.0),
    "rx": (0.0, -1.4, 2.8, 0.0, 1.2, 0.0),
}


@pytest.mark.parametrize(("cell", "form"), [(ABB, export_rapid), (UR, export_urscript), (VPLUS, export_vplus)])
def test_reordered_signals_leave_every_export_as_it_is(cell: Cell, form) -> None:
    robot = cell.robots[0].name
    whole, other = everything(robot, JOINTS[robot])

    def made(of: Cell) -> tuple[VendorText, ...]:
        return form(of, whole, programs={"other": other})

    before = made(cell)
    for name in (cell.signals[0].name, cell.signals[1].name):
        cell = edit(cell, Reorder(name=name, index=len(cell.signals) - 1)).cell
        assert made(cell) == before


def test_output_eight_goes_to_the_pin_that_the_driver_means() -> None:
    ports = [f"{group}_out_{number}" for group in ("standard", "configurable") for number in range(8)]
    signals = tuple(Signal(name=f"o{i}", kind="out", robot="ur", port=port) for i, port in enumerate(ports))
    cell = Cell(name="c", robots=(CellRobot(name="ur", model="ur3e"),), signals=(*signals[::-1],))
    steps = tuple(SetOutput(id=f"s{i}", signal=f"o{i}") for i in (0, 7, 8, 15))
    (text,) = export_urscript(cell, Program(name="p", robot="ur", steps=steps))
    assert [line.strip() for line in text.text.splitlines() if "_digital_out(" in line] == [
        "set_standard_digital_out(o0, True)",
        "set_standard_digital_out(o7, True)",
        "set_configurable_digital_out(o8, True)",
        "set_configurable_digital_out(o15, True)",
    ]
    assert "o15 = 7  # configurable_out_7" in text.text


def two() -> Cell:
    """Return two arms; each has a lamp on the same port of its own, one a signal without port."""
    hand = CellTool(name="hand", tcp=at(0.0, 0.0, 0.1), close=ToolAction(outputs=(SignalValue(signal="lamp"),)))
    return Cell(
        name="two",
        robots=(
            CellRobot(name="a", model="ur3e", tools={"arm": "hand"}),
            CellRobot(name="b", model="ur3e", pose=at(2.0, 0.0, 0.0)),
        ),
        tools=(hand,),
        signals=(
            Signal(name="lamp", kind="out", robot="a", port="standard_out_0"),
            Signal(name="other lamp", kind="out", robot="b", port="standard_out_0"),
            Signal(name="idea", kind="in"),
        ),
    )


@pytest.mark.parametrize(
    ("steps", "told", "runs_here"),
    [
        ((SetOutput(id="s", signal="lamp"),), "", True),
        ((SetOutput(id="s", signal="other lamp"),), "signal 'other lamp' is wired to b; a program of a cannot", False),
        ((WaitInput(id="s", signal="idea"),), "signal 'idea' is not wired: set its robot to a and its port", True),
        ((If(id="s", condition="not idea", steps=()),), "signal 'idea' is not wired", True),
        ((If(id="s", condition="'other lamp'", steps=()),), "'other lamp' is wired to b", False),
        ((Tool(id="s", state="close"),), "", True),
        ((Tool(id="s", state="open"),), "tool 'hand' is not wired: set the outputs that open it", True),
        ((SetOutput(id="s", signal="other lamp", enabled=False),), "", True),
        ((Group(id="g", title="off", enabled=False, steps=(Tool(id="s", state="open"),)),), "", True),
    ],
)
def test_what_lacks_a_port_is_told_before_it_runs_and_when_it_is_exported(steps, told: str, runs_here: bool) -> None:
    cell, made = two(), Program(name="p", robot="a", steps=steps)
    fault = find_wiring_fault(Scene(cell), made, {}, frozenset({"a", "b"}))
    assert told in fault
    assert bool(told) == bool(fault)
    report = check_program(cell, made)
    assert report.clear == runs_here
    if not runs_here:
        assert [finding.kind for step in report.steps for finding in step.findings] == ["wiring"]
    if told:
        with pytest.raises(InputError, match=told.split("'")[1]):
            export_urscript(cell, made)
    else:
        export_urscript(cell, made)


def test_a_language_wants_ports_in_its_own_words() -> None:
    made = Program(name="p", robot="a", steps=(SetOutput(id="s", signal="lamp"),))
    with pytest.raises(InputError, match="'standard_out_0' is not a digital output of this robot: use a signal number"):
        export_vplus(two(), made)


def test_vplus_works_a_wired_tool_by_its_signals_and_another_by_the_hand_of_the_controller() -> None:
    steps = (Tool(id="c", state="close"), Tool(id="o", state="open"))
    hand = CellTool(
        name="hand",
        tcp=at(0.0, 0.0, 0.1),
        close=ToolAction(
            outputs=(SignalValue(signal="grip"), SignalValue(signal="free", value=False)),
            inputs=(SignalValue(signal="shut"),),
            timeout_s=1.5,
        ),
        open=ToolAction(outputs=(SignalValue(signal="free"), SignalValue(signal="grip", value=False)), time_s=0.4),
    )
    signals = (
        Signal(name="grip", kind="out", robot="rx", port="3"),
        Signal(name="free", kind="out", robot="rx", port="5"),
        Signal(name="shut", kind="in", robot="rx", port="1004"),
    )
    robot = CellRobot(name="rx", model="rx90l", tools={"arm": "hand"})
    cell = Cell(name="c", robots=(robot,), tools=(hand,), signals=signals)
    made = Program(name="p", robot="rx", steps=steps)
    (text,) = export_vplus(cell, made)
    lines = [line.strip() for line in text.text.splitlines()]
    begin = lines.index("BREAK")
    assert lines[begin : begin + 11] == [
        "BREAK",
        "SIGNAL 3, -5",
        "TIMER 1 = 0",
        "WAIT SIG(1004) OR (TIMER(1) > 1.5)",
        "IF NOT SIG(1004) THEN",
        'TYPE "tool hand did not close: shut did not come within 1.5 s"',
        "HALT",
        "END",
        "BREAK",
        "SIGNAL 5, -3",
        "DELAY 0.4",
    ]
    bare = msgspec.structs.replace(cell, tools=(msgspec.structs.replace(hand, open=None, close=None),))
    (text,) = export_vplus(bare, made)
    assert [line.strip() for line in text.text.splitlines() if line.strip().endswith("EI") or "OPENI" in line] == [
        "CLOSEI",
        "OPENI",
    ]


CONFIRMED = {
    "abb": (ABB, export_rapid, ("doGrip", "diShut", "diApart")),
    "ur": (UR, export_urscript, ("tool_out_1", "tool_in_0", "tool_in_1")),
    "rx": (VPLUS, export_vplus, ("3", "1004", "1005")),
}


def confirmed(name: str) -> list[str]:
    """Return the lines of a program that closes a tool which two inputs confirm."""
    cell, form, ports = CONFIRMED[name]
    kinds = {"grip": "out", "shut": "in", "apart": "in"}
    signals = tuple(
        Signal(name=signal, kind=kind, robot=name, port=port)
        for (signal, kind), port in zip(kinds.items(), ports, strict=True)
    )
    shut = (SignalValue(signal="shut"), SignalValue(signal="apart", value=False))
    close = ToolAction(outputs=(SignalValue(signal="grip"),), inputs=shut, timeout_s=1.5)
    hand = CellTool(name="hand", tcp=at(0.0, 0.0, 0.1), close=close)
    robot = msgspec.structs.replace(cell.robots[0], tools={"arm": "hand"})
    cell = msgspec.structs.replace(cell, robots=(robot,), tools=(hand,), signals=signals)
    (text,) = form(cell, Program(name="p", robot=name, steps=(Tool(id="c", state="close"),)))
    return [line.strip() for line in text.text.splitlines()]


SHUT_LATE = "tool hand did not close: shut did not come within 1.5 s"
APART_LATE = "tool hand did not close: apart did not come within 1.5 s"


@pytest.mark.parametrize(
    ("name", "begins", "ends"),
    [
        (
            "abb",
            "SetDO doGrip, 1;",
            [
                "WaitDI diShut, 1\\MaxTime:=1.5\\TimeFlag:=late;",
                "IF late THEN",
                f'ErrWrite "Program ended", "{SHUT_LATE}";',
                "EXIT;",
                "ENDIF",
                "WaitDI diApart, 0\\MaxTime:=1.5\\TimeFlag:=late;",
                "IF late THEN",
                f'ErrWrite "Program ended", "{APART_LATE}";',
                "EXIT;",
                "ENDIF",
                "ENDPROC",
            ],
        ),
        (
            "ur",
            "if waited > 1.5:",
            [
                "if get_tool_digital_in(shut) != True:",
                f'textmsg("{SHUT_LATE}")',
                f'popup("{SHUT_LATE}", error=True, blocking=False)',
                "end",
                "if get_tool_digital_in(apart) != False:",
                f'textmsg("{APART_LATE}")',
                f'popup("{APART_LATE}", error=True, blocking=False)',
                "end",
                "halt",
                "end",
            ],
        ),
        (
            "rx",
            "IF NOT SIG(1004, -1005) THEN",
            [
                "IF NOT SIG(1004) THEN",
                f'TYPE "{SHUT_LATE}"',
                "END",
                "IF NOT SIG(-1005) THEN",
                f'TYPE "{APART_LATE}"',
                "END",
                "HALT",
                "END",
            ],
        ),
    ],
)
def test_every_export_says_which_input_of_a_tool_did_not_come_and_ends(name: str, begins: str, ends: list[str]) -> None:
    lines = confirmed(name)
    after = lines.index(begins) + 1
    assert lines[after : after + len(ends)] == ends
    assert ("VAR bool late := FALSE;" in lines) == (name == "abb")


def test_what_rapid_says_fits_into_its_strings() -> None:
    named = Signal(name="part " * 12 + "here", kind="in", robot="abb", port="diHere")
    cell = msgspec.structs.replace(ABB, signals=(*ABB.signals, named))
    (text,) = export_rapid(
        cell, Program(name="p", robot="abb", steps=(WaitInput(id="w", signal=named.name, timeout_s=2.0),))
    )
    (said,) = (line for line in text.text.splitlines() if "ErrWrite" in line)
    assert len(said.split('"')[3]) == 80  # the most that a string of RAPID holds


def run(cell: Cell, made: Program, *, cut: str = "") -> tuple[Runner, list[tuple[float, dict[str, bool]]]]:
    """Run a program on kinematic robots; return the outputs of its robot whenever they change.

    Args:
        cell: Of the program.
        made: The program.
        cut: An input whose wire is cut; empty: none.
    """
    plants = make_kinematic_robots(Scene(cell))
    plant = plants[made.robot]
    plant.inputs.pop(cut, None)
    runner = Runner(cell, made, plants)
    runner.start()
    seen: list[tuple[float, dict[str, bool]]] = []
    for _ in range(20_000):
        runner.tick()
        outputs = dict(plant.outputs)
        if not seen or seen[-1][1] != outputs:
            seen.append((runner.time_s, outputs))
        if runner.status not in ("running", "paused"):
            break
    return runner, seen


def test_a_kinematic_robot_moves_fingers_and_sets_the_outputs_of_its_tool() -> None:
    made = program(GoTo(to="home"), Tool(state="close"), Tool(state="close"), Tool(state="open"))
    wait = ToolAction(outputs=(SignalValue(signal="grip"),), time_s=0.7)
    tool = msgspec.structs.replace(BENCH.tools[0], close=wait)
    runner, seen = run(msgspec.structs.replace(BENCH, tools=(tool,)), made)
    assert runner.status == "done", runner.message
    assert [outputs["grip"] for _, outputs in seen] == [False, True, False]
    (_, _), (closes, _), (opens, _) = seen
    assert opens - closes == pytest.approx(1.4, abs=0.05)  # both steps set it: the second may know better


def hand_that_confirms() -> Cell:
    """Return the bench with a tool that one input confirms when it closes and two when it opens."""
    shut = Signal(name="shut", kind="in", robot="abb", port="diShut")
    apart = Signal(name="apart", kind="in", initial=True)
    tool = msgspec.structs.replace(
        BENCH.tools[0],
        close=ToolAction(outputs=(SignalValue(signal="grip"),), inputs=(SignalValue(signal="shut"),)),
        open=ToolAction(
            outputs=(SignalValue(signal="grip", value=False),),
            inputs=(SignalValue(signal="apart"), SignalValue(signal="shut", value=False)),
        ),
    )
    return msgspec.structs.replace(BENCH, tools=(tool,), signals=(*BENCH.signals, shut, apart))


def test_a_simulated_tool_confirms_itself() -> None:
    made = program(Tool(state="close"), WaitInput(signal="shut"), Tool(state="open"), WaitInput(signal="apart"))
    runner, _ = run(hand_that_confirms(), made)
    assert runner.status == "done", runner.message


@pytest.mark.parametrize(("cut", "state"), [("shut", "close"), ("apart", "open")])
def test_a_tool_that_does_not_confirm_fails_the_program(cut: str, state: str) -> None:
    made = program(Tool(id="close", state="close"), Tool(id="open", state="open"), SetOutput(signal="lamp"))
    runner, seen = run(hand_that_confirms(), made, cut=cut)
    assert runner.status == "failed"
    assert runner.message == f"step {state}: the tool did not {state}: {cut} did not come within 2 s"
    assert not any(outputs["lamp"] for _, outputs in seen), "nothing comes after the step that failed"


BOX = CellSpace(name="work", kind="allowed", size=(0.3, 0.5, 0.6), pose=at(0.35, 0.0, 0.25), frame="abb")
POST = CellSpace(name="post", kind="forbidden", size=(0.01, 0.01, 0.5), pose=at(0.35, 0.05, 0.2), frame="abb")


@pytest.mark.parametrize(
    ("spaces", "told", "share"),
    [
        ((BOX,), "", 0.0),
        ((msgspec.structs.replace(BOX, size=(0.3, 0.1, 0.6)),), "leaves the allowed spaces", 0.5),
        ((BOX, POST), "enters the forbidden space 'post'", 0.45),
        ((BOX, msgspec.structs.replace(POST, robots=("other",))), "", 0.0),
    ],
)
def test_a_check_keeps_to_the_spaces_of_the_cell(spaces: tuple[CellSpace, ...], told: str, share: float) -> None:
    other = CellRobot(name="other", model="irb120", pose=at(5.0, 0.0, 0.0))
    cell = msgspec.structs.replace(BENCH, robots=(*BENCH.robots, other), spaces=spaces)
    high = {point.name: point for point in cell.points}
    along = msgspec.structs.replace(high["above"], name="along", pose=at(0.35, 0.1, 0.25, (0.0, 0.0, 1.0, 0.0)))
    cell = msgspec.structs.replace(cell, points=(*cell.points, along))
    start = program(GoTo(id="in", to="home"), GoTo(id="out", to="along", how="line"))
    report = check_program(cell, start, start={"abb": visits_home(cell)})
    found = [(step.id, one) for step in report.steps for one in step.findings if one.kind == "space"]
    assert report.clear == (not told)
    assert len(found) == bool(told)
    for step_id, finding in found:
        assert step_id == "out"
        assert told in finding.message
        assert finding.fraction == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("enabled", [True, False])
def test_a_check_keeps_every_tcp_that_is_named_to_the_spaces(enabled: bool) -> None:
    high = {point.name: point for point in BENCH.points}
    along = msgspec.structs.replace(high["above"], name="along", pose=at(0.35, 0.1, 0.25, (0.0, 0.0, 1.0, 0.0)))
    probe = CellTool(name="probe", tcp=at(0.0, 0.0, 0.225))
    # Under the way of the gripper's TCP, on that of the probe's.
    post = msgspec.structs.replace(POST, size=(0.01, 0.01, 0.05), pose=at(0.35, 0.05, 0.15))
    cell = msgspec.structs.replace(BENCH, points=(*BENCH.points, along), tools=(*BENCH.tools, probe), spaces=(post,))
    measure = GoTo(id="probe", to="along", tool="probe", enabled=enabled)
    start = program(GoTo(id="in", to="home"), GoTo(id="out", to="along", how="line"), measure)
    report = check_program(cell, start, start={"abb": visits_home(cell)})
    found = [step.id for step in report.steps for one in step.findings if one.kind == "space"]
    assert found == (["out"] if enabled else [])
    assert report.clear == (not enabled)


def visits_home(cell: Cell) -> tuple[float, ...]:
    """Return the joints at 'home', so that the first move stays there."""
    from openpendant.programs import trace_program

    (visit,) = trace_program(msgspec.structs.replace(cell, spaces=()), program(GoTo(to="home"))).main
    return tuple(float(value) for value in visit.q)


def test_names_of_ports_and_points_never_meet_in_rapid() -> None:
    port = Signal(name="lamp", kind="out", robot="abb", port="home")
    cell = msgspec.structs.replace(BENCH, signals=(port,), tools=(), robots=(CellRobot(name="abb", model="irb120"),))
    (text,) = export_rapid(cell, program(GoTo(to="home"), SetOutput(signal="lamp")))
    assert "SetDO home, 1;" in text.text
    assert "CONST robtarget home_2 :=" in text.text


def test_every_order_of_three_signals_is_the_same_wire() -> None:
    made = Program(name="p", robot="a", steps=(SetOutput(id="s", signal="lamp"), Tool(id="t", state="close")))
    cell = two()
    texts = {
        export_urscript(msgspec.structs.replace(cell, signals=order), made)[0].text
        for order in itertools.permutations(cell.signals)
    }
    assert len(texts) == 1
