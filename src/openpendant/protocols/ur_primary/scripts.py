"""Scripts as clients upload them to ports 30001 to 30003: whole programs or loose lines.

A line that begins with `def` or `sec` opens a program, which ends with the `end` that closes it. Any other line
is its own program. Only block words are looked at, outside of comments and strings; whether the text is
good URScript is for the interpreter to say.
"""

import re

from openpendant.protocols.error import ProtocolError
from openpendant.protocols.lines import LineSplitter

_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*(?:"|$)|#.*')
_BLOCK_WORD = re.compile(r"(?<![\w.])(def|sec|thread|if|while|end)(?!\w)")
_OPENS_PROGRAM = re.compile(r"\s*(?:def|sec)(?!\w)")


class ScriptSplitter:
    """Collects bytes as they arrive and gives back whole programs. Holds at most one unfinished program."""

    __slots__ = ("_depth", "_fault", "_lines", "_max_size", "_program", "_size")

    def __init__(self, max_size: int = 4 << 20) -> None:
        """Take programs of at most `max_size` characters."""
        self._max_size = max_size
        self._lines = LineSplitter(max_size)
        self._program: list[str] = []
        self._size = 0
        self._depth = 0
        self._fault: str | None = None

    @property
    def pending(self) -> int:
        """Size of the program that has not fully arrived."""
        return self._size + self._lines.pending

    @property
    def fault(self) -> str | None:
        """Why the stream cannot be followed any more, or None: look at it after the programs of a `feed`."""
        return self._fault

    def feed(self, data: bytes) -> list[str]:
        r"""Return the programs that `data` completes: their text, each line ended by \n.

        Raises:
            ProtocolError: An earlier feed met a program that is too long.
        """
        if self._fault is not None:
            raise ProtocolError(self._fault)
        programs: list[str] = []
        for line in self._lines.feed(data):
            program = self._add_line(line)
            if program is not None:
                programs.append(program)
            if self._size > self._max_size:
                break
        if self._size > self._max_size or self._lines.fault is not None:
            self._fault = f"a program of more than {self._max_size} characters"
            self._program.clear()
            self._size = 0
        return programs

    def _add_line(self, line: str) -> str | None:
        bare = _STRING_OR_COMMENT.sub("", line) if '"' in line or "#" in line else line
        if self._depth == 0 and not _OPENS_PROGRAM.match(bare):
            return line.strip() + "\n" if bare.strip() else None
        self._program.append(line)
        self._size += len(line) + 1
        for word in _BLOCK_WORD.findall(bare):
            self._depth += -1 if word == "end" else 1
        if self._depth > 0:
            return None
        program = "\n".join(self._program) + "\n"
        self._program.clear()
        self._size = 0
        self._depth = 0
        return program
