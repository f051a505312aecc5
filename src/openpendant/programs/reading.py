"""Reads and writes the programs of a cell's folder."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

import msgspec

from openpendant.errors import CellFileError, InputError, UnknownNameError
from openpendant.scene import Cell, write_atomic
from openpendant.scene.files import read_text_bytes, say_syntax
from openpendant.scene.plain import migrate

from .actions import Action
from .faults import find_call_fault, find_program_fault
from .program import FORMAT, Program

__all__ = [
    "decode_program",
    "encode_program",
    "program_names",
    "read_program",
    "read_programs",
    "write_program",
]

FOLDER = "programs"
LINE = 110
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""For each older format, what turns the plain values of a file into those of the next format."""

PLACE = re.compile(r" - at `\$(.*)`$")
STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


class _Head(msgspec.Struct):
    """What every format has."""

    format: int


def program_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the programs in a cell's folder, in order."""
    return tuple(sorted(path.stem for path in (folder / FOLDER).glob("*.json") if not path.name.startswith(".")))


def read_program(folder: Path, name: str, cell: Cell) -> Program:
    """Return a checked program of a cell's folder.

    Raises:
        UnknownNameError: The folder has no such program.
        CellFileError: The file cannot be read or used; names the file, the place in it and the value.
    """
    known = program_names(folder)
    if name not in known:
        raise UnknownNameError("program in this cell", name, known)
    path = folder / FOLDER / f"{name}.json"
    program = decode_program(read_text_bytes(path), path)
    if program.name != name:
        raise CellFileError(path, "/name", f"{program.name!r} is not the name of the file; write {name!r}")
    fault = find_program_fault(program, cell, known)
    if fault is not None:
        raise CellFileError(path, fault.pointer, fault.message)
    return program


def read_programs(folder: Path, cell: Cell) -> dict[str, Program]:
    """Return all programs of a cell's folder by name; raises as `read_program`."""
    programs = {name: read_program(folder, name, cell) for name in program_names(folder)}
    for name, program in programs.items():
        fault = find_call_fault(program, programs)
        if fault is not None:
            raise CellFileError(folder / FOLDER / f"{name}.json", fault.pointer, fault.message)
    return programs


def decode_program(data: bytes, path: Path | str = "program.json") -> Program:
    """Return the program of a file's text, not yet checked against a cell; older formats are brought up to date.

    Raises:
        CellFileError: It is no program.
    """
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format == FORMAT:
            return msgspec.json.decode(data, type=Program)
        return msgspec.convert(migrate(data, head.format, FORMAT, MIGRATIONS, path), type=Program)
    except msgspec.ValidationError as error:
        raise _typed_error(path, data, error) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CellFileError(path, "", say_syntax(data, error)) from None
    except RecursionError:
        raise CellFileError(path, "", "is nested too deeply") from None


def encode_program(program: Program) -> bytes:
    """Return the text of a program's file: the same program is always the same text, one line for each short step.

    Raises:
        InputError: The program holds a value of another type.
    """
    try:
        # Whole numbers given where fractions are meant become fractions, so that the text has one form.
        whole = msgspec.json.decode(msgspec.json.encode(program), type=Program)
    except (msgspec.ValidationError, TypeError) as error:
        raise InputError(f"this program cannot be written: {error}") from None
    text = msgspec.json.format(msgspec.json.encode(_plain(whole), order=None), indent=2)
    return _shorten(text.decode()).encode() + b"\n"


def write_program(folder: Path, program: Program, cell: Cell, programs: dict[str, Program] | None = None) -> bytes:
    """Check a program and write it into a cell's folder, whole or not at all; return the text.

    Raises:
        CellFileError: The program has a fault, or the folder cannot be written to.
    """
    path = folder / FOLDER / f"{program.name}.json"
    known = None if programs is None else {*programs, program.name}
    fault = find_program_fault(program, cell, known)
    if fault is None and programs is not None:
        fault = find_call_fault(program, {**programs, program.name: program})
    if fault is not None:
        raise CellFileError(path, fault.pointer, fault.message)
    data = encode_program(program)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CellFileError(path, "", f"cannot be written: {error.strerror}") from None
    write_atomic(path, data)
    return data


