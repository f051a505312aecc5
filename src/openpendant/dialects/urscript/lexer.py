"""Words of a script: names, numbers, strings, marks. Comments and blanks go."""

import re
from dataclasses import dataclass

from openpendant.dialects.core import column_of

from .failures import ScriptError

LONGEST_TEXT = 1_000_000
"""Characters; longer scripts are refused."""

END_OF_TEXT = "end of the script"

KEYWORDS = frozenset(
    [
        "def",
        "sec",
        "thread",
        "end",
        "if",
        "elif",
        "else",
        "while",
        "break",
        "continue",
        "return",
        "global",
        "local",
        "run",
        "kill",
        "join",
        "and",
        "or",
        "xor",
        "not",
        "enter_critical",
        "exit_critical",
        "halt",
        "pause",
        "True",
        "False",
        "None",
    ]
)

_WORD = re.compile(
    r"""
    [ \t\r\f\v]+ | \#[^\n]*
    | (?P<newline>\n)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>0[xX][0-9A-Fa-f]+ | (?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<mark>==|!=|<=|>=|:=|[-+*/%^<>=()\[\],:.$])
    | (?P<string>"(?:[^"\\\n]|\\[^\n])*")
    | (?P<wrong>.)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a script, side by side: what each is, its text, where it starts.

    Attributes:
        kinds: "name", "number", "string", or for keywords and marks the word itself; the last is END_OF_TEXT.
        texts: As written.
        starts: Offset in the text.
        lines: Line, from 1.
        fresh: Whether it is the first of its line.
    """

    kinds: list[str]
    texts: list[str]
    starts: list[int]
    lines: list[int]
    fresh: list[bool]


def split_tokens(text: str, name: str) -> Words:
    """Return the words of a script.

    Raises:
        ScriptError: A character that no word has, a string without its end, or too long a text.
    """
    if len(text) > LONGEST_TEXT:
        raise ScriptError(1, 1, f"the script has {len(text)} characters; at most {LONGEST_TEXT} are allowed", name)
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    lines: list[int] = []
    fresh: list[bool] = []
    line, first = 1, True
    for match in _WORD.finditer(text):
        kind = match.lastgroup
        if kind is None:
            continue
        if kind == "newline":
            line += 1
            first = True
            continue
        word = match.group()
        if kind == "wrong":
            start = match.start()
            what = "a string that does not end on its line" if word == '"' else f"unexpected character {word!r}"
            raise ScriptError(line, column_of(text, start), what, name, syntax_key(text, line))
        kinds.append(word if kind == "mark" or (kind == "name" and word in KEYWORDS) else kind)
        texts.append(word)
        starts.append(match.start())
        lines.append(line)
        fresh.append(first)
        first = False
    kinds.append(END_OF_TEXT)
    texts.append("")
    starts.append(len(text))
    lines.append(line)
    fresh.append(True)
    return Words(kinds, texts, starts, lines, fresh)


def syntax_key(text: str, line: int) -> str:
    """Return what a controller sends of a syntax error: the number and the text of the line."""
    lines = text.split("\n", line)
    return f"syntax_error_on_line:{line}:{lines[line - 1] if line <= len(lines) else ''}:"
