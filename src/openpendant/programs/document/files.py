"""Reads and writes the programs of a cell's folder."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec

from openpendant.documents import (
    find_syntax_fault,
    find_type_fault,
    migrate,
    not_written,
    read_text_bytes,
    write_atomic,
)
from openpendant.errors import CellFileError, InputError, UnknownNameError
from openpendant.said import say
from openpendant.scene import Cell

from .program import FORMAT, Program
from .validation import find_call_fault, find_program_fault

FOLDER = "programs"
LINE = 110
MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""For each older format, what turns the plain values of a file into those of the next format."""


class _ProgramFileHead(msgspec.Struct):
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
        raise CellFileError(path, "/name", say("file.other_name", name=program.name, wanted=name))
    fault = find_program_fault(program, cell, known)
    if fault is not None:
        raise fault.in_file(path)
    return program


def read_programs(folder: Path, cell: Cell) -> dict[str, Program]:
    """Return all programs of a cell's folder by name; raises as `read_program`."""
    programs = {name: read_program(folder, name, cell) for name in program_names(folder)}
    for name, program in programs.items():
        fault = find_call_fault(program, programs)
        if fault is not None:
            raise fault.in_file(folder / FOLDER / f"{name}.json")
    return programs


def decode_program(data: bytes, path: Path | str = "program.json") -> Program:
    """Return the program of a file's text, not yet checked against a cell; older formats are brought up to date.

    Raises:
        CellFileError: It is not a program.
    """
    try:
        head = msgspec.json.decode(data, type=_ProgramFileHead)
        if head.format == FORMAT:
            return msgspec.json.decode(data, type=Program)
        return msgspec.convert(migrate(data, head.format, FORMAT, MIGRATIONS, path), type=Program)
    except msgspec.ValidationError as error:
        raise find_type_fault(data, Program, error).in_file(path) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise find_syntax_fault(data, error).in_file(path) from None
    except RecursionError:
        raise CellFileError(path, "", say("file.nested")) from None


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
    text = msgspec.json.format(msgspec.json.encode(_without_defaults(whole), order=None), indent=2)
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
        raise fault.in_file(path)
    data = encode_program(program)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(path, error) from None
    write_atomic(path, data)
    return data


def _without_defaults(value: Any) -> Any:
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
                fields[field.name] = _without_defaults(one)
        return fields
    if isinstance(value, tuple):
        return [_without_defaults(one) for one in cast(tuple[Any, ...], value)]
    if isinstance(value, dict):
        entries = cast(dict[str, Any], value)
        return {name: _without_defaults(entries[name]) for name in sorted(entries)}
    return value


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def _shorten(text: str) -> str:
    """Return indented JSON with everything that fits on one line kept there, the innermost first."""
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
