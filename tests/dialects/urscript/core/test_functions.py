"""Functions of the core, by the examples of the script manual and by their own failures."""

import pytest
from script_running import failure_of, run, value_of

from openpendant.dialects.urscript import Growing, ScriptPose, catalogue
from openpendant.dialects.urscript.core import (
    NUMBER_FUNCTIONS,
    POSE_FUNCTIONS,
    SEQUENCE_FUNCTIONS,
    STRING_FUNCTIONS,
    timing_functions,
)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('str_at("Hello", 1)', "e"),
        ('str_cat("Hello", " World!")', "Hello World!"),
        ('str_cat("Integer ", 1)', "Integer 1"),
        ('str_cat("", p[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])', "p[1, 2, 3, 4, 5, 6]"),
        ("str_cat([True, False, True], [1, 0, 1])", "[True, False, True][1, 0, 1]"),
        ('str_cat(str_cat("", str_cat("One", "Two")), str_cat(3, 4))', "OneTwo34"),
        ('str_empty("")', True),
        ('str_find("Hello World!", "o")', 4),
        ('str_find("Hello World!", "o", 5)', 7),
        ('str_find("abc", "z")', -1),
        ('str_len("Hello")', 5),
        ('str_sub("0123456789abcdefghij", 5, 3)', "567"),
        ('str_sub("0123456789abcdefghij", 10)', "abcdefghij"),
        ('str_sub("abcde", 2, 50)', "cde"),
        ('to_num("10")', 10),
        ('to_num(" -3.0e5")', -3.0e5),
        ('to_num("0xb5")', 181),
        ('to_num("-INF")', float("-inf")),
        ("to_str(2.123456123456)", "2.123456"),
        ("to_str(-0.0)", "0"),
        ('"Hello" + ", " + "World!"', "Hello, World!"),
        ("binary_list_to_integer([True, False, False, True])", 9),
        ("binary_list_to_integer(integer_to_binary_list(-57))", -57),
        ("length(integer_to_binary_list(57))", 32),
        ("ceil(1.43)", 2),
        ("floor(1.53)", 1),
        ("floor(-1.5)", -2),
        ("get_list_length([1, 3, 3, 6, 2])", 5),
        ('length("here I am")', 9),
        ("size([[1, 2], [3, 4], [5, 6]])", (3, 2)),
        ("size([1, 2, 3, 4, 5])", 5),
        ("norm(-8)", 8),
        ("norm([3, 4])", 5.0),
        ("normalize([0, 5, 0])", (0.0, 1.0, 0.0)),
        ("inv([[0, 1, 0], [0, 0, 1], [1, 0, 0]])", ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))),
        ("transpose([[1, 2], [3, 4], [5, 6]])", ((1, 3, 5), (2, 4, 6))),
        ("[[1, 2], [3, 4], [5, 6]] * [[10, 20, 30], [40, 50, 60]]", ((90, 120, 150), (190, 260, 330), (290, 400, 510))),
        ("[[1, 2], [3, 4], [5, 6]] * [10, 20]", (50, 110, 170)),
        ("[1, 2, 3] * [10, 20, 30]", (10, 40, 90)),
        ("[10, 20, 30] / [1, 2, 3]", (10.0, 10.0, 10.0)),
        ("[10, 20, 30] % [3, 7, 4]", (1, 6, 2)),
        ("5 - [[10, 20], [30, 40]]", ((-5, -15), (-25, -35))),
        ("121 % [[10, 20], [30, 40]]", ((1, 1), (1, 1))),
        ("-[1, [2][0]]", (-1, -2)),
        ("[[1, 2], [3, 4]][1, 0]", 3),
        ("[[1, 2], [3, 4]][1][0]", 3),
        ("5 / 2", 2.5),
        ("-7 % 3", -1),
        ("make_list(3, 7)", (7, 7, 7)),
        ("[5, 6, 7].slice(1, 3)", (6, 7)),
        ("[5, 6, 7].length()", 3),
        ("pow(5., 3)", 125.0),
        ("p[1, 2, 3, 4, 5, 6] == p[1, 2, 3, 4, 5, 6]", True),
        ("[1, 2] == [1, 3]", False),
        ('"a" != 1', True),
        ("p[1, 2, 3, 4, 5, 6][2]", 3.0),
        ("struct(a=1, b=[1, 2]).b[1]", 2),
        ("time().sec", 0),
        ("get_steptime()", 0.002),
    ],
)
def test_values(expression: str, value: object):
    got = value_of(expression)
    assert got == value
    assert type(got) is type(value) or isinstance(got, Growing)


