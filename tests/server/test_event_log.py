"""The log of an open project: who did what, and what the robots say, once and in plain words."""

from openpendant.messages import RobotEventKind, bus
from openpendant.messages.operation import Event, Events
from openpendant.said import say
from openpendant.server.studio.event_log import OWN_NAME, EventLog


def said(number: int, kind: RobotEventKind, message: str, about: str = "") -> bus.RobotEvent:
    return bus.RobotEvent(robot="ur3e", number=number, stamp_ns=number, kind=kind, about=about, message=message)


def halt(number: int, who: str) -> bus.RobotEvent:
    return said(number, "halt", say("stop.stops", who=who), who)


def test_people_are_named_and_this_servers_own_words_are_left_out() -> None:
    told: list[Event] = []
    event_log = EventLog(lambda events: told.extend(events.events))
    event_log.note("Ann", "stop")
    stopped = say("robot.named", robot="arm", why=say("stop.by", who=OWN_NAME))
    event_log.add_new([halt(1, OWN_NAME), halt(2, "jog")])
    event_log.add_new([halt(2, "jog"), said(3, "job stopped", stopped)])
    assert [(one.kind, one.who, one.about, one.message) for one in told] == [
        ("person", "Ann", "stop", ""),
        ("halt", "", "jog", "jog stops the robot"),
        ("job stopped", "", "", "arm"),
    ]
    assert event_log.events() == Events(events=tuple(told))


def test_a_process_that_is_started_anew_is_heard_though_it_counts_from_the_start() -> None:
    told: list[Event] = []
    event_log = EventLog(lambda events: told.extend(events.events))
    log = [said(0, "process started", "robot"), said(7, "ready", "")]
    event_log.add_new(log)
    event_log.add_new(log)
    assert len(told) == 2
    log += [said(0, "process ended", "by signal 9"), said(1, "ready", "again")]
    event_log.add_new(log)
    assert [(one.number, one.kind) for one in told[2:]] == [(2, "process ended"), (3, "ready")]
    event_log.restart()
    event_log.add_new(log[:1])
    assert [one.number for one in told] == [0, 1, 2, 3, 4]


def test_a_speed_is_noted_once_it_stays(monkeypatch) -> None:
    told: list[Event] = []
    now = [100.0]
    monkeypatch.setattr("openpendant.server.studio.event_log.time.monotonic", lambda: now[0])
    event_log = EventLog(lambda events: told.extend(events.events))
    for share in (0.9, 0.7, 0.5):
        event_log.note_speed("Ann", "ur3e", share)
        now[0] += 0.5
        event_log.poll()
    assert told == []
    now[0] += 1.0
    event_log.poll()
    event_log.poll()
    assert [(one.who, one.about, one.message) for one in told] == [("Ann", "speed", "50 %")]
