"""parse_module: the text of a module to its tree.

Written by hand, top down, as the language's manual has it, with what its own editor and old controllers write besides:
the header of a file between percent signs, placeholders, words in any case, data after routines.
"""

from functools import lru_cache
from typing import Literal

from .events import LIMIT
from .expression_parser import ExpressionParser
from .lexer import END_OF_TEXT
from .statement_parser import StatementParser
from .tree import (
    AliasDeclaration,
    DataDeclaration,
    ErrorSection,
    ParameterDeclaration,
    RapidDeclaration,
    RapidExpression,
    RapidModule,
    RecordDeclaration,
    RoutineDeclaration,
)

ATTRIBUTES = ("SYSMODULE", "NOSTEPIN", "VIEWONLY", "READONLY", "NOVIEW")
SECTIONS = ("ERROR", "BACKWARD", "UNDO")
Scope = Literal["", "LOCAL", "TASK"]


@lru_cache(maxsize=32)
def parse_module(text: str, file: str = "module") -> RapidModule:
    """Return the module in `text`. The last few are remembered.

    Args:
        text: `MODULE … ENDMODULE`.
        file: What error messages call it.

    Raises:
        RapidError: It is not a module; says line, column and what was expected.
    """
    return _ModuleParser(text, file).module()


def parse_data(text: str) -> RapidExpression:
    """Return the value in `text`, as clients write it: a number, a string, an aggregate.

    Raises:
        RapidError: It is none.
    """
    parser = ExpressionParser(text, "value")
    found = parser.expression()
    parser.expect(END_OF_TEXT, "the end of the value")
    return found


def parse_header(text: str) -> RoutineDeclaration:
    r"""Return the routine of a header such as `FUNC num Distance(pos Point1, pos Point2)`; it has no body."""
    return _ModuleParser(text, "header").header()


