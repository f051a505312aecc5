"""Scripts as they arrive, and what is said of wrong ones."""

import pickle

import pytest
from script_running import run

from openpendant.dialects.urscript import ScriptError, parse
from openpendant.dialects.urscript.lexer import LONGEST_TEXT
from openpendant.dialects.urscript.tree import Assign, Literal_, Name


def program(*lines: str) -> str:
    return "\n".join(("def program():", *lines, "end"))


def test_an_expression_goes_on_after_a_comment_and_two_statements_share_a_line():
    body = parse(program("  global a = # a number", "0    global b = # another", "7    c = 3")).body
    assert [(one.target, one.value) for one in body if isinstance(one, Assign)] == [
        (Name(name, line=0, column=0), Literal_(value, line=0, column=0))
        for name, value in (("a", 0), ("b", 7), ("c", 3))
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("textmsg(0x1F)", "31"),
        ("textmsg(0xFFFFFFFF)", "-1"),
        ("textmsg(.5 + 1.)", "1.5"),
        ("textmsg(2e3)", "2000"),
        ("textmsg(3000000000)", "3000000000"),
        ("if (1 < 2):\n textmsg(1)\nend", "1"),
        ("if not(1 > 2) and True:\n textmsg(1)\nend", "1"),
        ("x = [1,\n  2, # two\n  3]\ntextmsg(x)", "[1, 2, 3]"),
        ("x = 1 +\n 2\ntextmsg(x)", "3"),
        ('textmsg("a\\"b\\\\c")', 'a"b\\c'),
        ('textmsg("a # b")', "a # b"),
        ('$ 3 "Wait" "noBreak"\ntextmsg(1)', "1"),
        ("x = 5 y = 6 textmsg(x + y)", "11"),
        ("p = [1, 2]\ntextmsg(p[1])", "2"),
        ("p = p[1, 2, 3, 4, 5, 6]\np[0] = 9\ntextmsg(p)", "p[9, 2, 3, 4, 5, 6]"),
        ("async = 1\nlambda = 2\nclass = async + lambda\ntextmsg(class)", "3"),
        ("textmsg(2 ^ 3 ^ 2)", "512"),
        ("textmsg(-2 ^ 2)", "-4"),
        ("textmsg(7 - 2 - 1)", "4"),
        ("textmsg(not 42 >= 87 and 87 > 42)", "True"),
        ("textmsg(1 > 2 or 3 != 4 xor 5 < -6)", "True"),
        ("textmsg(True xor True)", "False"),
    ],
)
def test_what_controllers_accept(text: str, said: str):
    ran = run(program(text))
    assert ran.machine.error is None
    assert ran.said == [said]


@pytest.mark.parametrize(
    ("lines", "place", "says"),
    [
        (("  x = ",), (3, 1), "expected an expression, found 'end'"),
        (('  textmsg("log ", get_actual_tcp_pose()',), (3, 1), "expected ',' or ')' after an argument of textmsg"),
        (("  while True",), (3, 1), "expected ':' after the condition of 'while', found 'end'"),
        (("  if True:",), (3, 4), "the 'def program' of line 1 has no 'end'"),
        (("  x := 3",), (2, 5), "scripts assign with '=', not ':='"),
        (("  3 + 4",), (2, 3), "expected a statement, found '3'"),
        (("  f() = 3",), (2, 7), "only a variable"),
        (("  x = 'a'",), (2, 7), "unexpected character"),
        (('  x = "a',), (2, 7), "a string that does not end"),
        (("  break",), (2, 3), "'break' is for loops"),
        (("  f(a=1, 2)",), (2, 10), "cannot follow one with a name"),
        (("  def f(a=1, b):", "end"), (2, 14), "parameter b needs a default too"),
        (("  else:",), (2, 3), "'else' closes nothing here"),
        (("  x = " + "(" * 100 + "1" + ")" * 100,), (2, 0), "expressions inside each other"),
        (("while True:",) * 17 + ("end",) * 17, (18, 0), "loops inside each other"),
        (("if True:",) * 60 + ("end",) * 60, (41, 0), "blocks inside each other"),
    ],
)
def test_syntax_errors_say_where_and_what(lines: tuple[str, ...], place: tuple[int, int], says: str):
    with pytest.raises(ScriptError) as caught:
        parse(program(*lines), "mine.script")
    wrong = caught.value
    assert says in wrong.fault
    assert wrong.line == place[0]
    assert place[1] in (0, wrong.column)
    assert str(wrong).startswith("mine.script, line ")
    assert wrong.key.startswith(f"syntax_error_on_line:{wrong.line}:")


def test_a_syntax_error_is_told_as_controllers_tell_it():
    with pytest.raises(ScriptError) as caught:
        parse('def unbalanced():\n    textmsg("log ", get_actual_tcp_pose()\nend')
    assert caught.value.key == "syntax_error_on_line:3:end:"
    back = pickle.loads(pickle.dumps(caught.value))
    assert (str(back), vars(back)) == (str(caught.value), vars(caught.value))


def test_an_unknown_function_is_told_as_controllers_tell_it():
    with pytest.raises(ScriptError) as caught:
        run("def program():\n  calldoesntexist()\nend")
    assert caught.value.key == "compile_error_name_not_found:calldoesntexist:"
    assert (caught.value.line, caught.value.column) == (2, 3)


def test_kinds_of_programs():
    assert parse("# hello\ndef a():\nend\n").kind == "def"
    assert parse("sec b():\n  sync()\nend").kind == "sec"
    loose = parse("def f(x):\n return x + 1\nend\ntextmsg(f(1))\n", "file")
    assert (loose.kind, loose.name) == ("loose", "file")
    assert run("def f(x):\n return x + 1\nend\ntextmsg(f(1))\n").said == ["2"]
    with pytest.raises(ScriptError, match="second program"):
        parse("def a():\nend\ndef b():\nend")
    with pytest.raises(ScriptError, match="cannot have parameters"):
        parse("def a(x):\nend")


def test_too_long_a_text_is_refused_at_once():
    with pytest.raises(ScriptError, match="at most"):
        parse(" " * (LONGEST_TEXT + 1))


def test_long_chains_and_long_lists_run():
    assert run(program(f"textmsg({' + '.join(['1'] * 900)})")).said == ["900"]
    assert run(program(f"textmsg({' and '.join(['True'] * 900)})")).said == ["True"]
    assert run(program(f"x = [{', '.join(['1'] * 5000)}]", "textmsg(length(x))")).said == ["5000"]
    cases = "".join(f"elif x == {n}:\n textmsg({n})\n" for n in range(300))
    assert run(program("x = 299", f"if False:\n{cases}end")).said == ["299"]
