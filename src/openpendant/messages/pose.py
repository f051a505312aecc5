"""Pose: where a frame is."""

from .wire import Wire


class Pose(Wire, frozen=True, kw_only=True):
    """Position in metres and unit quaternion (w, x, y, z)."""

    xyz: tuple[float, float, float]
    wxyz: tuple[float, float, float, float]
