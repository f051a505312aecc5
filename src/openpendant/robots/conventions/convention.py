"""Convention: the words of one vendor for configurations, poses and ports."""

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Chain

from .ports import PortRules

Array = NDArray[np.float64]
Describe = Callable[[Array], str]
"""From joint values (vendor's counting, radians) to the label of that configuration."""


class PrintedPose(NamedTuple):
    """A pose as the vendor's controller prints it."""

    title: str
    """What it is, for example 'V+ where'."""
    text: str


Print = Callable[[Array, Array], PrintedPose]
"""From a (4, 4) pose in the controller's own base (metres) and the joints that stand there."""


@runtime_checkable
class Convention(Protocol):
    """What a vendor's room of words offers. Nothing here knows a robot by name."""

    @property
    def title(self) -> str:
        """Whose words these are."""
        ...

    @property
    def ports(self) -> PortRules:
        """What the vendor's controllers call their inputs and outputs."""
        ...

    def describer(self, chain: Chain) -> Describe:
        """Return the function that labels configurations of this chain."""
        ...

    def printer(self, chain: Chain) -> Print:
        """Return the function that prints poses of this chain as the controller does."""
        ...
