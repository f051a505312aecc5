"""ExpressionParser: words of a module, and the expressions they make."""

from typing import Literal

from openpendant.dialects.core import column_of

from .events import LIMIT, SYNTAX, EventKind
from .faults import RapidError
from .lexer import KEYWORDS, SOFT, split_rapid_tokens
from .tree import (
    Aggregate,
    BinaryOperation,
    ComponentOf,
    Constant,
    DataName,
    ElementOf,
    FunctionCall,
    Negated,
    Placeholder,
    RapidArgument,
    RapidExpression,
    Signed,
)

DEEPEST_EXPRESSION = 40
LONGEST_CHAIN = 100
"""Operators in a row."""
RELATIONS = ("<", ">", "<=", ">=", "=", "<>")
PRODUCTS = ("*", "/", "DIV", "MOD")


class ExpressionParser:
    """Walks through the words of one file."""

    def __init__(self, text: str, file: str) -> None:
        """Split the text into words."""
        words = split_rapid_tokens(text, file)
        self.text = text
        self.file = file
        self.kinds, self.texts, self.starts = words.kinds, words.texts, words.starts
        self.lines, self.comments = words.lines, words.comments
        self.at: int = 0
        self.depth = 0

    # Words

    def now(self) -> str:
        """Return what the present word is."""
        return self.kinds[self.at]

    @property
    def place(self) -> dict[Literal["line", "column"], int]:
        """Line and column of the present word."""
        return {"line": self.lines[self.at], "column": column_of(self.text, self.starts[self.at])}

    def wrong(self, message: str, kind: EventKind = SYNTAX) -> RapidError:
        """Return the error that refuses the present word."""
        place = self.place
        return RapidError(place["line"], place["column"], message, self.file, kind)

    def unexpected(self, wanted: str) -> RapidError:
        """Return the error that says what could stand here."""
        found = self.now()
        shown = f"'{self.texts[self.at]}'" if self.texts[self.at] else found
        return self.wrong(f"expected {wanted}, found {shown}")

    def expect(self, kind: str, wanted: str = "") -> str:
        """Return the text of the present word, which must be of a kind, and continue."""
        if self.kinds[self.at] != kind:
            raise self.unexpected(wanted or f"'{kind}'")
        text = self.texts[self.at]
        self.at += 1
        return text

    def accept(self, kind: str) -> bool:
        """Continue where the present word is of a kind."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def expect_name(self, wanted: str) -> str:
        """Return a name; words that mean something elsewhere only are names, too."""
        if self.now() == "name" or self.now() in SOFT:
            self.at += 1
            return self.texts[self.at - 1]
        if self.now() in KEYWORDS:
            raise self.wrong(f"expected {wanted}, found the reserved word {self.now()}")
        raise self.unexpected(wanted)

    # Expressions

    def expression(self) -> RapidExpression:
        """Parse an expression."""
        self.depth += 1
        if self.depth > DEEPEST_EXPRESSION:
            raise self.wrong("the expression is nested too deeply", LIMIT)
        left = self._logical_term()
        count = 0
        while self.now() in ("OR", "XOR"):
            count = self._longer(count)
            place, operator = self.place, self.now()
            self.at += 1
            left = BinaryOperation(operator, left, self._logical_term(), **place)
        self.depth -= 1
        return left

    def _longer(self, count: int) -> int:
        if count >= LONGEST_CHAIN:
            raise self.wrong(f"more than {LONGEST_CHAIN} operators in a row", LIMIT)
        return count + 1

    def _logical_term(self) -> RapidExpression:
        # NOT binds as weakly as OR: NOT a AND b is NOT (a AND b).
        if self.now() == "NOT":
            place = self.place
            self.at += 1
            return Negated(self._logical_term_after_not(), **place)
        left = self._relation()
        return self._and(left)

    def _logical_term_after_not(self) -> RapidExpression:
        return self._and(self._negated_relation() if self.now() == "NOT" else self._relation())

    def _and(self, left: RapidExpression) -> RapidExpression:
        count = 0
        while self.now() == "AND":
            count = self._longer(count)
            place = self.place
            self.at += 1
            right = self._negated_relation() if self.now() == "NOT" else self._relation()
            left = BinaryOperation("AND", left, right, **place)
        return left

    def _negated_relation(self) -> RapidExpression:
        place = self.place
        self.at += 1
        if self.now() == "NOT":
            raise self.wrong("NOT after NOT needs parentheses")
        return Negated(self._relation(), **place)

    def _relation(self) -> RapidExpression:
        left = self._sum()
        if self.now() in RELATIONS:
            place, operator = self.place, self.now()
            self.at += 1
            left = BinaryOperation(operator, left, self._sum(), **place)
            if self.now() in RELATIONS:
                raise self.wrong("comparisons in a row need parentheses")
        return left

    def _sum(self) -> RapidExpression:
        place = self.place
        sign = self.now()
        if sign == "-" or sign == "+":
            self.at += 1
            left: RapidExpression = Signed(sign, self._product(), **place)
        else:
            left = self._product()
        count = 0
        while self.now() in ("+", "-"):
            count = self._longer(count)
            place, operator = self.place, self.now()
            self.at += 1
            left = BinaryOperation(operator, left, self._product(), **place)
        return left

    def _product(self) -> RapidExpression:
        left = self._primary()
        count = 0
        while self.now() in PRODUCTS:
            count = self._longer(count)
            place, operator = self.place, self.now()
            self.at += 1
            left = BinaryOperation(operator, left, self._primary(), **place)
        return left

    def _primary(self) -> RapidExpression:
        kind, place = self.now(), self.place
        if kind == "number":
            return Constant(self._number(), **place)
        if kind == "string":
            self.at += 1
            return Constant(self.texts[self.at - 1], **place)
        if kind in ("TRUE", "FALSE"):
            self.at += 1
            return Constant(kind == "TRUE", **place)
        if kind == "placeholder":
            self.at += 1
            return Placeholder(self.texts[self.at - 1], **place)
        if kind == "(":
            self.at += 1
            inside = self.expression()
            self.expect(")")
            return inside
        if kind == "[":
            return self._aggregate()
        if kind in ("-", "+"):
            self.depth += 1
            if self.depth > DEEPEST_EXPRESSION:
                raise self.wrong("the expression is nested too deeply", LIMIT)
            self.at += 1
            inside = Signed("-" if kind == "-" else "+", self._primary(), **place)
            self.depth -= 1
            return inside
        if kind == "name" or kind in SOFT:
            return self.data_or_call()
        raise self.unexpected("an expression")

    def _number(self) -> float:
        text = self.texts[self.at]
        self.at += 1
        if text[:1] == "0" and text[1:2] in "xXoObB" and len(text) > 2:
            return float(int(text, 0))
        value = float(text)
        if value > 1.7e308:
            self.at -= 1
            raise self.wrong(f"the number {text} is too large", LIMIT)
        return value

    def _aggregate(self) -> Aggregate:
        place = self.place
        self.expect("[")
        items = [self.expression()]
        while self.accept(","):
            items.append(self.expression())
        self.expect("]", "',' or ']'")
        return Aggregate(items, **place)

    def data_or_call(self) -> RapidExpression:
        """Parse a name with its components and elements, or a function call."""
        place = self.place
        name = self.expect_name("a name")
        if self.now() == "(":
            self.at += 1
            arguments = self.arguments(")")
            self.expect(")", "',' or ')'")
            return FunctionCall(name, arguments, **place)
        return self.parts_of(DataName(name, **place))

    def parts_of(self, of: DataName) -> DataName | ComponentOf | ElementOf:
        """Parse what follows a name of data."""
        found: DataName | ComponentOf | ElementOf = of
        count = 0
        while self.now() in (".", "{"):
            count = self._longer(count)
            place = self.place
            self.at += 1
            if self.kinds[self.at - 1] == ".":
                if self.now() != "name" and self.now() not in KEYWORDS:
                    raise self.unexpected("the name of a component")
                self.at += 1
                found = ComponentOf(found, self.texts[self.at - 1], **place)
                continue
            indices = [self.expression()]
            while self.accept(","):
                indices.append(self.expression())
            self.expect("}", "',' or '}'")
            found = ElementOf(found, indices, **place)
        return found

    def arguments(self, end: str) -> list[RapidArgument]:
        """Parse arguments up to a mark, which stays."""
        found: list[RapidArgument] = []
        while self.now() != end:
            if found and self.now() != "\\":
                self.expect(",", f"',' or '{end}'")
            elif found:
                self.accept(",")
            place = self.place
            if not self.accept("\\"):
                found.append(RapidArgument("", self.expression(), **place))
                continue
            name = self._optional_name()
            if self.accept(":="):
                found.append(RapidArgument(name, self.expression(), **place))
            elif self.accept("?"):
                value = DataName(self.expect_name("the name of a parameter"), **place)
                found.append(RapidArgument(name, value, handed_on=True, **place))
            else:
                found.append(RapidArgument(name, None, **place))
        return found

    def _optional_name(self) -> str:
        # Some optional arguments are called like words of the language.
        if self.now() != "name" and self.now() not in KEYWORDS:
            raise self.unexpected("the name of an optional argument")
        self.at += 1
        return self.texts[self.at - 1]
