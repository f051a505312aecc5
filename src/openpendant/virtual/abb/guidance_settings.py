"""GuidanceSettings: what programs set for externally guided motion."""

import math
from dataclasses import dataclass
from typing import Any, Literal

from .unit import TOOL0, WOBJ0

GuidanceKind = Literal["joint", "pose", "path"]
"""What the sensor sends: joints, poses, or how to correct a path."""


@dataclass(frozen=True)
class GuidanceSettings:
    """What a program has set: by EGMSetupUC and EGMAct….

    Attributes:
        kind: What the sensor sends.
        timeout_s: Longest silence of the sensor.
        tool: tooldata of poses.
        wobj: wobjdata of poses.
        frame: RAPID's pose of the sensor's frame: in that of the work object, or of the tool where it corrects a path.
        filter_hz: Low-pass on what the sensor wants; 0: none.
        every: Ticks from message to message.
        most_rad_s: Largest speed of a joint.
        near_rad: What counts as converged.
    """

    kind: GuidanceKind = "joint"
    timeout_s: float = 1.0
    tool: Any = TOOL0
    wobj: Any = WOBJ0
    frame: Any = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    filter_hz: float = 20.0
    every: int = 1
    most_rad_s: float = math.radians(1.0)
    near_rad: float = math.radians(0.5)
