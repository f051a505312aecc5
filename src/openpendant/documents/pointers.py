"""Where in a document a value does not fit its type: msgspec's errors, as faults with a JSON pointer and a code.

msgspec writes the place as `$.steps[0].q[...]` and what is wrong as English; this is the only module that reads them.
"""

import re
import types
import typing
from collections.abc import Iterator, Sequence
from typing import Any, cast

import msgspec

from openpendant.said import Said, name_hint, say

from .faults import DocumentFault

PLACE = re.compile(r" - at `\$(.*)`$")
STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
UNKNOWN = re.compile(r"unknown field `(.*?)`")
MISSING = re.compile(r"missing required field `(.*?)`")
EXPECTED = re.compile(r"Expected `(.+?)`, got `(.+?)`")
ENUM = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
BYTE = re.compile(r"byte (\d+)")
LONGEST_SHOWN = 80


def find_syntax_fault(data: bytes, error: Exception) -> DocumentFault:
    """Return what is wrong with text that is not JSON, with line and column where they are known."""
    found = BYTE.search(str(error))
    if found is None:
        return DocumentFault("", say("file.no_json", why=str(error)))
    before = data[: int(found[1])]
    line = before.count(b"\n") + 1
    column = len(before) - (before.rfind(b"\n") + 1) + 1
    why = str(error).split(" (byte")[0]
    return DocumentFault("", say("file.no_json_at", why=why, line=line, column=column))


def find_type_fault(data: bytes, kind: Any, error: msgspec.ValidationError) -> DocumentFault:
    """Return why the JSON text of a document does not decode as its type.

    Args:
        data: The text; it is JSON.
        kind: The type of the document.
        error: What msgspec has raised.
    """
    try:
        return find_value_fault(msgspec.json.decode(data), kind, error)
    except RecursionError:
        return DocumentFault("", say("file.nested"))


def find_value_fault(values: Any, kind: Any, error: msgspec.ValidationError) -> DocumentFault:
    """Return why plain values do not convert to a type; arguments as `find_type_fault`."""
    text = str(error)
    found = PLACE.search(text)
    problem = text if found is None else text[: found.start()]
    steps = [] if found is None else [name or index for name, index in STEP.findall(found[1])]
    places = _walk(values, kind, steps)
    pointer = "".join(f"/{place.step}" for place in places[1:])
    last = places[-1]
    if (unknown := UNKNOWN.search(problem)) is not None:
        return DocumentFault(f"{pointer}/{unknown[1]}", _no_such_field(last, unknown[1]))
    if (missing := MISSING.search(problem)) is not None:
        return DocumentFault(f"{pointer}/{missing[1]}", say("fault.missing"))
    why = _problem(problem, places)
    return DocumentFault(
        pointer, why if last.value is msgspec.UNSET else say("fault.found", why=why, found=_shown(last))
    )


class _PlaceInDocument(typing.NamedTuple):
    """A place on the way into a document: how it is reached, what is there, and of which type it should be."""

    step: str
    value: Any
    """UNSET: nothing is there."""
    kind: Any


def _walk(values: Any, kind: Any, steps: Sequence[str]) -> list[_PlaceInDocument]:
    """Return the places from the root along msgspec's steps, which leave some indices out as '...'."""
    places = [_PlaceInDocument("", values, kind)]
    for step in steps:
        _, value, inside = places[-1]
        if step == "...":
            step = _first_bad(value, inside)
        places.append(_PlaceInDocument(step, _part(value, step), _kind_of_part(inside, value, step)))
    return places


def _part(value: Any, step: str) -> Any:
    try:
        return cast(Any, value[int(step)] if isinstance(value, list) else value[step])
    except (KeyError, IndexError, ValueError, TypeError):
        return msgspec.UNSET


def _first_bad(value: Any, kind: Any) -> str:
    """Return the first part of a list or mapping that does not convert to what it should be."""
    if isinstance(value, dict):
        parts = [(str(key), part) for key, part in cast(dict[object, Any], value).items()]
    else:
        parts = [(str(index), part) for index, part in enumerate(cast(list[Any], value))]
    for step, part in parts:
        wanted = _kind_of_part(kind, value, step)
        try:
            if wanted is not None:
                msgspec.convert(part, type=wanted)
        except msgspec.ValidationError:
            return step
    return parts[0][0] if parts else "0"


def _members(kind: Any) -> Iterator[Any]:
    """Yield the members of a union, or a type that is not a union."""
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        for member in typing.get_args(kind):
            yield from _members(member)
    elif typing.get_origin(kind) is typing.Annotated:
        yield from _members(typing.get_args(kind)[0])
    else:
        yield kind


def _structs(kind: Any) -> list[type[msgspec.Struct]]:
    return [one for one in _members(kind) if isinstance(one, type) and issubclass(one, msgspec.Struct)]


def _struct_of(kind: Any, value: Any) -> type[msgspec.Struct] | None:
    """Return which struct plain values should be: the only one, or by their tag."""
    if not isinstance(value, dict):
        return None
    structs = _structs(kind)
    if len(structs) == 1:
        return structs[0]
    tags = cast(dict[str, Any], value)
    return next((one for one in structs if tags.get(_tag_field(one)) == one.__struct_config__.tag), None)


def _tag_field(struct: type[msgspec.Struct]) -> str:
    return str(struct.__struct_config__.tag_field)


def _kind_of_part(kind: Any, value: Any, step: str) -> Any:
    """Return the type of one part of a value; None: not known."""
    struct = _struct_of(kind, value)
    if struct is not None:
        return next((one.type for one in msgspec.structs.fields(struct) if one.name == step), None)
    for one in _members(kind):
        origin, inside = typing.get_origin(one), typing.get_args(one)
        if origin is dict and isinstance(value, dict):
            return inside[1]
        if origin is list and isinstance(value, list):
            return inside[0]
        if origin is tuple and isinstance(value, list):
            if inside[-1] is Ellipsis:
                return inside[0]
            return inside[int(step)] if step.isdecimal() and int(step) < len(inside) else None
    return None


def _no_such_field(at: _PlaceInDocument, name: str) -> Said:
    struct = _struct_of(at.kind, at.value)
    if struct is None:
        return say("fault.no_such_field_plain")
    known = [field.name for field in msgspec.structs.fields(struct)]
    return say("fault.no_such_field", hint=name_hint(name, known, most=None))


def _problem(problem: str, places: list[_PlaceInDocument]) -> Said:
    last = places[-1]
    if problem.startswith("Invalid value") and len(places) > 1:
        structs = _structs(places[-2].kind)
        tags = sorted(str(one.__struct_config__.tag) for one in structs if _tag_field(one) == last.step)
        if tags:
            code = "fault.no_such_action" if last.step == "do" else "fault.no_such_type"
            return say(code, known=", ".join(tags))
    if (enum := ENUM.fullmatch(problem)) is not None:
        words = [str(word) for one in _members(last.kind) for word in typing.get_args(one)]
        return say("fault.enum", value=enum[1], known=", ".join(words))
    if (expected := EXPECTED.fullmatch(problem)) is not None:
        return say("fault.expected", wanted=expected[1], got=expected[2])
    return say("fault.not_valid", problem=problem)


def _shown(at: _PlaceInDocument) -> str:
    shown = msgspec.json.encode(at.value).decode()
    return shown if len(shown) <= LONGEST_SHOWN else shown[: LONGEST_SHOWN - 3] + "..."
