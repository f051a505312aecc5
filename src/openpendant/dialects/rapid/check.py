"""check_modules: what is wrong with the modules of a task before they run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .events import DECLARATION, INSTRUCTION, NAME, REFERENCE, TYPE
from .expression_check import BoundCall, ExpressionCheck, Typed
from .faults import RapidError, RapidProblem
from .parser import parse_module
from .symbols import NOTHING_INSTALLED, DataSymbol, InstalledNames, RoutineSymbol, TaskSymbols, near
from .tree import (
    Aggregate,
    Assignment,
    CommentLine,
    ConnectTrap,
    DataDeclaration,
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
    RapidModule,
    RapidStatement,
    ReturnValue,
    TestChoice,
    WhileLoop,
)
from .types import BOOL, NUM, STRING, TYPES


@dataclass(frozen=True, slots=True)
class CheckedTask:
    """The modules of a task, and what everything in them means.

    Attributes:
        problems: What is wrong, in the order of files and lines; empty: it can run.
    """

    symbols: TaskSymbols
    types: Mapping[int, Typed]
    data: Mapping[int, DataSymbol]
    calls: Mapping[int, BoundCall]
    loops: Mapping[int, DataSymbol]
    problems: tuple[RapidProblem, ...]
    modules: tuple[RapidModule, ...]


def check_modules(
    modules: Sequence[RapidModule],
    *,
    signals: Iterable[str] | None = None,
    installed: InstalledNames = NOTHING_INSTALLED,
) -> CheckedTask:
    """Check the modules of one task together.

    Args:
        modules: From `parse_module`.
        signals: Names of the controller's signals; None: every unknown name that stands for a signal is one.
        installed: What the controller's configuration adds and lacks.
    """
    return _StatementCheck(modules, signals, installed).checked(tuple(modules))


def check_texts(texts: Mapping[str, str], *, signals: Iterable[str] | None = None) -> list[RapidProblem]:
    """Return what is wrong with the files of one task; empty: nothing.

    Args:
        texts: Text by name of file.
        signals: As in `check_modules`.
    """
    modules: list[RapidModule] = []
    problems: list[RapidProblem] = []
    for file, text in texts.items():
        try:
            modules.append(parse_module(text, file))
        except RapidError as wrong:
            problems.append(RapidProblem(file, wrong.line, wrong.column, wrong.kind, wrong.fault))
    if problems:
        # What a broken file declares is not known, so nothing can be said about names of the others.
        return problems
    return list(check_modules(modules, signals=signals).problems)


class _StatementCheck(ExpressionCheck):
    def checked(self, modules: tuple[RapidModule, ...]) -> CheckedTask:
        self.loops: dict[int, DataSymbol] = {}
        self.labels: list[set[str]] = []
        self.in_handler = False
        for one in self.task.data:
            self.module, self.file = one.module, one.file
            self._value(one)
        for routine in self.task.routines:
            self.module, self.file = routine.module, routine.file
            self._routine_body(routine)
        order = {module.file: place for place, module in enumerate(modules)}
        found = sorted(set(self.problems), key=lambda one: (order.get(one.file, 0), one.line, one.column))
        return CheckedTask(self.task, self.types, self.symbols, self.calls, self.loops, tuple(found), modules)

    def _value(self, symbol: DataSymbol) -> None:
        declaration = symbol.declaration
        if declaration is None or declaration.value is None:
            return
        self.check(declaration.value, (symbol.type, symbol.rank))
        if symbol.rank:
            self._sizes(symbol, declaration)

    def _sizes(self, symbol: DataSymbol, declaration: DataDeclaration) -> None:
        rows = [declaration.value]
        for size in symbol.dimensions:
            if not all(isinstance(row, Aggregate) for row in rows):
                return
            for row in rows:
                if isinstance(row, Aggregate) and len(row.items) != size:
                    self.report(row, DECLARATION, f"{symbol.name} has {size} elements here, found {len(row.items)}")
                    return
            rows = [item for row in rows if isinstance(row, Aggregate) for item in row.items]

    def _routine_body(self, routine: RoutineSymbol) -> None:
        self.routine = routine
        names: dict[str, DataSymbol] = {}
        self.scopes = [names]
        for parameter in routine.parameters:
            if parameter.name.lower() in names:
                self.report(routine.declaration, NAME, f"two parameters are named {parameter.name}")
            names[parameter.name.lower()] = parameter
        for one in routine.declaration.data:
            if isinstance(one, CommentLine):
                continue
            symbol = self.data_symbol(one)
            symbol.local, symbol.slot = True, routine.new_slot()
            if one.name.lower() in names:
                self.report(one, NAME, f"the name {one.name} is used twice in {routine.name}")
            self._value(symbol)
            names[one.name.lower()] = symbol
            routine.data.append(symbol)
        declaration = routine.declaration
        self._block(declaration.body)
        self.in_handler = True
        for section in declaration.errors:
            for number in section.numbers:
                self.check(number, (NUM, 0))
            self._block(section.body)
        self.in_handler = False
        for block in (declaration.backward, declaration.undo):
            self._block(block or [])
        self.scopes, self.routine = [], None

    def _block(self, block: RapidBlock) -> None:
        labels: set[str] = set()
        for one in block:
            if isinstance(one, LabelMark):
                if one.label.lower() in labels:
                    self.report(one, NAME, f"the label {one.label} is used twice")
                labels.add(one.label.lower())
        self.labels.append(labels)
        for one in block:
            self._statement(one)
        self.labels.pop()

    def _statement(self, one: RapidStatement) -> None:
        match one:
            case Assignment():
                self._assignment(one)
            case ProcedureCall():
                self._call(one)
            case IfChoice():
                for condition, body in one.branches:
                    self.check(condition, (BOOL, 0))
                    self._block(body)
                self._block(one.otherwise or [])
            case WhileLoop():
                self.check(one.condition, (BOOL, 0))
                self._block(one.body)
            case ForLoop():
                self._loop(one)
            case TestChoice():
                subject = self.check(one.subject)
                for values, body in one.cases:
                    for value in values:
                        self.check(value, subject)
                    self._block(body)
                self._block(one.default or [])
            case GotoLabel():
                if not any(one.label.lower() in labels for labels in self.labels):
                    known = near(one.label, (name for labels in self.labels for name in labels))
                    self.report(one, REFERENCE, f"no label {one.label} in this or an outer block{known}")
            case ReturnValue():
                self._return(one)
            case RaiseError():
                if one.number is not None:
                    self.check(one.number, (NUM, 0))
                elif not self.in_handler:
                    self.report(one, INSTRUCTION, "RAISE without a number is for error handlers only")
            case HandlerExit():
                if not self.in_handler:
                    self.report(one, INSTRUCTION, f"{one.word} is for error handlers only")
            case ConnectTrap():
                self._connect(one)
            case Placeholder():
                self.report(one, REFERENCE, f"the placeholder {one.text} is still to be filled in")
            case CommentLine() | LabelMark() | ExitProgram():
                pass

    def _assignment(self, one: Assignment) -> None:
        of = self.check(one.target)
        self.check(one.value, of)
        root = self.root_of(one.target)
        if root is None:
            return
        if root.kind in ("CONST", "loop", "predefined", "system"):
            what = {"CONST": "a constant", "loop": "the variable of a FOR loop"}.get(root.kind, "the system's own")
            self.report(one.target, TYPE, f"{root.name} is {what} and cannot be changed")
        elif not of[0].root.valued and of[0] is not TYPES["anytype"]:
            self.report(one.target, TYPE, f"a {of[0].name} cannot be assigned")

    def _call(self, one: ProcedureCall) -> None:
        if not isinstance(one.name, str):
            self.check(one.name, (STRING, 0))
            for argument in one.arguments:
                if argument.value is not None:
                    self.check(argument.value)
            return
        found = self.data_of(one.name)
        if isinstance(found, RoutineSymbol) and found.kind == "PROC":
            self.bind(one, one, found, one.arguments)
            return
        if found is None:
            question = near(one.name, self.task.names(self.module))
            self.report(one, REFERENCE, f"unknown procedure {one.name}{question}")
        else:
            self.report(one, REFERENCE, f"{one.name} is not a procedure")

    def _loop(self, one: ForLoop) -> None:
        for expression in (one.start, one.end, one.step):
            if expression is not None:
                self.check(expression, (NUM, 0))
        assert self.routine is not None  # noqa: S101 - statements are in routines
        symbol = DataSymbol(one.variable, "loop", NUM, local=True, slot=self.routine.new_slot())
        # The end and the step are kept beside the variable.
        self.routine.new_slot()
        self.routine.new_slot()
        self.loops[id(one)] = symbol
        self.scopes.append({one.variable.lower(): symbol})
        self._block(one.body)
        self.scopes.pop()

    def _return(self, one: ReturnValue) -> None:
        assert self.routine is not None  # noqa: S101 - statements are in routines
        returns = self.routine.returns
        if returns is None:
            if one.value is not None:
                self.check(one.value)
                self.report(one, TYPE, f"a {self.routine.kind} returns no value")
        elif one.value is None:
            self.report(one, TYPE, f"{self.routine.name} returns a {returns.name}")
        else:
            self.check(one.value, (returns, 0))

    def _connect(self, one: ConnectTrap) -> None:
        self.check(one.target, (TYPES["intnum"], 0))
        root = self.root_of(one.target)
        if root is not None and (root.kind != "VAR" or root.local):
            self.report(one, TYPE, f"{root.name} must be a VAR of a module")
        trap = self.data_of(one.trap)
        if not isinstance(trap, RoutineSymbol) or trap.kind != "TRAP":
            self.report(one, REFERENCE, f"no trap is named {one.trap}")
