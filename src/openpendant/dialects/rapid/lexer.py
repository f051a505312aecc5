"""Words of a module: names, numbers, strings, marks, and the comments before each of them."""

import re
from dataclasses import dataclass, field

from openpendant.dialects.core import column_of

from .events import LIMIT
from .faults import RapidError

LONGEST_TEXT = 4_000_000
"""Characters; longer modules are refused."""
LONGEST_NAME = 32
LONGEST_STRING = 80
END_OF_TEXT = "the end of the file"

KEYWORDS = frozenset(
    """
    ALIAS AND BACKWARD CASE CONNECT CONST DEFAULT DIV DO ELSE ELSEIF ENDFOR ENDFUNC ENDIF ENDMODULE ENDPROC ENDRECORD
    ENDTEST ENDTRAP ENDWHILE ERROR EXIT FALSE FOR FROM FUNC GOTO IF INOUT LOCAL MOD MODULE NOSTEPIN NOT NOVIEW OR PERS
    PROC RAISE READONLY RECORD RETRY RETURN STEP SYSMODULE TASK TEST THEN TO TRAP TRUE TRYNEXT UNDO VAR VIEWONLY WHILE
    WITH XOR
    """.split()  # noqa: SIM905 - a table of words
)
SOFT = frozenset(
    """
    ALIAS BACKWARD FROM INOUT MODULE NOSTEPIN NOVIEW READONLY RECORD STEP SYSMODULE TASK TO UNDO VIEWONLY WITH
    """.split()  # noqa: SIM905 - a table of words
)
"""Words that mean something in one place of a program only; elsewhere they may be names."""

_WORD = re.compile(
    r"""
    [ \t\r\f\v\n\ufeff\x1a]+ | (?P<header>%%%[^%]*%%%)
    | (?P<comment>![^\n]*)
    | (?P<number>0[xX][0-9A-Fa-f]+ | 0[oO][0-7]+ | 0[bB][01]+ | (?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<placeholder><(?:SMT|EXP|ID|DDN|TDN|RDN|PAR|ALT|DIM|ARG|VAR|EIT|CSE|LAB|NUM|NAME)>)
    | (?P<name>[^\W\d]\w*)
    | (?P<mark>:=|<>|<=|>=|[-+*/<>=()\[\]{},:;.\\|?%])
    | (?P<string>"(?:[^"\n]|"")*")
    | (?P<wrong>.)
    """,
    re.VERBOSE,
)
_ESCAPE = re.compile(r'\\(\\|[0-9A-Fa-f]{2})|""')


@dataclass(frozen=True, slots=True)
class RapidWords:
    """The words of a module, side by side: what each is, its text, where it starts.

    Attributes:
        kinds: "name", "number", "string", "placeholder", or for keywords (in capitals) and marks the word itself; the
            last is END_OF_TEXT.
        texts: As written; strings without quotes and escapes.
        starts: Offset in the text.
        lines: Line, from 1.
        comments: Text and line of the comments before a word, by its place.
    """

    kinds: list[str] = field(default_factory=list[str])
    texts: list[str] = field(default_factory=list[str])
    starts: list[int] = field(default_factory=list[int])
    lines: list[int] = field(default_factory=list[int])
    comments: dict[int, list[tuple[str, int]]] = field(default_factory=dict[int, list[tuple[str, int]]])


def split_rapid_tokens(text: str, name: str) -> RapidWords:
    """Return the words of a module.

    Raises:
        RapidError: A character that no word has, a string without its end, too long a name, string or text.
    """
    if len(text) > LONGEST_TEXT:
        message = f"the module has {len(text)} characters; at most {LONGEST_TEXT} are allowed"
        raise RapidError(1, 1, message, name, LIMIT)
    words = RapidWords()
    line, counted = 1, 0
    for match in _WORD.finditer(text):
        kind = match.lastgroup
        if kind is None or kind == "header":
            continue
        start = match.start()
        line += text.count("\n", counted, start)
        counted = start
        word = match.group()
        if kind == "comment":
            words.comments.setdefault(len(words.kinds), []).append((word[1:].rstrip(), line))
            continue
        if kind == "wrong":
            what = "a string that does not end on its line" if word == '"' else f"unexpected character {word!r}"
            raise RapidError(line, column_of(text, start), what, name)
        if kind == "name":
            if word.upper() in KEYWORDS:
                kind = word.upper()
            elif len(word) > LONGEST_NAME:
                message = f"the name {word} has {len(word)} characters; at most {LONGEST_NAME} are allowed"
                raise RapidError(line, column_of(text, start), message, name, LIMIT)
        elif kind == "string":
            word = _ESCAPE.sub(_unescape, word[1:-1])
            if len(word) > LONGEST_STRING:
                message = f"a string of {len(word)} characters; at most {LONGEST_STRING} are allowed"
                raise RapidError(line, column_of(text, start), message, name, LIMIT)
        words.kinds.append(word if kind == "mark" else kind)
        words.texts.append(word)
        words.starts.append(start)
        words.lines.append(line)
    words.kinds.append(END_OF_TEXT)
    words.texts.append("")
    words.starts.append(len(text))
    words.lines.append(text.count("\n") + 1)
    return words


def _unescape(match: re.Match[str]) -> str:
    found = match.group(1)
    if found is None:
        return '"'
    return "\\" if found == "\\" else chr(int(found, 16))
