"""Adds a watchdog to uploaded programs: the controller stops them when the heartbeat of the host is lost."""

import re
from dataclasses import dataclass

from openpendant.controllers.jobs import VendorText
from openpendant.errors import InputError
from openpendant.said import say

from .state_link import HEARTBEAT

DONE_REGISTER = 24
"""Output integer in which a program says that it came to its end."""
BEATS_HZ = 2.5
"""A program that gets fewer is stopped by the controller."""
HEAD = re.compile(r"^[ \t]*def[ \t]+(\w+)[ \t]*\([^)\n]*\)[ \t]*:[^\n]*\n", re.MULTILINE)


@dataclass(frozen=True)
class WithHeartbeat:
    """A script with a watchdog in it. The controller counts lines from its `def`; people count from the first."""

    text: str
    above: int
    """Lines of the given text above its `def`."""
    lines: int
    """Of the given text."""

    def line_of(self, line: int) -> int:
        """Return which line of the given text (from 1) a line of the controller is."""
        # After the head, one line was added.
        return self.above + (line if line <= 1 else line - 1)


def with_heartbeat(job: VendorText, run: int) -> WithHeartbeat:
    """Return a script that stops when the heartbeat is lost, and that reports `run` at its end.

    Raises:
        InputError: Not a URScript program: `def name(): … end`.
    """
    if job.dialect != "urscript":
        raise InputError(say("robot.no_dialect", dialect=job.dialect, accepted=say("accepts.urscript")))
    whole = job.text.rstrip()
    head = HEAD.search(whole)
    if head is None or not whole.endswith("end"):
        raise InputError(say("robot.no_urscript", program=job.name))
    watch = f'  rtde_set_watchdog("{HEARTBEAT}", {BEATS_HZ:g}, "STOP")\n'
    done = f"  write_output_integer_register({DONE_REGISTER}, {run})\n"
    body = whole[head.end() : -len("end")]
    body += "" if body.endswith("\n") else "\n"
    text = f"{head.group().lstrip()}{watch}{body}{done}end\n"
    return WithHeartbeat(text, whole.count("\n", 0, head.start()), whole.count("\n") + 1)
