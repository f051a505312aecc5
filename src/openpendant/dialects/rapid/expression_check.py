"""ExpressionCheck: the types of expressions, and what is wrong with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openpendant.dialects.core import SourceNode

from .declarations import DeclarationCheck
from .events import ARGUMENT, REFERENCE, TYPE
from .symbols import DataSymbol, InstalledNames, RoutineSymbol, near
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
    RapidModule,
    Signed,
)
from .types import ANY, BOOL, DNUM, NUM, ORIENT, POS, SIGNALS, STRING, TYPES, RapidType, fits, is_number

Typed = tuple[RapidType, int]
"""A type, and the number of dimensions; 0: no array."""
UNKNOWN: Typed = (ANY, 0)
VECTOR_PRODUCTS = ((POS, NUM), (NUM, POS), (POS, POS))
NAMED_BY_CONFIGURATION = (*SIGNALS, "mecunit")


@dataclass(frozen=True, slots=True)
class BoundCall:
    """A call whose routine is known: one argument, or None, for each parameter."""

    routine: RoutineSymbol
    arguments: list[RapidArgument | None]


class ExpressionCheck(DeclarationCheck):
    """Knows what every name in an expression means.

    Attributes:
        types: Type of each expression, by its identity.
        symbols: Data of each `DataName`, by its identity.
        calls: Each call, by its identity.
    """

    def __init__(
        self, modules: Sequence[RapidModule], signals: Iterable[str] | None, installed: InstalledNames
    ) -> None:
        """Read the declarations."""
        self.types: dict[int, Typed] = {}
        self.symbols: dict[int, DataSymbol] = {}
        self.calls: dict[int, BoundCall] = {}
        self.routine: RoutineSymbol | None = None
        self.scopes: list[dict[str, DataSymbol]] = []
        super().__init__(modules, signals, installed)

    def data_of(self, name: str) -> DataSymbol | RoutineSymbol | None:
        """Return what a name means here."""
        key = name.lower()
        for scope in reversed(self.scopes):
            if key in scope:
                return scope[key]
        return self.task.find(name, self.module)

    def check(self, expression: RapidExpression, wanted: Typed | None = None) -> Typed:
        """Return the type of an expression; report where it is not what is wanted."""
        found = self._found(expression, wanted)
        self.types[id(expression)] = found
        if wanted is None or (fits(found[0], wanted[0]) and found[1] == wanted[1]):
            return found
        if ANY in (found[0], wanted[0]):
            return wanted
        if wanted[0].root is DNUM and found[0].root is NUM and _is_literal(expression):
            return wanted
        self.report(expression, TYPE, f"expected {_type_name(wanted)}, found {_type_name(found)}")
        return wanted

    def _found(self, expression: RapidExpression, wanted: Typed | None) -> Typed:
        match expression:
            case Constant(value=value):
                return (BOOL if isinstance(value, bool) else STRING if isinstance(value, str) else NUM), 0
            case DataName():
                return self._name(expression)
            case Aggregate():
                return self._aggregate(expression, wanted)
            case ComponentOf():
                return self._component(expression)
            case ElementOf():
                return self._element(expression)
            case FunctionCall():
                return self._function(expression)
            case Signed():
                of = self.check(expression.of)
                if of[1] or not (is_number(of[0]) or of[0] is ANY or of[0].root is POS):
                    self.report(expression, TYPE, f"{expression.sign} needs a number or pos, found {_type_name(of)}")
                return of
            case Negated():
                self.check(expression.of, (BOOL, 0))
                return BOOL, 0
            case BinaryOperation():
                return self._operation(expression)
            case Placeholder():
                self.report(expression, REFERENCE, f"the placeholder {expression.text} is still to be filled in")
                return UNKNOWN

    def _name(self, expression: DataName) -> Typed:
        found = self.data_of(expression.name)
        if found is None:
            known = [one.name for scope in self.scopes for one in scope.values()]
            question = near(expression.name, iter([*known, *self.task.names(self.module)]))
            self.report(expression, REFERENCE, f"unknown data {expression.name}{question}")
            return UNKNOWN
        if isinstance(found, RoutineSymbol):
            what = "a function needs parentheses" if found.kind == "FUNC" else f"it is a {found.kind}"
            self.report(expression, REFERENCE, f"{expression.name} is not data: {what}")
            return UNKNOWN
        self.symbols[id(expression)] = found
        return found.type, found.rank

    def _aggregate(self, expression: Aggregate, wanted: Typed | None) -> Typed:
        if wanted is None or wanted[0] is ANY:
            for item in expression.items:
                self.check(item)
            if wanted is None:
                self.report(expression, TYPE, "the type of this list is not known here")
            return UNKNOWN
        of, rank = wanted
        if rank:
            for item in expression.items:
                self.check(item, (of, rank - 1))
            return wanted
        components = of.root.components
        if len(components) != len(expression.items):
            has = f"has {len(components)} components" if components else "is not a record"
            self.report(expression, TYPE, f"{of.name} {has}, found {len(expression.items)} values")
            return wanted
        for item, (_, inner) in zip(expression.items, components, strict=True):
            self.check(item, (inner, 0))
        return wanted

    def _component(self, expression: ComponentOf) -> Typed:
        of, rank = self.check(expression.of)
        if of is ANY:
            return UNKNOWN
        found = None if rank else of.component(expression.name)
        if found is None:
            names = [name for name, _ in of.root.components]
            question = near(expression.name, iter(names))
            self.report(expression, REFERENCE, f"{_type_name((of, rank))} has no component {expression.name}{question}")
            return UNKNOWN
        return found[1], 0

    def _element(self, expression: ElementOf) -> Typed:
        of, rank = self.check(expression.of)
        for index in expression.indices:
            self.check(index, (NUM, 0))
        if of is ANY:
            return UNKNOWN
        if rank != len(expression.indices):
            wrong = f"has {rank} dimensions" if rank else "is not an array"
            self.report(expression, TYPE, f"it {wrong}, found {len(expression.indices)} indices")
            return of, 0
        return of, 0

    def _operation(self, expression: BinaryOperation) -> Typed:
        operator = expression.operator
        if operator in ("AND", "OR", "XOR"):
            self.check(expression.left, (BOOL, 0))
            self.check(expression.right, (BOOL, 0))
            return BOOL, 0
        if operator in ("=", "<>"):
            return self._equality(expression)
        left, right = self.check(expression.left), self.check(expression.right)
        if ANY in (left[0], right[0]):
            return (BOOL, 0) if operator in ("<", ">", "<=", ">=") else UNKNOWN
        a, b = left[0].root, right[0].root
        if a is not b and {a, b} == {NUM, DNUM} and _is_literal(expression.right if a is DNUM else expression.left):
            a = b = DNUM
        result: RapidType | None = None
        if not left[1] and not right[1]:
            if a is b and a in (NUM, DNUM):
                result = BOOL if operator in ("<", ">", "<=", ">=") else a
            elif operator == "+" and a is b and a in (STRING, POS):
                result = a
            elif (operator == "-" and a is b is POS) or (
                operator == "*" and (a, b) in ((POS, NUM), (NUM, POS), (POS, POS))
            ):
                result = POS
            elif operator == "*" and a is b is ORIENT:
                result = ORIENT
            elif operator == "/" and (a, b) == (POS, NUM):
                result = POS
        if result is None:
            self.report(expression, TYPE, f"{operator} does not take {_type_name(left)} and {_type_name(right)}")
            return UNKNOWN
        return result, 0

    def _equality(self, expression: BinaryOperation) -> Typed:
        # A list takes its type from the other side.
        first, second = expression.left, expression.right
        if isinstance(first, Aggregate):
            first, second = second, first
        left = self.check(first)
        right = self.check(second, left if isinstance(second, Aggregate) else None)
        if ANY not in (left[0], right[0]):
            numbers = is_number(left[0]) and is_number(right[0]) and (_is_literal(first) or _is_literal(second))
            if left[1] != right[1] or not (fits(left[0], right[0]) or numbers):
                message = f"{_type_name(left)} and {_type_name(right)} cannot be compared"
                self.report(expression, TYPE, message)
            elif not left[0].root.valued:
                self.report(expression, TYPE, f"a {left[0].name} cannot be compared")
        return BOOL, 0

    def _function(self, expression: FunctionCall) -> Typed:
        found = self.data_of(expression.name)
        if not isinstance(found, RoutineSymbol) or found.kind != "FUNC":
            for one in expression.arguments:
                if one.value is not None and not isinstance(one.value, Aggregate):
                    self.check(one.value)
            if found is None:
                question = near(expression.name, self.task.names(self.module))
                self.report(expression, REFERENCE, f"unknown function {expression.name}{question}")
            else:
                self.report(expression, REFERENCE, f"{expression.name} is not a function")
            return UNKNOWN
        self.bind(expression, expression, found, expression.arguments)
        return found.returns or ANY, 0

    def bind(self, node: SourceNode, call: object, routine: RoutineSymbol, arguments: list[RapidArgument]) -> None:
        """Check the arguments of a call, and remember which parameter each is for."""
        parameters = routine.parameters
        bound: list[RapidArgument | None] = [None] * len(parameters)
        required = [place for place, one in enumerate(parameters) if not one.optional]
        taken = 0
        for argument in arguments:
            if argument.name:
                names = [one.name.lower() if one.optional else "" for one in parameters]
                if argument.name.lower() not in names:
                    question = near(argument.name, (one.name for one in parameters if one.optional))
                    message = f"{routine.name} has no optional argument \\{argument.name}{question}"
                    self.report(argument, ARGUMENT, message)
                    continue
                place = names.index(argument.name.lower())
                if bound[place] is not None:
                    self.report(argument, ARGUMENT, f"\\{argument.name} is given twice")
                    continue
            elif taken < len(required):
                place = required[taken]
                taken += 1
            else:
                taken += 1
                continue
            bound[place] = argument
            self._argument(argument, parameters[place])
        if taken != len(required):
            message = f"{routine.name} takes {len(required)} required arguments, found {taken}"
            self.report(node, ARGUMENT, message)
        for place, one in enumerate(routine.declaration.parameters):
            if one.instead and bound[place] is not None and bound[place - 1] is not None:
                names = f"\\{parameters[place - 1].name} and \\{one.name}"
                self.report(node, ARGUMENT, f"{names} exclude each other")
        self.calls[id(call)] = BoundCall(routine, bound)

    def _argument(self, argument: RapidArgument, parameter: DataSymbol) -> None:
        value = argument.value
        wanted: Typed = (parameter.type, parameter.rank)
        if parameter.type is TYPES["switch"]:
            if value is not None and not argument.handed_on:
                self.report(argument, ARGUMENT, f"\\{parameter.name} is a switch, it has no value")
            elif value is not None:
                self.check(value)
            return
        if value is None:
            self.report(argument, ARGUMENT, f"\\{parameter.name} needs a value: \\{parameter.name}:=…")
            return
        configured = parameter.type.name in NAMED_BY_CONFIGURATION
        if configured and isinstance(value, DataName) and self._signal(value, wanted):
            return
        if parameter.type is ANY:
            found = self.check(value, UNKNOWN if isinstance(value, Aggregate) else None)
        else:
            found = self.check(value, wanted)
        if parameter.by_reference and not configured:
            self._reference(value, parameter, found)

    def _signal(self, value: DataName, wanted: Typed) -> bool:
        found = self.data_of(value.name)
        if isinstance(found, DataSymbol):
            return False
        known = self.task.signals
        if known is not None and value.name.lower() not in known and wanted[0].name in SIGNALS:
            self.report(value, REFERENCE, f"unknown signal {value.name}{near(value.name, iter(known.values()))}")
        name = value.name if known is None else known.get(value.name.lower(), value.name)
        self.symbols[id(value)] = DataSymbol(name, "signal", wanted[0], value=name)
        self.types[id(value)] = wanted
        return True

    def _reference(self, value: RapidExpression, parameter: DataSymbol, found: Typed) -> None:
        root = self.root_of(value)
        if root is None:
            if found[0] is not ANY:
                self.report(value, ARGUMENT, f"{parameter.name} needs data, not an expression")
        elif parameter.mode == "PERS" and not (
            root.kind in ("PERS", "predefined") or (root.kind == "parameter" and root.mode in ("PERS", "INOUT"))
        ):
            self.report(value, ARGUMENT, f"{parameter.name} needs persistent data; {root.name} is none")
        elif root.kind in ("CONST", "loop", "system") or (root.kind == "predefined" and parameter.mode != "PERS"):
            self.report(value, ARGUMENT, f"{parameter.name} needs data that can be changed; {root.name} cannot")

    def root_of(self, expression: RapidExpression) -> DataSymbol | None:
        """Return the data that an expression is a part of."""
        while isinstance(expression, ComponentOf | ElementOf):
            expression = expression.of
        return self.symbols.get(id(expression)) if isinstance(expression, DataName) else None


def _is_literal(expression: RapidExpression) -> bool:
    match expression:
        case Constant():
            return True
        case Signed():
            return _is_literal(expression.of)
        case BinaryOperation():
            return _is_literal(expression.left) and _is_literal(expression.right)
        case _:
            return False


def _type_name(one: Typed) -> str:
    array = f"{{{','.join('*' * one[1])}}}" if one[1] else ""
    return f"{one[0].name}{array}"
