"""A worker of a `WorkPool`: `python -m openpendant.pool.worker` calls what comes in, until its input ends."""

import os
import signal
import sys
from typing import Any

from .progress import SINK
from .work_pool import FrameKind, read_frame, write_frame


def main() -> None:
    """Serve frames on standard input and output; whatever is printed goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source = sys.stdin.buffer
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    progress: tuple[FrameKind, Any] = "progress", None
    SINK.send = lambda: write_frame(pipe, progress)
    while True:
        try:
            function, args, kwargs = read_frame(source)
        except EOFError:
            return
        try:
            result: tuple[FrameKind, Any] = "done", function(*args, **kwargs)
        except Exception as error:
            result = "error", error
        try:
            write_frame(pipe, result)
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main()
