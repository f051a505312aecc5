"""Library: the projects of this machine, each a folder that a person can read and put in git."""

import re
import secrets
import shutil
import unicodedata
from contextlib import suppress
from pathlib import Path

import msgspec

from openpendant.errors import CellFileError, InputError, UnknownNameError
from openpendant.programs import open_project, program_names
from openpendant.said import Said, say
from openpendant.scene import Cell, CellDocument, copy_demo, read_cell
from openpendant.scene.document import CELL_FILE

from .archive import pack_project, unpack_project
from .journal import OWN_FOLDER
from .lock import ProjectLock
from .scratch import Scratch

TRASH = ".trash"
LONGEST = 60
ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


class ProjectSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the library."""

    id: str
    """The name of its folder."""
    title: str
    robots: list[str]
    programs: list[str]
    changed_s: float
    """When one of its files was last changed, seconds since 1970."""
    fault: str | None = None
    """Why it cannot be opened; has a code."""


class Library:
    """A folder of projects."""

    def __init__(self, folder: Path | str) -> None:
        """Keep projects in `folder`, which is made when the first one is."""
        self.folder = Path(folder)
        self.scratch = Scratch()
        """Projects that are not kept yet: not in the folder, and in no list."""

    def projects(self) -> list[ProjectSummary]:
        """Return all projects, the newest first; one that cannot be read is there too, with its fault."""
        found: list[ProjectSummary] = []
        for path in self.folder.glob(f"*/{CELL_FILE}"):
            # One that is removed while the list is made is not in it.
            with suppress(UnknownNameError, FileNotFoundError):
                found.append(self.summary(path.parent.name))
        return sorted(found, key=lambda one: (-one.changed_s, one.id))

    def summary(self, project: str) -> ProjectSummary:
        """Return the line of one project.

        Raises:
            UnknownNameError: There is none of that id.
        """
        folder = self.path(project)
        changed = max(path.stat().st_mtime for path in (folder / CELL_FILE, *folder.glob("programs/*.json")))
        names = list(program_names(folder))
        try:
            cell = read_cell(folder)
        except CellFileError as error:
            return ProjectSummary(
                id=project, title=project, robots=[], programs=names, changed_s=changed, fault=error.said
            )
        robots = [robot.model for robot in cell.robots]
        return ProjectSummary(
            id=project, title=cell.title or cell.name, robots=robots, programs=names, changed_s=changed
        )

    def path(self, project: str) -> Path:
        """Return the folder of a project, kept or not.

        Raises:
            UnknownNameError: There is none of that id.
        """
        return self.scratch.path(project) or self.kept_path(project)

    def kept_path(self, project: str) -> Path:
        """Return the folder of a project that is in the library.

        Raises:
            UnknownNameError: There is none of that id.
        """
        folder = self.folder / project
        if ID.fullmatch(project) is None or not (folder / CELL_FILE).is_file():
            known = (path.parent.name for path in self.folder.glob(f"*/{CELL_FILE}"))
            raise UnknownNameError("project", project, known)
        return folder

    def create(self, title: str, demo: str = "") -> str:
        """Make an empty project, or one from a demo cell; return its id.

        Raises:
            InputError: The title is empty or far too long.
            UnknownNameError: No demo has that name.
        """
        folder = self._fresh(_titled(title))
        if demo:
            document = copy_demo(demo, folder)
            document = CellDocument(msgspec.structs.replace(document.cell, title=title.strip()), folder)
        else:
            document = CellDocument(Cell(name=folder.name, title=title.strip()), folder)
        document.save(overwrite=True)
        return folder.name

    def duplicate(self, project: str) -> str:
        """Copy a project, without its journal; return the id of the copy. A scratch project is kept by this."""
        folder, title = self.path(project), self.summary(project).title
        return self.take_in(pack_project(folder), title if self.scratch.path(project) else f"{title} copy")

    def remove(self, project: str) -> str:
        """Put a project into the library's trash; return the name under which `bring_back` finds it.

        Raises:
            ProjectInUseError: Another process has it open.
            UnknownNameError: There is none of that id.
        """
        folder = self.kept_path(project)
        # What another server has open stays where it is.
        ProjectLock(folder / OWN_FOLDER).release()
        kept = f"{project}.{secrets.token_hex(4)}"
        (self.folder / TRASH).mkdir(exist_ok=True)
        folder.rename(self.folder / TRASH / kept)
        return kept

    def bring_back(self, kept: str) -> str:
        """Take a project out of the trash; return its id.

        Raises:
            UnknownNameError: Nothing of that name is in the trash.
        """
        source = self.folder / TRASH / kept
        if "/" in kept or kept.startswith(".") or not source.is_dir():
            raise UnknownNameError("project in the trash", kept, (p.name for p in (self.folder / TRASH).glob("*")))
        folder = self._fresh(kept.rpartition(".")[0])
        source.rename(folder)
        return folder.name

    def pack(self, project: str) -> bytes:
        """Return a project as a zip file."""
        return pack_project(self.path(project))

    def take_in(self, data: bytes, title: str = "") -> str:
        """Add a project from a zip file; return its id.

        Raises:
            InputError: The archive is refused; says why.
            CellFileError: Its cell or a program has a fault; names file, place and value.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        coming = self.folder / f".coming-{secrets.token_hex(8)}"
        coming.mkdir()
        try:
            unpack_project(data, coming)
            project = open_project(coming)
            name = title.strip() or project.cell.title or project.cell.name
            if title:
                cell = msgspec.structs.replace(project.cell, title=name)
                CellDocument(cell, coming).save(overwrite=True)
            folder = self._fresh(_titled(name))
            coming.rename(folder)
        except CellFileError as error:
            raise InputError(_archive_fault(error, coming)) from None
        finally:
            shutil.rmtree(coming, ignore_errors=True)
        return folder.name

    def _fresh(self, title: str) -> Path:
        """Return a folder that does not exist yet, named after a title."""
        self.folder.mkdir(parents=True, exist_ok=True)
        plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
        name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[: LONGEST - 5].strip("_") or "project"
        candidate, number = name, 2
        while (self.folder / candidate).exists():
            candidate, number = f"{name}_{number}", number + 1
        return self.folder / candidate


def _archive_fault(error: CellFileError, coming: Path) -> Said:
    """Return what is wrong in a project that was unpacked into the folder `coming`."""
    path = str(error.path.relative_to(coming) if error.path.is_relative_to(coming) else error.path)
    if error.pointer:
        return say("project.archive_fault_at", path=path, pointer=error.pointer, why=error.fault)
    return say("project.archive_fault", path=path, why=error.fault)


def _titled(title: str) -> str:
    stripped = title.strip()
    if not stripped or len(stripped) > 200 or not stripped.isprintable():
        raise InputError(say("project.title", title=title[:80]))
    return stripped
