"""Commands: every edit of a cell as a value, so that each has its inverse and can travel."""

from typing import Any

import msgspec

from openpendant.messages import Pose

from .cell import Section


class _CellCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """Common settings of all commands."""


class Add(_CellCommand, frozen=True, kw_only=True, tag="add"):
    """Put a thing into the cell. Its inverse removes it."""

    section: Section
    item: Any
    """The thing, or its plain values."""
    index: int | None = None
    """Its place in the list; None: the end."""


class Remove(_CellCommand, frozen=True, kw_only=True, tag="remove"):
    """Take a thing out of the cell. Its inverse puts it back where it was."""

    name: str
    with_dependents: bool = False
    """Whether what refers to it goes too; otherwise it is refused while something does."""


class Replace(_CellCommand, frozen=True, kw_only=True, tag="replace"):
    """Put another thing with the same name in its place. Its inverse puts the old one back."""

    name: str
    item: Any


class Rename(_CellCommand, frozen=True, kw_only=True, tag="rename"):
    """Give a thing another name; whoever refers to it follows. Its inverse gives the old name back."""

    name: str
    new_name: str


class Move(_CellCommand, frozen=True, kw_only=True, tag="move"):
    """Put a thing at another pose in its frame. Its inverse moves it back."""

    name: str
    pose: Pose


class Reorder(_CellCommand, frozen=True, kw_only=True, tag="reorder"):
    """Move a thing to another place in its list. Its inverse moves it back."""

    name: str
    index: int


class SetField(_CellCommand, frozen=True, kw_only=True, tag="set"):
    """Give one field another value. Its inverse gives the old value back."""

    name: str
    """The thing; empty: the cell itself."""
    field: str
    """The field, or a path into it: `color`, `shape/size/0`, `joints/arm`."""
    value: Any
    """Plain values."""


class Batch(_CellCommand, frozen=True, kw_only=True, tag="batch"):
    """Several edits as one: all or none. Its inverse is the inverses in reverse order."""

    commands: tuple["Command", ...]
    title: str = ""


Command = Add | Remove | Replace | Rename | Move | Reorder | SetField | Batch
