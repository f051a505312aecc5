"""Cells: their documents, what stands where in them, and what touches what.

    document = load_demo("pick_and_place")
    document.apply(Move(name="table", pose=...), author="ann")
    document.save("my-cell")

In: a folder with `cell.json`, commands, joints. Out: documents with undo, world poses, distances and collisions with
names. Metres, radians, world Z up.
"""

from .calibration import FrameFit, TcpFit, frame_from_three_points, tcp_from_touches, tcp_orientation
from .cell import (
    BoxShape,
    Cell,
    CellFrame,
    CellItem,
    CellObject,
    CellPoint,
    CellRobot,
    CellSpace,
    CellTool,
    CylinderShape,
    MeshShape,
    Section,
    Shape,
    Signal,
    SignalValue,
    SphereShape,
    ToolAction,
    ToolPart,
)
from .checking import Fault, find_fault
from .collision_world import CollisionWorld, Joints
from .commands import Add, Batch, Command, Move, Remove, Rename, Reorder, Replace, SetField
from .demo_cells import copy_demo, demo_names, load_demo
from .document import CellDocument, load_cell
from .editing import Edit, edit, find_item, who_refers
from .files import read_json, write_atomic, write_json_atomic
from .handling import Grip, find_grip, resting_on, settle, take
from .history import Applied, Done, History, Refused
from .meshes import MeshParts, convex_parts
from .nearness import Clearance, Collision, Contact, Nearest
from .placed import PlacedArm, pose_of, transform_of
from .ports import PortRules, port_rules
from .probing import Probe
from .reading import decode_cell, encode_cell, read_cell, write_cell
from .scene import Carried, Scene
from .self_collision import LinkPair, link_pairs
from .spaces import SpaceBox, SpaceFault, find_space_fault, spaces_of_arm

__all__ = [
    "Add",
    "Applied",
    "Batch",
    "BoxShape",
    "Carried",
    "Cell",
    "CellDocument",
    "CellFrame",
    "CellItem",
    "CellObject",
    "CellPoint",
    "CellRobot",
    "CellSpace",
    "CellTool",
    "Clearance",
    "Collision",
    "CollisionWorld",
    "Command",
    "Contact",
    "CylinderShape",
    "Done",
    "Edit",
    "Fault",
    "FrameFit",
    "Grip",
    "History",
    "Joints",
    "LinkPair",
    "MeshParts",
    "MeshShape",
    "Move",
    "Nearest",
    "PlacedArm",
    "PortRules",
    "Probe",
    "Refused",
    "Remove",
    "Rename",
    "Reorder",
    "Replace",
    "Scene",
    "Section",
    "SetField",
    "Shape",
    "Signal",
    "SignalValue",
    "SpaceBox",
    "SpaceFault",
    "SphereShape",
    "TcpFit",
    "ToolAction",
    "ToolPart",
    "convex_parts",
    "copy_demo",
    "decode_cell",
    "demo_names",
    "edit",
    "encode_cell",
    "find_fault",
    "find_grip",
    "find_item",
    "find_space_fault",
    "frame_from_three_points",
    "link_pairs",
    "load_cell",
    "load_demo",
    "port_rules",
    "pose_of",
    "read_cell",
    "read_json",
    "resting_on",
    "settle",
    "spaces_of_arm",
    "take",
    "tcp_from_touches",
    "tcp_orientation",
    "transform_of",
    "who_refers",
    "write_atomic",
    "write_cell",
    "write_json_atomic",
]
