"""What inverse kinematics answers: solutions, or why there are none."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class IkSolution:
    """Joints that bring the tool to the pose."""

    q: Array
    """(n,) in the vendor's counting of axes, radians; read-only."""
    label: str
    """The configuration in the vendor's words."""
    margin_rad: float
    """Distance of the joint nearest to one of its limits; pi where no joint is limited."""
    distance_rad: float
    """Euclidean norm of the joint differences from the seed."""


@dataclass(frozen=True, eq=False, slots=True)
class Unreachable:
    """Why the pose cannot be reached, and the nearest one that can."""

    reason: str
    """A sentence for a person."""
    kind: Literal["far", "near", "limit", "orientation", "redundancy"]
    """'redundancy': other values of the redundancy parameter have solutions, the one asked for has none."""
    joint: str | None
    """For 'limit': the title of the joint."""
    excess: float | None
    """By how much: metres for 'far' and 'near', radians (metres where the joint slides) for 'limit'."""
    q_nearest: Array
    """(n,) inside the limits; read-only."""
    T_nearest: Array
    """(4, 4) pose of the same frame in the same base at `q_nearest`; read-only."""


@dataclass(frozen=True, eq=False, slots=True)
class IkResult:
    """Every solution found, nearest to the seed first; or why there is none."""

    solutions: tuple[IkSolution, ...]
    unreachable: Unreachable | None

    @property
    def nearest(self) -> IkSolution | None:
        """The solution nearest to the seed."""
        return self.solutions[0] if self.solutions else None

    @property
    def most_central(self) -> IkSolution | None:
        """The solution with the greatest distance to the joint limits."""
        return max(self.solutions, key=lambda solution: solution.margin_rad, default=None)


@dataclass(frozen=True, eq=False, slots=True)
class Followed:
    """Where an arm goes that follows a moving pose without jumping."""

    q: Array
    """(n,) inside the limits; read-only."""
    T: Array
    """(4, 4) pose of the followed frame at `q`; read-only."""
    reached: bool
    """Whether `T` is the pose asked for."""
    reason: str | None
    """Why not, a sentence for a person."""


@dataclass(frozen=True, slots=True)
class SingularDistance:
    """How far an arm is from one kind of singular posture."""

    name: str
    """'wrist', 'elbow', 'shoulder'; 'arm' where the kinds have no names."""
    distance: float
    """0 is singular."""
    unit: Literal["rad", "m", "1"]
    """'1': the smallest singular value of the Jacobian, lengths measured in arm lengths."""
    near: bool
    """True where a person should be warned."""


@dataclass(frozen=True, slots=True)
class Gap:
    """By how much a pose is out of the arm's stretch."""

    kind: Literal["far", "near"]
    metres: float
    reason: str
    """A sentence for a person."""
