"""Titles: commands to a program in a few words, as a history shows them."""

from openpendant.documents import text_in
from openpendant.said import say

from .commands import (
    DuplicateStep,
    EditStep,
    EnableStep,
    InsertStep,
    MoveStep,
    ProgramBatch,
    ProgramCommand,
    RemoveStep,
    ReplaceStep,
    SetProgram,
)


def title_of(command: ProgramCommand) -> str:
    """Return a command in a few words, as 'remove step s3'; a `Said` unless somebody has given it a title."""
    match command:
        case ProgramBatch(commands=commands, title=title):
            return title or say("title.edits", count=len(commands))
        case SetProgram(field=field):
            return say("title.set_program", field=field)
        case InsertStep(action=action):
            step = text_in(action, "id")
            return say("title.insert_step", step=step) if step else say("title.insert_new_step")
        case RemoveStep(id=step):
            return say("title.remove_step", step=step)
        case MoveStep(id=step):
            return say("title.move_step", step=step)
        case DuplicateStep(id=step):
            return say("title.duplicate_step", step=step)
        case EnableStep(id=step, enabled=enabled):
            return say("title.enable_step", step=step) if enabled else say("title.disable_step", step=step)
        case EditStep(id=step):
            return say("title.edit_step", step=step)
        case ReplaceStep(id=step):
            return say("title.replace_step", step=step)
