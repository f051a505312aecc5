"""What a stop does to the robots of a running cell, told robot by robot and as it is."""

from openpendant.cell import CellRuntime, StopOutcome
from openpendant.errors import OpenPendantError
from openpendant.projects.operate import RobotStop

__all__ = ["not_reached", "stop_robots"]

STARTING = "it is only starting; nothing has moved it yet"


def stop_robots(runtime: CellRuntime | None, starting: bool) -> tuple[RobotStop, ...]:
    """Stop every robot and wait until they rest; return what became of it.

    Args:
        runtime: What runs, starts or is being ended; None: nothing does.
        starting: Whether the robots are only being started: those that nothing was heard of cannot be reached.
    """
    if runtime is None:
        return ()
    try:
        outcomes = runtime.stop()
    except OpenPendantError as error:
        why = STARTING if starting else str(error)
        names = runtime.robots or tuple(robot.name for robot in runtime.cell.robots)
        outcomes = {robot: StopOutcome(robot, reached=False, reason=why) for robot in names}
    return tuple(_told(one, starting) for one in outcomes.values())


def _told(outcome: StopOutcome, starting: bool) -> RobotStop:
    return RobotStop(
        robot=outcome.robot,
        reached=outcome.reached,
        rest_ms=None if outcome.rest_s is None else round(1000.0 * outcome.rest_s, 1),
        distance_mm=None if outcome.distance_m is None else round(1000.0 * outcome.distance_m, 1),
        reason=STARTING if starting and not outcome.reached else outcome.reason or outcome.how or "",
    )


def not_reached(robots: tuple[RobotStop, ...]) -> str:
    """Return which robots a stop did not reach, and why; empty: it reached all."""
    wrong = "; ".join(f"{one.robot}: {one.reason}" for one in robots if not one.reached)
    return f"the stop has not reached {wrong}" if wrong else ""
