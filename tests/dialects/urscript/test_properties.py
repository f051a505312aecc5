"""Properties: arithmetic is Python's, poses are those of spatial, printing and parsing fit, garbage is refused."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from script_running import run, value_of

from openpendant.dialects.urscript import (
    Machine,
    ScriptError,
    ScriptPose,
    ScriptProgram,
    builtin_table,
    documented,
    parse,
    write_script,
)
from openpendant.dialects.urscript.core.poses import compose, inverse_pose
from openpendant.dialects.urscript.lexer import KEYWORDS
from openpendant.dialects.urscript.tree import (
    Assign,
    At,
    Binary,
    Break,
    CallFunction,
    CallMethod,
    Critical,
    Do,
    Expression,
    Function,
    HaltStatement,
    IfStatement,
    Kill,
    Label,
    List,
    Literal_,
    Member,
    Name,
    Negative,
    Not,
    PoseOf,
    Return,
    RunThread,
    Statement,
    WhileStatement,
)
from openpendant.spatial import inverse, matrix_from_rpy, rpy_from_matrix, transform_from_ur, ur_from_transform

HERE = {"line": 0, "column": 0}
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
"""Trees take their time on a busy machine."""

# Arithmetic


@st.composite
def sums(draw: st.DrawFn, depth: int = 4) -> str:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        number = draw(st.integers(0, 50) | st.floats(0.01, 50.0).map(lambda x: round(x, 3)))
        return repr(number)
    kind = draw(st.sampled_from(["+", "-", "*", "/", "neg", "()"]))
    if kind == "neg":
        return f"-({draw(sums(depth - 1))})"
    if kind == "()":
        return f"({draw(sums(depth - 1))})"
    return f"{draw(sums(depth - 1))} {kind} {draw(sums(depth - 1))}"


@given(sums())
@settings(max_examples=150)
def test_arithmetic_is_pythons(text: str):
    try:
        wanted = eval(text)
    except ZeroDivisionError:
        assert "division by zero" in run(f"def p():\n x = {text}\nend").error
        return
    if isinstance(wanted, int):
        wanted = (wanted + 2**31) % 2**32 - 2**31
    got = value_of(text)
    assert got == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert type(got) is type(wanted)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["and", "or"]), st.booleans()), min_size=1, max_size=6))
@settings(max_examples=60)
def test_logic_is_pythons(parts: list[tuple[bool, str, bool]]):
    text = " or ".join(f"(not {a} {operator} {b})" for a, operator, b in parts)
    assert value_of(text) is eval(text)


# Poses

numbers = st.floats(-2.0, 2.0)
poses = st.tuples(*[numbers] * 6).map(ScriptPose)


def close(a: ScriptPose, T: np.ndarray) -> None:
    np.testing.assert_allclose(transform_from_ur(a), T, atol=1e-9)


@given(poses, poses)
@settings(max_examples=200)
def test_poses_are_those_of_spatial(a: ScriptPose, b: ScriptPose):
    T_a, T_b = transform_from_ur(a), transform_from_ur(b)
    close(compose(a, b), T_a @ T_b)
    close(inverse_pose(a), inverse(T_a))
    np.testing.assert_allclose(
        transform_from_ur(ur_from_transform(T_a)), transform_from_ur(compose(a, ScriptPose((0,) * 6))), atol=1e-9
    )


@given(poses, poses, st.floats(-1.0, 2.0))
@example(ScriptPose((0.0, 0.0, 0.0, 0.0, -2.0, 0.0)), ScriptPose((0.0,) * 6), 0.5)
@settings(max_examples=25)
def test_functions_of_poses(a: ScriptPose, b: ScriptPose, alpha: float):
    def said(expression: str) -> ScriptPose:
        return value_of(expression)  # type: ignore[return-value]

    T_a, T_b = transform_from_ur(a), transform_from_ur(b)
    added = said(f"pose_add({a!r}, {b!r})")
    np.testing.assert_allclose(added[:3], T_a[:3, 3] + T_b[:3, 3], atol=1e-12)
    np.testing.assert_allclose(transform_from_ur(added)[:3, :3], T_a[:3, :3] @ T_b[:3, :3], atol=1e-9)
    back = said(f"pose_add({a!r}, pose_sub({b!r}, {a!r}))")
    np.testing.assert_allclose(back[:3], b[:3], atol=1e-9)
    np.testing.assert_allclose(
        transform_from_ur(said(f"pose_sub(pose_add({a!r}, {b!r}), {b!r})"))[:3, :3], T_a[:3, :3], atol=1e-9
    )
    close(said(f"interpolate_pose({a!r}, {b!r}, 0)"), T_a)
    close(said(f"interpolate_pose({a!r}, {b!r}, 1)"), T_b)
    way = said(f"pose_trans(pose_inv({a!r}), interpolate_pose({a!r}, {b!r}, {alpha!r}))")
    whole = said(f"pose_trans(pose_inv({a!r}), {b!r})")
    turned = math.dist(way[3:], (0, 0, 0))
    if abs(alpha) * math.dist(whole[3:], (0, 0, 0)) < 3.0:
        assert turned == pytest.approx(abs(alpha) * math.dist(whole[3:], (0, 0, 0)), abs=1e-6)
    rpy = value_of(f"rotvec2rpy({list(a[3:])!r})")
    np.testing.assert_allclose(matrix_from_rpy(*rpy), T_a[:3, :3], atol=1e-8)  # type: ignore[misc]
    # Half a turn is the same in both directions.
    away = np.subtract(rpy, rpy_from_matrix(T_a[:3, :3]))  # type: ignore[arg-type]
    np.testing.assert_allclose((away + math.pi) % (2.0 * math.pi), math.pi, atol=1e-6)
    np.testing.assert_allclose(
        transform_from_ur((0, 0, 0, *value_of(f"rpy2rotvec({list(rpy)!r})")))[:3, :3],  # type: ignore[misc, arg-type]
        T_a[:3, :3],
        atol=1e-8,
    )


@given(poses, st.tuples(*[numbers] * 6), st.tuples(*[numbers] * 6))
@settings(max_examples=25)
def test_the_power_of_a_wrench_stays(T: ScriptPose, wrench: tuple[float, ...], twist: tuple[float, ...]):
    # A twist moves to the new frame by the adjoint; force times velocity is the same in both.
    moved = value_of(f"wrench_trans({T!r}, {list(wrench)!r})")
    R, p = transform_from_ur(T)[:3, :3], transform_from_ur(T)[:3, 3]
    v, w = np.array(twist[:3]), np.array(twist[3:])
    there = np.concatenate([R.T @ (v + np.cross(w, p)), R.T @ w])
    assert np.dot(moved, there) == pytest.approx(np.dot(wrench, twist), abs=1e-9)  # type: ignore[arg-type]


# Printing and parsing

names = st.sampled_from(["a", "b_1", "Waypoint_2", "q", "tmp", "p"])
values = (
    st.integers(0, 2**31 - 1)
    | st.floats(0, 1e9, allow_nan=False)
    | st.text(st.characters(codec="ascii", exclude_characters="\x0b\x0c"), max_size=8)
    | st.sampled_from([True, False, None])
)


OPERATORS = ["or", "xor", "and", "==", "!=", "<", ">", "<=", ">=", *"+-*/%^"]


@st.composite
def grown(draw: st.DrawFn, inside: st.SearchStrategy[Expression]) -> Expression:
    def several(least: int = 0, most: int = 3) -> list[Expression]:
        return draw(st.lists(inside, min_size=least, max_size=most))

    def call() -> CallFunction:
        words = draw(st.lists(st.sampled_from(["a", "v", "sec"]), max_size=2, unique=True))
        return CallFunction(draw(names), several(), [(word, draw(inside)) for word in words], **HERE)

    owner: Expression = Name(draw(names), **HERE)
    if draw(st.booleans()):
        owner = At(owner, several(1), **HERE)
    match draw(st.sampled_from(["list", "pose", "at", "member", "method", "call", "run", "-", "not", "two"])):
        case "list":
            return List(several(), **HERE)
        case "pose":
            return PoseOf(several(6, 6), **HERE)
        case "at":
            return At(owner, several(1), **HERE)
        case "member":
            return Member(owner, draw(names), **HERE)
        case "method":
            return CallMethod(owner, draw(names), several(), **HERE)
        case "call":
            return call()
        case "run":
            return RunThread(call(), **HERE)
        case "-":
            return Negative(draw(inside), **HERE)
        case "not":
            return Not(draw(inside), **HERE)
        case _:
            return Binary(draw(st.sampled_from(OPERATORS)), draw(inside), draw(inside), **HERE)


expressions = st.recursive(
    st.builds(Literal_, values, line=st.just(0), column=st.just(0))
    | st.builds(Name, names, line=st.just(0), column=st.just(0)),
    grown,
    max_leaves=8,
)


@st.composite
def statements(draw: st.DrawFn, depth: int = 2, *, loop: bool = False) -> Statement:
    def block(*, loop: bool) -> list[Statement]:
        return draw(st.lists(statements(depth - 1, loop=loop), max_size=3))

    kinds = ["assign", "do", "return", "halt", "kill", "label", "critical"]
    kinds += ["if", "while", "def"] if depth else []
    kinds += ["break"] if loop else []
    match draw(st.sampled_from(kinds)):
        case "assign":
            name = Name(draw(names), **HERE)
            if draw(st.booleans()):
                return Assign("", At(name, [draw(expressions)], **HERE), draw(expressions), **HERE)
            return Assign(draw(st.sampled_from(["", "global", "local"])), name, draw(expressions), **HERE)
        case "do":
            return Do(CallFunction(draw(names), [draw(expressions)], [], **HERE), **HERE)
        case "return":
            return Return(draw(st.none() | expressions), **HERE)
        case "halt":
            return HaltStatement(**HERE)
        case "kill":
            return Kill(draw(expressions), **HERE)
        case "label":
            return Label(draw(st.integers(0, 99)), draw(st.text('ab "\\', max_size=4)), **HERE)
        case "critical":
            return Critical(draw(st.booleans()), **HERE)
        case "if":
            branches = [(draw(expressions), block(loop=loop)) for _ in range(draw(st.integers(1, 3)))]
            return IfStatement(branches, block(loop=loop), **HERE)
        case "while":
            return WhileStatement(draw(expressions), block(loop=True), **HERE)
        case "def":
            kind = draw(st.sampled_from(["def", "thread"]))
            return Function(
                kind, draw(names), [("x", None), ("y", draw(st.none() | expressions))], block(loop=False), **HERE
            )
        case _:
            return Break(**HERE)


def as_text(body: list[Statement]) -> str:
    return write_script(ScriptProgram("program", "def", "", body=body))


class Body:
    """Statements that show themselves as text; their own repr is far longer than hypothesis likes."""

    def __init__(self, statements: list[Statement]) -> None:
        self.statements = statements

    def __repr__(self) -> str:
        return as_text(self.statements)[:5000]


@given(st.lists(statements(), max_size=4).map(Body))
@settings(max_examples=60, suppress_health_check=SLOW)
def test_printed_and_parsed_it_is_the_same(body: Body):
    assert parse(as_text(body.statements)).body == body.statements


# Garbage

WORDS = [
    *sorted(KEYWORDS),
    *("x", "y", "f", "p", "1", "2.5", '"s"', "==", "#", "textmsg", "sync()", "sleep(1)", "\n"),
    *"()[],:.=<+-*/%^$",
]


def try_to_run(text: str) -> Machine | None:
    builtins = builtin_table(documented("textmsg", lambda *_: None))
    try:
        machine = Machine(parse(text), builtins, clock=lambda: 0.0, runaway_frames=3)
    except ScriptError as wrong:
        fault = wrong
    else:
        for _ in range(10):
            machine.frame()
        assert machine.state != "failed" or (machine.error is not None and machine.error.message)
        return machine
    assert 1 <= fault.line <= text.count("\n") + 1
    assert fault.column >= 1
    return None


@given(st.text(max_size=80))
@settings(max_examples=200)
def test_garbage_is_refused_with_a_place(text: str):
    try_to_run(text)


@given(st.lists(st.sampled_from(WORDS), max_size=40))
@settings(max_examples=400)
def test_soups_of_words_never_hang(words: list[str]):
    try_to_run(" ".join(words))


PRELUDE = "".join(
    f"{name} = {value}\ndef {name}(x=0, y=1, z=2, a=3, v=4):\n return x\nend\n"
    for name, value in {
        "a": "1",
        "b_1": "[1, 2.5]",
        "Waypoint_2": "p[1, 2, 3, 0, 0, 0]",
        "q": "True",
        "tmp": '"text"',
        "p": "[[1, 2], [3, 4]]",
    }.items()
)


@given(st.lists(statements(), min_size=1, max_size=4).map(as_text))
@settings(max_examples=60, suppress_health_check=SLOW)
def test_random_programs_run_or_fail_in_words(text: str):
    machine = try_to_run(text.replace("():\n", f"():\n{PRELUDE}", 1))
    assert machine is not None, "every name in it is defined"
    assert machine.error is None or machine.error.line > 0
