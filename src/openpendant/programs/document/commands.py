"""Commands: every edit of a program as a value, so that each has its inverse and can travel."""

from typing import Any

import msgspec

from .tree import Place


class _StepCommand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """Common settings of all commands."""


class InsertStep(_StepCommand, frozen=True, kw_only=True, tag="insert"):
    """Put a step into the program, with all that is inside it. Its inverse removes it."""

    action: Any
    """The action, or its plain values. One without an id gets the next free one; a Tool step without a state gets
    the opposite of the Tool step before it."""
    at: Place = Place()


class RemoveStep(_StepCommand, frozen=True, kw_only=True, tag="remove"):
    """Take a step out, with all that is inside it. Its inverse puts it back where it was."""

    id: str


class MoveStep(_StepCommand, frozen=True, kw_only=True, tag="move"):
    """Move a step to another place, which is counted as if the step were not there. Its inverse moves it back."""

    id: str
    to: Place


class DuplicateStep(_StepCommand, frozen=True, kw_only=True, tag="duplicate"):
    """Put a copy with ids of its own after a step. Its inverse removes the copy."""

    id: str


class EnableStep(_StepCommand, frozen=True, kw_only=True, tag="enable"):
    """Switch a step on or off. Its inverse switches it back."""

    id: str
    enabled: bool


class EditStep(_StepCommand, frozen=True, kw_only=True, tag="edit"):
    """Give one field of a step another value. Its inverse gives the old value back."""

    id: str
    field: str
    """The field, or a path into it: `speed`, `to/pose/xyz/0`, `offset`."""
    value: Any
    """Plain values; null: the field's default."""


class ReplaceStep(_StepCommand, frozen=True, kw_only=True, tag="replace"):
    """Put another action in a step's place; it keeps the id. Its inverse puts the old one back."""

    id: str
    action: Any


class SetProgram(_StepCommand, frozen=True, kw_only=True, tag="set"):
    """Give one field of the program itself another value. Its inverse gives the old value back."""

    field: str
    """`title`, `notes`, `robot`, `arm` or `variables`."""
    value: Any


class ProgramBatch(_StepCommand, frozen=True, kw_only=True, tag="batch"):
    """Several edits as one: all or none. Its inverse is the inverses in reverse order."""

    commands: tuple["ProgramCommand", ...]
    title: str = ""


ProgramCommand = (
    InsertStep | RemoveStep | MoveStep | DuplicateStep | EnableStep | EditStep | ReplaceStep | SetProgram | ProgramBatch
)
