"""DeclarationCheck: the names that the modules of a task declare, and what is wrong with them."""

from collections.abc import Iterable, Sequence

from openpendant.dialects.core import SourceNode

from .events import DECLARATION, NAME, REFERENCE, TYPE, EventKind
from .faults import RapidProblem
from .symbols import (
    DataSymbol,
    InstalledNames,
    ModuleSymbols,
    RoutineSymbol,
    Symbol,
    TaskSymbols,
    built_in,
    installed_symbols,
    near,
)
from .tree import (
    AliasDeclaration,
    BinaryOperation,
    Constant,
    DataDeclaration,
    DataName,
    ParameterDeclaration,
    RapidExpression,
    RapidModule,
    RecordDeclaration,
    RoutineDeclaration,
    Signed,
)
from .types import NUM, TYPES, RapidType

LARGEST_ARRAY = 200_000
"""Elements."""


class DeclarationCheck:
    """Collects what modules declare.

    Attributes:
        task: The names that were found.
        problems: What is wrong.
    """

    def __init__(
        self, modules: Sequence[RapidModule], signals: Iterable[str] | None, installed: InstalledNames
    ) -> None:
        """Read the declarations of all modules of a task."""
        self.task = TaskSymbols(
            signals=None if signals is None else {one.lower(): one for one in signals},
            installed=installed_symbols(installed),
            absent=installed.absent,
        )
        self.problems: list[RapidProblem] = []
        self.file = ""
        self.module = ""
        for module in modules:
            self._enter(module)
            if self.module in self.task.modules:
                self.report(module, NAME, f"a second module is named {module.name}")
                continue
            self.task.modules[self.module] = ModuleSymbols(module)
        known = [one.module for one in self.task.modules.values()]
        for module in known:
            self._enter(module)
            for one in module.declarations:
                if isinstance(one, RecordDeclaration | AliasDeclaration):
                    self._type(one)
        for module in known:
            self._enter(module)
            for one in module.declarations:
                if isinstance(one, DataDeclaration):
                    self._add(one, self._data_symbol(one), one.scope == "LOCAL")
        for module in known:
            self._enter(module)
            for one in module.declarations:
                if isinstance(one, RoutineDeclaration):
                    self._routine(one)

    def _enter(self, module: RapidModule) -> None:
        self.module, self.file = module.name.lower(), module.file

    def report(self, node: SourceNode, kind: EventKind, message: str) -> None:
        """Note what is wrong with a part of the present module."""
        self.problems.append(RapidProblem(self.file, node.line, node.column, kind, message))

    def type_of_name(self, node: SourceNode, name: str) -> RapidType:
        """Return a type; one that does not exist is reported, and taken for a number."""
        found = self.task.find_type(name, self.module)
        if found is None or found is TYPES["anytype"]:
            self.report(node, REFERENCE, f"unknown data type {name}{near(name, iter(TYPES))}")
            return NUM
        return found

    def _type(self, one: RecordDeclaration | AliasDeclaration) -> None:
        if isinstance(one, AliasDeclaration):
            of = self.type_of_name(one, one.type_name)
            if of.base is not None:
                self.report(one, TYPE, f"{one.type_name} is an alias itself")
            found = RapidType(one.name, base=of.root, valued=of.valued)
        else:
            components = tuple((name, self.type_of_name(one, of)) for of, name in one.components)
            if len({name.lower() for name, _ in components}) < len(components):
                self.report(one, NAME, f"{one.name} has two components of the same name")
            found = RapidType(one.name, components)
        types = self.task.modules[self.module].types if one.scope == "LOCAL" else self.task.types
        if one.name.lower() in types or (one.scope != "LOCAL" and TYPES.get(one.name.lower()) is not None):
            self.report(one, NAME, f"the name {one.name} is used twice")
        types[one.name.lower()] = found

    def _add(self, node: SourceNode, symbol: Symbol, local: bool) -> None:
        key = symbol.name.lower()
        task = self.task
        names = task.modules[self.module].locals if local else task.globals
        if key in names:
            self.report(node, NAME, f"the name {symbol.name} is used twice")
            return
        own = None if key in task.absent else built_in(key)
        if isinstance(own, RoutineSymbol):
            what = "instruction" if own.kind == "PROC" else "function"
            self.report(node, NAME, f"{symbol.name} is the name of {'an' if what[0] == 'i' else 'a'} {what}")
        elif own is not None and own.kind == "system":
            self.report(node, NAME, f"{symbol.name} is the system's own")
        names[key] = symbol
        if isinstance(symbol, DataSymbol):
            symbol.slot = len(task.data)
            task.data.append(symbol)
        else:
            symbol.index = len(task.routines)
            task.routines.append(symbol)

    def data_symbol(self, one: DataDeclaration) -> DataSymbol:
        """Return the symbol of data of a routine."""
        found = self._data_symbol(one)
        if one.kind == "PERS":
            self.report(one, DECLARATION, f"{one.name}: persistent data is declared outside of routines")
        return found

    def _data_symbol(self, one: DataDeclaration) -> DataSymbol:
        of = self.type_of_name(one, one.type_name)
        dimensions: list[int] = []
        total = 1
        for expression in one.dimensions:
            size = self._constant(expression)
            if size is None or size != int(size) or size < 1:
                self.report(one, DECLARATION, f"{one.name}: the size of an array is a constant number from 1")
                size = 1.0
            dimensions.append(int(size))
            total *= int(size)
        if total > LARGEST_ARRAY:
            self.report(one, DECLARATION, f"{one.name} has {total} elements; at most {LARGEST_ARRAY} are allowed")
            dimensions = [1] * len(dimensions)
        if not of.valued and (one.kind != "VAR" or one.value is not None):
            self.report(one, DECLARATION, f"{one.name}: a {of.name} is a VAR without a value")
        return DataSymbol(
            one.name, one.kind, of, len(dimensions), tuple(dimensions), one, self.module, self.file, one.line
        )

    def _constant(self, expression: RapidExpression, depth: int = 0) -> float | None:
        """Return the number of an expression of constants; None: it is none."""
        match expression:
            case Constant(value=float(number)):
                return number
            case Signed():
                inner = self._constant(expression.of, depth)
                return inner if inner is None or expression.sign == "+" else -inner
            case BinaryOperation():
                left, right = self._constant(expression.left, depth), self._constant(expression.right, depth)
                if left is None or right is None:
                    return None
                return {"+": left + right, "-": left - right, "*": left * right}.get(expression.operator)
            case DataName():
                for module in self.task.modules.values():
                    for one in module.module.declarations:
                        if isinstance(one, DataDeclaration) and one.name.lower() == expression.name.lower():
                            if one.kind != "CONST" or one.value is None or depth > 20:
                                return None
                            return self._constant(one.value, depth + 1)
                return None
            case _:
                return None

    def _routine(self, one: RoutineDeclaration) -> None:
        returns = self.type_of_name(one, one.returns) if one.kind == "FUNC" else None
        if returns is not None and not returns.valued:
            self.report(one, TYPE, f"a function cannot return a {returns.name}")
        parameters = [self._parameter(parameter) for parameter in one.parameters]
        symbol = RoutineSymbol(one.name, one.kind, returns, parameters, one, self.module, self.file)
        for parameter in parameters:
            parameter.slot = symbol.new_slot()
        self._add(one, symbol, one.scope == "LOCAL")

    def _parameter(self, one: ParameterDeclaration) -> DataSymbol:
        of = self.type_of_name(one, one.type_name)
        if of is TYPES["switch"] and not one.optional:
            self.report(one, DECLARATION, f"the switch {one.name} must be optional")
        handle = not of.valued and of is not TYPES["switch"] and not of.name.startswith("signal")
        return DataSymbol(
            one.name,
            "parameter",
            of,
            one.dimensions,
            module=self.module,
            file=self.file,
            line=one.line,
            local=True,
            by_reference=one.mode != "" or handle,
            optional=one.optional,
            mode=one.mode,
        )
