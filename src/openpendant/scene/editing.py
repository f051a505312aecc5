"""edit: apply a command to a cell; gives the new cell and the inverse command. Pure: cells never change."""

from dataclasses import dataclass
from typing import Any, TypeVar, cast

import msgspec

from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import Pose
from openpendant.said import say

from .cell import SECTIONS, WORLD, Cell, CellItem, CellTool, Section, Signal
from .checking import Fault, find_item_fault, find_parent_fault, references
from .commands import Add, Batch, Command, Move, Remove, Rename, Reorder, Replace, SetField
from .plain import changed_at
from .referring import references_of, referring_to, without_reference
from .wiring import find_port_clash

__all__ = ["Edit", "edit", "find_item", "who_refers"]

Item = TypeVar("Item", bound=CellItem)


@dataclass(frozen=True, slots=True)
class Edit:
    """What a command made of a cell."""

    cell: Cell
    inverse: Command
    touched: tuple[str, ...]
    """Names of what was changed, as they were before and as they are after; empty text: the cell's own fields."""


def edit(cell: Cell, command: Command) -> Edit:
    """Return the cell after a command, and the command that takes it back.

    Raises:
        InputError: The command does not fit the cell, or would leave a fault in it; names the thing, field and value.
        UnknownNameError: Nothing in the cell has that name.
    """
    match command:
        case Add(section=section, item=item, index=index):
            return _add(cell, section, item, index)
        case Remove(name=name, with_dependents=with_dependents):
            return _remove(cell, name, with_dependents=with_dependents)
        case Replace(name=name, item=item):
            return _replace(cell, name, item)
        case Rename(name=name, new_name=new_name):
            return _rename(cell, name, new_name)
        case Move(name=name, pose=pose):
            return _move(cell, name, pose)
        case Reorder(name=name, index=index):
            return _reorder(cell, name, index)
        case SetField(name=name, field=field, value=value):
            return _set_field(cell, name, field, value)
        case Batch(commands=commands, title=title):
            return _batch(cell, commands, title)


def find_item(cell: Cell, name: str) -> tuple[Section, int, CellItem]:
    """Return the list, the place in it, and the thing of that name.

    Raises:
        UnknownNameError: Nothing in the cell has that name.
    """
    for section in SECTIONS:
        for index, item in enumerate(_items(cell, section)):
            if item.name == name:
                return section, index, item
    raise UnknownNameError("thing in this cell", name, (i.name for s in SECTIONS for i in _items(cell, s)))


def who_refers(cell: Cell, name: str) -> tuple[str, ...]:
    """Return the names of all things that refer to `name`."""
    return tuple(item.name for section in SECTIONS for item in _items(cell, section) if name in references_of(item))


def _add(cell: Cell, section: Section, value: Any, index: int | None) -> Edit:
    if section not in SECTIONS:
        raise UnknownNameError("list of a cell", section, SECTIONS)
    item = _typed(value, section)
    items = _items(cell, section)
    place = len(items) if index is None else index
    if not 0 <= place <= len(items):
        raise InputError(f"cannot put {item.name!r} at place {index} of {section}; allowed is 0 to {len(items)}")
    _check_free(cell, item.name)
    after = _with(cell, section, (*items[:place], item, *items[place:]))
    _check(after, item, section)
    return Edit(after, Remove(name=item.name), (item.name,))


def _remove(cell: Cell, name: str, *, with_dependents: bool) -> Edit:
    find_item(cell, name)
    dependents = who_refers(cell, name)
    if dependents and not with_dependents:
        shown = ", ".join(map(repr, dependents[:8])) + (" and others" if len(dependents) > 8 else "")
        raise InputError(say("edit.needed_by", name=name, by=shown))
    inverses: list[Command] = []
    touched: list[str] = []
    after = cell
    for dependent in dependents:
        other = next((i for s in SECTIONS for i in _items(after, s) if i.name == dependent), None)
        if other is None or name not in references_of(other):
            continue
        rest = without_reference(other, name)
        gone = rest is None
        step = _remove(after, dependent, with_dependents=True) if gone else _replace(after, dependent, rest)
        after = step.cell
        inverses.append(step.inverse)
        touched += step.touched
    section, index, item = find_item(after, name)
    items = _items(after, section)
    after = _with(after, section, (*items[:index], *items[index + 1 :]))
    inverses.append(Add(section=section, item=item, index=index))
    inverse = inverses[0] if len(inverses) == 1 else Batch(commands=tuple(reversed(inverses)))
    return Edit(after, inverse, (name, *touched))


def _replace(cell: Cell, name: str, value: Any) -> Edit:
    section, index, old = find_item(cell, name)
    item = _typed(value, section)
    if item.name != name:
        raise InputError(f"what replaces {name!r} is called {item.name!r}; rename it instead")
    after = _at(cell, section, index, item)
    _check(after, item, section)
    return Edit(after, Replace(name=name, item=old), (name,))


def _rename(cell: Cell, name: str, new_name: str) -> Edit:
    section, index, item = find_item(cell, name)
    if new_name != name:
        _check_free(cell, new_name)
    item = msgspec.structs.replace(item, name=new_name)
    dependents = who_refers(cell, name)
    after = _at(cell, section, index, item)
    for other in SECTIONS:
        items = _items(after, other)
        if any(name in references_of(i) for i in items):
            after = _with(after, other, tuple(referring_to(i, name, new_name) for i in items))
    _check(after, item, section)
    return Edit(after, Rename(name=new_name, new_name=name), (name, new_name, *dependents))


