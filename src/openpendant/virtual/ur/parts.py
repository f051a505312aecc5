"""Parts: what a controller is made of, for those of its functions that need several of them."""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.motion import JointLimits
from openpendant.virtual.arm import Mover, TickClock
from openpendant.virtual.wire import ProgramSockets

from .body import ArmBody
from .compliance import Compliance
from .installation import Installation
from .io import Io
from .messages import ErrorCode, MessageLog, Note, Text
from .model import UrModel
from .modes import RobotStatusBit, RuntimeState
from .options import UrOptions
from .pendant import Pendant
from .power import Power
from .registers import Registers
from .safety import Safety
from .watchdog import Watchdogs

Array = NDArray[np.float64]
HISTORY = 1000
"""Ticks of joint positions that are kept."""


@dataclass(eq=False)
class Parts:
    """The inside of a controller."""

    model: UrModel
    options: UrOptions
    arm: Arm
    limits: JointLimits
    clock: TickClock
    log: MessageLog
    io: Io
    registers: Registers
    installation: Installation
    power: Power
    safety: Safety
    body: ArmBody
    mover: Mover
    compliance: Compliance
    pendant: Pendant
    watchdogs: Watchdogs
    sockets: ProgramSockets
    runtime_state: RuntimeState = RuntimeState.STOPPED
    script_line: int = 0
    energy_j: float = 0.0
    remote_control: bool = True
    shut_down: bool = False
    motion_version: int = 1
    accepted: set[str] = field(default_factory=set[str])
    """Functions without effect here that the running program has called."""
    flags: list[bool] = field(default_factory=lambda: [False] * 64)
    history: deque[NDArray[np.float64]] = field(default_factory=lambda: deque(maxlen=HISTORY))

    @property
    def robot_status_bits(self) -> int:
        """As reported by RTDE."""
        bits = int(self.power.on) << RobotStatusBit.POWER_ON
        bits |= int(self.program_running) << RobotStatusBit.PROGRAM_RUNNING
        bits |= int(self.pendant.freedrive_held) << RobotStatusBit.TEACH_BUTTON
        return bits

    @property
    def program_running(self) -> bool:
        """Whether a program plays."""
        return self.runtime_state in (RuntimeState.PLAYING, RuntimeState.RESUMING, RuntimeState.PAUSING)

    @property
    def speed_scaling(self) -> float:
        """What speed is left of what programs ask for."""
        if self.runtime_state in (RuntimeState.PAUSING, RuntimeState.PAUSED) or self.safety.stopped:
            return 0.0
        return self.mover.factor

    def text(self, text: str) -> None:
        """Write a line into the log."""
        self.log.add(Text(self.clock.ticks, text))

    def note_once(self, name: str, text: str) -> None:
        """Log at the pendant that a call changes nothing; once for each program."""
        if name not in self.accepted:
            self.accepted.add(name)
            self.log.add(Note(self.clock.ticks, text))

    def report(self, code: int, argument: int, text: str, level: int = 1) -> None:
        """Write a numbered report into the log."""
        self.log.add(ErrorCode(self.clock.ticks, code, argument, level, text))
