"""The gate: between every setpoint and the robot.

    gate = Gate({"arm": facts_in_cell(world, "ur3e")}, tick_ns, surroundings=CellSurroundings(world, "ur3e"))
    gate.grant("hand", needs_dead_man=True)
    gate.clutch_in("hand", "arm", measured)
    match gate.pass_setpoint(setpoint, measured, now_ns):
        case Allowed(q=q): driver.servo("arm", q)
        case Held(reason=reason, q=q): ...   # q: the way to rest, if there is one

In: setpoints, measured joints, the time. Out: `Allowed` (possibly slowed) or `Held` with the reason. It protects
against mistakes; it is not a certified safety function, and the robot's own safety stays on.
"""

from .facts import REDUCED_SETPOINTS_M_S, REDUCED_SPEED_M_S, GateFacts, facts_in_cell, facts_of
from .freshness import Freshness
from .gate import Gate
from .lease import Granted, Leases, NotGranted
from .limiter import CREEP_M_S
from .setpoints import Allowed, Held, HoldKind, Setpoint
from .spaces import Space, outside_of
from .speeds import fastest_speeds
from .surroundings import CellSurroundings, Surroundings

__all__ = [
    "CREEP_M_S",
    "REDUCED_SETPOINTS_M_S",
    "REDUCED_SPEED_M_S",
    "Allowed",
    "CellSurroundings",
    "Freshness",
    "Gate",
    "GateFacts",
    "Granted",
    "Held",
    "HoldKind",
    "Leases",
    "NotGranted",
    "Setpoint",
    "Space",
    "Surroundings",
    "facts_in_cell",
    "facts_of",
    "fastest_speeds",
    "outside_of",
]
