"""Program files: what `load` reads from the programs folder."""

from pathlib import Path

from openpendant.errors import OpenPendantError

__all__ = ["ENDINGS", "ProgramFileError", "read_program_file"]

ENDINGS = (".urp", ".script", ".txt")
LARGEST = 5_000_000


class ProgramFileError(OpenPendantError):
    """A program file cannot be used; says why."""


def read_program_file(path: Path) -> str:
    """Return the URScript of a program file.

    .script is URScript itself; .txt and .urp are program trees as text (BeforeStart, RobotProgram, Thread).

    Raises:
        ProgramFileError: Another kind of file, too large, or not text.
        ScriptError: The tree is not well formed.
    """
    if path.suffix.lower() not in ENDINGS:
        raise ProgramFileError(f"{path.name}: programs end in {', '.join(ENDINGS)}")
    if path.stat().st_size > LARGEST:
        raise ProgramFileError(f"{path.name} has {path.stat().st_size} bytes; allowed are {LARGEST}")
    try:
        text = path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError) as error:
        raise ProgramFileError(f"{path.name} cannot be read as text: {error}") from None
    return text
