"""check_script finds what a controller would stop at, and our own exports are clean."""

from pathlib import Path

import pytest

from openpendant.dialects.urscript import (
    Builtin,
    Machine,
    Parameter,
    builtin_table,
    catalogue,
    check_script,
    documented,
    parse,
)
from openpendant.errors import UnknownNameError

GOLDEN = Path(__file__).parents[2] / "programs" / "golden"
EXPORTS = sorted(GOLDEN.rglob("*.script"))


def said(*lines: str) -> list[str]:
    return [str(problem) for problem in check_script("\n".join(("def program():", *lines, "end")))]


def test_a_clean_script_has_no_problems():
    assert said("  movej([0, 0, 0, 0, 0, 0], a=1.4, v=1)", "  s = struct(a=1)", "  textmsg(s.a)", "  sync()") == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("  moveg(1)", "line 2, column 3: no function is named 'moveg'; did you mean 'movep'?"),
        ("  movej([0], vel=1)", "movej has no parameter 'vel': movej(q, a, v, t, r)"),
        ("  movel()", "line 2, column 3: missing pose in a call of movel(pose, a, v, t, r)"),
        ("  sleep(1, 2)", "2 arguments for sleep(t)"),
        ("  movej([0], a=1, q=[1])", "'q' is given twice"),
        ("  x = speeed", "name 'speeed' is not defined"),
        ("  run nobody()", "no thread is named 'nobody'"),
        ("  x = = 2", "expected an expression, found '='"),
    ],
)
def test_problems_say_where_and_what(line: str, problem: str):
    (only,) = said(line)
    assert problem in only


def test_calls_of_own_functions_are_checked():
    assert said("  def f(a, b=2):", "    return a", "  end", "  x = f(1, b=3)") == []
    (missing,) = said("  def f(a, b=2):", "    return a", "  end", "  x = f(b=3)")
    assert "missing a in a call of f(a, b)" in missing
    (again,) = said("  def f():", "  end", "  def f():", "  end")
    assert "defined a second time" in again


def test_functions_of_a_urcap_can_be_named():
    text = "def p():\n  rq_close_and_wait()\nend"
    assert len(check_script(text)) == 1
    assert check_script(text, more=[Builtin("rq_close_and_wait", (), lambda: None)]) == []


def test_problems_come_in_the_order_of_the_lines():
    lines = [int(one.split(",")[0].removeprefix("line ")) for one in said("  b()", "  x = y", "  a(z)")]
    assert lines == sorted(lines)
    assert len(lines) == 4


@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.stem)
def test_our_exports_are_clean_and_start(path: Path):
    text = path.read_text()
    assert check_script(text, name=path.name) == []
    builtins = builtin_table(*(documented(name, lambda *_: None) for name in catalogue()))
    assert Machine(parse(text), builtins, clock=lambda: 0.0).state == "running"


def test_there_are_exports():
    assert EXPORTS


def test_the_catalogue_is_the_manuals():
    known = catalogue()
    assert len(known) > 250
    assert known["rtde_set_watchdog"][2] == Parameter("action", "pause")
    assert known["freedrive_mode"][0] == Parameter("freeAxes", (1, 1, 1, 1, 1, 1))
    with pytest.raises(UnknownNameError, match="movej"):
        documented("movejj", lambda: None)
