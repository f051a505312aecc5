"""The catalogue of robots: facts, arms, bodies, the words of their makers; URDF in and out.

    robot = load("ur3e")
    T_base_tool = robot.arm().fk(robot.posture())

A robot is a folder with a `facts.toml`; adding one is adding a folder. Names go in, `Robot`s come
out; what a user imports from URDF becomes such a folder too.
"""

from .catalogue import is_built_in, load, names, remove
from .conventions import LONGEST_PORT, PortKind, PortRules, PrintedPose, port_rules
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
from .robot import Robot
from .tree import Edge, Node, Tree
from .urdf_import import import_robot_file, import_urdf

__all__ = [
    "LONGEST_PORT",
    "ArmFacts",
    "Edge",
    "FingerFacts",
    "FrameFacts",
    "JointFacts",
    "LinkFacts",
    "MimicFacts",
    "Node",
    "PlatformFacts",
    "PortKind",
    "PortRules",
    "PostureFacts",
    "PrintedPose",
    "Robot",
    "RobotFacts",
    "SourceFacts",
    "ToolFacts",
    "Tree",
    "import_robot_file",
    "import_urdf",
    "is_built_in",
    "load",
    "names",
    "port_rules",
    "remove",
]
