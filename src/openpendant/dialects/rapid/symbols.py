"""What the names of a task mean: its data, routines and types, and who sees them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal

from .catalogue import catalogue
from .predefined import KNOWN, PREDEFINED, SYSTEM_DATA
from .tree import DataDeclaration, RapidModule, RoutineDeclaration
from .types import TYPES, RapidType

DataKind = Literal["CONST", "VAR", "PERS", "parameter", "loop", "predefined", "system", "signal"]


@dataclass(eq=False, slots=True)
class DataSymbol:
    """A name that stands for data.

    Attributes:
        rank: Number of dimensions; 0: no array.
        dimensions: Elements in each; empty for parameters, whose arrays have any.
        module: Name of its module in lower case; empty: the system's own.
        slot: Place among the data of its task, or among those of its routine where `local`.
        by_reference: Whether a parameter stands for the caller's data.
        value: Of predefined data and signals.
    """

    name: str
    kind: DataKind
    type: RapidType
    rank: int = 0
    dimensions: tuple[int, ...] = ()
    declaration: DataDeclaration | None = None
    module: str = ""
    file: str = ""
    line: int = 0
    slot: int = -1
    local: bool = False
    by_reference: bool = False
    optional: bool = False
    mode: str = ""
    value: Any = None


@dataclass(eq=False, slots=True)
class RoutineSymbol:
    """A routine of the program, or an instruction or function of the system.

    Attributes:
        returns: Type of its value; None: it has none.
        slots: Data that a call needs: parameters, own data, loops, values in between.
        data: Its own data.
    """

    name: str
    kind: Literal["PROC", "FUNC", "TRAP"]
    returns: RapidType | None
    parameters: list[DataSymbol]
    declaration: RoutineDeclaration
    module: str = ""
    file: str = ""
    builtin: bool = False
    index: int = -1
    slots: int = 0
    data: list[DataSymbol] = field(default_factory=list[DataSymbol])

    def new_slot(self) -> int:
        """Return a place for one more value."""
        self.slots += 1
        return self.slots - 1


Symbol = DataSymbol | RoutineSymbol


@dataclass(eq=False, slots=True)
class ModuleSymbols:
    """The names that only one module sees."""

    module: RapidModule
    locals: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    types: dict[str, RapidType] = field(default_factory=dict[str, RapidType])


@dataclass(frozen=True, slots=True)
class InstalledNames:
    """How a controller's configuration changes the names that the system has by itself.

    Attributes:
        data: Type and value of data that is there before any module is loaded, as tools; modules may hide it, and
            cannot change it.
        absent: Instructions and functions in lower case that the controller lacks: they come with options.
    """

    data: Mapping[str, tuple[str, Any]] = field(default_factory=dict[str, tuple[str, Any]])
    absent: frozenset[str] = frozenset()


NOTHING_INSTALLED = InstalledNames()


@dataclass(eq=False, slots=True)
class TaskSymbols:
    """The names of a task.

    Attributes:
        signals: Names of signals in lower case and as they are written; None: any unknown name may be one.
        installed: Data of the configuration, by name in lower case.
        absent: Instructions and functions that there are not.
    """

    globals: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    types: dict[str, RapidType] = field(default_factory=dict[str, RapidType])
    modules: dict[str, ModuleSymbols] = field(default_factory=dict[str, ModuleSymbols])
    routines: list[RoutineSymbol] = field(default_factory=list[RoutineSymbol])
    data: list[DataSymbol] = field(default_factory=list[DataSymbol])
    signals: dict[str, str] | None = None
    installed: dict[str, DataSymbol] = field(default_factory=dict[str, DataSymbol])
    absent: frozenset[str] = frozenset()

    def find(self, name: str, module: str) -> Symbol | None:
        """Return what a name means in a module, outside of routines."""
        key = name.lower()
        own = self.modules.get(module)
        if own is not None and key in own.locals:
            return own.locals[key]
        return self.globals.get(key) or self.installed.get(key) or (None if key in self.absent else built_in(key))

    def find_type(self, name: str, module: str) -> RapidType | None:
        """Return the type of a name."""
        key = name.lower()
        own = self.modules.get(module)
        if own is not None and key in own.types:
            return own.types[key]
        return self.types.get(key) or _TYPES_BY_KEY.get(key)

    def names(self, module: str) -> Iterator[str]:
        """Yield all names that a module sees, for suggestions."""
        own = self.modules.get(module)
        yield from (one.name for one in (own.locals.values() if own is not None else ()))
        yield from (one.name for one in (*self.globals.values(), *self.installed.values()))
        yield from KNOWN.values()
        yield from (one.name for key, one in catalogue().items() if key not in self.absent)


_TYPES_BY_KEY = {name.lower(): of for name, of in TYPES.items()}


@cache
def built_in(key: str) -> Symbol | None:
    """Return what the system calls by a name in lower case."""
    name = KNOWN.get(key)
    if name is not None:
        if name in SYSTEM_DATA:
            return DataSymbol(name, "system", SYSTEM_DATA[name])
        of, value = PREDEFINED[name]
        return DataSymbol(name, "predefined", of, value=value)
    header = catalogue().get(key)
    return None if header is None else routine_of_header(header)


def installed_symbols(names: InstalledNames) -> dict[str, DataSymbol]:
    """Return the data of a configuration by name in lower case."""
    return {
        name.lower(): DataSymbol(name, "predefined", TYPES[of], value=value) for name, (of, value) in names.data.items()
    }


def routine_of_header(header: RoutineDeclaration) -> RoutineSymbol:
    """Return an instruction or function by its header, whose types are the system's."""
    parameters = [
        DataSymbol(
            one.name,
            "parameter",
            TYPES[one.type_name],
            one.dimensions,
            local=True,
            by_reference=one.mode != "",
            optional=one.optional,
            mode=one.mode,
        )
        for one in header.parameters
    ]
    returns = TYPES[header.returns] if header.returns else None
    return RoutineSymbol(header.name, header.kind, returns, parameters, header, builtin=True)


def near(name: str, known: Iterator[str]) -> str:
    """Return a question for the nearest name; empty: none is near."""
    lower = {one.lower(): one for one in known}
    close = get_close_matches(name.lower(), list(lower), n=1, cutoff=0.75)
    return f"; did you mean {lower[close[0]]}?" if close else ""
