"""Reads and writes `cell.json`."""

import re
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from openpendant.errors import CellFileError, InputError

from .cell import FORMAT, SECTIONS, Cell, MeshShape, SignalValue, ToolAction, ToolPart
from .checking import find_fault
from .files import read_text_bytes, say_syntax, write_atomic
from .migration import MIGRATIONS
from .plain import migrate

__all__ = ["CELL_FILE", "decode_cell", "encode_cell", "read_cell", "write_cell"]

CELL_FILE = "cell.json"
LINE = 110

PLACE = re.compile(r" - at `\$(.*)`$")
STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")

Item = TypeVar("Item", bound=msgspec.Struct)


class _Head(msgspec.Struct):
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
        CellFileError: It is no cell, or its parts do not hang together.
    """
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format == FORMAT:
            cell = msgspec.json.decode(data, type=Cell)
        else:
            cell = msgspec.convert(migrate(data, head.format, FORMAT, MIGRATIONS, path), type=Cell)
    except msgspec.ValidationError as error:
        raise _typed_error(path, data, error) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CellFileError(path, "", say_syntax(data, error)) from None
    except RecursionError:
        raise CellFileError(path, "", "is nested too deeply") from None
    fault = find_fault(cell)
    if fault is not None:
        raise CellFileError(path, fault.pointer, fault.message)
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
        raise CellFileError(path, fault.pointer, fault.message)
    data = encode_cell(cell)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CellFileError(path, "", f"cannot be written: {error.strerror}") from None
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


def _typed_error(path: Path | str, data: bytes, error: msgspec.ValidationError) -> CellFileError:
    """Return the error with a JSON pointer and the value that stands there."""
    try:
        msgspec.json.decode(data)
    except RecursionError:
        return CellFileError(path, "", "is nested too deeply")
    text = str(error)
    found = PLACE.search(text)
    message = text if found is None else text[: found.start()]
    pointer = "" if found is None else "".join(f"/{name or index}" for name, index in STEP.findall(found[1]))
    unknown = re.search(r"unknown field `(.*?)`", message)
    if unknown is not None:
        return CellFileError(path, f"{pointer}/{unknown[1]}", f"there is no such field{_near(unknown[1], pointer)}")
    missing = re.search(r"missing required field `(.*?)`", message)
    if missing is not None:
        return CellFileError(path, f"{pointer}/{missing[1]}", "is missing")
    return CellFileError(path, pointer, f"{message}{_value_at(data, pointer)}")


def _near(name: str, pointer: str) -> str:
    section = pointer.split("/")[1] if "/" in pointer else ""
    kind = Cell if not section else next((kind for key, kind in SECTIONS.items() if key == section), None)
    if kind is None or pointer.count("/") > 2:
        return ""
    known = [field.name for field in msgspec.structs.fields(kind)]
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    return f". Did you mean {close[0]}?" if close else f". Known: {', '.join(known)}"


def _value_at(data: bytes, pointer: str) -> str:
    value: Any = msgspec.json.decode(data)
    try:
        for step in pointer.split("/")[1:]:
            value = cast(Any, value[int(step)] if isinstance(value, list) else value[step])
    except (KeyError, IndexError, ValueError, TypeError):
        return ""
    shown = msgspec.json.encode(value).decode()
    return f"; found {shown if len(shown) <= 80 else shown[:77] + '...'}"