@pytest.mark.parametrize(
    ("expression", "numbers"),
    [
        ("acos(0.707)", 0.785549),
        ("atan2(.5, .5)", 0.785398),
        ("log(10., 4.)", 0.60206),
        ("d2r(90)", 1.570796),
        ("norm(p[-.2, .2, -.2, -1.57, 0, 3.14])", 3.52768),
        ("interpolate_pose(p[.2,.2,.4,0,0,0], p[.2,.2,.6,0,0,0], .5)", (0.2, 0.2, 0.5, 0, 0, 0)),
        ("inv(p[.2,.5,.1,1.57,0,3.14])", (0.19324, 0.41794, -0.29662, 1.23993, 0.0, 2.47985)),
        ("pose_add(p[.2,.5,.1,1.57,0,0], p[.2,.5,.6,1.57,0,0])", (0.4, 1.0, 0.7, 3.14, 0, 0)),
        ("pose_inv(p[.2,.5,.1,1.57,0,3.14])", (0.19324, 0.41794, -0.29662, 1.23993, 0.0, 2.47985)),
        ("pose_sub(p[.2,.5,.1,1.57,0,0], p[.2,.5,.6,1.57,0,0])", (0, 0, -0.5, 0, 0, 0)),
        ("pose_trans(p[.2,.5,.1,1.57,0,0], p[.2,.5,.6,1.57,0,0])", (0.4, -0.0996, 0.60048, 3.14, 0, 0)),
        ("rotvec2rpy([3.14,1.57,0])", (-2.80856, -0.16202, 0.9)),
        ("rpy2rotvec([3.14,1.57,0])", (2.22153, 0.00177, -2.21976)),
        ("point_dist(p[.2,.5,.1,1.57,0,3.14], p[.2,.5,.6,0,1.57,3.14])", 0.5),
        ("wrench_trans(p[0,0,1,0,0,0], [1,0,0,0,0,0])", (1, 0, 0, 0, -1, 0)),
    ],
)
def test_numbers_of_the_manual(expression: str, numbers: object):
    assert value_of(expression) == pytest.approx(numbers, abs=1e-5)


def test_poses_stay_poses():
    assert type(value_of("pose_trans(p[1,0,0,0,0,0], p[0,1,0,0,0,0])")) is ScriptPose
    ran = run("def p():\n a = p[1, 2, 3, 0, 0, 0]\n a[1] = 7\n textmsg(a)\nend")
    assert ran.values == [ScriptPose((1, 7, 3, 0, 0, 0))]


def test_lists_that_grow():
    ran = run("""def p():
      a = make_list(2, 5, 6)
      a.append(7)
      a.insert(0, 1)
      a.extend([8, 9])
      textmsg(a, a.capacity() - a.length())
      textmsg(a.pop(), a.excess_capacity())
      a.remove(0)
      textmsg(a)
      b = a
      b.clear()
      textmsg(b.length(), a.length())
      s = struct(list=make_list(0, 0, 3), n=1)
      s.list.append(4)
      s.n = s.n + 1
      textmsg(s.list, s.n)
      m = [[1, 2], [3, 4]]
      m[1, 0] = 7
      m[0][1] = 8
      textmsg(m)
    end""")
    assert ran.machine.error is None
    assert ran.said == ["[1, 5, 5, 7, 8, 9]0", "91", "[5, 5, 7, 8]", "04", "[4]2", "[[1, 8], [7, 4]]"]


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ('x = str_at("", 0)', "source string is empty"),
        ('x = str_at("Hello", 10)', "index 10 out of bound"),
        ('x = str_sub("abcde", -5, 50)', "index is out of bounds"),
        ('x = to_num("123abc")', "doesn't contain a valid number"),
        ('x = to_num("99999999999")', "out of range"),
        ("x = normalize([0, 0, 0])", "zero"),
        ("x = inv([[1, 1], [1, 1]])", "singular"),
        ("x = log(1, 2)", "has no value"),
        ("x = pow(0, -1)", "has no value"),
        ("x = pow(-8, 0.5)", "has no value"),
        ("x = pose_trans([1,2,3,4,5,6], p[0,0,0,0,0,0])", "pose_trans needs a pose, not List"),
        ("x = wrench_trans(p[0,0,0,0,0,0], [1, 2])", "list of 6 numbers"),
        ('x = floor("a")', "floor needs a number, not String"),
        ("x = make_list(2, [1])", "cannot make a list of List"),
        ("x = [[[1]]]", "two dimensions"),
        ("x = make_list(0, 0, 2) y = x.pop()", "out of range"),
        ("x = length(4)", "needs a list or a string"),
        ('sleep("a")', "sleep needs a number"),
    ],
)
def test_failures(statement: str, says: str):
    assert says in failure_of(statement)


def test_the_core_has_the_parameters_of_the_manual():
    every = (*NUMBER_FUNCTIONS, *POSE_FUNCTIONS, *SEQUENCE_FUNCTIONS, *STRING_FUNCTIONS, *timing_functions(lambda: 0.0))
    for one in every:
        assert catalogue()[one.name] == one.parameters


def test_chance_is_the_same_in_every_run():
    text = "def p():\n textmsg(random(), random())\nend"
    one, two = run(text), run(text)
    assert one.said == two.said
    assert isinstance(one.values[0], float)
    assert 0.0 <= one.values[0] < 1.0
