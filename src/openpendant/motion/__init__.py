"""Motion: from moves with speeds and zones to a timed trajectory that keeps every limit.

In: an arm, its joint limits, joints at rest, and moves (joint, line, arc). Out: a `Trajectory`, the one
object that both check and execution use, or `Blocked` with move, place and reason. A `PathPlayer` sends a trajectory
row by row. Metres, radians, seconds.
"""

from .blocked import Blocked, BlockKind
from .compile_ahead import compile_kernels
from .detour import detour_moves, find_detour
from .limits import JointLimits, StopLimits, assumed_stop, joint_limits
from .moves import Move, MoveArc, MoveJoint, MoveLine
from .pace import Pacing
from .path_player import PathPlayer, PathSink
from .path_stop import stop_along
from .plan import plan
from .process import WeldPath, weld_circle, weld_edge
from .speed import SPEEDS, Speed, find_speed
from .trajectory import Corner, Sample, Samples, Span, Trajectory
from .triangles import CornerTriangle, corner_triangles
from .zone import FINE, ZONES, Zone, find_zone

__all__ = [
    "FINE",
    "SPEEDS",
    "ZONES",
    "BlockKind",
    "Blocked",
    "Corner",
    "CornerTriangle",
    "JointLimits",
    "Move",
    "MoveArc",
    "MoveJoint",
    "MoveLine",
    "Pacing",
    "PathPlayer",
    "PathSink",
    "Sample",
    "Samples",
    "Span",
    "Speed",
    "StopLimits",
    "Trajectory",
    "WeldPath",
    "Zone",
    "assumed_stop",
    "compile_kernels",
    "corner_triangles",
    "detour_moves",
    "find_detour",
    "find_speed",
    "find_way",
    "find_zone",
    "joint_limits",
    "plan",
    "stop_along",
    "way_moves",
    "weld_circle",
    "weld_edge",
]

# Old names, for one version.
find_way = find_detour
way_moves = detour_moves
