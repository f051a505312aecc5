"""wait_for_work: a run waits for a worker, while the run is wanted and the worker makes progress."""

from typing import TypeVar

from openpendant.errors import ControllerError, OpenPendantError
from openpendant.pool import Work
from openpendant.said import say

from .link import CellLink
from .run_life import RunLife

STILL_WORK_S = 60.0
"""A worker that shows no progress for this time hangs. It may have to start first, and to compile on a new machine."""
POLL_S = 0.5

R = TypeVar("R")


def wait_for_work(work: Work[R], life: RunLife, link: CellLink) -> R:
    """Return what a worker makes of the check or the export that a run waits for.

    Args:
        work: That has begun. It is cancelled if the run is over.
        life: Of the run.
        link: Whose clock counts.

    Raises:
        StoppedError: The run was stopped meanwhile.
        ControllerError: The worker makes no progress, or fails with an error that is not ours.
        OpenPendantError: The check or export fails; says why.
    """
    seen, since_ns = work.progress, link.clock.now_ns()
    while not link.wait(lambda: work.done or life.over, POLL_S):
        now_ns = link.clock.now_ns()
        if work.progress != seen:
            seen, since_ns = work.progress, now_ns
        elif now_ns - since_ns > STILL_WORK_S * 1e9:
            work.cancel()
            raise ControllerError(say("run.work_still", program=life.name, still_s=STILL_WORK_S))
    if life.over:
        work.cancel()
        life.raise_if_over()
    try:
        return work.result()
    except OpenPendantError:
        raise
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        raise ControllerError(say("run.work_failed", program=life.name, error=words)) from error
