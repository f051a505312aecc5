"""Program trees from files: what they become, and what is said of wrong ones."""

from pathlib import Path

import pytest

from openpendant.dialects.urscript import (
    Machine,
    ScriptError,
    Value,
    builtin_table,
    check_script,
    documented,
    format_value,
    load_program,
    parse_tree,
)
from openpendant.errors import InputError

JOINTS = """\
BeforeStart:
  tmp := [0,0,0,0,0,0]
  write_output_integer_register(0,0)
  rtde_set_watchdog("input_int_register_0", 1, "IGNORE")
  popup("Start python connection, then press continue", title="Hello", warning=False, error=False, blocking=True)
RobotProgram:
  movej([0,-1.6,0,-1.6,0,0])
  write_output_integer_register(0,1)
  sync()
  Loop:
    speedj(tmp, 1.5, 0.008)      # the newest speeds
  sync()
Thread_1:
  Loop:
    tmp[0] = read_input_float_register(0)
    tmp[5] = read_input_float_register(5)
    sync()
"""


def run_tree(text: str, frames: int = 30, **options: bool) -> tuple[Machine, list[str]]:
    said: list[str] = []

    def textmsg(s1: Value, s2: Value) -> None:
        said.append(format_value(s1) + format_value(s2))

    tree = parse_tree(text, "tree.txt", **options)
    machine = Machine(tree.program, builtin_table(documented("textmsg", textmsg)), clock=lambda: 0.0)
    for _ in range(frames):
        machine.frame()
    return machine, said


def test_the_joints_control_program_runs_as_on_polyscope():
    tree = parse_tree(JOINTS, "control_rtde.txt")
    assert tree.program.name == "control_rtde"
    assert check_script(tree.text) == []
    called: list[tuple[object, ...]] = []
    floats = [0.0] * 24
    confirmed: list[bool] = []

    def popup(*arguments: Value):
        called.append(("popup", arguments[0], arguments[4]))
        while not confirmed:
            yield

    def wait(name: str, frames: int):
        def call(*arguments: Value):
            called.append((name, arguments[0]))
            for _ in range(frames):
                yield

        return call

    builtins = builtin_table(
        documented("popup", popup, blocking=True),
        documented("movej", wait("movej", 10), blocking=True),
        documented("speedj", wait("speedj", 4), blocking=True),
        documented("write_output_integer_register", lambda n, value: called.append(("write", n, value))),
        documented("rtde_set_watchdog", lambda *given: called.append(("watchdog", *given))),
        documented("read_input_float_register", floats.__getitem__),
    )
    machine = Machine(tree.program, builtins, clock=lambda: 0.0)
    for _ in range(20):
        machine.frame()
    assert tree.file_line(machine.line) == 5
    assert machine.threads == ("",)  # BeforeStart comes before every thread
    confirmed.append(True)
    for _ in range(20):
        machine.frame()
    assert machine.threads == ("", "Thread_1")
    assert tree.file_line(machine.line) == 11
    floats[0], floats[5] = 0.3, -0.2
    for _ in range(9):
        machine.frame()
    assert machine.error is None
    assert called[:3] == [
        ("write", 0, 0),
        ("watchdog", "input_int_register_0", 1, "IGNORE"),
        ("popup", "Start python connection, then press continue", True),
    ]
    assert called[3:5] == [("movej", (0, -1.6, 0, -1.6, 0, 0)), ("write", 0, 1)]
    assert called[-1] == ("speedj", (0.3, 0, 0, 0, 0, -0.2))


def test_blocks_by_indentation():
    machine, said = run_tree("""\
BeforeStart:
  i := 0
RobotProgram once:
  Loop 3 times:
    i = i + 1
    If i == 1:
      textmsg("one")
    ElseIf i == 2:
      textmsg("two # not a comment")  # a comment

    Else:
        textmsg("many")
    textmsg(i)
  Loop while i > 1:
    i = i - 1
    sync()
  textmsg("done ", i)
""")
    assert machine.state == "finished"
    assert said == ["one", "1", "two # not a comment", "2", "many", "3", "done 1"]


