"""Program files: what `load` reads."""

from pathlib import Path

from openpendant.dialects.urscript import ProgramTree, load_program
from openpendant.errors import InputError

ENDINGS = (".urp", ".script", ".txt")
LARGEST = 5_000_000
GZIP = b"\x1f\x8b"


def read_program_file(path: Path) -> ProgramTree:
    """Return the program in a file: URScript, or a program tree as text (BeforeStart, RobotProgram, Thread_1).

    Raises:
        InputError: Another kind of file, too large, or not text.
        ScriptError: What is in it is not a program.
    """
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"{path.name}: programs end in {', '.join(ENDINGS)}")
    size = path.stat().st_size
    if size > LARGEST:
        raise InputError(f"{path.name} has {size} bytes; allowed: {LARGEST}")
    with path.open("rb") as file:
        if file.read(2) == GZIP:
            raise InputError(
                f"{path.name} is a packed PolyScope program; use the .script that PolyScope saves beside it, "
                "or a tree as text"
            )
    return load_program(path)
