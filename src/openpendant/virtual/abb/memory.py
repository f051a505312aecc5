"""ProgramMemory: what a controller keeps of its programs while it is switched off, in a file of HOME:."""

from pathlib import Path
from typing import Any

import msgspec


class KeptModule(msgspec.Struct, frozen=True):
    """A loaded module: the name of its file, and its text."""

    file: str
    text: str


class ProgramMemory(msgspec.Struct, frozen=True):
    """Loaded modules by task, and the values of persistent data. Records are lists: who recalls it knows the types."""

    modules: dict[str, list[KeptModule]]
    persistents: dict[str, Any]


def save_memory(path: Path, memory: ProgramMemory) -> None:
    """Write a memory; whoever reads meanwhile finds the one before. A disk that takes no more keeps that one."""
    new = path.with_suffix(".new")
    try:
        new.write_bytes(msgspec.json.encode(memory))
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)


def load_memory(path: Path) -> ProgramMemory | None:
    """Return a memory; None: there is none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=ProgramMemory)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
