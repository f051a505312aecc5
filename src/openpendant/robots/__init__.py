"""The catalogue of robots: facts, arms, bodies, the words of their makers; URDF in and out.

    robot = load("ur3e")
    T_base_tool = robot.arm().fk(robot.posture())

A robot is a folder with a `facts.toml`; adding one is adding a folder. Names go in, `Robot`s come
out; what a user imports from URDF becomes such a folder too.
"""

from .catalogue import is_built_in, load, names, remove
from .conventions import PrintedPose
from .facts import (
    ArmFacts,
    FingerFacts,
    FrameFacts,
    JointFacts,
    LinkFacts,
    MimicFacts,
    PlatformFacts,
    PostureFacts,
    RobotFacts,
    SourceFacts,
    ToolFacts,
)
from .places import cache_folder, user_access_folder, user_projects_folder, user_robots_folder
from .robot import Robot
from .tree import Edge, Node, Tree
from .urdf_import import import_robot_file, import_urdf

__all__ = [
    "ArmFacts",
    "Edge",
    "FingerFacts",
    "FrameFacts",
    "JointFacts",
    "LinkFacts",
    "MimicFacts",
    "Node",
    "PlatformFacts",
    "PostureFacts",
    "PrintedPose",
    "Robot",
    "RobotFacts",
    "SourceFacts",
    "ToolFacts",
    "Tree",
    "cache_folder",
    "import_robot_file",
    "import_urdf",
    "is_built_in",
    "load",
    "names",
    "remove",
    "user_access_folder",
    "user_projects_folder",
    "user_robots_folder",
]
