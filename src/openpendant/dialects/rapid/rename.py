"""rename_program: a module with other names for itself and for one of its routines; lines stay as they are."""

from .faults import RapidError
from .lexer import RapidWords, split_rapid_tokens


def rename_program(text: str, module: str, routine: str, to: str, file: str = "module") -> str | None:
    """Return the text of a module with other names; None: it has no such procedure.

    Args:
        text: Of the module.
        module: Its new name.
        routine: Name of a procedure, in any case; all that is called like it is renamed with it.
        to: Its new name, which nothing in the module has.
        file: What messages call the file it comes from.

    Raises:
        RapidError: It cannot be read, or the new name is taken.
    """
    words = split_rapid_tokens(text, file)
    for place in _named(words, to):
        raise RapidError(words.lines[place], 1, f"the name {to} is taken", file)
    found = _named(words, routine)
    if "MODULE" not in words.kinds or not any(words.kinds[place - 1] == "PROC" for place in found):
        return None
    new = dict.fromkeys(found, to) | {words.kinds.index("MODULE") + 1: module}
    pieces: list[str] = []
    at = 0
    for place in sorted(new):
        start = words.starts[place]
        pieces += (text[at:start], new[place])
        at = start + len(words.texts[place])
    return "".join((*pieces, text[at:]))


def _named(words: RapidWords, name: str) -> list[int]:
    return [
        place
        for place, (kind, word) in enumerate(zip(words.kinds, words.texts, strict=True))
        if kind == "name" and word.lower() == name.lower()
    ]
