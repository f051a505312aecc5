"""What two paths tell of one stop: whom one of them has reached is reached, and rest counts more than that."""

from openpendant.messages.operation import RobotStop, Stopped
from openpendant.projects.stop_reports import is_settled, merge_stops, not_reached


def robot(name: str, *, reached: bool, rest_ms: float | None = None, reason: str = "") -> RobotStop:
    return RobotStop(robot=name, reached=reached, rest_ms=rest_ms, distance_mm=None, reason=reason)


def stopped(*robots: RobotStop) -> Stopped:
    return Stopped(id=1, by="me", robots=robots)


def test_each_robot_is_as_well_off_as_the_better_of_two_paths_tells() -> None:
    server = stopped(
        robot("a", reached=False, reason="mute"),
        robot("b", reached=True, rest_ms=90.0),
        robot("c", reached=False, reason="mute"),
        robot("d", reached=True),
    )
    service = stopped(
        robot("a", reached=True, rest_ms=120.0),
        robot("b", reached=False, reason="not connected"),
        robot("c", reached=False, reason="not connected"),
        robot("d", reached=True, rest_ms=80.0),
        robot("e", reached=False, reason="not connected"),
    )
    merged = merge_stops(server, service)
    assert [(one.robot, one.reached, one.rest_ms) for one in merged] == [
        ("a", True, 120.0),
        ("b", True, 90.0),
        ("c", False, None),
        ("d", True, 80.0),
        ("e", False, None),
    ]
    assert not_reached(merged) == "the stop has not reached c: mute; e: not connected"
    assert merge_stops(None, service) == service.robots
    assert merge_stops(server, None) == server.robots
    assert merge_stops(None, None) == ()
    assert not_reached(()) == ""


def test_it_is_settled_when_all_that_were_reached_rest() -> None:
    assert is_settled(stopped())
    assert is_settled(stopped(robot("a", reached=False), robot("b", reached=True, rest_ms=0.0)))
    assert not is_settled(stopped(robot("a", reached=True)))
