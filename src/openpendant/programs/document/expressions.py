"""Expressions over inputs and variables: `part_present and count < 3`, `row * 0.05`.

    Numbers     + - * / and brackets, variables
    Truths      inputs and outputs by name, comparisons < <= > >= = !=, and, or, not, true, false

A name that is not a plain word stands in quotes: `'part present' and row < 3`.
"""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from openpendant.errors import InputError, UnknownNameError
from openpendant.said import Said, say

Kind = Literal["number", "truth"]
BinaryWord = Literal["+", "-", "*", "/", "<", "<=", ">", ">=", "=", "!=", "and", "or"]
TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z_]\w*)|'([^']*)'|(<=|>=|!=|==|[-+*/()<>=]))")
WORDS = ("and", "or", "not", "true", "false")
BINDS: dict[str, int] = {
    "or": 1,
    "and": 2,
    "<": 4,
    "<=": 4,
    ">": 4,
    ">=": 4,
    "=": 4,
    "!=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
}
NOT_BINDS = 3
MINUS_BINDS = 7
DEEPEST = 50


@dataclass(frozen=True, slots=True)
class NumberExpression:
    """A number."""

    value: float


@dataclass(frozen=True, slots=True)
class TruthExpression:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class NameExpression:
    """A variable or a signal."""

    name: str


@dataclass(frozen=True, slots=True)
class UnaryExpression:
    """Something turned round."""

    word: Literal["-", "not"]
    of: "Expression"


@dataclass(frozen=True, slots=True)
class BinaryExpression:
    """Two things joined."""

    word: BinaryWord
    left: "Expression"
    right: "Expression"


Expression = NumberExpression | TruthExpression | NameExpression | UnaryExpression | BinaryExpression


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expression:
    """Return the tree of an expression.

    Raises:
        InputError: It is none; says where it goes wrong.
    """
    parser = _FormulaParser(text)
    tree = parser.parse(0, 0)
    if parser.word is not None:
        raise parser.error(say("expression.more"))
    return tree


