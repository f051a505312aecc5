"""What instructions set for the moves that follow: VelSet, AccSet, ConfJ, ConfL; SpeedRefresh also for the present."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from openpendant.dialects.rapid import HostRoutine, RapidFailure, TaskCaller, host_routine
from openpendant.virtual.abb.unit import MechanicalUnit

from .task_units import TaskUnits

Given = Mapping[str, Any]
WITHOUT_EFFECT = "SingArea CirPathMode GripLoad MotionSup PathAccLim WorldAccLim SoftAct SoftDeact"
"""Accepted: the virtual arm has no load and no supervision."""
SLOWEST_ACCELERATION = 20.0
"""Percent; below controllers take this (RAPID reference, "AccSet")."""


@dataclass(eq=False)
class MotionSettings:
    """What instructions have set for a unit.

    Attributes:
        joint_configuration: Whether MoveJ keeps the confdata of its target.
        line_configuration: Whether MoveL and MoveC stop the program where the arm would end with other confdata.
        override: Part of the speed that is programmed.
        most_mm_s: Largest speed of the tool.
        acceleration: Part of the usual one.
        refresh: Part of the speed of all moves, also of the present one.
    """

    joint_configuration: bool = True
    line_configuration: bool = True
    override: float = 1.0
    most_mm_s: float = 5000.0
    acceleration: float = 1.0
    refresh: float = 1.0


class SettingRoutines:
    """Programs that change how their arms move."""

    def __init__(self, units: TaskUnits) -> None:
        """Begin with the settings that a program begins with."""
        self._units = units
        self.reset()

    def reset(self) -> None:
        """Return to the settings that a program begins with."""
        self._settings = {one.name: MotionSettings() for one in self._units.all}

    def of(self, unit: MechanicalUnit) -> MotionSettings:
        """Return the settings of a unit."""
        return self._settings[unit.name]

    def table(self) -> tuple[HostRoutine, ...]:
        """Return the routines."""
        return (
            host_routine("VelSet", self._limit_speed),
            host_routine("AccSet", self._limit_acceleration),
            host_routine("SpeedRefresh", self._refresh),
            host_routine("ConfJ", self._keep_joint_configuration),
            host_routine("ConfL", self._keep_line_configuration),
            *(host_routine(name, lambda _task, _given: None) for name in WITHOUT_EFFECT.split()),
        )

    def _own(self, task: TaskCaller) -> MotionSettings:
        return self.of(self._units.own(task))

    def _limit_speed(self, task: TaskCaller, given: Given) -> None:
        settings = self._own(task)
        settings.override = min(max(given["Override"], 0.0), 100.0) / 100.0
        settings.most_mm_s = max(given["Max"], 0.0)

    def _limit_acceleration(self, task: TaskCaller, given: Given) -> None:
        self._own(task).acceleration = min(max(given["Acc"], SLOWEST_ACCELERATION), 100.0) / 100.0

    def _refresh(self, task: TaskCaller, given: Given) -> None:
        if not 0.0 <= given["Override"] <= 100.0:
            raise RapidFailure("ERR_SPEED_REFRESH_LIM", f"override {given['Override']:g}; 0 to 100 are allowed")
        for unit in self._units.meant(task, {}):
            self.of(unit).refresh = given["Override"] / 100.0

    def _keep_joint_configuration(self, task: TaskCaller, given: Given) -> None:
        self._own(task).joint_configuration = "Off" not in given

    def _keep_line_configuration(self, task: TaskCaller, given: Given) -> None:
        self._own(task).line_configuration = "Off" not in given
