"""The log of an open project: who did what, and what the robots say, once and in plain words."""

from openpendant.messages import RobotEventKind, bus
from openpendant.projects.operate import Event, Events
from openpendant.said import say
from openpendant.server.studio.diary import OWN_NAME, Diary


def said(number: int, kind: RobotEventKind, message: str, about: str = "") -> bus.RobotEvent:
    return bus.RobotEvent(robot="ur3e", number=number, stamp_ns=number, kind=kind, about=about, message=message)


def halt(number: int, who: str) -> bus.RobotEvent:
    return said(number, "halt", say("stop.stops", who=who), who)


def test_people_are_named_and_this_servers_own_words_are_left_out() -> None:
    told: list[Event] = []
    diary = Diary(lambda events: told.extend(events.events))
    diary.note("Ann", "stop")
    stopped = say("robot.named", robot="arm", why=say("stop.by", who=OWN_NAME))
    diary.hear([halt(1, OWN_NAME), halt(2, "jog")])
    diary.hear([halt(2, "jog"), said(3, "job stopped", stopped)])
    assert [(one.kind, one.who, one.about, one.message) for one in told] == [
        ("person", "Ann", "stop", ""),
        ("halt", "", "jog", "jog stops the robot"),
        ("job stopped", "", "", "arm"),
    ]
    assert diary.events() == Events(events=tuple(told))


def test_a_process_that_is_started_anew_is_heard_though_it_counts_from_the_start() -> None:
    told: list[Event] = []
    diary = Diary(lambda events: told.extend(events.events))
    log = [said(0, "process started", "robot"), said(7, "ready", "")]
    diary.hear(log)
    diary.hear(log)
    assert len(told) == 2
    log += [said(0, "process ended", "by signal 9"), said(1, "ready", "again")]
    diary.hear(log)
    assert [(one.number, one.kind) for one in told[2:]] == [(2, "process ended"), (3, "ready")]
    diary.begin_anew()
    diary.hear(log[:1])
    assert [one.number for one in told] == [0, 1, 2, 3, 4]


def test_a_speed_is_noted_once_it_stays(monkeypatch) -> None:
    told: list[Event] = []
    now = [100.0]
    monkeypatch.setattr("openpendant.server.studio.diary.time.monotonic", lambda: now[0])
    diary = Diary(lambda events: told.extend(events.events))
    for share in (0.9, 0.7, 0.5):
        diary.note_speed("Ann", "ur3e", share)
        now[0] += 0.5
        diary.look()
    assert told == []
    now[0] += 1.0
    diary.look()
    diary.look()
    assert [(one.who, one.about, one.message) for one in told] == [("Ann", "speed", "50 %")]