def _move(cell: Cell, name: str, pose: Pose) -> Edit:
    _, _, item = find_item(cell, name)
    field = "tcp" if isinstance(item, CellTool) else "pose"
    if not hasattr(item, field):
        raise InputError(f"{name!r} has no pose: it is a signal")
    step = _replace(cell, name, msgspec.structs.replace(item, **{field: pose}))
    return Edit(step.cell, Move(name=name, pose=getattr(item, field)), (name,))


def _reorder(cell: Cell, name: str, index: int) -> Edit:
    section, old, item = find_item(cell, name)
    items = _items(cell, section)
    if not 0 <= index < len(items):
        raise InputError(f"cannot put {name!r} at place {index} of {section}; allowed is 0 to {len(items) - 1}")
    rest = (*items[:old], *items[old + 1 :])
    after = _with(cell, section, (*rest[:index], item, *rest[index:]))
    return Edit(after, Reorder(name=name, index=old), (name,))


def _set_field(cell: Cell, name: str, field: str, value: Any) -> Edit:
    if not name:
        return _set_own_field(cell, field, value)
    section, _, item = find_item(cell, name)
    first, *rest = field.split("/")
    if first == "name":
        raise InputError(f"the name of {name!r} is not set as a field; rename it, so that references follow")
    if first not in (known := [f.name for f in msgspec.structs.fields(SECTIONS[section])]):
        raise UnknownNameError(f"field of {name}", first, known)
    old = _plain(getattr(item, first))
    new = changed_at(old, rest, _plain(value), f"{name}/{field}")
    step = _replace(cell, name, _plain(item) | {first: new})
    return Edit(step.cell, SetField(name=name, field=first, value=old), (name,))


def _set_own_field(cell: Cell, field: str, value: Any) -> Edit:
    allowed = ("name", "title", "notes")
    if field not in allowed:
        raise InputError(f"a cell itself has no field {field!r} to be set; allowed are {', '.join(allowed)}")
    if not isinstance(value, str) or (field == "name" and not value.strip()):
        raise InputError(f"{field} of a cell cannot be {value!r}; it is text{' and not empty' * (field == 'name')}")
    after = msgspec.structs.replace(cell, **{field: value})
    return Edit(after, SetField(name="", field=field, value=getattr(cell, field)), ("",))


def _batch(cell: Cell, commands: tuple[Command, ...], title: str) -> Edit:
    inverses: list[Command] = []
    touched: list[str] = []
    after = cell
    for command in commands:
        step = edit(after, command)
        after = step.cell
        inverses.append(step.inverse)
        touched += step.touched
    return Edit(after, Batch(commands=tuple(reversed(inverses)), title=title), tuple(dict.fromkeys(touched)))


def _items(cell: Cell, section: Section) -> tuple[CellItem, ...]:
    return cast(tuple[CellItem, ...], getattr(cell, section))


def _with(cell: Cell, section: Section, items: tuple[CellItem, ...]) -> Cell:
    return msgspec.structs.replace(cell, **{section: items})


def _at(cell: Cell, section: Section, index: int, item: CellItem) -> Cell:
    items = _items(cell, section)
    return _with(cell, section, (*items[:index], item, *items[index + 1 :]))


def _typed(value: Any, section: Section) -> CellItem:
    """Return plain values or a thing as a thing of that list, numbers where numbers belong."""
    kind = SECTIONS[section]
    if isinstance(value, msgspec.Struct) and not isinstance(value, kind):
        raise InputError(f"a {type(value).__name__} does not belong into {section}; there is room for {kind.__name__}")
    try:
        return msgspec.convert(_plain(value), type=kind)
    except msgspec.ValidationError as error:
        raise InputError(f"this is no {kind.__name__}: {error}") from None


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def _check_free(cell: Cell, name: str) -> None:
    if name == WORLD or any(i.name == name for s in SECTIONS for i in _items(cell, s)):
        owner = "what everything stands in" if name == WORLD else f"one of the {find_item(cell, name)[0]}"
        raise InputError(say("edit.name_taken", name=name, owner=owner))


def _check(cell: Cell, item: CellItem, section: Section) -> None:
    """Raise where `item`, the only thing that is new, leaves a fault in the cell."""
    known = references(cell)
    fault: Fault | None = find_item_fault(item, known)
    if fault is None and section == "frames":
        fault = find_parent_fault(cell.frames)
    if fault is None and isinstance(item, Signal):
        clash = find_port_clash(cell.signals, known.robots, only=item)
        fault = None if clash is None else Fault("/port", clash[1])
    if fault is not None:
        raise InputError(f"{item.name}{fault.pointer}: {fault.message}")
    if section in ("robots", "tools", "signals"):
        for other in (*cell.robots, *cell.tools, *cell.points, *cell.signals, *cell.spaces):
            if item.name in references_of(other) and (fault := find_item_fault(other, known)) is not None:
                raise InputError(f"{other.name}{fault.pointer}: {fault.message}")
