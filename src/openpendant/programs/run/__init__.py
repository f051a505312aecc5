"""Runs of programs on controllers, in real time or simulated."""

from .events import EventKind, RunEvent
from .kinematic_port import KinematicPort, as_port
from .kinematic_robots import make_kinematic_robots
from .parts import PartsState
from .robot_port import Playback, PortState, RobotPort
from .run_place import Breakpoints, Interruption
from .runner import Runner, RunStatus
from .simulate import SimulatedStep, Simulation, simulate_program

__all__ = [
    "Breakpoints",
    "EventKind",
    "Interruption",
    "KinematicPort",
    "PartsState",
    "Playback",
    "PortState",
    "RobotPort",
    "RunEvent",
    "RunStatus",
    "Runner",
    "SimulatedStep",
    "Simulation",
    "as_port",
    "make_kinematic_robots",
    "simulate_program",
]