class _FormulaParser:
    """Reads from left to right; each joining word binds as tightly as BINDS says."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.start = 0
        self.word: str | None = None
        self.name: str | None = None
        self.number: float | None = None
        self._next()

    def error(self, why: Said) -> InputError:
        return InputError(say("expression.not", text=self.text, why=why, at=self.start + 1))

    def _next(self) -> None:
        self.word = self.name = self.number = None
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        self.start = self.at
        if self.at == len(self.text):
            return
        found = TOKEN.match(self.text, self.at)
        if found is None:
            raise self.error(say("expression.unknown", text=self.text[self.at]))
        self.at = found.end()
        if found[1] is not None:
            self.number = float(found[1])
        elif found[3] is not None or (found[2] is not None and found[2] not in WORDS):
            self.name = found[3] if found[3] is not None else found[2]
        self.word = "=" if found[4] == "==" else found[0].strip()

    def parse(self, binds: int, depth: int) -> Expression:
        if depth > DEEPEST:
            raise self.error(say("expression.deep"))
        left = self._first(depth)
        while self.word is not None and self.name is None and BINDS.get(self.word, 0) > binds:
            word = self.word
            self._next()
            right = self.parse(BINDS[word], depth + 1)
            left = BinaryExpression(cast(BinaryWord, word), left, right)
            if BINDS[word] == BINDS["="] and self.name is None and BINDS.get(self.word or "") == BINDS["="]:
                raise self.error(say("expression.chained"))
        return left

    def _first(self, depth: int) -> Expression:
        word, name, number = self.word, self.name, self.number
        if word is None:
            raise self.error(say("expression.missing"))
        self._next()
        if number is not None:
            if not math.isfinite(number):
                raise self.error(say("expression.large"))
            return NumberExpression(number)
        if name is not None:
            return NameExpression(name)
        if word in ("true", "false"):
            return TruthExpression(word == "true")
        if word == "not":
            return UnaryExpression("not", self.parse(NOT_BINDS, depth + 1))
        if word == "-":
            return UnaryExpression("-", self.parse(MINUS_BINDS, depth + 1))
        if word == "(":
            inner = self.parse(0, depth + 1)
            if self.word != ")":
                raise self.error(say("expression.bracket"))
            self._next()
            return inner
        raise self.error(say("expression.misplaced", text=word))


def names_in(expression: Expression) -> frozenset[str]:
    """Return all names in an expression."""
    match expression:
        case NameExpression(name):
            return frozenset((name,))
        case UnaryExpression(_, of):
            return names_in(of)
        case BinaryExpression(_, left, right):
            return names_in(left) | names_in(right)
        case _:
            return frozenset()


def check_expression(expression: Expression, variables: Collection[str], signals: Collection[str]) -> Kind:
    """Return whether it gives a number or a truth.

    Raises:
        UnknownNameError: A name is neither a variable nor a signal.
        InputError: A number stands where a truth is needed, or the other way round.
    """
    match expression:
        case NumberExpression():
            return "number"
        case TruthExpression():
            return "truth"
        case NameExpression(name):
            if name in variables:
                return "number"
            if name in signals:
                return "truth"
            raise UnknownNameError("variable or signal", name, (*variables, *signals))
        case UnaryExpression(word, of):
            kind: Kind = "number" if word == "-" else "truth"
            _demand(of, kind, word, variables, signals)
            return kind
        case BinaryExpression(word, left, right):
            needed: Kind = "truth" if word in ("and", "or") else "number"
            if word in ("=", "!="):
                needed = check_expression(left, variables, signals)
            _demand(left, needed, word, variables, signals)
            _demand(right, needed, word, variables, signals)
            return "number" if word in ("+", "-", "*", "/") else "truth"


def _demand(part: Expression, kind: Kind, word: str, variables: Collection[str], signals: Collection[str]) -> None:
    found = check_expression(part, variables, signals)
    if found != kind:
        code = "expression.needs_number" if kind == "number" else "expression.needs_truth"
        raise InputError(say(code, part=write_expression(part), word=word))


def evaluate(expression: Expression, values: Mapping[str, float | bool]) -> float | bool:
    """Return what an expression is worth.

    Raises:
        UnknownNameError: A name has no value.
        InputError: A division by zero, or a number that is too large.
    """
    match expression:
        case NumberExpression(value):
            return value
        case TruthExpression(value):
            return value
        case NameExpression(name):
            if name not in values:
                raise UnknownNameError("variable or signal", name, values)
            return values[name]
        case UnaryExpression(word, of):
            value = evaluate(of, values)
            return -value if word == "-" else not value
        case BinaryExpression("and", left, right):
            return bool(evaluate(left, values)) and bool(evaluate(right, values))
        case BinaryExpression("or", left, right):
            return bool(evaluate(left, values)) or bool(evaluate(right, values))
        case BinaryExpression(word, left, right):
            return _join(expression, word, float(evaluate(left, values)), float(evaluate(right, values)))


def _join(whole: Expression, word: BinaryWord, a: float, b: float) -> float | bool:
    match word:
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
        case "=":
            return a == b
        case "!=":
            return a != b
        case "/" if b == 0.0:
            raise InputError(say("expression.by_zero", whole=write_expression(whole), value=f"{a:g}"))
        case _:
            value = a + b if word == "+" else a - b if word == "-" else a * b if word == "*" else a / b
            if not math.isfinite(value):
                raise InputError(say("expression.infinite", whole=write_expression(whole), value=str(value)))
            return value


def write_expression(expression: Expression) -> str:
    """Return an expression as text, with as few brackets as it needs."""
    return _write(expression, 0)


def _write(expression: Expression, binds: int) -> str:
    match expression:
        case NumberExpression(value):
            return f"{value:.12g}"
        case TruthExpression(value):
            return "true" if value else "false"
        case NameExpression(name):
            return name if re.fullmatch(r"[A-Za-z_]\w*", name) and name not in WORDS else f"'{name}'"
        case UnaryExpression(word, of):
            own = MINUS_BINDS if word == "-" else NOT_BINDS
            text = f"-{_write(of, own)}" if word == "-" else f"not {_write(of, own)}"
        case BinaryExpression(word, left, right):
            own = BINDS[word]
            # Equal ones group to the left; comparisons do not group at all.
            text = f"{_write(left, own - (own != BINDS['=']))} {word} {_write(right, own)}"
            own -= 1
    return f"({text})" if binds > own else text


def rename_in(text: str, old: str, new: str) -> str:
    """Return an expression with one name changed; text that is not an expression stays as it is."""
    try:
        tree = parse_expression(text)
    except InputError:
        return text
    return write_expression(_renamed(tree, old, new)) if old in names_in(tree) else text


def _renamed(expression: Expression, old: str, new: str) -> Expression:
    match expression:
        case NameExpression(name):
            return NameExpression(new if name == old else name)
        case UnaryExpression(word, of):
            return UnaryExpression(word, _renamed(of, old, new))
        case BinaryExpression(word, left, right):
            return BinaryExpression(word, _renamed(left, old, new), _renamed(right, old, new))
        case _:
            return expression
