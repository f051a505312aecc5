"""The document of a cell: its parts, edits and their inverses, files, validation, demo cells."""

from openpendant.documents import DocumentFault

from .cell import (
    SECTIONS,
    WORLD,
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
from .cell_document import CellDocument, load_cell
from .cell_edit import CellEdit, edit, find_item, who_refers
from .cell_values import CellValue, cell_values, describe_cell_key
from .commands import Add, Batch, Command, Move, Remove, Rename, Reorder, Replace, SetField
from .files import CELL_FILE, decode_cell, encode_cell, read_cell, write_cell
from .titles import title_of
from .validation import MESH_ENDINGS, find_fault
from .value_faults import joint_faults, pose_faults, seconds_faults, unknown_in_cell

__all__ = [
    "CELL_FILE",
    "MESH_ENDINGS",
    "SECTIONS",
    "WORLD",
    "Add",
    "Batch",
    "BoxShape",
    "Cell",
    "CellDocument",
    "CellEdit",
    "CellFrame",
    "CellItem",
    "CellObject",
    "CellPoint",
    "CellRobot",
    "CellSpace",
    "CellTool",
    "CellValue",
    "Command",
    "CylinderShape",
    "DocumentFault",
    "MeshShape",
    "Move",
    "Remove",
    "Rename",
    "Reorder",
    "Replace",
    "Section",
    "SetField",
    "Shape",
    "Signal",
    "SignalValue",
    "SphereShape",
    "ToolAction",
    "ToolPart",
    "cell_values",
    "decode_cell",
    "describe_cell_key",
    "edit",
    "encode_cell",
    "find_fault",
    "find_item",
    "joint_faults",
    "load_cell",
    "pose_faults",
    "read_cell",
    "seconds_faults",
    "title_of",
    "unknown_in_cell",
    "who_refers",
    "write_cell",
]
