"""The sequence of a program: chains of moves and the steps between them, under check, run and export."""

from .chains import Leg, MoveChain, plan_chain, plan_step
from .grasp import GRAVITY_M_S2, ClosedTools, FallenPart, ToolResult, finger_time_s, tool_time_s, work_tool
from .grip_faults import find_grip_fault, find_hold_fault
from .named_tcps import TcpPoint, named_tcps
from .picks import find_grip_point, plain_steps_of, point_of
from .ports import active_steps, find_wiring_fault, robot_signals, step_fault, tool_stroke, tool_wiring
from .program_arm import ProgramArm, ProgramArms, find_program_arm
from .sequencer import Cut, Item, LoopPass, Passing, SequenceFault, Sequencer, Unmade
from .step_order import Breaks, BreakTurn, LoopRound, SignalCondition, SignalTest, StepTurn, Turn, walk
from .walk_place import Resumption, WalkFrame, WalkPlace, place_fits

__all__ = [
    "GRAVITY_M_S2",
    "BreakTurn",
    "Breaks",
    "ClosedTools",
    "Cut",
    "FallenPart",
    "Item",
    "Leg",
    "LoopPass",
    "LoopRound",
    "MoveChain",
    "Passing",
    "ProgramArm",
    "ProgramArms",
    "Resumption",
    "SequenceFault",
    "Sequencer",
    "SignalCondition",
    "SignalTest",
    "StepTurn",
    "TcpPoint",
    "ToolResult",
    "Turn",
    "Unmade",
    "WalkFrame",
    "WalkPlace",
    "active_steps",
    "find_grip_fault",
    "find_grip_point",
    "find_hold_fault",
    "find_program_arm",
    "find_wiring_fault",
    "finger_time_s",
    "named_tcps",
    "place_fits",
    "plain_steps_of",
    "plan_chain",
    "plan_step",
    "point_of",
    "robot_signals",
    "step_fault",
    "tool_stroke",
    "tool_time_s",
    "tool_wiring",
    "walk",
    "work_tool",
]
