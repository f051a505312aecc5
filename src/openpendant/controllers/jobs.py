"""What a controller is given to do, and how far it is with it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError


@dataclass(frozen=True, eq=False)
class SampledPath:
    """Joints of one arm for every tick to come; the arm rests at its last row."""

    arm: str
    Q: NDArray[np.float64]
    """(N, n): radians, one row for each tick. Read-only."""

    def __post_init__(self) -> None:
        """Freeze the rows; raises InputError where they are none."""
        Q = np.array(self.Q, dtype=np.float64)
        if Q.ndim != 2 or len(Q) == 0 or not np.isfinite(Q).all():
            raise InputError(f"a sampled path has rows of finite joints, (N, n) with N above 0; got shape {Q.shape}")
        Q.setflags(write=False)
        object.__setattr__(self, "Q", Q)


@dataclass(frozen=True)
class VendorText:
    """A program in a vendor's language, for a controller to run by itself."""

    dialect: str
    """The language, as in `Capabilities.dialects`."""
    name: str
    text: str
    task: str = ""
    """Which task of the controller runs it; empty: its first."""
    arm: str = ""
    """Which arm it moves; empty: the robot's first, or none."""


@dataclass(frozen=True)
class VendorTasks:
    """Several programs for the tasks of one controller: they start together, and are one job with one progress and one
    stop.
    """

    name: str
    texts: tuple[VendorText, ...]

    def __post_init__(self) -> None:
        """Refuse tasks that cannot be one job; raises InputError."""
        if not self.texts:
            raise InputError(f"job {self.name!r} has no program; give one for each task")
        tasks = [one.task for one in self.texts]
        twice = sorted({repr(task) for task in tasks if tasks.count(task) > 1})
        if twice:
            raise InputError(f"job {self.name!r} has several programs for task {', '.join(twice)}; a task runs one")


Job = SampledPath | VendorText | VendorTasks


def texts_of(job: VendorText | VendorTasks) -> tuple[VendorText, ...]:
    """Return the programs of a job, one for each task."""
    return job.texts if isinstance(job, VendorTasks) else (job,)


def only_text(job: VendorText | VendorTasks) -> VendorText:
    """Return the program of a job, for a controller with one task.

    Raises:
        InputError: There are several.
    """
    first, *others = texts_of(job)
    if others:
        raise InputError(f"this controller runs one task; {job.name!r} has {1 + len(others)} programs")
    return first


@dataclass(frozen=True)
class Progress:
    """How far the present job of an arm is."""

    done: int
    """Ticks, or lines of vendor text."""
    total: int
    ended: str = ""
    """Why it ended before all was done: 'stopped', 'link lost', the controller's own words. Empty: it has not."""

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.done >= self.total

    @property
    def over(self) -> bool:
        """Whether nothing more will be done: it is finished, or has ended before."""
        return self.finished or self.ended != ""
