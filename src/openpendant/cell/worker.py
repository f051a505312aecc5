"""A worker of a `WorkPool`: `python -m openpendant.cell.worker` calls what comes in, until its input ends."""

import os
import signal
import sys
from typing import Any

from .pool import read_frame, write_frame

__all__ = ["main"]


def main() -> None:
    """Serve frames on standard input and output; whatever is printed goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while True:
        try:
            function, args, kwargs = read_frame(source)
        except EOFError:
            return
        try:
            result: tuple[bool, Any] = True, function(*args, **kwargs)
        except Exception as error:
            result = False, error
        try:
            write_frame(answers, result)
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main()
