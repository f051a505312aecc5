"""What people write stays words: no title, comment or name becomes code of a vendor's program."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import msgspec
import pytest
from exported import ABB, UR, VPLUS
from hypothesis import given, settings
from hypothesis import strategies as st

from openpendant.controllers import VendorText
from openpendant.dialects.urscript import catalogue
from openpendant.programs import (
    Action,
    Call,
    Comment,
    GoTo,
    Group,
    If,
    Program,
    Repeat,
    SetOutput,
    SetVariable,
    Wait,
    WaitInput,
)
from openpendant.programs.document.expressions import WORDS
from openpendant.programs.export import export_rapid, export_replay, export_urscript, export_vplus
from openpendant.scene import Cell


@dataclass(frozen=True)
class Language:
    """An exporter, a cell for it, and how a reader of its language finds comments."""

    export: Callable[..., tuple[VendorText, ...]]
    cell: Cell
    comment: str
    q: tuple[float, ...]

    @property
    def robot(self) -> str:
        return self.cell.robots[0].name


LANGUAGES = {
    "rapid": Language(export_rapid, ABB, "!", (0.0, 0.2, 0.3, 0.0, 1.0, 0.0)),
    "urscript": Language(export_urscript, UR, "#", (0.0, -1.4, 1.6, -1.7, -1.57, 0.0)),
    "vplus": Language(export_vplus, VPLUS, ";", (0.0, -1.4, 2.8, 0.0, 1.2, 0.0)),
    "replay": Language(export_replay, VPLUS, ";", (0.0, -1.4, 2.8, 0.0, 1.2, 0.0)),
}
BREAKS = "\n\r\t\x00\x0b\x0c\x1a\x1b\x1c\x85\u2028\u2029"
MARKS = "\"'#!;\\%\uff02\u037e"
TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from(BREAKS + MARKS), max_size=30)
BLANKS = st.text(st.sampled_from(" \n\r\t\x0b\x0c\u2028"), min_size=1, max_size=3)


def code_of(text: str, comment: str) -> list[str]:
    """Return the lines of a program without comments, indents and what stands in strings."""
    assert text.isascii()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text)
    lines: list[str] = []
    for line in text.split("\n"):
        kept, inside = "", False
        for letter in line:
            if letter == comment and not inside:
                break
            inside ^= letter == '"'
            kept += letter if letter == '"' or not inside else ""
        assert not inside, f"a string without an end: {line}"
        lines.append(kept.strip())
    return [line for line in lines if line]


@dataclass(frozen=True)
class Words:
    """Everything that a person may write freely."""

    title: str = "a"
    notes: str = "a"
    comment: str = "a"
    group: str = "a"
    off: str = "a"
    cell: str = "a"
    blank: str = " "


def worded(language: Language, words: Words) -> list[str]:
    blank = words.blank
    steps: tuple[Action, ...] = (
        Comment(id="c1", text=words.comment),
        Comment(id="c2", text=words.off, enabled=False),
        Group(id="g1", title=words.group, steps=(Wait(id="w1", seconds=1.0),)),
        Group(id="g2", title=words.off, enabled=False),
        If(id="i1", condition=f"row{blank}<{blank}3", enabled=False),
        SetVariable(id="s1", name="row", value=f"row{blank}+{blank}1", enabled=False),
        Repeat(id="r1", times=2, steps=(Comment(id="c3", text=words.comment), Wait(id="w2", seconds=1.0))),
    )
    program = Program(
        name="p", title=words.title, notes=words.notes, robot=language.robot, variables={"row": 0.0}, steps=steps
    )
    cell = msgspec.structs.replace(language.cell, name=words.cell)
    made = language.export(cell, program)
    return [line for one in made for line in code_of(one.text, language.comment)]


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_second_line_of_a_text_is_no_code(name: str):
    language, evil = LANGUAGES[name], "first\nsecond line"
    words = Words(evil, evil, evil, evil, evil, evil)
    assert worded(language, words) == worded(language, Words())


@pytest.mark.parametrize("name", LANGUAGES)
@given(words=st.builds(Words, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, BLANKS))
@settings(max_examples=60, deadline=None)
def test_texts_are_never_code(name: str, words: Words):
    assert worded(LANGUAGES[name], words) == worded(LANGUAGES[name], Words())


OWN_WORDS = {
    "rapid": "MoveL MoveJ SetDO WaitDI VelSet OpenTool CloseTool robtarget tooldata wobjdata v200 z10 fine main tool0",
    "urscript": "movel set_tcp pose_trans get_inverse_kin popup open_tool a_line p_2 while "
    + " ".join(sorted(catalogue())),
    "vplus": "MOVE MOVES SET SIG SIGNAL TIMER TRANS PPOINT SHIFT HALT WAIT TYPE TOOL SPEED MMPS ALWAYS",
}
PLAIN = ("first", "second", "third", "input", "output", "count", "called", "whole")


def canonical(lines: list[str]) -> list[str]:
    """Return code with every word replaced by its number of first use, so that only the names are left out."""
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        word = found[0].lower()
        return f"<{numbers.setdefault(word, len(numbers))}>"

    return [re.sub(r"(?<!\w)[A-Za-z][\w.]*", number, line) for line in lines]


@cache
def named(name: str, names: tuple[str, ...]) -> list[str]:
    """Return the code of a program whose points, signals, variable and programs have these names."""
    language = LANGUAGES[name]
    first, second, third, wait, switch, count, called, whole = names
    points = tuple(
        msgspec.structs.replace(point, name=given)
        for point, given in zip(language.cell.points, (first, second, third), strict=False)
    )
    ports = {"ready": wait, "lamp": switch}
    signals = tuple(
        msgspec.structs.replace(signal, name=ports[signal.name])
        for signal in language.cell.signals
        if signal.name in ports
    )
    robots = tuple(msgspec.structs.replace(robot, tools={}) for robot in language.cell.robots)
    cell = msgspec.structs.replace(language.cell, robots=robots, tools=(), points=points, signals=signals)
    variable = re.sub(r"\W", "_", f"n_{count}" if count[0].isdigit() else count)[:32]
    # A variable has a plain name, which no signal has.
    taken = {wait, switch, *WORDS}
    fitting = (one for one in (variable, "n", "n_1", "n_2") if re.fullmatch(r"[A-Za-z_]\w*", one) and one not in taken)
    variable = next(fitting)
    steps: tuple[Action, ...] = (
        GoTo(id="g1", to=first),
        GoTo(id="g2", to=second, how="line"),
        GoTo(id="g3", to=third),
        GoTo(id="g4", to=first),
        WaitInput(id="w1", signal=wait, timeout_s=2.0),
        SetOutput(id="s1", signal=switch),
        SetVariable(id="v1", name=variable, value=f"{variable} + 1"),
        Call(id="c1", program=called),
    )
    program = Program(name=whole, robot=language.robot, variables={variable: 0.0}, steps=steps)
    other = Program(name=called, robot=language.robot, steps=(Wait(id="w2", seconds=1.0),))
    (made,) = language.export(cell, program, programs={called: other})
    return canonical(code_of(made.text, language.comment))


def names_for(language: str) -> st.SearchStrategy[tuple[str, ...]]:
    plain = st.from_regex(r"[\w][\w .\-]{0,40}", fullmatch=True).filter(lambda name: not name.endswith(" "))
    words = plain | st.sampled_from(OWN_WORDS[language].split()) | st.sampled_from([f"{one}_q" for one in PLAIN])
    items = st.lists(words, min_size=6, max_size=6, unique=True)
    whole = words.filter(lambda name: re.fullmatch(r"\w[\w\-]*", name) is not None)
    programs = st.lists(whole, min_size=2, max_size=2, unique=True)
    return st.tuples(items, programs).map(lambda both: (*both[0], *both[1]))


@pytest.mark.parametrize("name", OWN_WORDS)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_names_are_never_code(name: str, data: st.DataObject):
    names = data.draw(names_for(name))
    assert named(name, names) == named(name, PLAIN)


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("urscript", ("pose_trans", "get_inverse_kin", "open_tool", "popup", "movel", "halt", "sync", "set_tcp")),
        ("urscript", ("home", "b", "home_q", "first", "b_q", "p", "q", "a_q")),
        ("rapid", ("v200", "fine", "MoveL", "robtarget", "SetDO", "VelSet", "WaitDI", "main")),
        ("vplus", ("TIMER", "HALT", "PPOINT", "SIG", "MONITOR", "FALSE", "ENCODE", "MOVES")),
    ],
)
def test_names_do_not_hide_words_of_the_language(name: str, names: tuple[str, ...]):
    assert named(name, names) == named(name, PLAIN)
