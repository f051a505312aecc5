"""Numbers as people type them: `0,-1.57,0.2` or with blanks after the commas."""

import math
import re
from collections.abc import Sequence

from openpendant.errors import InputError


def parse_numbers(words: Sequence[str], what: str, count: int, names: str) -> list[float]:
    """Return the numbers in `words`, separated by commas or blanks.

    Args:
        words: One or more words of the command line.
        what: What they are, for the error.
        count: How many there must be.
        names: Their names, for the error.

    Raises:
        InputError: An argument is not a finite number, or their count is wrong; names both.
    """
    text = " ".join(words).strip()
    values = [parse_one(part, what) for part in re.split(r"\s*,\s*|\s+", text)] if text else []
    if len(values) != count:
        raise InputError(f"{what} needs {count} numbers ({names}), got {len(values)}: {text!r}")
    return values


def parse_one(text: str, what: str) -> float:
    """Return the number in `text`; raises InputError where it is none, or not finite."""
    try:
        value = float(text)
    except ValueError:
        missing = "a number is missing between the commas"
        raise InputError(f"{what}: {f'{text!r} is not a number' if text.strip() else missing}") from None
    if not math.isfinite(value):
        raise InputError(f"{what}: {text.strip()!r} is not a finite number")
    return value
