"""Messages of calibration: touched points, and the tool or work object found from them. Metres and radians."""

from .pose import Pose
from .wire import Wire

Vec3 = tuple[float, float, float]


class TcpTouches(Wire, frozen=True, kw_only=True):
    """Where the flange was while the tool's tip touched one and the same point, in several orientations."""

    flanges: tuple[Pose, ...]
    """Four or more, all in the same frame."""


class TcpFound(Wire, frozen=True, kw_only=True):
    """The working point that fits the touches, and how well."""

    xyz: Vec3
    """In the flange."""
    point: Vec3
    """The touched point, in the frame of the touches."""
    residuals_m: tuple[float, ...]
    """How far each touch misses that point."""
    rms_m: float
    uncertainty_m: float
    """How far the working point may be off where every touch is off by 1 mm."""


class FrameTouches(Wire, frozen=True, kw_only=True):
    """Three touched points of a work object, all in the same frame."""

    origin: Vec3
    on_x: Vec3
    """On its positive x axis."""
    in_xy: Vec3
    """In its xy plane, on the side of positive y."""
    further: tuple[Vec3, ...] = ()
    """More points of the xy plane, to see how flat it is."""


class FrameFound(Wire, frozen=True, kw_only=True):
    """The work object that three points fix, and how well."""

    pose: Pose
    """In the frame of the points."""
    x_length_m: float
    y_length_m: float
    uncertainty_rad: float
    """How far it may be turned where every point is off by 1 mm."""
    heights_m: tuple[float, ...]
    """How far each further point is above the plane."""
