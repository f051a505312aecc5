"""A program that is uploaded stops when nobody listens to its heart any more."""

import re
from dataclasses import dataclass

from openpendant.controllers.jobs import VendorText
from openpendant.errors import InputError

from .state_link import HEARTBEAT

__all__ = ["DONE_REGISTER", "WithHeartbeat", "with_heartbeat"]

DONE_REGISTER = 24
"""Output integer in which a program says that it came to its end."""
BEATS_HZ = 3.0
"""A program that gets fewer is stopped by the controller."""
HEAD = re.compile(r"^[ \t]*def[ \t]+(\w+)[ \t]*\([^)\n]*\)[ \t]*:[^\n]*\n", re.MULTILINE)


@dataclass(frozen=True)
class WithHeartbeat:
    """A script with a watchdog in it."""

    text: str
    inserted_after: int
    """The line (from 1) of the given text after which one line was added."""
    lines: int
    """Of the given text."""

    def line_of(self, line: int) -> int:
        """Return which line of the given text a line of this one is."""
        return line if line <= self.inserted_after else max(line - 1, 1)


def with_heartbeat(job: VendorText, run: int) -> WithHeartbeat:
    """Return a script that the controller stops when the heartbeat stays away, and that says `run` at its end.

    Raises:
        InputError: It is no URScript program: `def name(): … end`.
    """
    if job.dialect != "urscript":
        raise InputError(f"this robot runs no {job.dialect}; it takes urscript and sampled paths")
    head = HEAD.search(job.text)
    if head is None or not job.text.rstrip().endswith("end"):
        raise InputError(f"program {job.name!r} is no URScript program; allowed is def name(): … end")
    watch = f'  rtde_set_watchdog("{HEARTBEAT}", {BEATS_HZ:g}, "STOP")\n'
    text = job.text.rstrip()
    last = text.rindex("end")
    done = f"  write_output_integer_register({DONE_REGISTER}, {run})\n"
    whole = text[: head.end()] + watch + text[head.end() : last] + done + text[last:] + "\n"
    return WithHeartbeat(whole, text.count("\n", 0, head.end()), text.count("\n") + 1)
