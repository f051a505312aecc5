"""Programs: what arms do, step by step; checked before they move, run on a controller, exported to vendors' languages.

    project = open_project("my-cell")
    report = check_program(project.cell, project.program("weld").program)

In: a cell and its program documents. Out: edits with undo, a report on every step, a run with its events, vendor text.
Metres, radians, seconds; millimetres, degrees and percent in words for people and in exports.
"""

from .actions import (
    Action,
    Call,
    Comment,
    GoTo,
    Group,
    If,
    InlinePoint,
    MoveAxis,
    Offset,
    Repeat,
    SetOutput,
    SetVariable,
    SpeedOverride,
    Step,
    Target,
    Tool,
    Value,
    Wait,
    WaitInput,
    While,
)
from .check import check_program, check_sequence, fingerprint_of
from .commands import (
    DuplicateStep,
    EditStep,
    EnableStep,
    InsertStep,
    MoveStep,
    ProgramBatch,
    ProgramCommand,
    RemoveStep,
    ReplaceStep,
    SetProgram,
)
from .document import ProgramDocument
from .editing import ProgramEdit, edit_program, inserted_id, next_tool_state
from .events import EventKind, RunEvent
from .expressions import (
    Binary,
    Expression,
    Name,
    Number,
    Truth,
    Unary,
    check_expression,
    evaluate,
    names_in,
    parse_expression,
    rename_in,
    write_expression,
)
from .faults import find_call_fault, find_program_fault
from .pacing import Pacing
from .plants import make_plants
from .program import Program
from .project import CellProject, open_project
from .props import Props
from .reading import decode_program, encode_program, program_names, read_program, read_programs, write_program
from .recording import RecordedStep, Recording, record_program
from .references import called_by, references_of, rename_references
from .report import Alternative, Finding, FindingKind, Near, Report, StartReport, StepReport, Verdict
from .riding import MakeRide, Rail, Ride, Riding
from .running import Runner, RunStatus
from .sentences import print_program, sentence
from .tooling import Fallen, Worked, finger_time_s, work_tool
from .tree import Place, Slot, all_steps, find_step, map_steps, slots_of, steps_at, with_steps_at
from .visits import Stretch, Visit, Visits, visit_program
from .walking import Answer, Ask, Leaf, Round, Turn, walk
from .wiring import find_wiring_fault, robot_signals, tool_wiring
from .words import parse_speed, parse_zone, say_speed, say_zone, scaled_speed

__all__ = [
    "Action",
    "Alternative",
    "Answer",
    "Ask",
    "Binary",
    "Call",
    "CellProject",
    "Comment",
    "DuplicateStep",
    "EditStep",
    "EnableStep",
    "EventKind",
    "Expression",
    "Fallen",
    "Finding",
    "FindingKind",
    "GoTo",
    "Group",
    "If",
    "InlinePoint",
    "InsertStep",
    "Leaf",
    "MakeRide",
    "MoveAxis",
    "MoveStep",
    "Name",
    "Near",
    "Number",
    "Offset",
    "Pacing",
    "Place",
    "Program",
    "ProgramBatch",
    "ProgramCommand",
    "ProgramDocument",
    "ProgramEdit",
    "Props",
    "Rail",
    "RecordedStep",
    "Recording",
    "RemoveStep",
    "Repeat",
    "ReplaceStep",
    "Report",
    "Ride",
    "Riding",
    "Round",
    "RunEvent",
    "RunStatus",
    "Runner",
    "SetOutput",
    "SetProgram",
    "SetVariable",
    "Slot",
    "SpeedOverride",
    "StartReport",
    "Step",
    "StepReport",
    "Stretch",
    "Target",
    "Tool",
    "Truth",
    "Turn",
    "Unary",
    "Value",
    "Verdict",
    "Visit",
    "Visits",
    "Wait",
    "WaitInput",
    "While",
    "Worked",
    "all_steps",
    "called_by",
    "check_expression",
    "check_program",
    "check_sequence",
    "decode_program",
    "edit_program",
    "encode_program",
    "evaluate",
    "find_call_fault",
    "find_program_fault",
    "find_step",
    "find_wiring_fault",
    "finger_time_s",
    "fingerprint_of",
    "inserted_id",
    "make_plants",
    "map_steps",
    "names_in",
    "next_tool_state",
    "open_project",
    "parse_expression",
    "parse_speed",
    "parse_zone",
    "print_program",
    "program_names",
    "read_program",
    "read_programs",
    "record_program",
    "references_of",
    "rename_in",
    "rename_references",
    "robot_signals",
    "say_speed",
    "say_zone",
    "scaled_speed",
    "sentence",
    "slots_of",
    "steps_at",
    "tool_wiring",
    "visit_program",
    "walk",
    "with_steps_at",
    "work_tool",
    "write_expression",
    "write_program",
]
