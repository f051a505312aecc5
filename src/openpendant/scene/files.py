"""Files of a cell: read whole, written whole or not at all."""

import contextlib
import os
import re
import secrets
import time
from pathlib import Path
from typing import Any

import msgspec

from openpendant.errors import CellFileError

__all__ = ["format_json", "read_json", "read_text_bytes", "say_syntax", "write_atomic", "write_json_atomic"]

LARGEST_BYTES = 256 * 1024 * 1024
STALE_S = 3600.0
BYTE = re.compile(r"byte (\d+)")


def read_text_bytes(path: Path) -> bytes:
    """Return the content of a file of a cell.

    Raises:
        CellFileError: It cannot be read, or is far too large.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise CellFileError(path, "", f"has {size} bytes; a file of a cell has at most {LARGEST_BYTES}")
        return path.read_bytes()
    except OSError as error:
        raise CellFileError(path, "", f"cannot be read: {error.strerror}") from None


def read_json(path: Path) -> Any:
    """Return the plain values of a JSON file.

    Raises:
        CellFileError: It cannot be read or is no JSON; names line and column.
    """
    data = read_text_bytes(path)
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CellFileError(path, "", say_syntax(data, error)) from None


def write_json_atomic(path: Path, value: Any) -> None:
    """Write a value as JSON that a person can read; keys of mappings in order, so that equal values are equal files.

    Raises:
        CellFileError: The folder cannot be written to.
    """
    write_atomic(path, format_json(msgspec.json.encode(value, order="deterministic")) + b"\n")


def format_json(data: bytes) -> bytes:
    """Return JSON with two spaces for each level, but lists of plain numbers on one line."""
    text = msgspec.json.format(data, indent=2)
    return re.sub(rb"\[\s+([-+.\deE,\s]+?)\s+\]", lambda found: b"[" + b" ".join(found[1].split()) + b"]", text)


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: whatever happens, `path` holds either the old content or the new.

    The bytes go into a file beside it, reach the disk, and take its name in one step; then the folder's own entry
    reaches the disk too. A process killed on the way leaves the file beside, which a later save removes.

    Raises:
        CellFileError: The folder cannot be written to.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise CellFileError(path, "", f"cannot be written: {error.strerror}") from None
    _sweep(path)


def say_syntax(data: bytes, error: Exception) -> str:
    """Return what is wrong with text that is no JSON, with line and column where they are known."""
    found = BYTE.search(str(error))
    if found is None:
        return f"is no JSON: {error}"
    before = data[: int(found[1])]
    line = before.count(b"\n") + 1
    column = len(before) - (before.rfind(b"\n") + 1) + 1
    return f"is no JSON: {str(error).split(' (byte')[0]} at line {line}, column {column}"


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(path: Path) -> None:
    """Remove what saves that were killed an hour ago or longer have left."""
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE_S:
                left.unlink()
