"""assemble: build the parts of a controller."""

from collections.abc import Sequence

import numpy as np

from openpendant.virtual.arm import Mover, TickClock
from openpendant.virtual.wire import ClosedSockets, ProgramSockets

from .body import ArmBody
from .compile_ahead import compile_kernels
from .compliance import Compliance
from .geometry import build_model
from .installation import Installation
from .io import Io
from .kernels.step import DT, TICKS_PER_S
from .messages import MessageLog
from .model import UrModel
from .options import UrOptions
from .parts import Parts
from .pendant import Pendant
from .power import Power
from .registers import Registers
from .safety import Safety
from .watchdog import Watchdogs

DEFAULT_Q = tuple(np.radians([0.0, -90.0, 0.0, -90.0, 0.0, 0.0]).tolist())
"""Straight up: how an arm leaves the factory's home."""


def assemble(
    model: UrModel,
    options: UrOptions,
    start_q: Sequence[float] | None,
    seed: int,
    sockets: ProgramSockets | None,
) -> Parts:
    """Return the parts, at rest at `start_q`.

    Raises:
        InputError: start_q is not six joints within their limits.
    """
    built = build_model(model)
    arm, limits = built.arm, built.limits
    q = arm.check_q(DEFAULT_Q if start_q is None else start_q)
    compile_kernels(model, built)
    clock, log = TickClock(TICKS_PER_S), MessageLog()
    installation = Installation(model)
    return Parts(
        model=model,
        options=options,
        arm=arm,
        limits=limits,
        clock=clock,
        log=log,
        io=Io(),
        registers=Registers(),
        installation=installation,
        power=Power(clock, options),
        safety=Safety(clock, options, log),
        body=ArmBody(model, installation, options.tracking, q, seed),
        mover=Mover(built, installation.T_flange_tool, q, tick_s=DT),
        compliance=Compliance(model, installation),
        pendant=Pendant(clock, log),
        watchdogs=Watchdogs(clock),
        sockets=ClosedSockets() if sockets is None else sockets,
        remote_control=options.remote_control,
    )
