"""Titles: commands to a cell in a few words, as a history shows them."""

from openpendant.documents import text_in
from openpendant.said import say

from .commands import Add, Batch, Command, Move, Remove, Rename, Reorder, Replace, SetField


def title_of(command: Command) -> str:
    """Return a command in a few words, as 'move table'; a `Said` unless somebody has given it a title."""
    match command:
        case Batch(commands=commands, title=title):
            return title or say("title.edits", count=len(commands))
        case Rename(name=name, new_name=new_name):
            return say("title.rename", name=name, new_name=new_name)
        case SetField(name="", field=field):
            return say("title.set_own", field=field)
        case SetField(name=name, field=field):
            return say("title.set", field=field, name=name)
        case Add(item=item):
            return say("title.add", name=text_in(item, "name"))
        case Remove(name=name):
            return say("title.remove", name=name)
        case Replace(name=name):
            return say("title.replace", name=name)
        case Move(name=name):
            return say("title.move", name=name)
        case Reorder(name=name):
            return say("title.reorder", name=name)
