"""What a controller is given to do, and how far it is with it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

__all__ = ["Job", "Progress", "SampledPath", "VendorText"]


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
    """`rapid`, `urscript` or `vplus`."""
    name: str
    text: str


Job = SampledPath | VendorText


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
