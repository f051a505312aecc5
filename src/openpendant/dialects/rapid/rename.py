"""rename_routine: a module with another name for one of its routines; lines and columns stay as near as can be."""

from .faults import RapidError
from .lexer import split_rapid_tokens


def rename_routine(text: str, name: str, new: str, file: str = "module") -> str | None:
    """Return the text with a routine and all that is called like it renamed; None: there is no such procedure.

    Args:
        text: Of the module.
        name: Of a procedure, in any case.
        new: Its new name, which nothing in the module has.
        file: What messages call the file it comes from.

    Raises:
        RapidError: It cannot be read, or the new name is taken.
    """
    words = split_rapid_tokens(text, file)
    found = [
        place
        for place, (kind, word) in enumerate(zip(words.kinds, words.texts, strict=True))
        if kind == "name" and word.lower() == name.lower()
    ]
    taken = [
        place
        for place, (kind, word) in enumerate(zip(words.kinds, words.texts, strict=True))
        if kind == "name" and word.lower() == new.lower()
    ]
    if taken:
        raise RapidError(words.lines[taken[0]], 1, f"the name {new} is taken", file)
    if not any(place and words.kinds[place - 1] == "PROC" for place in found):
        return None
    pieces: list[str] = []
    at = 0
    for place in found:
        start = words.starts[place]
        pieces += (text[at:start], new)
        at = start + len(words.texts[place])
    return "".join((*pieces, text[at:]))