class _ModuleParser(StatementParser):
    def module(self) -> RapidModule:
        before: list[RapidDeclaration] = [*self.comment_lines()]
        place = self.place
        self.expect("MODULE")
        name = self.expect_name("the module's name")
        attributes: list[str] = []
        if self.accept("("):
            while True:
                word = self.now()
                if word not in ATTRIBUTES:
                    raise self.unexpected("an attribute of a module")
                attributes.append(word)
                self.at += 1
                if not self.accept(","):
                    break
            self.expect(")")
        found = before
        while True:
            found += self.comment_lines()
            if self.accept("ENDMODULE"):
                break
            found.append(self._declaration())
        if self.now() != END_OF_TEXT:
            raise self.unexpected("nothing after ENDMODULE: a file has one module")
        found += self.comment_lines()
        return RapidModule(name, attributes, found, self.file, **place)

    def header(self) -> RoutineDeclaration:
        routine = self._routine_head("")
        self.expect(END_OF_TEXT)
        return routine

    def _declaration(self) -> RapidDeclaration:
        scope: Scope = ""
        if self.now() in ("LOCAL", "TASK"):
            scope = "LOCAL" if self.now() == "LOCAL" else "TASK"
            self.at += 1
        match self.now():
            case "CONST" | "VAR" | "PERS":
                return self._data(scope)
            case "RECORD":
                return self._record(scope)
            case "ALIAS":
                place = self.place
                self.at += 1
                of = self.expect_name("a type")
                found = AliasDeclaration(scope, of, self.expect_name("the name of the new type"), **place)
                self.expect(";")
                return found
            case "PROC" | "FUNC" | "TRAP":
                return self._routine(scope)
            case _:
                raise self.unexpected("a declaration or ENDMODULE")

    def _data(self, scope: Scope) -> DataDeclaration:
        place = self.place
        kind: Literal["CONST", "VAR", "PERS"] = "CONST"
        if self.now() == "VAR":
            kind = "VAR"
        elif self.now() == "PERS":
            kind = "PERS"
        self.at += 1
        type_name = self.expect_name("a type")
        place["column"] = self.place["column"]
        name = self.expect_name("a name")
        dimensions: list[RapidExpression] = []
        if self.accept("{"):
            dimensions.append(self.expression())
            while self.accept(","):
                dimensions.append(self.expression())
            self.expect("}", "',' or '}'")
            if len(dimensions) > 3:
                raise self.wrong("an array has at most three dimensions", LIMIT)
        value = self.expression() if self.accept(":=") else None
        if value is None and kind == "CONST":
            raise self.unexpected("':=' and the value of a constant")
        self.expect(";")
        return DataDeclaration(scope, kind, type_name, name, dimensions, value, **place)

    def _record(self, scope: Scope) -> RecordDeclaration:
        place = self.place
        self.at += 1
        name = self.expect_name("the record's name")
        components: list[tuple[str, str]] = []
        self.accept(";")
        while True:
            self.comment_lines()
            if self.accept("ENDRECORD"):
                break
            of = self.expect_name("a type or ENDRECORD")
            components.append((of, self.expect_name("the name of a component")))
            self.expect(";")
        self.accept(";")
        if not components:
            raise self.wrong("a record needs a component")
        return RecordDeclaration(scope, name, components, **place)

    def _routine_head(self, scope: Scope) -> RoutineDeclaration:
        place = self.place
        kind: Literal["PROC", "FUNC", "TRAP"] = "PROC"
        if self.now() == "FUNC":
            kind = "FUNC"
        elif self.now() == "TRAP":
            kind = "TRAP"
        elif self.now() != "PROC":
            raise self.unexpected("PROC, FUNC or TRAP")
        self.at += 1
        returns = self.expect_name("the type that the function returns") if kind == "FUNC" else ""
        name = self.expect_name("the routine's name")
        parameters: list[ParameterDeclaration] = []
        if kind != "TRAP":
            self.expect("(")
            parameters = self._parameters()
            self.expect(")", "',' or ')'")
        return RoutineDeclaration(scope, kind, returns, name, parameters, [], [], **place)

    def _routine(self, scope: Scope) -> RoutineDeclaration:
        found = self._routine_head(scope)
        end = f"END{found.kind}"
        while True:
            found.data += self.comment_lines()
            if self.now() not in ("CONST", "VAR", "PERS"):
                break
            found.data.append(self._data(""))
        found.body = self.block(end, *SECTIONS)
        while self.now() != end:
            place, section = self.place, self.now()
            self.at += 1
            if section == "ERROR":
                numbers: list[RapidExpression] = []
                if self.accept("("):
                    numbers.append(self.expression())
                    while self.accept(","):
                        numbers.append(self.expression())
                    self.expect(")", "',' or ')'")
                found.errors.append(ErrorSection(numbers, self.block(end, *SECTIONS), **place))
            elif section == "BACKWARD":
                found.backward = self.block(end, *SECTIONS)
            else:
                found.undo = self.block(end, *SECTIONS)
        found.end_line = self.lines[self.at]
        self.at += 1
        self.accept(";")
        return found

    def _parameters(self) -> list[ParameterDeclaration]:
        found: list[ParameterDeclaration] = []
        while self.now() != ")":
            instead = False
            if found:
                if self.accept("|"):
                    instead = True
                elif self.now() != "\\":
                    self.expect(",", "',' or ')'")
                else:
                    self.accept(",")
            self.comment_lines()
            optional = self.accept("\\") or instead
            place = self.place
            mode: Literal["", "INOUT", "VAR", "PERS"] = ""
            if self.now() in ("INOUT", "VAR", "PERS") and self.kinds[self.at + 1] != ")":
                mode = {"INOUT": "INOUT", "VAR": "VAR", "PERS": "PERS"}[self.now()]  # type: ignore[assignment]
                self.at += 1
            type_name = self.expect_name("the type of a parameter")
            name = self.expect_name("the name of a parameter")
            dimensions = 0
            if self.accept("{"):
                dimensions = 1
                self.expect("*")
                while self.accept(","):
                    self.expect("*")
                    dimensions += 1
                self.expect("}", "',' or '}'")
            found.append(ParameterDeclaration(mode, type_name, name, dimensions, optional, instead, **place))
        return found
