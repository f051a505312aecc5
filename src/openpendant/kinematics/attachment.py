"""Attachment: where a named frame is fixed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.spatial import check_transform


@dataclass(frozen=True, eq=False)
class Attachment:
    """A frame fixed to a joint of the chain."""

    joint: int
    """Counted from the base, starting with 0; -1: fixed to the chain's base."""
    T_joint_frame: NDArray[np.float64]
    """(4, 4): the frame in the frame of that joint; read-only."""

    def __post_init__(self) -> None:
        """Check and freeze."""
        if self.joint < -1:
            raise InputError(f"joint {self.joint} of an attachment; allowed: -1 (the base) and 0, 1, …")
        T = check_transform(self.T_joint_frame, "T_joint_frame").copy()
        T.setflags(write=False)
        object.__setattr__(self, "T_joint_frame", T)