def test_the_program_starts_again_unless_told_otherwise():
    text = 'RobotProgram:\n  textmsg("round")\n  sleep(0.01)\n'
    assert len(run_tree(text, 30)[1]) == 6
    assert run_tree(text, 30, loop=False)[1] == ["round"]
    assert run_tree(text.replace(":\n", " once:\n", 1), 30)[1] == ["round"]


def test_variables_of_threads_are_everybodys():
    machine, said = run_tree("""\
RobotProgram once:
  sleep(0.01)
  textmsg(seen)
Thread_1 once:
  seen := 5
""")
    assert said == ["5"]
    assert machine.state == "finished"


def test_failures_lead_back_to_the_file():
    tree = parse_tree("RobotProgram:\n  x := [1]\n\n  Loop:\n    x[0] = x[4]\n", "tree.txt")
    machine = Machine(tree.program, {}, clock=lambda: 0.0)
    machine.frame()
    assert machine.error is not None
    assert tree.file_line(machine.error.line) == 5


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("Robot:\n  x := 1\n", 1, "'BeforeStart:', 'RobotProgram:' and 'Thread_1:'"),
        ("  x := 1\n", 1, "expected a section before this line"),
        ("BeforeStart:\n  x := 1\n", 2, "there is no 'RobotProgram:'"),
        ("", 1, "there is no 'RobotProgram:'"),
        ("RobotProgram:\n", 1, "nothing is inside 'RobotProgram:'"),
        ("RobotProgram:\n  x := 1\nRobotProgram:\n  x := 2\n", 3, "a second RobotProgram"),
        ("RobotProgram:\n  Loop:\n  x := 1\n", 2, "nothing is inside 'Loop:'"),
        ("RobotProgram:\n  x := 1\n    y := 2\n", 3, "opens no block; 'Loop:'"),
        ("RobotProgram:\n    Loop:\n      x := 1\n  y := 1\n", 4, "indented less"),
        ("RobotProgram:\n  Loop:\n      x := 1\n    y := 1\n", 4, "this indentation fits no block"),
        ("RobotProgram:\n\tx := 1\n", 2, "blanks, not with tabs"),
        ("RobotProgram:\n  x := \n", 2, "allowed: a statement of URScript"),
        ("RobotProgram:\n  while True:\n    x := 1\n", 2, "blocks of a tree are 'Loop:'"),
        ("RobotProgram:\n  Else:\n    x := 1\n", 2, "Else needs an If"),
        ("RobotProgram:\n  If:\n    x := 1\n", 2, "If needs a condition"),
        ("RobotProgram:\n  Loop forever:\n    x := 1\n", 2, "expected 'Loop:', 'Loop 5 times:'"),
        ("RobotProgram:\n  If x ==:\n    x := 1\n", 2, "expected an expression"),
        ("RobotProgram:\n  x := 1 y := 2\n", 2, "scripts assign with '='"),
        ("RobotProgram:\n  x = 1 y = 2\n", 2, "one statement on a line"),
        ('RobotProgram:\n  textmsg("a # b)\n', 2, "does not end on its line"),
    ],
)
def test_wrong_files_are_told_with_file_line_and_what_is_allowed(text: str, line: int, says: str):
    with pytest.raises(ScriptError) as caught:
        parse_tree(text, "tree.txt")
    assert caught.value.line == line
    assert says in caught.value.fault
    assert str(caught.value).startswith("tree.txt, line ")


def test_files_are_trees_or_scripts(tmp_path: Path):
    tree, script = tmp_path / "7 joints.txt", tmp_path / "move.script"
    tree.write_text(f"# joints\n{JOINTS}")
    script.write_text("def move():\n  sync()\nend\n")
    assert load_program(tree).program.name == "p_7_joints"
    assert load_program(tree).file_line(2) == 14
    moved = load_program(script)
    assert (moved.program.name, moved.file_line(2)) == ("move", 2)
    with pytest.raises(InputError, match="cannot read"):
        load_program(tmp_path / "none.txt")
    script.write_text("def move():\n  sync(\nend\n")
    with pytest.raises(ScriptError, match=r"move\.script, line 3"):
        load_program(script)
