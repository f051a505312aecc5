"""Reads and writes `cell.json`."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from openpendant.documents import (
    find_syntax_fault,
    find_type_fault,
    migrate,
    not_written,
    read_text_bytes,
    write_atomic,
)
from openpendant.errors import CellFileError, InputError
from openpendant.said import say

from .cell import FORMAT, SECTIONS, Cell, MeshShape, SignalValue, ToolAction, ToolPart
from .migration import MIGRATIONS
from .validation import find_fault

CELL_FILE = "cell.json"
LINE = 110

Item = TypeVar("Item", bound=msgspec.Struct)


class _CellFileHead(msgspec.Struct):
    """What every format has."""

    format: int


def read_cell(folder: Path) -> Cell:
    """Return the checked cell of a folder.

    Raises:
        CellFileError: The file cannot be read or used; names the file, the place in it and the value.
    """
    path = folder / CELL_FILE
    return decode_cell(read_text_bytes(path), path)


def decode_cell(data: bytes, path: Path | str = CELL_FILE) -> Cell:
    """Return the checked cell of the text of a `cell.json`; older formats are brought up to date.

    Args:
        data: The text, UTF-8.
        path: What errors call the file.

    Raises:
        CellFileError: It is not a cell, or its parts are inconsistent.
    """
    try:
        head = msgspec.json.decode(data, type=_CellFileHead)
        if head.format == FORMAT:
            cell = msgspec.json.decode(data, type=Cell)
        else:
            cell = msgspec.convert(migrate(data, head.format, FORMAT, MIGRATIONS, path), type=Cell)
    except msgspec.ValidationError as error:
        raise find_type_fault(data, Cell, error).in_file(path) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise find_syntax_fault(data, error).in_file(path) from None
    except RecursionError:
        raise CellFileError(path, "", say("file.nested")) from None
    fault = find_fault(cell)
    if fault is not None:
        raise fault.in_file(path)
    return cell


def encode_cell(cell: Cell) -> bytes:
    """Return the text of a `cell.json`: fields in the order of their definition, one line for each short thing.

    The same cell is always the same text, and reading it back gives an equal cell.

    Raises:
        InputError: The cell holds a value of another type.
    """
    data = msgspec.json.encode(cell, order="deterministic")
    try:
        # Whole numbers given where fractions are meant become fractions, so that the text has one form.
        data = msgspec.json.encode(_without_defaults(msgspec.json.decode(data, type=Cell)), order="deterministic")
    except msgspec.ValidationError as error:
        raise InputError(f"this cell cannot be written: {error}") from None
    text = msgspec.json.format(data, indent=2)
    # Strings never hold a line break, so these touch the layout alone. First fields on one line ...
    text = re.sub(rb"(?<=[\[{])\n {8,}", b"", text)
    text = re.sub(rb",\n {8,}", b", ", text)
    text = re.sub(rb"\n {6,}(?=[\]}])", b"", text)
    # ... then short things.
    return re.sub(rb"^    \{\n(?: {6}.*\n)+    \}", _short_on_one_line, text, flags=re.MULTILINE) + b"\n"


def write_cell(folder: Path, cell: Cell) -> bytes:
    """Check a cell and write it into a folder, whole or not at all; return the text.

    Raises:
        CellFileError: The cell has a fault, or the folder cannot be written to.
    """
    path = folder / CELL_FILE
    fault = find_fault(cell)
    if fault is not None:
        raise fault.in_file(path)
    data = encode_cell(cell)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(path, error) from None
    write_atomic(path, data)
    return data


def _without_defaults(cell: Cell) -> Cell:
    """Return an equal cell whose fields are their defaults where they equal them, so that they are not written."""
    sections = {
        name: tuple([_plainer(item) for item in cast(tuple[msgspec.Struct, ...], getattr(cell, name))])
        for name in SECTIONS
    }
    return _plainer(msgspec.structs.replace(cell, **sections))


def _plainer(value: Item) -> Item:
    changes: dict[str, Any] = {}
    for name, default in _defaults(type(value)):
        now = getattr(value, name)
        if now is default:
            continue
        if now == default:
            changes[name] = default
        elif name == "parts":
            changes[name] = tuple([_plainer(part) for part in cast(tuple[ToolPart, ...], now)])
        elif isinstance(now, MeshShape | ToolAction):
            changes[name] = _plainer(now)
        elif name in ("outputs", "inputs"):
            changes[name] = tuple([_plainer(value) for value in cast(tuple[SignalValue, ...], now)])
    return msgspec.structs.replace(value, **changes) if changes else value


@lru_cache
def _defaults(kind: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in msgspec.structs.fields(kind))


def _short_on_one_line(found: re.Match[bytes]) -> bytes:
    item = found[0]
    lines = item.split(b"\n")
    if len(item) - 5 * len(lines) > LINE:
        return item
    return b"    {" + b" ".join(line[6:] for line in lines[1:-1]) + b"}"
