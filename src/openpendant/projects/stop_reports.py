"""Merges the reports of a stop from two paths: a robot that one of them has reached is reached."""

from openpendant.messages import decode_said
from openpendant.messages.operation import RobotStop, Stopped
from openpendant.said import join, say


def merge_stops(*told: Stopped | None) -> tuple[RobotStop, ...]:
    """Return the best that is known of each robot: at rest, or reached, or the first reason why not."""
    robots: dict[str, RobotStop] = {}
    for stopped in told:
        for one in () if stopped is None else stopped.robots:
            before = robots.setdefault(one.robot, one)
            if _rank(one) > _rank(before):
                robots[one.robot] = one
    return tuple(robots.values())


def is_settled(stopped: Stopped) -> bool:
    """Return whether the report is final: every robot that was reached is at rest."""
    return all(one.rest_ms is not None or not one.reached for one in stopped.robots)


def not_reached(robots: tuple[RobotStop, ...]) -> str:
    """Return which robots a stop did not reach, and why; empty: it reached all."""
    wrong = [
        say("robot.named", robot=one.robot, why=decode_said(one.reason, one.said)) for one in robots if not one.reached
    ]
    return say("stop.not_reached", robots=join(wrong, "list.semicolon")) if wrong else ""


def _rank(one: RobotStop) -> tuple[bool, bool]:
    return one.reached, one.rest_ms is not None
