"""CodeText: Python code that is made of a program, with the program's line for each of its own."""

from types import CodeType

CHARACTERS_PER_STEP = 100
"""So much generated code is one step of a budget; it takes about half a microsecond."""


class CodeText:
    """Collects generated code.

    Attributes:
        text: Its lines.
        lines: Line of the program for each line of the code; the first is for line 0.
        line: Line of the program that is written now.
    """

    def __init__(self, line: int) -> None:
        """Begin at a line of the program."""
        self.text: list[str] = []
        self.lines: list[int] = [0]
        self.line = line

    def add(self, depth: int, text: str) -> int:
        """Add a line; return its place in `text`, for whoever changes it later."""
        self.text.append(" " * depth + text)
        self.lines.append(self.line)
        return len(self.text) - 1

    def compile(self, code_name: str) -> CodeType | int:
        """Return the code, or the line of the program at which it is nested too deeply for Python."""
        try:
            return compile("\n".join(self.text), code_name, "exec", dont_inherit=True, optimize=0)
        except SyntaxError as wrong:
            return self.lines[wrong.lineno] if wrong.lineno else self.lines[-1]
        except (RecursionError, MemoryError):
            return 0
