"""What goes into the gate and what comes out: Setpoint in, Allowed or Held out."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

HoldKind = Literal[
    "clutch", "lease", "stale", "dead-man", "input", "jump", "limit", "space", "near", "following", "robot", "stop"
]
"""Why a setpoint is not passed on.

'clutch': no source has clutched in; 'lease': the source does not hold control; 'stale': the newest sample is too old;
'dead-man': the button is not held; 'input': no numbers; 'jump': too far from where the arm is; 'limit': a path that
breaks a limit; 'space': out of the allowed space; 'near': something is too near; 'following': the robot does not
follow; 'robot': the robot does not answer; 'stop': somebody said stop.
"""


@dataclass(frozen=True, eq=False)
class Setpoint:
    """Where a source wants the joints of an arm to be."""

    source: str
    arm: str
    q: NDArray[np.float64]
    """(n,): radians."""
    stamp_ns: int
    """When the source made it, on the source's own clock."""
    dead_man: bool = False
    """Whether the dead-man switch is held."""
    intent_ns: int | None = None
    """When a person's sample was taken from which it was made, on the caller's clock; None: no person steers it now."""
    ahead: NDArray[np.float64] | None = None
    """(N, n): the rows of a checked path that follow, one for each tick. With it a stop keeps to the path, and the
    setpoint is passed on as it is or not at all; without it (None) it may be slowed down."""


@dataclass(frozen=True, eq=False)
class Allowed:
    """Send this."""

    q: NDArray[np.float64]
    """(n,): radians."""
    slowed: bool = False
    """Whether it lies behind what was wanted."""
    why: str = ""
    """What slowed it, as text."""


@dataclass(frozen=True, eq=False)
class Held:
    """The source does not move the arm."""

    kind: HoldKind
    reason: str
    """The message, with the values."""
    latched: bool = True
    """Whether going on needs a new clutch-in. False: only this setpoint was refused."""
    q: NDArray[np.float64] | None = None
    """(n,): send this: the arm is still on its way to rest (or moved by another source). None: send nothing."""
