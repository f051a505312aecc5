"""parse_tree: a program tree as PolyScope shows it, from a small text file.

    BeforeStart:
      tmp := [0,0,0,0,0,0]
    RobotProgram:
      movej([0,-1.6,0,-1.6,0,0])
      Loop:
        speedj(tmp, 1.5, 0.008)
    Thread_1:
      Loop:
        tmp[0] = read_input_float_register(0)
        sync()

`BeforeStart` runs first; then the threads and `RobotProgram` run side by side. `RobotProgram` and threads start again
at their end for ever, as on PolyScope, but for those headed `RobotProgram once:`. Variables are global, as there. What
is inside a block is indented. A line is a statement of URScript, `name := value`, or the head of a block: `Loop:`,
`Loop 5 times:`, `Loop while x < 3:`, `If x < 3:`, `ElseIf x < 5:`, `Else:`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from openpendant.errors import InputError

from .failures import ScriptError
from .lexer import split_tokens
from .parser import parse
from .program import ScriptProgram
from .tree import Assign, Name

_SECTION = re.compile(r"(BeforeStart|RobotProgram|Thread_\d+)(\s+once)?\s*:")
_HEAD = re.compile(r"(Loop|If|ElseIf|Else)\b\s*(.*?)\s*:")
_TIMES = re.compile(r"(.+?)\s+times")
_WHILE = re.compile(r"while\b\s*(.+)")
SECTIONS = "'BeforeStart:', 'RobotProgram:' and 'Thread_1:', 'Thread_2:', …"
HEADS = "'Loop:', 'Loop 5 times:', 'Loop while x < 3:', 'If x < 3:', 'ElseIf x < 5:' and 'Else:'"
OWN_BLOCKS = ("def", "sec", "thread", "if", "elif", "else", "while", "end")


@dataclass(frozen=True)
class ProgramTree:
    """A program from a file.

    Attributes:
        text: As one URScript program.
        program: The same, parsed.
        line_map: Line of the file for each line of `text`; the first is for line 0.
        path: The file's name.
    """

    text: str
    program: ScriptProgram
    line_map: tuple[int, ...]
    path: str

    def file_line(self, line: int) -> int:
        """Return the line of the file from which a line of the script comes."""
        return self.line_map[line] if 0 <= line < len(self.line_map) else line


@dataclass(frozen=True, slots=True)
class _SourceLine:
    number: int
    indent: int
    text: str


@dataclass(slots=True)
class _Section:
    line: _SourceLine
    once: bool
    body: list[_SourceLine]


def load_program(path: Path | str) -> ProgramTree:
    """Return the program in a file: a program tree, or a script (`def … end`).

    Raises:
        InputError: The file cannot be read.
        ScriptError: What is in it is neither; names file, line and what is allowed.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise InputError(f"cannot read the program {path}: {wrong}") from wrong
    first = next((line.strip() for line in text.splitlines() if line.split("#")[0].strip()), "")
    if _SECTION.match(first):
        return parse_tree(text, str(path))
    program = parse(text, str(path))
    return ProgramTree(text, program, tuple(range(text.count("\n") + 2)), str(path))


def parse_tree(text: str, path: str = "program", *, loop: bool = True) -> ProgramTree:
    """Return the program of a tree.

    Args:
        text: Contents of the file.
        path: Its name, for messages; its stem becomes the name of the program.
        loop: Whether `RobotProgram` starts again at its end.

    Raises:
        ScriptError: The file is wrong; names it, the line, and what is allowed there.
    """
    return _TreeReader(text, path, loop=loop).tree()


