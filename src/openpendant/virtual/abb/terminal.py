"""OperatorTerminal: what programs write for the operator, and what they ask."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from .refusal import ControllerRefusal

LINES = 40
KEYS = 5


@dataclass(eq=False)
class OperatorQuestion:
    """A question of a program.

    Attributes:
        text: The question.
        keys: Of TPReadFK: what is written on them, empty ones cannot be pressed. Of TPReadNum: none at all.
        reply: The number of the key, or the number; None: not yet.
    """

    text: str
    keys: tuple[str, ...]
    reply: float | None = None


class OperatorTerminal:
    """The operator's window on the pendant."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lines: deque[str] = deque(maxlen=LINES)
        self._questions: list[OperatorQuestion] = []

    @property
    def lines(self) -> tuple[str, ...]:
        """The newest lines, the newest last."""
        return tuple(self._lines)

    @property
    def question(self) -> OperatorQuestion | None:
        """The one that waits longest."""
        return self._questions[0] if self._questions else None

    def write(self, text: str) -> None:
        """Add a line."""
        self._lines.append(text)

    def erase(self) -> None:
        """Remove all lines."""
        self._lines.clear()

    def ask(self, text: str, keys: Sequence[str] = ()) -> OperatorQuestion:
        """Put a question behind the others."""
        made = OperatorQuestion(text, tuple(keys))
        self._questions.append(made)
        return made

    def forget(self, question: OperatorQuestion) -> None:
        """Take back a question, answered or not."""
        if question in self._questions:
            self._questions.remove(question)

    def reply(self, text: str) -> None:
        """Answer what is asked: with the number of a key, or any number.

        Raises:
            ControllerRefusal: Nothing is asked, or the answer does not fit.
        """
        question = self.question
        if question is None:
            raise ControllerRefusal("no program is asking")
        try:
            number = float(text)
        except ValueError:
            raise ControllerRefusal(f"{text[:40]!r} is not a number") from None
        allowed = [place for place, key in enumerate(question.keys, 1) if key]
        if question.keys and number not in allowed:
            raise ControllerRefusal(f"key {text[:40]}; {', '.join(map(str, allowed))} are allowed")
        question.reply = number
        self._questions.remove(question)
