"""Scratch projects: what somebody works on without having kept it. They go with the server, or before."""

import re
import shutil
import tempfile
from pathlib import Path
from secrets import token_hex

from openpendant.errors import InputError
from openpendant.said import say
from openpendant.scene import Cell, CellDocument, CellRobot

ID = re.compile(r"scratch-[0-9a-f]{16}")
MOST_SCRATCH = 40
"""At once: who may look at robots may make them, and each is a folder."""


class Scratch:
    """Projects of one robot each, outside of the library's folder."""

    def __init__(self) -> None:
        """Keep them in a temporary folder, which is made when the first one is."""
        self._root: Path | None = None
        self._folders: dict[str, Path] = {}

    def make(self, robot: str, title: str, project: str = "") -> str:
        """Make a project whose cell is one robot of the catalogue; return its id.

        Args:
            robot: Its name in the catalogue.
            title: Of the project.
            project: The id that it had before, when it was forgotten; empty: a new one.

        Raises:
            InputError: `project` is not the id of a scratch project.
        """
        if project and ID.fullmatch(project) is None:
            raise InputError(say("project.not_scratch", project=project[:40]))
        if self._root is None:
            self._root = Path(tempfile.mkdtemp(prefix="openpendant-"))
        project = project or f"scratch-{token_hex(8)}"
        folder = self._root / project
        cell = Cell(name=project, title=title, robots=(CellRobot(name=robot, model=robot),))
        CellDocument(cell, folder).save(overwrite=True)
        self._folders[project] = folder
        return project

    def path(self, project: str) -> Path | None:
        """Return the folder of a project; None where it is none of these."""
        return self._folders.get(project)

    def names(self) -> tuple[str, ...]:
        """Return the ids of all, the oldest first."""
        return tuple(self._folders)

    def remove(self, project: str) -> None:
        """Forget a project, where it is one of these."""
        folder = self._folders.pop(project, None)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Forget all of them."""
        self._folders.clear()
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)
        self._root = None
