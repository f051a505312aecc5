"""Patches: what an edit has changed, so that a copy elsewhere can follow without reading the whole again."""

from collections.abc import Mapping
from typing import Any

import msgspec

from openpendant.messages import SaidMessage, split_said, split_said_list
from openpendant.programs import Program
from openpendant.scene import Cell, CellItem, Section
from openpendant.scene.document import SECTIONS


class ItemChange(msgspec.Struct, frozen=True, kw_only=True):
    """One section of the cell: what is new or different in it, and in which order its things stand now."""

    section: Section
    items: tuple[Any, ...]
    """Those that are new or differ; things of that section, or their plain values."""
    order: tuple[str, ...] | None = None
    """All names in their order; None: the same names in the same order as before."""


class ProgramChange(msgspec.Struct, frozen=True, kw_only=True):
    """One program as it is now; without a program: it is gone."""

    name: str
    program: Program | None


class Patch(msgspec.Struct, frozen=True, kw_only=True):
    """What one edit has changed. `seq` counts by one: whoever misses one asks for the whole."""

    seq: int
    author: str
    title: str
    """The edit in a few words."""
    sections: tuple[ItemChange, ...] = ()
    own: dict[str, str] = {}
    """Fields of the cell itself (name, title, notes) that differ."""
    programs: tuple[ProgramChange, ...] = ()
    said: SaidMessage | None = None
    """`title` by its code; None: it has none."""
    skipped: tuple[str, ...] = ()
    """Why newer edits of the author could not be undone or redone, the newest first; one before them was."""
    skipped_said: tuple[SaidMessage | None, ...] = ()
    """`skipped` by code."""

    def __post_init__(self) -> None:
        """Keep code and English apart."""
        split_said(self, "title")
        split_said_list(self, "skipped")


OWN = ("name", "title", "notes")


def find_changes(
    seq: int,
    author: str,
    title: str,
    before: tuple[Cell, Mapping[str, Program]],
    after: tuple[Cell, Mapping[str, Program]],
    skipped: tuple[str, ...] = (),
) -> Patch:
    """Return what differs between two states of a project."""
    (cell, programs), (new_cell, new_programs) = before, after
    sections: list[ItemChange] = []
    for section in SECTIONS:
        old: tuple[CellItem, ...] = getattr(cell, section)
        new: tuple[CellItem, ...] = getattr(new_cell, section)
        if old is new:
            continue
        known = {item.name: item for item in old}
        order = tuple(item.name for item in new)
        items = tuple(item for item in new if known.get(item.name) is not item and known.get(item.name) != item)
        same = order == tuple(known)
        if items or not same:
            sections.append(ItemChange(section=section, items=items, order=None if same else order))
    changed = [
        ProgramChange(name=name, program=program)
        for name, program in new_programs.items()
        if programs.get(name) is not program and programs.get(name) != program
    ]
    changed += [ProgramChange(name=name, program=None) for name in programs if name not in new_programs]
    own = {field: getattr(new_cell, field) for field in OWN if getattr(new_cell, field) != getattr(cell, field)}
    return Patch(
        seq=seq,
        author=author,
        title=title,
        sections=tuple(sections),
        own=own,
        programs=tuple(changed),
        skipped=skipped,
    )


def apply_patch(cell: Cell, programs: Mapping[str, Program], patch: Patch) -> tuple[Cell, dict[str, Program]]:
    """Return a copy of a project brought forward by one patch."""
    changes: dict[str, object] = dict(patch.own)
    for change in patch.sections:
        old: tuple[CellItem, ...] = getattr(cell, change.section)
        kind = SECTIONS[change.section]
        new = (item if isinstance(item, kind) else msgspec.convert(item, type=kind) for item in change.items)
        items = {item.name: item for item in (*old, *new)}
        order = change.order if change.order is not None else tuple(item.name for item in old)
        changes[change.section] = tuple(items[name] for name in order)
    kept = dict(programs)
    for one in patch.programs:
        if one.program is None:
            kept.pop(one.name, None)
        else:
            kept[one.name] = one.program
    return msgspec.structs.replace(cell, **changes), kept
