"""Plain values, as JSON has them: changed at one place, and brought from an older format to today's."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from openpendant.errors import CellFileError, InputError
from openpendant.said import say

Migrations = Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]
"""For each older format, what turns the plain values of a file into those of the next format."""


def changed_at(whole: Any, steps: list[str], value: Any, place: str) -> Any:
    """Return plain values with one place changed; the old values stay as they are.

    Raises:
        InputError: There is no such place; names it.
    """
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(whole, dict):
        entries = dict(cast(dict[str, Any], whole))
        entries[step] = changed_at(entries.get(step), rest, value, place)
        return entries
    if isinstance(whole, list | tuple):
        items = list(cast(list[Any], whole))
        if not step.isdecimal() or int(step) >= len(items):
            raise InputError(say("edit.no_place", place=place, step=step, count=len(items)))
        items[int(step)] = changed_at(items[int(step)], rest, value, place)
        return items
    raise InputError(say("edit.no_parts", place=place, value=repr(whole)))


def migrate(data: bytes, version: int, newest: int, migrations: Migrations, path: Path | str) -> dict[str, Any]:
    """Return the plain values of a JSON text of an older format as those of the newest.

    Raises:
        CellFileError: The format is newer than we read, or was never one.
    """
    if version > newest:
        raise CellFileError(path, "/format", say("file.newer", format=version, newest=newest))
    values = cast(dict[str, Any], msgspec.json.decode(data))
    while version < newest:
        if version not in migrations:
            raise CellFileError(path, "/format", say("file.unknown_format", format=version, newest=newest))
        values = migrations[version](values)
        version += 1
    return {**values, "format": newest}
