"""assemble: build the parts of a controller."""

from collections.abc import Sequence

import numpy as np

from .body import Body
from .clock import Clock
from .compliance import Compliance
from .geometry import build_arm, build_limits
from .installation import Installation
from .io import Io
from .messages import MessageLog
from .model import UrModel
from .mover import Mover
from .options import UrOptions
from .parts import Parts
from .pendant import Pendant
from .power import Power
from .registers import Registers
from .safety import Safety
from .sockets_port import ClosedSockets, ScriptSockets
from .warm import warm_up
from .watchdog import Watchdogs

__all__ = ["DEFAULT_Q", "assemble"]

DEFAULT_Q = tuple(np.radians([0.0, -90.0, 0.0, -90.0, 0.0, 0.0]).tolist())
"""Straight up: how an arm leaves the factory's home."""


def assemble(
    model: UrModel,
    options: UrOptions,
    start_q: Sequence[float] | None,
    seed: int,
    sockets: ScriptSockets | None,
) -> Parts:
    """Return the parts, at rest at `start_q`.

    Raises:
        InputError: start_q is not six joints within their limits.
    """
    arm = build_arm(model)
    limits = build_limits(model)
    q = arm.check_q(DEFAULT_Q if start_q is None else start_q)
    warm_up(model, arm, limits)
    clock, log = Clock(), MessageLog()
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
        body=Body(model, installation, options.tracking, q, seed),
        mover=Mover(model, arm, limits, installation, q),
        compliance=Compliance(model, installation),
        pendant=Pendant(clock, log),
        watchdogs=Watchdogs(clock),
        sockets=ClosedSockets() if sockets is None else sockets,
        remote_control=options.remote_control,
    )
