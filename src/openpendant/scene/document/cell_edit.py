"""edit: apply a command to a cell; gives the new cell and the inverse command. Pure: cells never change."""

from dataclasses import dataclass
from typing import Any, TypeVar, cast

import msgspec

from openpendant.documents import DocumentFault, edit_in_turn, set_field, typed
from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import Pose
from openpendant.said import Said, say, section_word

from .cell import SECTIONS, WORLD, Cell, CellItem, CellTool, Section, Signal
from .commands import Add, Batch, Command, Move, Remove, Rename, Reorder, Replace, SetField
from .port_faults import find_port_clash
from .references import references_of, referring_to, without_reference
from .validation import find_item_fault, find_parent_fault, references

Item = TypeVar("Item", bound=CellItem)


@dataclass(frozen=True, slots=True)
class CellEdit:
    """What a command made of a cell."""

    cell: Cell
    inverse: Command
    touched: tuple[str, ...]
    """Names of what was changed, as they were before and as they are after; empty text: the cell's own fields."""


def edit(cell: Cell, command: Command) -> CellEdit:
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


def _add(cell: Cell, section: Section, value: Any, index: int | None) -> CellEdit:
    if section not in SECTIONS:
        raise UnknownNameError("list of a cell", section, SECTIONS)
    item = _typed(value, section)
    items = _items(cell, section)
    place = len(items) if index is None else index
    if not 0 <= place <= len(items):
        raise InputError(_no_place(item.name, index, section, len(items)))
    _check_free(cell, item.name)
    after = _with(cell, section, (*items[:place], item, *items[place:]))
    _check(after, item, section)
    return CellEdit(after, Remove(name=item.name), (item.name,))


def _remove(cell: Cell, name: str, *, with_dependents: bool) -> CellEdit:
    find_item(cell, name)
    dependents = who_refers(cell, name)
    if dependents and not with_dependents:
        shown = ", ".join(map(repr, dependents[:8]))
        by = say("edit.and_others", names=shown) if len(dependents) > 8 else shown
        raise InputError(say("edit.needed_by", name=name, by=by))
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
    return CellEdit(after, inverse, (name, *touched))


def _replace(cell: Cell, name: str, value: Any) -> CellEdit:
    section, index, old = find_item(cell, name)
    item = _typed(value, section)
    if item.name != name:
        raise InputError(say("edit.replaces", name=name, other=item.name))
    after = _at(cell, section, index, item)
    _check(after, item, section)
    return CellEdit(after, Replace(name=name, item=old), (name,))


def _rename(cell: Cell, name: str, new_name: str) -> CellEdit:
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
    return CellEdit(after, Rename(name=new_name, new_name=name), (name, new_name, *dependents))


def _move(cell: Cell, name: str, pose: Pose) -> CellEdit:
    _, _, item = find_item(cell, name)
    field = "tcp" if isinstance(item, CellTool) else "pose"
    if not hasattr(item, field):
        raise InputError(say("edit.no_pose", name=name))
    step = _replace(cell, name, msgspec.structs.replace(item, **{field: pose}))
    return CellEdit(step.cell, Move(name=name, pose=getattr(item, field)), (name,))


def _reorder(cell: Cell, name: str, index: int) -> CellEdit:
    section, old, item = find_item(cell, name)
    items = _items(cell, section)
    if not 0 <= index < len(items):
        raise InputError(_no_place(name, index, section, len(items) - 1))
    rest = (*items[:old], *items[old + 1 :])
    after = _with(cell, section, (*rest[:index], item, *rest[index:]))
    return CellEdit(after, Reorder(name=name, index=old), (name,))


def _set_field(cell: Cell, name: str, field: str, value: Any) -> CellEdit:
    if not name:
        return _set_own_field(cell, field, value)
    section, _, item = find_item(cell, name)
    first = field.split("/")[0]
    if first == "name":
        raise InputError(say("edit.name_field", name=name))
    if first not in (known := [f.name for f in msgspec.structs.fields(SECTIONS[section])]):
        raise UnknownNameError(say("kind.field_of", name=name), first, known)
    first, old, values = set_field(item, field, value, f"{name}/{field}")
    step = _replace(cell, name, values)
    return CellEdit(step.cell, SetField(name=name, field=first, value=old), (name,))


def _set_own_field(cell: Cell, field: str, value: Any) -> CellEdit:
    allowed = ("name", "title", "notes")
    if field not in allowed:
        raise InputError(say("edit.own_field", field=field, allowed=", ".join(allowed)))
    if not isinstance(value, str) or (field == "name" and not value.strip()):
        code = "edit.own_empty" if field == "name" else "edit.own_text"
        raise InputError(say(code, field=field, value=repr(value)))
    after = msgspec.structs.replace(cell, **{field: value})
    return CellEdit(after, SetField(name="", field=field, value=getattr(cell, field)), ("",))


def _batch(cell: Cell, commands: tuple[Command, ...], title: str) -> CellEdit:
    after, inverses, touched = edit_in_turn(cell, commands, _step)
    return CellEdit(after, Batch(commands=inverses, title=title), touched)


def _step(cell: Cell, command: Command) -> tuple[Cell, CellEdit]:
    done = edit(cell, command)
    return done.cell, done


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
        given = type(value).__name__
        raise InputError(say("edit.wrong_list", given=given, section=section_word(section), kind=kind.__name__))
    return typed(value, kind, kind.__name__)


def _no_place(name: str, index: int | None, section: Section, most: int) -> Said:
    return say("edit.place_of", name=name, index=str(index), section=section_word(section), most=most)


def _check_free(cell: Cell, name: str) -> None:
    if name == WORLD or any(i.name == name for s in SECTIONS for i in _items(cell, s)):
        world = name == WORLD
        owner = say("fault.world") if world else say("edit.one_of", section=section_word(find_item(cell, name)[0]))
        raise InputError(say("edit.name_taken", name=name, owner=owner))


def _check(cell: Cell, item: CellItem, section: Section) -> None:
    """Raise where `item`, the only thing that is new, leaves a fault in the cell."""
    known = references(cell)
    fault: DocumentFault | None = find_item_fault(item, known)
    if fault is None and section == "frames":
        fault = find_parent_fault(cell.frames)
    if fault is None and isinstance(item, Signal):
        clash = find_port_clash(cell.signals, known.robots, only=item)
        fault = None if clash is None else DocumentFault("/port", clash[1])
    if fault is not None:
        raise fault.in_item(item.name)
    if section in ("robots", "tools", "signals"):
        for other in (*cell.robots, *cell.tools, *cell.points, *cell.signals, *cell.spaces):
            if item.name in references_of(other) and (fault := find_item_fault(other, known)) is not None:
                raise fault.in_item(other.name)
