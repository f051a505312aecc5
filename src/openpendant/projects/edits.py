"""Edits of a project as values: of its cell, of its programs, and several together as one."""

from typing import Any

import msgspec

from openpendant.documents import text_in
from openpendant.programs import ProgramCommand
from openpendant.programs.document import title_of as title_of_program_command
from openpendant.said import say
from openpendant.scene import Command
from openpendant.scene.document import title_of as title_of_cell_command


class _TaggedEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="edit"):
    """Common settings of all edits."""


class EditCell(_TaggedEdit, frozen=True, kw_only=True, tag="cell"):
    """A command to the cell; programs follow what it renames."""

    command: Command


class EditProgram(_TaggedEdit, frozen=True, kw_only=True, tag="program"):
    """A command to one program."""

    program: str
    command: ProgramCommand


class AddProgram(_TaggedEdit, frozen=True, kw_only=True, tag="add program"):
    """A new program, under a name that is not taken."""

    program: Any
    """The program, or its plain values."""


class RemoveProgram(_TaggedEdit, frozen=True, kw_only=True, tag="remove program"):
    """Take a program out that no other one calls."""

    name: str


class EditGroup(_TaggedEdit, frozen=True, kw_only=True, tag="together"):
    """Several edits as one, as when a point is taught and a step goes there: all or none, one undo."""

    edits: tuple["ProjectEdit", ...]
    title: str = ""


ProjectEdit = EditCell | EditProgram | AddProgram | RemoveProgram | EditGroup


def title_of_edit(edit: ProjectEdit) -> str:
    """Return an edit in a few words, as a history shows it: 'move table', 'remove step s3 of pick'.

    A `Said` unless somebody has given it a title.
    """
    match edit:
        case EditCell(command=command):
            return title_of_cell_command(command)
        case EditProgram(program=name, command=command):
            return say("title.of_program", edit=title_of_program_command(command), program=name)
        case AddProgram(program=program):
            return say("title.add_program", name=text_in(program, "name"))
        case RemoveProgram(name=name):
            return say("title.remove_program", name=name)
        case EditGroup(edits=edits, title=title):
            return title or say("title.edits", count=len(edits))
