"""Edits of documents and what takes them back: what is the same for cells and programs."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar, cast

import msgspec

from openpendant.errors import InputError
from openpendant.said import say

from .plain_values import changed_at
from .pointers import find_value_fault

Document = TypeVar("Document")
Command = TypeVar("Command")
Value = TypeVar("Value")
CommandOut = TypeVar("CommandOut", covariant=True)


class DocumentEdit(Protocol[CommandOut]):
    """What a command made of a document: at least what takes it back, and what it has touched."""

    @property
    def inverse(self) -> CommandOut:
        """What takes it back."""
        ...

    @property
    def touched(self) -> tuple[str, ...]:
        """Names of what was changed."""
        ...


def edit_in_turn(
    document: Document,
    commands: Iterable[Command],
    edit: Callable[[Document, Command], tuple[Document, DocumentEdit[Command]]],
) -> tuple[Document, tuple[Command, ...], tuple[str, ...]]:
    """Return a document after several commands, the commands that take them back in that order, and what they touched.

    Args:
        document: Stays as it is.
        commands: All or none take place.
        edit: Returns the document after one command, and its inverse.

    Raises:
        InputError: A command does not fit.
    """
    inverses: list[Command] = []
    touched: list[str] = []
    for command in commands:
        document, done = edit(document, command)
        inverses.append(done.inverse)
        touched += done.touched
    return document, tuple(reversed(inverses)), tuple(dict.fromkeys(touched))


def as_json(value: Any) -> Any:
    """Return a value as JSON has it."""
    return msgspec.to_builtins(value)


def text_in(values: Any, field: str) -> str:
    """Return a field of a thing or of its plain values as text; empty: there is none."""
    found = as_json(values)
    return str(cast(dict[str, Any], found).get(field, "")) if isinstance(found, dict) else ""


def typed(values: Any, kind: type[Value], word: str) -> Value:
    """Return plain values as what a document holds, numbers where numbers belong.

    Args:
        values: Plain values, or such a thing already.
        kind: Of the thing.
        word: What such a thing is called in messages.

    Raises:
        InputError: They are none; names the place and the value.
    """
    values = as_json(values)
    try:
        return msgspec.convert(values, type=kind)
    except msgspec.ValidationError as error:
        fault = find_value_fault(values, kind, error)
        if not fault.pointer:
            raise InputError(say("edit.not_a", kind=word, why=fault.message)) from None
        raise InputError(say("edit.not_a_at", kind=word, pointer=fault.pointer, why=fault.message)) from None


def set_field(item: msgspec.Struct, path: str, value: Any, place: str) -> tuple[str, Any, dict[str, Any]]:
    """Set a field of an item, or a place inside it.

    Args:
        item: Stays as it is.
        path: The field, or a path into it, as `shape/size/0`.
        value: Plain values; None: the field's default.
        place: What the place is called in messages.

    Returns:
        The field, its plain value before, and the plain values of the item after.

    Raises:
        InputError: There is no such place; names it.
    """
    first, *rest = path.split("/")
    fields = cast(dict[str, Any], as_json(item))
    old = fields.get(first, as_json(getattr(item, first)))
    return first, old, {**fields, first: changed_at(old, rest, as_json(value), place)}
