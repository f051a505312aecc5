"""A virtual controller that executes motion programs, stepped by hand."""

import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from abb_motion_program_exec.abb_motion_program_exec_client import (
    MotionProgram,
    MotionProgramResultLog,
    _unpack_motion_program_result_log,
)

from openpendant.rapid_modules import rapid_set
from openpendant.robots import load
from openpendant.virtual.abb import GRIPPER, AbbController, AbbSetup, SignalSetup, TaskSetup, build_controller
from openpendant.virtual.wire import ClosedSockets, ProgramSockets

TICK_S = 0.004
UNITS = {"irb120": ("ROB_1",), "yumi": ("ROB_R", "ROB_L")}
"""By model: the units of T_ROB1 and T_ROB2."""


def motion_program_controller(
    folder: Path, model: str, start_q: Sequence[float] | None = None, sockets: ProgramSockets | None = None
) -> AbbController:
    """Return a controller with the modules loaded and its motors on."""
    tasks = [TaskSetup(f"T_ROB{number}", unit) for number, unit in enumerate(UNITS[model], 1)]
    names = rapid_set("motion_program")
    signals = (*GRIPPER, *(SignalSetup(name, kind) for name, kind in names.signals))  # type: ignore[arg-type]
    setup = AbbSetup(model, "127.0.0.1", folder, folder, signals, tasks=(*tasks, TaskSetup("T_MP_LOG")))
    robot = load(model)
    home = np.concatenate([robot.posture("home" if model == "yumi" else None, arm) for arm in robot.arms])
    brain = build_controller(setup, sockets or ClosedSockets(), start_q=home.tolist() if start_q is None else start_q)
    for file in names.files:
        if file.task in brain.program.tasks:
            brain.program.load(file.task, file.text, file.path.name, replace=True)
    brain.panel.set_motors(on=True)
    return brain


class MotionProgramBench:
    """The controller, and what the client does with it."""

    def __init__(self, folder: Path, model: str, start_q: Sequence[float] | None = None) -> None:
        self.folder = folder
        self.brain = motion_program_controller(folder, model, start_q)
        self.units = [self.brain.units[name] for name in UNITS[model]]

    def begin(self, *programs: MotionProgram) -> None:
        """Store programs and start."""
        self.brain.reset_pointers()
        for number, one in enumerate(programs, 1):
            name = f"motion_program{'' if number == 1 else number}.bin"
            (self.folder / name).write_bytes(one.get_program_bytes())
        self.brain.start("once")

    def run(self, *programs: MotionProgram, each: Callable[[], object] = lambda: None) -> float:
        """Run programs to their end; return the time it took."""
        self.begin(*programs)
        return self.finish(each)

    def finish(self, each: Callable[[], object] = lambda: None, most_s: float = 20.0) -> float:
        for tick in range(int(most_s / TICK_S)):
            if not self.brain.program.running:
                return tick * TICK_S
            self.brain.tick()
            each()
        raise AssertionError(self.errors)

    def log(self, program: MotionProgram) -> MotionProgramResultLog:
        return _unpack_motion_program_result_log((self.folder / f"log-{program.get_timestamp()}.bin").read_bytes())

    @property
    def errors(self) -> list[tuple[str, ...]]:
        """What the event log has of errors, the newest first."""
        return [one.arguments or (one.title, one.text) for one in self.brain.log.newest_first() if one.level == 3]

    def signals(self) -> Mapping[str, float]:
        return {one.name: self.brain.signals.read(one.name) for one in self.brain.signals.all}


def header_with(program: MotionProgram, at: int, value: float) -> bytes:
    """Return a program's file with another value in one of its places."""
    data = bytearray(program.get_program_bytes())
    struct.pack_into("<f", data, 4 * at, value)
    return bytes(data)
