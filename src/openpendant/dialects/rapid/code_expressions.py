"""ExpressionCode: expressions of a checked task to expressions of Python."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from .check import CheckedTask
from .expression_check import BoundCall
from .host import HostRoutine
from .instructions import PURE
from .symbols import DataSymbol, RoutineSymbol
from .tree import (
    Aggregate,
    BinaryOperation,
    ComponentOf,
    Constant,
    DataName,
    ElementOf,
    FunctionCall,
    Negated,
    RapidArgument,
    RapidExpression,
    Signed,
)
from .types import ANY, ORIENT, POS, STRING

COMPARE = {"=": "==", "<>": "!="}


class ExpressionCode(ABC):
    """Writes expressions; calls in them become instructions of their own before.

    Attributes:
        used: Routines of the host that are called, by their names in the code.
        constants: Values that the code uses by name.
    """

    def __init__(self, task: CheckedTask, hosts: Mapping[str, HostRoutine]) -> None:
        """Write for a task, on a host with these routines."""
        self.task = task
        self.hosts = hosts
        self.used: dict[str, HostRoutine] = {}
        self.constants: dict[str, object] = {}

    @abstractmethod
    def emit(self, text: str) -> int:
        """Add an instruction."""

    @abstractmethod
    def new_slot(self) -> int:
        """Return a place for a value in between."""

    @abstractmethod
    def new_label(self) -> int:
        """Return a label that has no place yet."""

    @abstractmethod
    def place(self, label: int) -> None:
        """Put a label before the next instruction."""

    def variable(self, symbol: DataSymbol) -> str:
        """Return where data is kept."""
        if symbol.local:
            return f"v[{symbol.slot}]"
        return f"P[{symbol.slot}][0]" if symbol.kind == "PERS" else f"G[{symbol.slot}]"

    def parts(self, expression: RapidExpression) -> tuple[DataSymbol, list[RapidExpression], tuple[int, ...]]:
        """Return the data that an expression is a part of, the indices and the components that lead there."""
        path: list[int] = []
        indices: list[RapidExpression] = []
        while not isinstance(expression, DataName):
            assert isinstance(expression, ComponentOf | ElementOf)  # noqa: S101 - checked
            if isinstance(expression, ComponentOf):
                found = self.task.types[id(expression.of)][0].component(expression.name)
                assert found is not None  # noqa: S101 - checked
                path.insert(0, found[0])
            else:
                indices = expression.indices
            expression = expression.of
        return self.task.data[id(expression)], indices, tuple(path)

    def reference(self, expression: RapidExpression) -> str:
        """Return a reference to data."""
        symbol, indices, path = self.parts(expression)
        if symbol.kind == "predefined":
            return f"Reference([{self.value(expression)}], 0)"
        if symbol.kind == "parameter" and symbol.by_reference:
            if indices:
                numbers = "".join(f"{self.value(one)}, " for one in indices)
                return f"element_reference(present(v[{symbol.slot}]).get(), ({numbers}), {path})"
            return f"deeper(present(v[{symbol.slot}]), {path})" if path else f"present(v[{symbol.slot}])"
        if indices:
            numbers = "".join(f"{self.value(one)}, " for one in indices)
            return f"element_reference({self.variable(symbol)}, ({numbers}), {path})"
        if symbol.local:
            return f"Reference(v, {symbol.slot}, {path})"
        box = f"P[{symbol.slot}], 0" if symbol.kind == "PERS" else f"G, {symbol.slot}"
        return f"Reference({box}, {path})"

    def value(self, expression: RapidExpression) -> str:
        """Return an expression."""
        match expression:
            case Constant(value=value):
                return "1e999" if value == float("inf") else repr(value)
            case DataName():
                return self._data(self.task.data[id(expression)])
            case Aggregate():
                items = "".join(f"{self.value(one)}, " for one in expression.items)
                return f"[{items}]" if self.task.types[id(expression)][1] else f"({items})"
            case ComponentOf():
                found = self.task.types[id(expression.of)][0].component(expression.name)
                assert found is not None  # noqa: S101 - checked
                return f"{self.value(expression.of)}[{found[0]}]"
            case ElementOf():
                indices = ", ".join(map(self.value, expression.indices))
                return f"element({self.value(expression.of)}, {indices})"
            case FunctionCall():
                return self._function(expression)
            case Signed():
                of = self.value(expression.of)
                if expression.sign == "+":
                    return of
                return f"scaled({of}, -1.0)" if self.task.types[id(expression.of)][0].root is POS else f"(-{of})"
            case Negated():
                return f"(not {self.value(expression.of)})"
            case BinaryOperation():
                return self._operation(expression)
            case _:
                raise AssertionError(expression)

    def _data(self, symbol: DataSymbol) -> str:
        if symbol.kind in ("predefined", "signal"):
            if isinstance(symbol.value, float | str) and symbol.value != float("inf"):
                return repr(symbol.value)
            name = f"k_{symbol.name}"
            self.constants[name] = symbol.value
            return name
        if symbol.kind == "system":
            return {"ERRNO": "T.errno", "INTNO": "T.intno"}.get(symbol.name, repr(symbol.name))
        place = self.variable(symbol)
        if symbol.kind == "parameter":
            if symbol.by_reference:
                return f"present({place}).get()" if symbol.optional else f"{place}.get()"
            return f"present({place})" if symbol.optional else place
        return place

    def _operation(self, expression: BinaryOperation) -> str:
        operator = expression.operator
        if operator in ("AND", "OR"):
            return self._logic(expression)
        left = self.value(expression.left)
        right = self.value(expression.right)
        if operator == "XOR":
            return f"({left} is not {right})"
        if operator in ("DIV", "MOD"):
            return f"{'divided' if operator == 'DIV' else 'remainder'}({left}, {right})"
        if operator in ("+", "-", "*", "/"):
            a = self.task.types[id(expression.left)][0].root
            b = self.task.types[id(expression.right)][0].root
            if a is STRING:
                return f"joined({left}, {right})"
            if a is ORIENT:
                return f"turned({left}, {right})"
            if operator == "*" and a is b is POS:
                return f"crossed({left}, {right})"
            if POS in (a, b):
                if operator == "/":
                    return f"scaled({left}, 1.0 / {right})"
                if operator == "*":
                    return f"scaled({left}, {right})" if a is POS else f"scaled({right}, {left})"
                return f"{'added' if operator == '+' else 'subtracted'}({left}, {right})"
        return f"({left} {COMPARE.get(operator, operator)} {right})"

    def _logic(self, expression: BinaryOperation) -> str:
        left = self.value(expression.left)
        word = expression.operator.lower()
        if not self._calls(expression.right):
            return f"({left} {word} {self.value(expression.right)})"
        # The right side is evaluated only where the left one does not decide.
        slot, end = self.new_slot(), self.new_label()
        self.emit(f"v[{slot}] = {left}\nif {'not ' if word == 'and' else ''}v[{slot}]: return @{end}@")
        self.emit(f"v[{slot}] = {self.value(expression.right)}")
        self.place(end)
        self.emit("pass")
        return f"v[{slot}]"

    def _calls(self, expression: RapidExpression) -> bool:
        match expression:
            case FunctionCall():
                return True
            case BinaryOperation():
                return self._calls(expression.left) or self._calls(expression.right)
            case Signed() | Negated() | ComponentOf():
                return self._calls(expression.of)
            case ElementOf():
                return self._calls(expression.of) or any(map(self._calls, expression.indices))
            case Aggregate():
                return any(map(self._calls, expression.items))
            case _:
                return False

    def _function(self, expression: FunctionCall) -> str:
        call = self.task.calls[id(expression)]
        key = call.routine.name.lower()
        if key == "present":
            argument = call.arguments[0]
            assert argument is not None  # noqa: S101 - required
            assert argument.value is not None  # noqa: S101 - required
            return f"({self.variable(self.parts(argument.value)[0])} is not None)"
        if not call.routine.builtin:
            slot = self.new_slot()
            self.emit(f"return ({call.routine.index}, [{', '.join(self.arguments(call))}], {slot})")
            return f"v[{slot}]"
        host = self.hosts.get(key)
        if host is not None and host.waits:
            slot = self.new_slot()
            self.emit(self.builtin_call(call, slot))
            return f"v[{slot}]"
        return self.builtin_call(call, -1)

    def builtin_call(self, call: BoundCall, slot: int) -> str:
        """Return a call of an instruction or function; one that waits puts its value into a slot."""
        name = call.routine.name
        host = self.hosts.get(name.lower())
        if host is None:
            if name.lower() not in PURE:
                return f"missing({name!r})"
            return f"p_{name.lower()}({', '.join(self.arguments(call))})"
        words = self.arguments(call)
        pairs = zip(call.routine.parameters, words, strict=True)
        given = ", ".join(f"{one.name!r}: {text}" for one, text in pairs if text != "None")
        code_name = f"b_{name.lower()}"
        self.used[code_name] = host
        text = f"{code_name}(T, given({{{given}}}))"
        return f"return (None, {text}, {slot})" if host.waits else text

    def arguments(self, call: BoundCall) -> list[str]:
        """Return one argument for each parameter; "None": it is not given."""
        return [
            "None" if one is None else self._argument(one, parameter, call.routine)
            for one, parameter in zip(call.arguments, call.routine.parameters, strict=True)
        ]

    def _argument(self, one: RapidArgument, parameter: DataSymbol, routine: RoutineSymbol) -> str:
        if one.value is None:
            return "True"
        if one.handed_on and isinstance(one.value, DataName):
            own = self.task.data[id(one.value)]
            place = self.variable(own)
            if own.by_reference and not parameter.by_reference:
                return f"(None if {place} is None else {place}.get())"
            if parameter.by_reference and not own.by_reference:
                return f"(None if {place} is None else Reference(v, {own.slot}))"
            return place
        if parameter.by_reference and isinstance(one.value, DataName | ComponentOf | ElementOf):
            symbol = self.parts(one.value)[0]
            if symbol.kind not in ("signal", "system"):
                return self.reference(one.value)
        text = self.value(one.value)
        rank = self.task.types.get(id(one.value), (ANY, 0))[1]
        if rank and not routine.builtin and not isinstance(one.value, Aggregate):
            return f"copied({text})"
        return text


def names_in(expression: RapidExpression) -> Iterator[DataName]:
    """Yield the names of data in an expression."""
    match expression:
        case DataName():
            yield expression
        case Aggregate():
            for one in expression.items:
                yield from names_in(one)
        case ComponentOf() | Signed() | Negated():
            yield from names_in(expression.of)
        case ElementOf():
            for one in (expression.of, *expression.indices):
                yield from names_in(one)
        case BinaryOperation():
            yield from names_in(expression.left)
            yield from names_in(expression.right)
        case FunctionCall():
            for argument in expression.arguments:
                if argument.value is not None:
                    yield from names_in(argument.value)
        case _:
            pass
