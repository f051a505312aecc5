"""Reads and writes `facts.toml`."""

from pathlib import Path
from typing import Any, cast

import msgspec
import tomli_w

from openpendant.errors import RobotFileError

from .facts import RobotFacts
from .validation import find_fault


def read_facts(path: Path) -> RobotFacts:
    """Return the checked facts of one robot.

    Raises:
        RobotFileError: The file cannot be read, is not TOML, has a field too many, too few or of the wrong
            type, or its parts do not hang together. The message names the file and the field.
    """
    try:
        facts = msgspec.toml.decode(path.read_bytes(), type=RobotFacts)
    except OSError as error:
        raise RobotFileError(path, f"cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RobotFileError(path, str(error)) from None
    fault = find_fault(facts)
    if fault is None and facts.name != path.parent.name:
        fault = f"name is {facts.name!r}, but its folder is {path.parent.name!r}"
    if fault is not None:
        raise RobotFileError(path, fault)
    return facts


def encode_facts(facts: RobotFacts) -> str:
    """Return the text of a `facts.toml` with these facts."""
    return tomli_w.dumps(_without_none(msgspec.to_builtins(facts)), indent=4)


def _without_none(value: Any) -> Any:
    """Drop what is None: TOML has no word for it, and every such field has None as its default."""
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in cast("dict[str, Any]", value).items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_none(item) for item in cast("list[Any]", value)]
    return value
