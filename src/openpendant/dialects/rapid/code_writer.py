"""CodeWriter: routines of a task to instructions, each a Python function that is called with the data of its routine.

An instruction returns None (the next one follows), the number of the one that follows, a word of control ("return",
"retry", …), or a tuple: a routine to call, or a generator to wait for. The program pointer is a number, so GOTO, RETRY
and TRYNEXT only change it, and a task can be left between any two statements.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType

from openpendant.dialects.core import CodeText

from .check import CheckedTask
from .code_expressions import ExpressionCode
from .events import LIMIT
from .faults import RapidError
from .host import HostRoutine
from .symbols import DataSymbol, RoutineSymbol
from .tree import (
    Aggregate,
    Assignment,
    ComponentOf,
    ConnectTrap,
    DataName,
    ElementOf,
    ExitProgram,
    ForLoop,
    GotoLabel,
    HandlerExit,
    IfChoice,
    LabelMark,
    ProcedureCall,
    RaiseError,
    RapidArgument,
    RapidBlock,
    RapidExpression,
    RapidStatement,
    ReturnValue,
    TestChoice,
    WhileLoop,
)

CODE_NAME = "<rapid>"
CONTROL = {"stop": "stop", "break": "break", "exitcycle": "cycle"}


@dataclass(slots=True)
class RoutineCode:
    """A routine as instructions.

    Attributes:
        first: Number of its first instruction among all.
        lines: Line of the module for each instruction.
        starts: Where the statement of each instruction begins.
        nexts: What follows that statement.
        handler: Where the error handler begins; -1: it has none.
        prologue: How many instructions there are before the first statement.
        costs: Steps that each instruction takes of the budget.
    """

    symbol: RoutineSymbol
    first: int = 0
    lines: list[int] = field(default_factory=list[int])
    starts: list[int] = field(default_factory=list[int])
    nexts: list[int] = field(default_factory=list[int])
    costs: list[int] = field(default_factory=list[int])
    handler: int = -1
    prologue: int = 0


@dataclass(frozen=True, slots=True)
class TaskCode:
    """A task as Python: functions `i0`, `i1`, … and what they call by name."""

    code: CodeType
    count: int
    routines: list[RoutineCode]
    hosts: dict[str, HostRoutine]
    constants: dict[str, object]
    initial: dict[int, str]
    text: str = field(repr=False, default="")


def write_code(task: CheckedTask, hosts: Mapping[str, HostRoutine]) -> TaskCode:
    """Return the code of a task that has no problems.

    Raises:
        RapidError: Something is nested too deeply.
    """
    return _CodeWriter(task, hosts).written()


class _CodeWriter(ExpressionCode):
    def __init__(self, task: CheckedTask, hosts: Mapping[str, HostRoutine]) -> None:
        super().__init__(task, hosts)
        self.out = CodeText(1)
        self.count = 0
        self.routine = RoutineCode(RoutineSymbol("", "PROC", None, [], None))  # type: ignore[arg-type]
        self.body: list[str] = []
        self.statements: list[tuple[int, list[int]]] = []
        self.labels: list[int] = []
        self.label_names: list[dict[str, int]] = []

    def written(self) -> TaskCode:
        """Return the whole."""
        routines = [self._routine(one) for one in self.task.symbols.routines]
        initial = {one.slot: f"init{one.slot}" for one in self.task.symbols.data if one.declaration is not None}
        for one in self.task.symbols.data:
            self.out.line = one.line
            self.out.add(0, f"def init{one.slot}():")
            self.out.add(1, f"return {self.initial(one)}")
        code = self.out.compile(CODE_NAME)
        if isinstance(code, int):
            raise RapidError(max(code, 1), 1, "nested too deeply", self.task.modules[0].file, LIMIT)
        text = "\n".join(self.out.text)
        return TaskCode(code, self.count, routines, self.used, self.constants, initial, text)

    def initial(self, one: DataSymbol) -> str:
        """Return the value that data begins with."""
        declaration = one.declaration
        if declaration is None or declaration.value is None:
            name = f"k{len(self.constants)}"
            self.constants[name] = (one.type, one.dimensions)
            return f"initial({name})"
        return self.value(declaration.value)

    # Instructions

    def emit(self, text: str) -> int:
        """Add an instruction; `@n@` in it stands for label n."""
        routine = self.routine
        self.body.append(text)
        routine.lines.append(self.out.line)
        routine.costs.append(1 + len(text) // 200)
        if self.statements:
            self.statements[-1][1].append(len(self.body) - 1)
        return len(self.body) - 1

    def new_slot(self) -> int:
        """Return a place for a value in between."""
        return self.routine.symbol.new_slot()

    def new_label(self) -> int:
        """Return a label that has no place yet."""
        self.labels.append(-1)
        return len(self.labels) - 1

    def place(self, label: int) -> None:
        """Put a label before the next instruction."""
        self.labels[label] = len(self.body)

    def _routine(self, symbol: RoutineSymbol) -> RoutineCode:
        self.routine = routine = RoutineCode(symbol, self.count)
        self.body, self.labels, self.label_names = [], [], []
        spans: list[tuple[int, int, list[int]]] = []
        self.spans = spans
        declaration = symbol.declaration
        self.out.line = declaration.line
        for one in symbol.data:
            self.out.line = one.line
            self.emit(f"v[{one.slot}] = {self.initial(one)}")
        if not self.body:
            self.emit("pass")
        routine.prologue = len(self.body)
        self._block(declaration.body)
        self.out.line = declaration.end_line
        self._fall_off(symbol)
        if declaration.errors:
            routine.handler = len(self.body)
            for section in declaration.errors:
                self.out.line = section.line
                after = self.new_label()
                if section.numbers:
                    numbers = "".join(f"{self.value(one)}, " for one in section.numbers)
                    self.emit(f"if not handles(({numbers}), T.errno): return @{after}@")
                self._block(section.body)
                self.out.line = declaration.end_line
                self._fall_off(symbol)
                self.place(after)
            self.emit('return "reraise"')
        routine.starts = list(range(len(self.body)))
        routine.nexts = [place + 1 for place in range(len(self.body))]
        for start, end, items in spans:
            for item in items:
                routine.starts[item], routine.nexts[item] = start, end
        for place, text in enumerate(self.body):
            for label in range(len(self.labels)):
                if "@" not in text:
                    break
                text = text.replace(f"@{label}@", str(self.labels[label]))
            self.out.line = routine.lines[place]
            self.out.add(0, f"def i{self.count + place}(v):")
            for line in text.split("\n"):
                self.out.add(1, line)
        self.count += len(self.body)
        return routine

    def _fall_off(self, symbol: RoutineSymbol) -> None:
        if symbol.kind == "FUNC":
            self.emit(f"no_return({symbol.name!r})")
        else:
            self.emit('return "return"')

    def _block(self, block: RapidBlock) -> None:
        self.label_names.append({one.label.lower(): self.new_label() for one in block if isinstance(one, LabelMark)})
        for one in block:
            self.out.line = one.line
            self.statements.append((len(self.body), []))
            self._statement(one)
            start, items = self.statements.pop()
            self.spans.append((start, len(self.body), items))
        self.label_names.pop()

    def _statement(self, one: RapidStatement) -> None:
        match one:
            case Assignment():
                self._assign(one.target, self._own(one.value))
            case ProcedureCall():
                self._procedure(one)
            case IfChoice():
                self._if(one)
            case WhileLoop():
                top, end = self.new_label(), self.new_label()
                self.place(top)
                self.emit(f"if not {self.value(one.condition)}: return @{end}@")
                self._block(one.body)
                self.emit(f"return @{top}@")
                self.place(end)
            case ForLoop():
                self._for(one)
            case TestChoice():
                self._test(one)
            case GotoLabel():
                label = next(
                    names[one.label.lower()] for names in reversed(self.label_names) if one.label.lower() in names
                )
                self.emit(f"return @{label}@")
            case LabelMark():
                self.place(self.label_names[-1][one.label.lower()])
            case ReturnValue():
                if one.value is not None:
                    self.emit(f'T.result = {self._own(one.value)}\nreturn "return"')
                else:
                    self.emit('return "return"')
            case RaiseError():
                if one.number is None:
                    self.emit('return "reraise"')
                else:
                    self.emit(f"raise_number({self.value(one.number)})")
            case HandlerExit():
                self.emit(f'return "{one.word.lower()}"')
            case ExitProgram():
                self.emit('return "exit"')
            case ConnectTrap():
                trap = self.task.symbols.find(one.trap, self.routine.symbol.module)
                assert isinstance(trap, RoutineSymbol)  # noqa: S101 - checked
                self._assign(one.target, f"T.connect({trap.index}, {self.value(one.target)})")
            case _:
                pass

    def _own(self, expression: RapidExpression) -> str:
        """Return a value that is not shared."""
        text = self.value(expression)
        is_array = self.task.types.get(id(expression), (None, 0))[1] > 0
        return f"copied({text})" if is_array and not isinstance(expression, Aggregate) else text

    def _assign(self, target: RapidExpression, value: str) -> None:
        symbol, indices, path = self.parts(target)
        if symbol.kind == "parameter" and symbol.by_reference and not indices:
            reference = f"present(v[{symbol.slot}])"
            if path:
                self.emit(f"{reference}.set(changed({reference}.get(), {value}, {path}))")
            else:
                self.emit(f"{reference}.set({value})")
            return
        place = self.variable(symbol)
        if indices:
            numbers = "".join(f"{self.value(one)}, " for one in indices)
            self.emit(f"put_element({place}, {value}, ({numbers}), {path})")
        elif path:
            self.emit(f"{place} = changed({place}, {value}, {path})")
        else:
            self.emit(f"{place} = {value}")

    def _if(self, one: IfChoice) -> None:
        end = self.new_label()
        for place, (condition, body) in enumerate(one.branches):
            following = self.new_label()
            self.out.line = condition.line
            self.emit(f"if not {self.value(condition)}: return @{following}@")
            self._block(body)
            if place + 1 < len(one.branches) or one.otherwise is not None:
                self.emit(f"return @{end}@")
            self.place(following)
        if one.otherwise is not None:
            self._block(one.otherwise)
        self.place(end)

    def _for(self, one: ForLoop) -> None:
        slot = self.task.loops[id(one)].slot
        top, end = self.new_label(), self.new_label()
        start, last = self.value(one.start), self.value(one.end)
        step = f"1.0 if v[{slot}] <= v[{slot + 1}] else -1.0" if one.step is None else self.value(one.step)
        inside = f"v[{slot}] <= v[{slot + 1}] if v[{slot + 2}] >= 0 else v[{slot}] >= v[{slot + 1}]"
        self.emit(
            f"v[{slot}] = {start}\nv[{slot + 1}] = {last}\nv[{slot + 2}] = {step}\nif not ({inside}): return @{end}@"
        )
        self.place(top)
        self._block(one.body)
        self.out.line = one.line
        self.emit(f"v[{slot}] += v[{slot + 2}]\nif {inside}: return @{top}@")
        self.place(end)

    def _test(self, one: TestChoice) -> None:
        slot, end = self.new_slot(), self.new_label()
        self.emit(f"v[{slot}] = {self.value(one.subject)}")
        for values, body in one.cases:
            following = self.new_label()
            self.out.line = values[0].line
            chosen = " or ".join(f"v[{slot}] == {self.value(value)}" for value in values)
            self.emit(f"if not ({chosen}): return @{following}@")
            self._block(body)
            self.emit(f"return @{end}@")
            self.place(following)
        if one.default is not None:
            self._block(one.default)
        self.place(end)

    def _procedure(self, one: ProcedureCall) -> None:
        if not isinstance(one.name, str):
            words = "".join(
                f"({argument.name.lower()!r}, {self._either(argument.value)}), " for argument in one.arguments
            )
            self.emit(f"return (T.late({self.value(one.name)}), [{words}], -2)")
            return
        call = self.task.calls[id(one)]
        key = call.routine.name.lower()
        if not call.routine.builtin:
            self.emit(f"return ({call.routine.index}, [{', '.join(self.arguments(call))}], -1)")
        elif key in CONTROL:
            self.emit(f'return "{CONTROL[key]}"')
        elif key == "waituntil":
            self._wait_until(call.arguments)
        elif key in ("incr", "decr", "add", "clear"):
            target = call.arguments[0]
            assert target is not None  # noqa: S101 - required
            assert target.value is not None  # noqa: S101 - required
            old = self.value(target.value)
            extra = call.arguments[1] if key == "add" else None
            by = self.value(extra.value) if extra is not None and extra.value is not None else "1.0"
            self._assign(target.value, "0.0" if key == "clear" else f"{old} {'-' if key == 'decr' else '+'} {by}")
        else:
            self.emit(self.builtin_call(call, -1))

    def _either(self, value: RapidExpression | None) -> str:
        """Return an argument whose parameter is not known yet: a reference where it can be one."""
        if value is None:
            return "True"
        if isinstance(value, DataName | ComponentOf | ElementOf):
            symbol = self.parts(value)[0]
            if symbol.kind in ("VAR", "PERS", "parameter"):
                return self.reference(value)
        return self.value(value)

    def _wait_until(self, arguments: list[RapidArgument | None]) -> None:
        rest, wanted, longest, late, _, _ = arguments
        assert wanted is not None  # noqa: S101 - required
        assert wanted.value is not None  # noqa: S101 - required
        slot, top, end = self.new_slot(), self.new_label(), self.new_label()
        limit = "None" if longest is None or longest.value is None else self.value(longest.value)
        if rest is not None:
            self.emit("return (None, T.settled(), -1)")
        self.emit(f"v[{slot}] = T.deadline({limit})")
        self.place(top)
        flag = "None" if late is None or late.value is None else self.reference(late.value)
        done = "pass" if flag == "None" else f"{flag}.set(False)"
        self.emit(f"if {self.value(wanted.value)}:\n {done}\n return @{end}@")
        self.emit(f"return (None, T.wait_more(v[{slot}], {flag}), {slot})")
        self.emit(f"if v[{slot}] is None: return @{end}@\nreturn @{top}@")
        self.place(end)
