"""Program: a parsed script, ready for any number of machines."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Kind", "Program"]

Kind = Literal["def", "sec", "loose"]
"""A program that takes the robot (`def`), one that runs beside it (`sec`), or lines without either (`loose`)."""


@dataclass(frozen=True)
class Program:
    """A parsed script.

    Attributes:
        name: Name of the `def` or `sec`; of a loose one, the name given to `parse`.
        kind: How it runs.
        text: The script as it arrived.
    """

    name: str
    kind: Kind
    text: str
