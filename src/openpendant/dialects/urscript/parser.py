"""parse: the text of a script to its tree.

Written by hand, top down: real scripts break lines inside expressions after a comment and put two statements on one
line without a mark between them, so the end of a statement is where no operator follows, wherever the line ends. Only
`(`, `[` and `.` must stand on the line of what they belong to.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NoReturn

from openpendant.dialects.core import column_of

from .failures import ScriptError
from .lexer import END_OF_TEXT, KEYWORDS, Words, split_tokens, syntax_key
from .program import Kind, ScriptProgram
from .tree import (
    Assign,
    At,
    Binary,
    Block,
    Break,
    CallFunction,
    CallMethod,
    Continue,
    Critical,
    Do,
    Expression,
    Function,
    HaltStatement,
    IfStatement,
    Join,
    Kill,
    Label,
    List,
    Literal_,
    Member,
    Name,
    Negative,
    Not,
    PauseStatement,
    PoseOf,
    Return,
    RunThread,
    Statement,
    WhileStatement,
)

DEEPEST_EXPRESSION = 80
DEEPEST_BLOCK = 40
DEEPEST_LOOP = 16
LONGEST_CHAIN = 1000
"""Operators in a row."""

BINDS: dict[str, int] = {
    "or": 1,
    "xor": 2,
    "and": 3,
    "==": 5,
    "!=": 5,
    "<": 5,
    ">": 5,
    "<=": 5,
    ">=": 5,
    "+": 6,
    "-": 6,
    "*": 7,
    "/": 7,
    "%": 7,
    "^": 9,
}
NOT_BINDS = 4
SIGN_BINDS = 8
LARGEST_INTEGER = 2**31 - 1

BARE_WORDS = ("halt", "pause", "enter_critical", "exit_critical")
"""Statements of one word, which some write as calls."""

_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "0": "\0"}


@lru_cache(maxsize=8)
def parse(text: str, name: str = "script") -> ScriptProgram:
    """Return the program in `text`. The last few are remembered: clients upload the same script again and again.

    Args:
        text: One `def … end` or `sec … end`, or loose lines (functions and statements in any order).
        name: What error messages call it, and the name of a loose program.

    Raises:
        ScriptError: It is not a script; says line, column and what was expected.
    """
    body = _ScriptParser(text, name).script()
    definitions = [one for one in body if isinstance(one, Function) and one.kind != "thread"]
    if len(body) == 1 and definitions:
        only = definitions[0]
        if any(default is None for _, default in only.parameters):
            raise ScriptError(only.line, only.column, f"the program {only.name} cannot have parameters", name)
        kind: Kind = "sec" if only.kind == "sec" else "def"
        return ScriptProgram(only.name, kind, text, name, only.body, only.line)
    for one in definitions:
        if one.kind == "sec":
            raise ScriptError(one.line, one.column, "a secondary program stands alone", name)
    if len(definitions) == len(body) and definitions:
        second = definitions[1]
        raise ScriptError(second.line, second.column, f"{second.name} is a second program; a script has one", name)
    return ScriptProgram(name, "loose", text, name, body, 1)


class _ScriptParser:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        words: Words = split_tokens(text, name)
        self.kinds, self.texts, self.lines = words.kinds, words.texts, words.lines
        self.starts, self.fresh = words.starts, words.fresh
        self.at = 0
        self.brackets = 0
        self.depth = 0
        self.blocks = 0
        self.loops = 0
        self.simple: dict[str, Callable[[int, int], Statement]] = {
            "break": self._break,
            "continue": self._continue,
            "return": self._return,
            "halt": lambda line, column: HaltStatement(line=line, column=column),
            "pause": lambda line, column: PauseStatement(line=line, column=column),
            "enter_critical": lambda line, column: Critical(True, line=line, column=column),  # noqa: FBT003
            "exit_critical": lambda line, column: Critical(False, line=line, column=column),  # noqa: FBT003
            "kill": lambda line, column: Kill(self.expression(), line=line, column=column),
            "join": lambda line, column: Join(self.expression(), line=line, column=column),
            "if": self._if,
            "while": self._while,
            "global": lambda line, column: self._scoped("global", line, column),
            "local": lambda line, column: self._scoped("local", line, column),
            "def": lambda line, column: self._function("def", line, column),
            "sec": lambda line, column: self._function("sec", line, column),
            "thread": lambda line, column: self._function("thread", line, column),
            "$": self._label,
        }

    def script(self) -> Block:
        """Return all top-level statements."""
        return self.block("script", 1, END_OF_TEXT)

    def column(self, at: int) -> int:
        """Return the column, from 1, of a word."""
        return column_of(self.text, self.starts[at])

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        """Refuse the script at a word."""
        at = self.at if at is None else at
        line = self.lines[at]
        raise ScriptError(line, self.column(at), message, self.name, syntax_key(self.text, line))

    def found(self) -> str:
        """Say what stands here."""
        return END_OF_TEXT if self.kinds[self.at] == END_OF_TEXT else repr(self.texts[self.at])

    def expect(self, kind: str, after: str) -> str:
        """Go past a word of this kind, which must stand here."""
        if self.kinds[self.at] != kind:
            what = "a name" if kind == "name" else repr(kind)
            self.fail(f"expected {what} after {after}, found {self.found()}")
        self.at += 1
        return self.texts[self.at - 1]

    # Statements

    def block(self, opened: str, line: int, *ends: str) -> Block:
        """Return the statements up to one of `ends`, which is left standing. `opened` on `line` is what they close."""
        self.blocks += 1
        if self.blocks > DEEPEST_BLOCK:
            self.fail(f"more than {DEEPEST_BLOCK} blocks inside each other")
        statements: Block = []
        while self.kinds[self.at] not in ends:
            if self.kinds[self.at] == END_OF_TEXT:
                self.fail(f"the {opened!r} of line {line} has no 'end'")
            statements.append(self.statement())
        self.blocks -= 1
        return statements

    def statement(self) -> Statement:
        """Return the statement that starts here."""
        at = self.at
        line, column = self.lines[at], self.column(at)
        rule = self.simple.get(self.kinds[at])
        if rule is not None:
            self.at += 1
            if self.kinds[at] in BARE_WORDS and self.kinds[self.at : self.at + 2] == ["(", ")"]:
                self.at += 2
            return rule(line, column)
        if self.kinds[at] in ("end", "elif", "else"):
            self.fail(f"{self.texts[at]!r} closes nothing here")
        expression = self.expression()
        if self.kinds[self.at] == "=":
            return self._assign("", expression, line, column)
        if self.kinds[self.at] == ":=":
            self.fail("scripts assign with '=', not ':='")
        if not isinstance(expression, CallFunction | CallMethod | RunThread):
            self.fail(f"expected a statement, found {self.texts[at]!r}", at)
        return Do(expression, line=line, column=column)

    def _assign(self, scope: Literal["", "global", "local"], target: Expression, line: int, column: int) -> Statement:
        root = target
        while isinstance(root, At | Member):
            root = root.of
        if not isinstance(target, Name | At | Member) or not isinstance(root, Name):
            self.fail("only a variable, an element or a member of one can be assigned to")
        self.at += 1
        return Assign(scope, target, self.expression(), line=line, column=column)

    def _scoped(self, scope: Literal["global", "local"], line: int, column: int) -> Statement:
        target = self.postfix()
        if self.kinds[self.at] != "=":
            self.fail(f"expected '=' after {scope} {self.texts[self.at - 1]}, found {self.found()}")
        if not isinstance(target, Name):
            self.fail(f"{scope} is for a whole variable")
        return self._assign(scope, target, line, column)

    def _break(self, line: int, column: int) -> Statement:
        if not self.loops:
            self.fail("'break' is for loops", self.at - 1)
        return Break(line=line, column=column)

    def _continue(self, line: int, column: int) -> Statement:
        if not self.loops:
            self.fail("'continue' is for loops", self.at - 1)
        return Continue(line=line, column=column)

    def _return(self, line: int, column: int) -> Statement:
        bare = self.fresh[self.at] or self.kinds[self.at] in ("end", "elif", "else")
        return Return(None if bare else self.expression(), line=line, column=column)

    def _if(self, line: int, column: int) -> Statement:
        branches: list[tuple[Expression, Block]] = []
        otherwise: Block = []
        word = "if"
        while True:
            condition = self.expression()
            self.expect(":", f"the condition of {word!r}")
            branches.append((condition, self.block("if", line, "elif", "else", "end")))
            word = self.kinds[self.at]
            self.at += 1
            if word == "elif":
                continue
            if word == "else":
                self.expect(":", "'else'")
                otherwise = self.block("if", line, "end")
                self.at += 1
            return IfStatement(branches, otherwise, line=line, column=column)

    def _while(self, line: int, column: int) -> Statement:
        condition = self.expression()
        self.expect(":", "the condition of 'while'")
        self.loops += 1
        if self.loops > DEEPEST_LOOP:
            self.fail(f"more than {DEEPEST_LOOP} loops inside each other", self.at - 1)
        body = self.block("while", line, "end")
        self.loops -= 1
        self.at += 1
        return WhileStatement(condition, body, line=line, column=column)

    def _function(self, kind: Literal["def", "sec", "thread"], line: int, column: int) -> Statement:
        name = self.expect("name", repr(kind))
        self.expect("(", f"{kind} {name}")
        self.brackets += 1
        parameters: list[tuple[str, Expression | None]] = []
        while self.kinds[self.at] != ")":
            parameter = self.expect("name", f"'(' or ',' of {name}")
            default: Expression | None = None
            if self.kinds[self.at] == "=":
                self.at += 1
                default = self.expression()
            elif parameters and parameters[-1][1] is not None:
                self.fail(f"parameter {parameter} needs a default too", self.at - 1)
            if any(parameter == other for other, _ in parameters):
                self.fail(f"{name} has two parameters {parameter}", self.at - 1)
            parameters.append((parameter, default))
            if self.kinds[self.at] == ",":
                self.at += 1
            elif self.kinds[self.at] != ")":
                self.fail(f"expected ',' or ')' after parameter {parameter}, found {self.found()}")
        self.at += 1
        self.brackets -= 1
        self.expect(":", f"{kind} {name}(…)")
        loops, self.loops = self.loops, 0
        body = self.block(f"{kind} {name}", line, "end")
        self.loops = loops
        self.at += 1
        return Function(kind, name, parameters, body, line=line, column=column)

    def _label(self, line: int, column: int) -> Statement:
        number = self.expect("number", "'$'")
        title = _unescape(self.expect("string", f"$ {number}"))
        while self.kinds[self.at] == "string" and not self.fresh[self.at]:
            self.at += 1  # "noBreak" and the like
        return Label(
            int(float(number)) if "x" not in number.lower() else int(number, 16), title, line=line, column=column
        )

    # Expressions

    def expression(self, least: int = 1) -> Expression:
        """Return the expression that starts here, of operators that bind at least so tightly."""
        self.depth += 1
        if self.depth > DEEPEST_EXPRESSION:
            self.fail(f"more than {DEEPEST_EXPRESSION} expressions inside each other")
        left = self._prefix(least)
        chain = 0
        kinds = self.kinds
        while True:
            operator = kinds[self.at]
            binds = BINDS.get(operator, 0)
            if binds < least:
                break
            chain += 1
            if chain > LONGEST_CHAIN:
                self.fail(f"more than {LONGEST_CHAIN} operators in a row")
            at = self.at
            self.at += 1
            right = self.expression(binds if operator == "^" else binds + 1)
            left = Binary(operator, left, right, line=self.lines[at], column=left.column)
        self.depth -= 1
        return left

    def _prefix(self, least: int) -> Expression:
        at = self.at
        kind = self.kinds[at]
        if kind == "not" and least <= NOT_BINDS:
            self.at += 1
            return Not(self.expression(NOT_BINDS), line=self.lines[at], column=self.column(at))
        if kind in ("-", "+"):
            self.at += 1
            of = self.expression(SIGN_BINDS)
            return of if kind == "+" else Negative(of, line=self.lines[at], column=self.column(at))
        return self.postfix()

    def postfix(self) -> Expression:
        """Return a value with everything that follows it: indices, members, calls of methods."""
        of = self._atom()
        while True:
            at = self.at
            kind = self.kinds[at]
            if self.fresh[at] and not self.brackets:
                return of
            if kind == "[":
                self.at += 1
                indices = self._items("]", "'['")
                if not indices:
                    self.fail("expected an index", at + 1)
                if len(indices) == 6 and isinstance(of, Name) and of.name == "p":
                    of = PoseOf(indices, line=of.line, column=of.column)
                else:
                    of = At(of, indices, line=of.line, column=of.column)
            elif kind == ".":
                self.at += 1
                if self.kinds[self.at] in KEYWORDS:
                    self.kinds[self.at] = "name"  # time().sec
                name = self.expect("name", "'.'")
                if self.kinds[self.at] == "(" and not self.fresh[self.at]:
                    self.at += 1
                    of = CallMethod(of, name, self._items(")", f"{name}("), line=of.line, column=of.column)
                else:
                    of = Member(of, name, line=of.line, column=of.column)
            else:
                return of

    def _items(self, end: str, after: str) -> list[Expression]:
        items: list[Expression] = []
        self.brackets += 1
        while self.kinds[self.at] != end:
            items.append(self.expression())
            if self.kinds[self.at] == ",":
                self.at += 1
            elif self.kinds[self.at] != end:
                self.fail(f"expected ',' or {end!r} after a part of {after}, found {self.found()}")
        self.at += 1
        self.brackets -= 1
        return items

    def _atom(self) -> Expression:
        at = self.at
        kind, text, line, column = self.kinds[at], self.texts[at], self.lines[at], self.column(at)
        self.at += 1
        if kind == "name":
            if self.kinds[self.at] == "(" and (not self.fresh[self.at] or self.brackets):
                return self._call(text, line, column)
            return Name(text, line=line, column=column)
        if kind == "number":
            return Literal_(_number(text), line=line, column=column)
        if kind == "string":
            return Literal_(_unescape(text), line=line, column=column)
        if kind == "(":
            self.brackets += 1
            inside = self.expression()
            self.brackets -= 1
            self.expect(")", "'(' and an expression")
            return inside
        if kind == "[":
            return List(self._items("]", "a list"), line=line, column=column)
        if kind in ("True", "False", "None"):
            return Literal_({"True": True, "False": False, "None": None}[kind], line=line, column=column)
        if kind == "run":
            name = self.expect("name", "'run'")
            if self.kinds[self.at] != "(":
                self.fail(f"expected '(' after run {name}, found {self.found()}")
            return RunThread(self._call(name, line, column), line=line, column=column)
        self.at = at
        if kind == "join":
            self.fail("'join' is a statement, it has no value")
        self.fail(f"expected an expression, found {self.found()}")
        return None

    def _call(self, name: str, line: int, column: int) -> CallFunction:
        self.at += 1
        self.brackets += 1
        arguments: list[Expression] = []
        named: list[tuple[str, Expression]] = []
        while self.kinds[self.at] != ")":
            word = self.kinds[self.at]
            if (word == "name" or word in KEYWORDS) and self.kinds[self.at + 1] == "=":
                keyword = self.texts[self.at]
                if any(keyword == other for other, _ in named):
                    self.fail(f"{keyword} is given twice")
                self.at += 2
                named.append((keyword, self.expression()))
            elif named:
                self.fail("an argument without a name cannot follow one with a name")
            else:
                arguments.append(self.expression())
            if self.kinds[self.at] == ",":
                self.at += 1
            elif self.kinds[self.at] != ")":
                self.fail(f"expected ',' or ')' after an argument of {name}, found {self.found()}")
        self.at += 1
        self.brackets -= 1
        return CallFunction(name, arguments, named, line=line, column=column)


def _number(text: str) -> float | int:
    if text[:2] in ("0x", "0X"):
        value = int(text, 16)
        return value if value <= LARGEST_INTEGER else value - 2**32 if value < 2**32 else float(value)
    if text.isdigit():
        value = int(text) if len(text) < 12 else LARGEST_INTEGER + 1
        return value if value <= LARGEST_INTEGER else float(text)
    return float(text)


def _unescape(text: str) -> str:
    inside = text[1:-1]
    if "\\" not in inside:
        return inside

    def character(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] == "x" and len(code) == 3:
            return chr(int(code[1:], 16))
        return _ESCAPED.get(code, match[0])

    return _ESCAPE.sub(character, inside)
