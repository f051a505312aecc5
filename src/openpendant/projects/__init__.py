"""Projects: folders with a cell and its programs that several people edit at once.

In: edits of people. Out: numbered patches for every copy, undo for each person over all of it, a journal that loses
nothing when the process is killed, and a library of projects on disk. No network here: the server brings that.
"""

from .archive import pack_project, unpack_project
from .edits import AddProgram, EditCell, EditGroup, EditProgram, ProjectEdit, RemoveProgram, title_of_edit
from .library import Library, ProjectSummary
from .lock import ProjectInUseError
from .opened import OpenProject, PendingSave, Recovery
from .patches import ItemChange, Patch, ProgramChange, apply_patch
from .scratch import MOST_SCRATCH
from .shared import SharedProject

__all__ = [
    "MOST_SCRATCH",
    "AddProgram",
    "EditCell",
    "EditGroup",
    "EditProgram",
    "ItemChange",
    "Library",
    "OpenProject",
    "Patch",
    "PendingSave",
    "ProgramChange",
    "ProjectEdit",
    "ProjectInUseError",
    "ProjectSummary",
    "Recovery",
    "RemoveProgram",
    "SharedProject",
    "Together",
    "apply_patch",
    "pack_project",
    "title_of_edit",
    "unpack_project",
]

# Old names, for one version.
Together = EditGroup
