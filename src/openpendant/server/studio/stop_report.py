"""The report of a stop in a running cell, robot by robot."""

from openpendant.errors import OpenPendantError
from openpendant.messages.operation import RobotStop
from openpendant.runtime import CellRuntime, StopOutcome
from openpendant.said import how_word, say

STARTING = say("stop.starting")


def stop_robots(runtime: CellRuntime | None, starting: bool, press: str = "") -> tuple[RobotStop, ...]:
    """Stop every robot and wait until they rest; return what became of it.

    Args:
        runtime: What runs, starts or is being ended; None: nothing does.
        starting: Whether the robots are only being started: those that nothing was received from cannot be reached.
        press: As `messages.operation.Stop.press`.
    """
    if runtime is None:
        return ()
    try:
        outcomes = runtime.stop(press=press)
    except OpenPendantError as error:
        why = STARTING if starting else error.said
        names = runtime.robots or tuple(robot.name for robot in runtime.cell.robots)
        outcomes = {robot: StopOutcome(robot, reached=False, reason=why) for robot in names}
    return tuple(_robot_stop(one, starting) for one in outcomes.values())


def _robot_stop(outcome: StopOutcome, starting: bool) -> RobotStop:
    how = "" if outcome.how is None else how_word(outcome.how)
    return RobotStop(
        robot=outcome.robot,
        reached=outcome.reached,
        rest_ms=None if outcome.rest_s is None else round(1000.0 * outcome.rest_s, 1),
        distance_mm=None if outcome.distance_m is None else round(1000.0 * outcome.distance_m, 1),
        reason=STARTING if starting and not outcome.reached else outcome.reason or how,
    )
