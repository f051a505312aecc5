"""PersistentBoxes: persistent data of all tasks, with the values that it keeps from run to run."""

from collections.abc import Callable, Mapping
from typing import Any

from .events import DECLARATION
from .faults import RapidError
from .lexer import LONGEST_STRING
from .symbols import DataSymbol
from .tree import DataDeclaration, RapidModule
from .types import BOOL, STRING, RapidType, is_number, leaves
from .values import copied

Form = tuple[tuple[str, ...], tuple[int, ...]]


class PersistentBoxes:
    """One box for each name; tasks that declare the same name share it."""

    def __init__(self, kept: Mapping[str, Any]) -> None:
        """Begin without data; `kept` are values of an earlier run, which count where they fit the type."""
        self._kept = kept
        self._boxes: dict[str, list[Any]] = {}
        self._forms: dict[str, Form] = {}
        self._stated: set[str] = set()

    def box(self, task: str, symbol: DataSymbol, initial: Callable[[], Any]) -> list[Any]:
        """Return where a task keeps persistent data.

        Raises:
            RapidError: Another task has data of another type under that name.
        """
        key, form = _key(task, symbol), _form(symbol)
        declaration = symbol.declaration
        stated = declaration is not None and declaration.value is not None
        if key not in self._boxes:
            value = as_type(self._kept.get(key), symbol.type, symbol.dimensions)
            self._boxes[key], self._forms[key] = [initial() if value is None else value], form
            if stated or value is not None:
                self._stated.add(key)
        elif self._forms[key] != form:
            message = f"{symbol.name} is persistent data of another type in another task"
            raise RapidError(symbol.line, 1, message, symbol.file, DECLARATION)
        elif stated and key not in self._stated:
            # The task before has left the value to this one.
            self._boxes[key][0] = initial()
            self._stated.add(key)
        return self._boxes[key]

    @property
    def values(self) -> dict[str, Any]:
        """The present values, by the names that `persistent_keys` returns."""
        return {key: copied(box[0]) for key, box in self._boxes.items()}


def persistent_keys(task: str, module: RapidModule) -> set[str]:
    """Return under which names the machine keeps the persistent data to which a module of a task gives a value."""
    return {
        _key_of(task, module.name, one)
        for one in module.declarations
        if isinstance(one, DataDeclaration) and one.kind == "PERS" and one.value is not None
    }


def as_type(value: Any, of: RapidType, dimensions: tuple[int, ...] = ()) -> Any:
    """Return a value in the form that data of a type has; None: it does not fit.

    Args:
        value: Records may be lists, numbers may be whole: as JSON has them.
        of: The type.
        dimensions: Of an array.
    """
    if dimensions:
        return _all_of(value, [(of, dimensions[1:])] * dimensions[0])
    root = of.root
    if root.components:
        parts = _all_of(value, [(one, ()) for _, one in root.components])
        return None if parts is None else tuple(parts)
    if root is STRING:
        return value if isinstance(value, str) and len(value) <= LONGEST_STRING else None
    if root is BOOL:
        return value if isinstance(value, bool) else None
    if is_number(root) and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return None


def _all_of(value: Any, parts: list[tuple[RapidType, tuple[int, ...]]]) -> list[Any] | None:
    if not isinstance(value, list | tuple) or len(value) != len(parts):  # type: ignore[arg-type]
        return None
    items = [as_type(one, of, dimensions) for one, (of, dimensions) in zip(value, parts, strict=True)]  # type: ignore[arg-type]
    return None if any(one is None for one in items) else items


def _form(symbol: DataSymbol) -> Form:
    return tuple(one.name for one in leaves(symbol.type)), symbol.dimensions


def _key(task: str, symbol: DataSymbol) -> str:
    if symbol.declaration is None:
        return symbol.name.lower()
    return _key_of(task, symbol.module, symbol.declaration)


def _key_of(task: str, module: str, declaration: DataDeclaration) -> str:
    """Return the name itself where tasks share it; data of one task or module has a longer one."""
    scope, name = declaration.scope.lower(), declaration.name.lower()
    return name if not scope else f"{task.lower()}:{scope}:{module.lower()}:{name}"
