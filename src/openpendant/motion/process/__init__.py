"""Process paths: poses and moves along edges and circles, with the tool at a chosen angle to them.

In: points and directions in the arm's base, metres and radians. Out: a `WeldPath` for `plan`. `snap_to_face`,
`snap_to_edge` and `snap_to_touch` bring a tool onto surfaces of a cell, at the angles of a weld; `turn_to_side`
only turns it.
"""

from .snap import PlacedBox, WeldPreset, snap_to_edge, snap_to_face, snap_to_touch, turn_to_side
from .weld import WeldPath, weld_circle, weld_edge

__all__ = [
    "PlacedBox",
    "WeldPath",
    "WeldPreset",
    "snap_to_edge",
    "snap_to_face",
    "snap_to_touch",
    "turn_to_side",
    "weld_circle",
    "weld_edge",
]
