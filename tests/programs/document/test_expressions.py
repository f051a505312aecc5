import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError, UnknownNameError
from openpendant.programs import (
    BinaryExpression,
    Expression,
    NameExpression,
    NumberExpression,
    TruthExpression,
    UnaryExpression,
    check_expression,
    evaluate,
    names_in,
    parse_expression,
    rename_in,
    write_expression,
)

NUMBERS = st.builds(NumberExpression, st.integers(0, 1000).map(float)) | st.sampled_from(
    [NameExpression("row"), NameExpression("my count")]
)
ARITHMETIC = st.recursive(
    NUMBERS,
    lambda inner: (
        st.builds(UnaryExpression, st.just("-"), inner)
        | st.builds(BinaryExpression, st.sampled_from("+-*/"), inner, inner)
    ),
    max_leaves=8,
)
COMPARISONS = st.builds(BinaryExpression, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), ARITHMETIC, ARITHMETIC)
LOGIC = st.recursive(
    COMPARISONS | st.builds(TruthExpression, st.booleans()) | st.just(NameExpression("ready")),
    lambda inner: (
        st.builds(UnaryExpression, st.just("not"), inner)
        | st.builds(BinaryExpression, st.sampled_from(["and", "or"]), inner, inner)
    ),
    max_leaves=6,
)


@given(ARITHMETIC | LOGIC)
def test_what_is_written_reads_back_alike(tree: Expression):
    assert parse_expression(write_expression(tree)) == tree


@given(ARITHMETIC)
def test_numbers_come_out_as_python_has_them(tree: Expression):
    values = {"row": 3.0, "my count": -7.0}
    text = write_expression(tree).replace("'my count'", "(-7.0)").replace("row", "3.0")
    try:
        expected = eval(text, {"__builtins__": {}})
    except ZeroDivisionError:
        with pytest.raises(InputError, match="divides"):
            evaluate(tree, values)
        return
    if math.isfinite(expected):
        assert evaluate(tree, values) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a < b < c", "cannot be chained"),
        ("a +", "an operand is missing"),
        ("(a", "closing bracket"),
        ("a b", "unexpected text"),
        ("$", r"unexpected '\$'"),
        ("", "an operand is missing"),
        ("(" * 80, "nested too deeply"),
        ("and", "is not allowed here"),
    ],
)
def test_what_is_no_expression_says_where(text: str, says: str):
    with pytest.raises(InputError, match=says):
        parse_expression(text)


def test_numbers_and_truths_are_not_mixed():
    assert check_expression(parse_expression("ready and row < 3"), ["row"], ["ready"]) == "truth"
    assert check_expression(parse_expression("row * 2"), ["row"], ["ready"]) == "number"
    with pytest.raises(InputError, match="'row' is a number; 'and' needs a condition"):
        check_expression(parse_expression("ready and row"), ["row"], ["ready"])
    with pytest.raises(UnknownNameError, match="Did you mean ready"):
        check_expression(parse_expression("raedy"), ["row"], ["ready"])


def test_a_name_follows_its_thing():
    assert rename_in("ready and row < 3", "ready", "part here") == "'part here' and row < 3"
    assert names_in(parse_expression("'part here' or not ready")) == {"part here", "ready"}
    assert rename_in("not an expression (", "not", "x") == "not an expression ("
