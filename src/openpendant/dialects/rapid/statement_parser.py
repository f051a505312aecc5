"""StatementParser: the statements of routines."""

from .events import LIMIT
from .expression_parser import ExpressionParser
from .lexer import SOFT
from .tree import (
    Assignment,
    CommentLine,
    ConnectTrap,
    DataName,
    ExitProgram,
    ForLoop,
    GotoLabel,
    HandlerExit,
    IfChoice,
    LabelMark,
    Placeholder,
    ProcedureCall,
    RaiseError,
    RapidBlock,
    RapidExpression,
    RapidStatement,
    ReturnValue,
    TestChoice,
    WhileLoop,
)

DEEPEST_BLOCK = 25


class StatementParser(ExpressionParser):
    """Extends the expression parser to statements."""

    blocks = 0

    def comment_lines(self) -> list[CommentLine]:
        """Return the comments before the present word, once."""
        found = self.comments.pop(self.at, [])
        return [CommentLine(text, line=line, column=1) for text, line in found]

    def block(self, *ends: str) -> RapidBlock:
        """Parse statements up to one of some words, which stays."""
        self.blocks += 1
        if self.blocks > DEEPEST_BLOCK:
            raise self.wrong("statements are nested too deeply", LIMIT)
        found: RapidBlock = []
        while True:
            found += self.comment_lines()
            if self.now() in ends and not self._is_name_here():
                break
            found.append(self.statement())
        self.blocks -= 1
        return found

    def _is_name_here(self) -> bool:
        """Return whether a word that may be a keyword is used as a name at the beginning of a statement."""
        return self.now() in SOFT and self.kinds[self.at + 1] in (":=", ".", "{")

    def statement(self) -> RapidStatement:
        """Parse one statement."""
        place, kind = self.place, self.now()
        if kind == "name" or kind in SOFT:
            return self._from_name()
        match kind:
            case "IF":
                return self._if()
            case "WHILE":
                self.at += 1
                condition = self.expression()
                self.expect("DO")
                body = self.block("ENDWHILE")
                self.at += 1
                self.accept(";")
                return WhileLoop(condition, body, **place)
            case "FOR":
                return self._for()
            case "TEST":
                return self._test()
            case "GOTO":
                self.at += 1
                return self._end(GotoLabel(self.expect_name("a label"), **place))
            case "RETURN":
                self.at += 1
                return self._end(ReturnValue(None if self.now() == ";" else self.expression(), **place))
            case "RAISE":
                self.at += 1
                return self._end(RaiseError(None if self.now() == ";" else self.expression(), **place))
            case "RETRY" | "TRYNEXT":
                self.at += 1
                return self._end(HandlerExit("RETRY" if kind == "RETRY" else "TRYNEXT", **place))
            case "EXIT":
                self.at += 1
                return self._end(ExitProgram(**place))
            case "CONNECT":
                self.at += 1
                target: RapidExpression = self.parts_of(DataName(self.expect_name("an interrupt"), **place))
                self.expect("WITH")
                return self._end(ConnectTrap(target, self.expect_name("a trap"), **place))
            case "%":
                self.at += 1
                name = self.expression()
                self.expect("%")
                return self._end(ProcedureCall(name, self.arguments(";"), **place))
            case "placeholder":
                return self._placeholder()
            case "CONST" | "VAR" | "PERS" | "LOCAL":
                raise self.wrong("data of a routine must be declared before its first statement")
            case _:
                raise self.unexpected("a statement")

    def _end(self, statement: RapidStatement) -> RapidStatement:
        self.expect(";")
        return statement

    def _placeholder(self) -> RapidStatement:
        place = self.place
        text = self.expect("placeholder")
        if self.accept(":="):
            return self._end(Assignment(Placeholder(text, **place), self.expression(), **place))
        self.accept(";")
        return Placeholder(text, **place)

    def _from_name(self) -> RapidStatement:
        place = self.place
        following = self.kinds[self.at + 1]
        if following == ":":
            name = self.expect_name("a label")
            self.at += 1
            return LabelMark(name, **place)
        name = self.expect_name("a name")
        if following in (":=", ".", "{"):
            target = self.parts_of(DataName(name, **place))
            self.expect(":=")
            return self._end(Assignment(target, self.expression(), **place))
        return self._end(ProcedureCall(name, self.arguments(";"), **place))

    def _if(self) -> RapidStatement:
        place = self.place
        self.at += 1
        condition = self.expression()
        if not self.accept("THEN"):
            if self.now() in ("IF", "FOR", "WHILE", "TEST"):
                raise self.unexpected("THEN or a simple statement")
            return IfChoice([(condition, [self.statement()])], None, compact=True, **place)
        branches = [(condition, self.block("ELSEIF", "ELSE", "ENDIF"))]
        while self.accept("ELSEIF"):
            condition = self.expression()
            self.expect("THEN")
            branches.append((condition, self.block("ELSEIF", "ELSE", "ENDIF")))
        otherwise = self.block("ENDIF") if self.accept("ELSE") else None
        self.expect("ENDIF")
        self.accept(";")
        return IfChoice(branches, otherwise, **place)

    def _for(self) -> RapidStatement:
        place = self.place
        self.at += 1
        variable = self.expect_name("the variable of a loop")
        self.expect("FROM")
        start = self.expression()
        self.expect("TO")
        end = self.expression()
        step = self.expression() if self.accept("STEP") else None
        self.expect("DO")
        body = self.block("ENDFOR")
        self.at += 1
        self.accept(";")
        return ForLoop(variable, start, end, step, body, **place)

    def _test(self) -> RapidStatement:
        place = self.place
        self.at += 1
        subject = self.expression()
        cases: list[tuple[list[RapidExpression], RapidBlock]] = []
        default: RapidBlock | None = None
        before: list[CommentLine] = self.comment_lines()
        while self.accept("CASE"):
            values = [self.expression()]
            while self.accept(","):
                values.append(self.expression())
            self.expect(":")
            cases.append((values, [*before, *self.block("CASE", "DEFAULT", "ENDTEST")]))
            before = []
        if self.accept("DEFAULT"):
            self.expect(":")
            default = [*before, *self.block("ENDTEST")]
        self.expect("ENDTEST", "CASE, DEFAULT or ENDTEST")
        self.accept(";")
        return TestChoice(subject, cases, default, **place)
