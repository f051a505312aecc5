"""Checks of runs that take as long as a test wants, hang or break, in the server's own workers."""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from openpendant.programs import Program, Report, check_program
from openpendant.scene import Cell

FOLDER = "OPENPENDANT_TEST_HELD_CHECKS"


def held_check(cell: Cell, program: Program, **options: Any) -> Report:
    """Check as `check_program`, once nothing holds it up."""
    folder = Path(os.environ[FOLDER])
    (folder / "began" / f"{os.getpid()}-{time.monotonic_ns()}").touch()
    while (slow := (folder / "slow").exists()) or (folder / "held").exists():
        if slow:
            options["progress"]()
        time.sleep(0.01)
    if (folder / "broken").exists():
        raise ZeroDivisionError("the check is broken")
    return check_program(cell, program, **options)


class HeldChecks:
    """What holds up the checks of runs."""

    def __init__(self, folder: Path) -> None:
        """Hold up nothing."""
        self._folder = folder
        (folder / "began").mkdir()

    def begin(self, kind: str) -> None:
        """From now on they hang ('held'), take long but get on ('slow'), or raise what is not ours ('broken')."""
        (self._folder / kind).touch()

    def end(self) -> None:
        """From now on they are as always."""
        for kind in ("held", "slow", "broken"):
            (self._folder / kind).unlink(missing_ok=True)

    def began(self) -> set[str]:
        """Return every check that has begun: the process of its worker, and when."""
        return {one.name for one in (self._folder / "began").iterdir()}


@contextmanager
def held_checks(folder: Path) -> Generator[HeldChecks]:
    """Yield what holds up the checks of servers that are started meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(folder))
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        patch.setattr("openpendant.runtime.cell_runs.check_program", held_check)
        held = HeldChecks(folder)
        try:
            yield held
        finally:
            held.end()