class _TreeReader:
    def __init__(self, text: str, path: str, *, loop: bool) -> None:
        self.source = text
        self.path = path
        self.loop = loop
        self.out: list[str] = []
        self.map: list[int] = [0]
        self.counters = 0

    def fail(self, line: _SourceLine, message: str) -> ScriptError:
        """Return the error of a line."""
        return ScriptError(line.number, line.indent + 1, message, self.path)

    def add(self, line: int, depth: int, text: str) -> None:
        """Write a line of the script."""
        self.out.append("  " * depth + text)
        self.map.append(line)

    def tree(self) -> ProgramTree:
        """Return the whole."""
        sections = self._sections()
        main = sections["RobotProgram"]
        threads = {name: section for name, section in sections.items() if name.startswith("Thread_")}
        name = re.sub(r"\W", "_", Path(self.path).stem, flags=re.ASCII) or "program"
        self.add(main.line.number, 0, f"def {name if not name[0].isdigit() else f'p_{name}'}():")
        for thread, section in threads.items():
            self.add(section.line.number, 1, f"thread {thread}():")
            self._section(section, 2, again=not section.once)
            self.add(self.map[-1], 1, "end")
        if "BeforeStart" in sections:
            self._section(sections["BeforeStart"], 1, again=False)
        for thread, section in threads.items():
            self.add(section.line.number, 1, f"threadId_{thread} = run {thread}()")
        self._section(main, 1, again=self.loop and not main.once)
        self.add(self.map[-1], 0, "end")
        text = "\n".join(self.out) + "\n"
        try:
            program = parse(text, self.path)
        except ScriptError as wrong:
            raise ScriptError(self.map[wrong.line], 1, wrong.fault, self.path) from wrong
        return ProgramTree(text, program, tuple(self.map), self.path)

    def _sections(self) -> dict[str, _Section]:
        sections: dict[str, _Section] = {}
        present: _Section | None = None
        for number, written in enumerate(self.source.splitlines(), 1):
            code = self._code(written, number)
            if not code.strip():
                continue
            blank = code[: len(code) - len(code.lstrip())]
            line = _SourceLine(number, len(blank), code.strip())
            if "\t" in blank:
                raise self.fail(line, "indent with blanks, not with tabs")
            if line.indent:
                if present is None:
                    raise self.fail(line, f"expected a section before this line: {SECTIONS}")
                present.body.append(line)
                continue
            match = _SECTION.fullmatch(line.text)
            if match is None:
                raise self.fail(line, f"expected a section, found {line.text[:40]!r}; allowed: {SECTIONS}")
            if match[1] in sections:
                raise self.fail(line, f"a second {match[1]}")
            present = sections[match[1]] = _Section(line, match[2] is not None, [])
        if "RobotProgram" not in sections:
            last = _SourceLine(max(self.source.count("\n"), 1), 0, "")
            raise self.fail(last, f"there is no 'RobotProgram:' in it; allowed: {SECTIONS}")
        return sections

    def _code(self, written: str, number: int) -> str:
        """Return a line without its comment."""
        if "#" not in written:
            return written.rstrip()
        if '"' not in written:
            return written.split("#")[0].rstrip()
        try:
            words = split_tokens(written, self.path)
        except ScriptError as wrong:
            raise ScriptError(number, wrong.column, wrong.fault, self.path) from wrong
        end = max((start + len(word) for start, word in zip(words.starts, words.texts, strict=True) if word), default=0)
        return written[:end]

    def _section(self, section: _Section, depth: int, *, again: bool) -> None:
        if not section.body:
            raise self.fail(section.line, f"nothing is inside {section.line.text!r}; indent what belongs to it")
        if again:
            self.add(section.line.number, depth, "while True:")
        rest = self._block(section.body, 0, section.body[0].indent, depth + again)
        if rest < len(section.body):
            raise self.fail(section.body[rest], "indented less than the lines before it in this section")
        if again:
            self.add(self.map[-1], depth, "end")

    def _block(self, lines: list[_SourceLine], at: int, indent: int, depth: int) -> int:
        """Write the lines of one block; return where the next begins."""
        open_if = False
        while at < len(lines) and lines[at].indent >= indent:
            line = lines[at]
            if line.indent > indent:
                raise self.fail(line, f"indented more than the line before it, which opens no block; {HEADS} do")
            head = _HEAD.fullmatch(line.text)
            going_on = head is not None and head[1] in ("ElseIf", "Else")
            if open_if and not going_on:
                self.add(self.map[-1], depth, "end")
                open_if = False
            at += 1
            if head is None:
                self._statement(line, depth)
                continue
            if going_on and not open_if:
                raise self.fail(line, f"{head[1]} needs an If before it, with the same indentation")
            if at >= len(lines) or lines[at].indent <= indent:
                raise self.fail(line, f"nothing is inside {line.text!r}; indent what belongs to it")
            counter = self._head(line, head[1], head[2], depth)
            at = self._block(lines, at, lines[at].indent, depth + 1)
            if at < len(lines) and lines[at].indent > indent:
                raise self.fail(lines[at], "this indentation fits no block above")
            if head[1] == "Loop":
                if counter:
                    self.add(line.number, depth + 1, f"{counter} = {counter} + 1")
                self.add(self.map[-1], depth, "end")
            else:
                open_if = head[1] != "Else"
                if head[1] == "Else":
                    self.add(self.map[-1], depth, "end")
        if open_if:
            self.add(self.map[-1], depth, "end")
        return at

    def _head(self, line: _SourceLine, word: str, rest: str, depth: int) -> str:
        """Write the head of a block; return the counter that it counts with, if any."""
        if word == "Else":
            if rest:
                raise self.fail(line, "Else has no condition; ElseIf has")
            self.add(line.number, depth, "else:")
            return ""
        if word != "Loop":
            if not rest:
                raise self.fail(line, f"{word} needs a condition, as 'If x < 3:'")
            self._expression(line, rest)
            self.add(line.number, depth, f"{'if' if word == 'If' else 'elif'} {rest}:")
            return ""
        times, condition = _TIMES.fullmatch(rest), _WHILE.fullmatch(rest)
        if not rest:
            self.add(line.number, depth, "while True:")
        elif condition is not None:
            self._expression(line, condition[1])
            self.add(line.number, depth, f"while {condition[1]}:")
        elif times is not None:
            self._expression(line, times[1])
            self.counters += 1
            counter = f"Loop_{self.counters}"
            self.add(line.number, depth, f"{counter} = 0")
            self.add(line.number, depth, f"while {counter} < {times[1]}:")
            return counter
        else:
            raise self.fail(line, "expected 'Loop:', 'Loop 5 times:' or 'Loop while x < 3:'")
        return ""

    def _statement(self, line: _SourceLine, depth: int) -> None:
        text = re.sub(r"^([A-Za-z_]\w*(?:\s*\[[^\]]*\])*)\s*:=", r"\1 =", line.text)
        word = re.match(r"\w*", text)
        if word is not None and word[0] in OWN_BLOCKS:
            raise self.fail(line, f"blocks of a tree are {HEADS}; they end with their indentation")
        try:
            body = parse(f"def line():\n{text}\nend", self.path).body
        except ScriptError as wrong:
            column = line.indent + wrong.column if wrong.line == 2 else line.indent + len(text)
            said = f"{wrong.fault}; allowed: a statement of URScript, 'name := value', or a block: {HEADS}"
            raise ScriptError(line.number, column, said, self.path) from wrong
        if len(body) != 1:
            raise self.fail(line, "one statement on a line")
        only = body[0]
        if isinstance(only, Assign) and isinstance(only.target, Name) and not only.scope:
            text = f"global {text}"
        self.add(line.number, depth, text)

    def _expression(self, line: _SourceLine, text: str) -> None:
        try:
            parse(f"def line():\nx = {text}\nend", self.path)
        except ScriptError as wrong:
            raise self.fail(line, wrong.fault) from wrong
