"""AbbSetup: what a controller is made of: robot, tasks, signals, disks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .robotware import options_without
from .signals import SignalSetup

OPTIONS = tuple(str(one) for one in options_without((), arms=1))
"""Of a controller with one arm."""
GRIPPER = (SignalSetup("pinzaOutput0", "DO"), SignalSetup("pinzaOutput1", "DO", 1.0))
"""Outputs of a gripper where a cell says nothing else."""


@dataclass(frozen=True)
class TaskSetup:
    """A task of the configuration.

    Attributes:
        name: As "T_ROB1".
        unit: The mechanical unit that its motion instructions move; None: it runs in the background and moves nothing.
    """

    name: str
    unit: str | None = None


ONE_ARM = (TaskSetup("T_ROB1", "ROB_1"),)


@dataclass(frozen=True)
class AbbSetup:
    """What a controller is made of.

    Attributes:
        model: Of its robot, as "irb120".
        address: Its own.
        home: Folder that is HOME:.
        ramdisk: Folder that is the RAM disk.
        signals: Of its configuration.
        options: Of RobotWare; programs have no instructions of those that are missing.
        tasks: Of its configuration; every mechanical unit has one.
        tools: Tooldata that the task of a mechanical unit has before any module is loaded: by unit and name.
    """

    model: str
    address: str
    home: Path
    ramdisk: Path
    signals: Sequence[SignalSetup] = GRIPPER
    options: Sequence[str] = OPTIONS
    tasks: Sequence[TaskSetup] = ONE_ARM
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
