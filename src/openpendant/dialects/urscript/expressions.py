"""ExpressionWriter: expressions of a script to expressions of Python."""

from collections.abc import Mapping
from typing import Any

from .builtin import REQUIRED, Builtin
from .failures import ScriptError
from .program import ScriptProgram
from .scopes import Scopes, Unit
from .tree import (
    At,
    Binary,
    CallFunction,
    CallMethod,
    Expression,
    List,
    Literal_,
    Member,
    Name,
    Negative,
    Not,
    PoseOf,
    RunThread,
)
from .values import MemberName, ScriptPose

ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "remainder", "^": "power"}
ORDER = {"<": "less", ">": "greater", "<=": "at_most", ">=": "at_least"}
MUTATORS = ("append", "clear", "extend", "insert", "pop", "remove")
"""Methods of lists that change the variable they are called on."""
LONG_CHAIN = 12


class ExpressionWriter:
    """Writes expressions for one unit after the other.

    Attributes:
        used: Builtins that were called.
        defaults: Defaults of builtins that are needed.
        constants: Poses that never change.
        changed: Global variables that the present unit assigns, as Python names.
    """

    def __init__(self, program: ScriptProgram, scopes: Scopes, builtins: Mapping[str, Builtin]) -> None:
        """Write for `program`, whose names mean what `scopes` and `builtins` say."""
        self.program = program
        self.scopes = scopes
        self.builtins = builtins
        self.used: set[str] = set()
        self.defaults: set[tuple[str, str, int]] = set()
        self.constants: dict[str, Any] = {}
        self.changed: set[str] = set()
        self.unit = scopes.units[0]
        self.temporaries = 0
        self.cost = 0

    def reset_cost(self) -> int:
        """Return what the builtins in the last expressions cost, in steps, and reset the count."""
        cost, self.cost = self.cost, 0
        return cost

    def enter(self, unit: Unit) -> None:
        """Continue with the next unit."""
        self.unit = unit
        self.changed = set()
        self.temporaries = 0

    def target(self, name: str, *, forced_global: bool = False) -> str:
        """Return the Python variable that an assignment to `name` changes."""
        if name in self.unit.locals and not forced_global:
            return f"l_{name}"
        self.changed.add(f"g_{name}")
        return f"g_{name}"

    def path(self, target: Expression) -> list[str]:
        """Return the indices and members that lead from a variable to the part which is assigned."""
        keys: list[str] = []
        while isinstance(target, At | Member):
            if isinstance(target, Member):
                keys.insert(0, f"m_{target.name}")
                self.constants[keys[0]] = MemberName(target.name)
            else:
                keys[:0] = [self.write(index) for index in target.indices]
            target = target.of
        return keys

    def condition(self, expression: Expression) -> str:
        """Return an expression that is a bool: its value must be a Bool or a number."""
        text = self.write(expression)
        return text if _is_bool(expression) else f"truth({text})"

    def write(self, expression: Expression) -> str:
        """Return an expression."""
        match expression:
            case Literal_():
                return _literal(expression.value)
            case Name():
                return self._name(expression)
            case List():
                return self._list(expression)
            case PoseOf():
                return self._pose(expression)
            case At():
                text = self.write(expression.of)
                for index in expression.indices:
                    text = f"at({text}, {self.write(index)})"
                return text
            case Member():
                return f"member({self.write(expression.of)}, {expression.name!r})"
            case CallFunction():
                return self._call(expression)
            case CallMethod():
                return self._method(expression)
            case Binary():
                return self._binary(expression)
            case Negative():
                text = self.write(expression.of)
                plain = isinstance(expression.of, Literal_) and type(expression.of.value) in (int, float)
                return f"(-{text})" if plain else f"negative({text})"
            case Not():
                return f"(not {self.condition(expression.of)})"
            case RunThread():
                return self._run(expression)

    def _name(self, expression: Name) -> str:
        name = expression.name
        if name in self.unit.locals:
            return f"l_{name}"
        if name in self.scopes.globals:
            return f"g_{name}"
        raise self._not_found(name, expression.line, expression.column)

    def _not_found(self, name: str, line: int, column: int) -> ScriptError:
        key = f"compile_error_name_not_found:{name}:"
        return ScriptError(line, column, f"Compile error: name '{name}' is not defined", self.program.source, key)

    def _list(self, expression: List) -> str:
        items = "".join(f"{self.write(item)}, " for item in expression.items)
        plain = all(isinstance(item, Literal_) and item.value is not None for item in expression.items)
        return f"({items})" if plain else f"make_list_of(({items}))"

    def _pose(self, expression: PoseOf) -> str:
        numbers: list[float] = []
        for item in expression.items:
            sign = 1
            if isinstance(item, Negative):
                item, sign = item.of, -1
            if isinstance(item, Literal_) and type(item.value) in (int, float):
                numbers.append(sign * float(item.value))  # type: ignore[arg-type]
        if len(numbers) == 6:
            name = f"k{len(self.constants)}"
            self.constants[name] = ScriptPose(numbers)
            return name
        return f"make_pose({', '.join(self.write(item) for item in expression.items)})"

    def _binary(self, expression: Binary) -> str:
        operator = expression.operator
        chain: list[tuple[str, Expression]] = []
        first: Expression = expression
        same = ARITHMETIC if operator in ARITHMETIC else (operator,)
        while isinstance(first, Binary) and first.operator in same:
            chain.append((first.operator, first.right))
            first = first.left
        chain.reverse()
        if operator in ("and", "or"):
            return f"({f' {operator} '.join(map(self.condition, [first, *(one for _, one in chain)]))})"
        if operator in ARITHMETIC:
            return self._sum(first, chain)
        left, right = expression.left, expression.right
        if operator == "xor":
            text = self.condition(first)
            for _, one in chain:
                text = f"({text} is not {self.condition(one)})"
            return text
        if operator in ("==", "!=") and not (isinstance(left, Literal_) or isinstance(right, Literal_)):
            return f"{'' if operator == '==' else 'not '}equal({self.write(left)}, {self.write(right)})".join("()")
        if operator in ORDER and not (_is_number(left) or _is_number(right)):
            return f"{ORDER[operator]}({self.write(left)}, {self.write(right)})"
        return f"({self.write(left)} {operator} {self.write(right)})"

    def _sum(self, first: Expression, chain: list[tuple[str, Expression]]) -> str:
        text = self.write(first)
        if len(chain) <= LONG_CHAIN:
            for operator, one in chain:
                text = f"{ARITHMETIC[operator]}({text}, {self.write(one)})"
            return text
        # Calls inside calls inside calls are too deep for Python; one after the other is not.
        total = self._temporary()
        steps = [f"{total} := {text}"]
        steps += [f"{total} := {ARITHMETIC[operator]}({total}, {self.write(one)})" for operator, one in chain]
        return f"({', '.join(f'({step})' for step in steps)})[-1]"

    def _temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def _call(self, expression: CallFunction) -> str:
        name = expression.name
        unit = self.unit.find(name)
        if unit is not None:
            call = self._unit_call(unit, expression)
            return f"(yield from {call})" if unit.waits and not call.startswith("fail") else call
        if name == "sync" and "sync" not in self.builtins:
            return "(yield)" if not expression.arguments and not expression.named else self._arity("sync", 0)
        if name == "struct" and not expression.arguments:
            pairs = "".join(f"({member!r}, {self.write(value)}), " for member, value in expression.named)
            return f"make_struct(({pairs}))"
        if name not in self.builtins:
            raise self._not_found(name, expression.line, expression.column)
        return self.builtin_call(name, expression.arguments, expression.named)

    def builtin_call(self, name: str, arguments: list[Expression], named: list[tuple[str, Expression]]) -> str:
        """Return a call of a builtin with every parameter in its place."""
        builtin = self.builtins[name]
        self.used.add(name)
        self.cost += builtin.cost if isinstance(builtin.cost, int) else 0
        parameters = builtin.parameters
        if len(arguments) > len(parameters) and not builtin.rest:
            return self._arity(name, len(parameters))
        given: list[str | None] = [self.write(one) for one in arguments]
        given += [None] * (len(parameters) - len(given))
        places = {parameter.name: place for place, parameter in enumerate(parameters)}
        for keyword, value in named:
            place = places.get(keyword)
            if place is None:
                return f"fail({f'Type error: {name} has no parameter {keyword}'!r})"
            if given[place] is not None:
                return f"fail({f'Type error: {name} got {keyword} twice'!r})"
            given[place] = self.write(value)
        words: list[str] = []
        for place, text in enumerate(given):
            if text is None:
                if parameters[place].default is REQUIRED:
                    return self._arity(name, len(parameters))
                text = f"d_{name}_{place}"
                self.defaults.add((text, name, place))
            words.append(text)
        call = f"b_{name}({', '.join(words)})"
        return f"(yield from {call})" if builtin.blocking else call

    def _arity(self, name: str, count: int) -> str:
        return f"fail({f'Type error: {name} takes exactly {count} arguments'!r})"

    def _unit_call(self, unit: Unit, call: CallFunction) -> str:
        function = unit.function
        parameters = [] if function is None else function.parameters
        if len(call.arguments) > len(parameters):
            return self._arity(unit.name, len(parameters))
        given: list[str | None] = [self.write(one) for one in call.arguments]
        given += [None] * (len(parameters) - len(given))
        places = {name: place for place, (name, _) in enumerate(parameters)}
        for keyword, value in call.named:
            place = places.get(keyword)
            if place is None or given[place] is not None:
                return f"fail({f'Type error: {unit.name} has no free parameter {keyword}'!r})"
            given[place] = self.write(value)
        words: list[str] = []
        for text, (_, default) in zip(given, parameters, strict=True):
            if text is None:
                if default is None:
                    return self._arity(unit.name, len(parameters))
                text = self._outside(default)
            words.append(text)
        if unit.circle >= 0:
            words.insert(0, "depth + 1" if self.unit.circle == unit.circle else "0")
        return f"{unit.python_name}({', '.join(words)})"

    def _outside(self, default: Expression) -> str:
        """Return a default value: the caller's own variables are none of its business."""
        unit, self.unit = self.unit, self.scopes.units[0]
        try:
            return self.write(default)
        finally:
            self.unit = unit

    def _run(self, expression: RunThread) -> str:
        unit = self.unit.find(expression.call.name)
        if unit is None:
            raise self._not_found(expression.call.name, expression.line, expression.column)
        call = self._unit_call(unit, expression.call)
        return call if call.startswith("fail") else f"spawn({call}, {unit.name!r})"

    def _method(self, expression: CallMethod) -> str:
        arguments = "".join(f"{self.write(one)}, " for one in expression.arguments)
        if expression.name not in MUTATORS:
            return f"ask({self.write(expression.of)}, {expression.name!r}, ({arguments}))"
        root = expression.of
        while isinstance(root, At | Member):
            root = root.of
        if not isinstance(root, Name):
            return f"fail({f'Type error: {expression.name} needs a variable'!r})"
        variable = self.target(root.name)
        self._name(root)
        keys = self.path(expression.of)
        done = self._temporary()
        if not keys:
            change = f"{done} := change({variable}, {expression.name!r}, ({arguments}))"
            return f"(({change}), ({variable} := {done}[0]), {done}[1])[2]"
        names = [self._temporary() for _ in keys]
        inside = variable
        for name, key in zip(names, keys, strict=True):
            inside = f"member({inside}, {key})" if key in self.constants else f"at({inside}, ({name} := {key}))"
        places = ", ".join(key if key in self.constants else name for name, key in zip(names, keys, strict=True))
        change = f"{done} := change({inside}, {expression.name!r}, ({arguments}))"
        return f"(({change}), ({variable} := put({variable}, {done}[0], {places})), {done}[1])[2]"


def _literal(value: object) -> str:
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "1e999"
    return repr(value)


def _is_number(expression: Expression) -> bool:
    return isinstance(expression, Literal_) and type(expression.value) in (int, float)


def _is_bool(expression: Expression) -> bool:
    if isinstance(expression, Literal_):
        return isinstance(expression.value, bool)
    return isinstance(expression, Not) or (isinstance(expression, Binary) and expression.operator not in ARITHMETIC)