def _plain(value: Any) -> Any:
    """Return a program as plain values without fields that are at their defaults.

    msgspec leaves out only what is the default object itself, so that equal programs could be different files.
    """
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        fields: dict[str, Any] = {} if tag is None else {str(value.__struct_config__.tag_field): tag}
        for field in _fields(type(value)):
            one = getattr(value, field.name)
            always = field.default_factory is not msgspec.NODEFAULT and field.name == "format"
            if always or not (one == field.default or (isinstance(one, dict) and not one)):
                fields[field.name] = _plain(one)
        return fields
    if isinstance(value, tuple):
        return [_plain(one) for one in cast(tuple[Any, ...], value)]
    if isinstance(value, dict):
        entries = cast(dict[str, Any], value)
        return {name: _plain(entries[name]) for name in sorted(entries)}
    return value


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def _shorten(text: str) -> str:
    """Return indented JSON with everything that fits on a line of its own on one line, the innermost first."""
    lines = text.split("\n")
    out: list[str] = []
    starts: list[int] = []
    for line in lines:
        out.append(line)
        body = line.strip()
        if body.endswith(("{", "[")):
            starts.append(len(out) - 1)
        elif body.rstrip(",") in ("}", "]"):
            first = starts.pop()
            inside = [part.strip() for part in out[first + 1 : -1]]
            joined = out[first] + " ".join(inside) + body
            # The lists of steps stay open: one line for each step is what a person compares in git.
            opens = re.search(r'"(steps|otherwise)": \[$', out[first])
            if len(joined.strip()) <= LINE and first > 0 and not (opens and inside):
                out[first:] = [joined]
    return "\n".join(out)


def _typed_error(path: Path | str, data: bytes, error: msgspec.ValidationError) -> CellFileError:
    """Return the error with a JSON pointer and the value that stands there."""
    try:
        msgspec.json.decode(data)
    except RecursionError:
        return CellFileError(path, "", "is nested too deeply")
    text = str(error)
    found = PLACE.search(text)
    message = text if found is None else text[: found.start()]
    rough = "" if found is None else "".join(f"/{name or index}" for name, index in STEP.findall(found[1]))
    pointer = _exact(data, rough)
    unknown = re.search(r"unknown field `(.*?)`", message)
    if unknown is not None:
        return CellFileError(
            path, f"{pointer}/{unknown[1]}", f"there is no such field{_near(data, pointer, unknown[1])}"
        )
    missing = re.search(r"missing required field `(.*?)`", message)
    if missing is not None:
        return CellFileError(path, f"{pointer}/{missing[1]}", "is missing")
    if "Invalid value" in message and pointer.endswith("/do"):
        message = f"there is no such action; known: {', '.join(sorted(_tags()))}"
    return CellFileError(path, pointer, f"{message}{_shown(data, pointer)}")


def _tags() -> dict[str, type[msgspec.Struct]]:
    kinds = cast(tuple[type[msgspec.Struct], ...], get_args(Action))
    return {cast(str, kind.__struct_config__.tag): kind for kind in kinds}


def _near(data: bytes, pointer: str, name: str) -> str:
    value = _value_at(data, pointer)
    if not isinstance(value, dict):
        return ""
    tag = cast(dict[str, Any], value).get("do")
    kind = Program if not pointer else _tags().get(tag) if isinstance(tag, str) else None
    if kind is None:
        return ""
    known = [field.name for field in msgspec.structs.fields(kind)]
    close = get_close_matches(name, known, n=1, cutoff=0.5)
    return f". Did you mean {close[0]}?" if close else f". Known: {', '.join(known)}"


def _exact(data: bytes, pointer: str) -> str:
    """Return the pointer with the indices that the decoder leaves out as '...': the first step that does not decode."""
    steps = pointer.split("/")[1:]
    value: Any = msgspec.json.decode(data)
    exact = ""
    for at, step in enumerate(steps):
        if step == "..." and isinstance(value, list):
            items = cast(list[Any], value)
            step = str(_first_bad(items))
        exact += f"/{step}"
        try:
            value = cast(Any, value[int(step)] if isinstance(value, list) else value[step])
        except (KeyError, IndexError, ValueError, TypeError):
            return exact + "".join(f"/{rest}" for rest in steps[at + 1 :])
    return exact


def _first_bad(items: list[Any]) -> int:
    for index, item in enumerate(items):
        try:
            msgspec.convert(item, type=Action if isinstance(item, dict) else float)
        except msgspec.ValidationError:
            return index
    return 0


def _value_at(data: bytes, pointer: str) -> Any:
    value: Any = msgspec.json.decode(data)
    try:
        for step in pointer.split("/")[1:]:
            value = cast(Any, value[int(step)] if isinstance(value, list) else value[step])
    except (KeyError, IndexError, ValueError, TypeError):
        return None
    return value


def _shown(data: bytes, pointer: str) -> str:
    value = _value_at(data, pointer)
    if value is None and pointer:
        return ""
    shown = msgspec.json.encode(value).decode()
    return f"; found {shown if len(shown) <= 80 else shown[:77] + '...'}"
