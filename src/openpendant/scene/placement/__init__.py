"""Placement: what stands where in a cell at one moment, spaces of arms, calibration."""

from .calibration import FrameFit, TcpFit, frame_from_three_points, tcp_from_touches
from .placed_arm import PlacedArm, pose_of, transform_of
from .scene import Carried, Scene
from .spaces import SpaceBox, SpaceFault, find_space_fault, spaces_of_arm

__all__ = [
    "Carried",
    "FrameFit",
    "PlacedArm",
    "Scene",
    "SpaceBox",
    "SpaceFault",
    "TcpFit",
    "find_space_fault",
    "frame_from_three_points",
    "pose_of",
    "spaces_of_arm",
    "tcp_from_touches",
    "transform_of",
]
