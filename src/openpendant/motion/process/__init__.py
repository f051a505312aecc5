"""Process paths: poses and moves along edges and circles, with the tool at a chosen angle to them.

In: points and directions in the arm's base, metres and radians. Out: a `WeldPath` for `plan`.
"""

from .weld import WeldPath, weld_circle, weld_edge

__all__ = ["WeldPath", "weld_circle", "weld_edge"]
