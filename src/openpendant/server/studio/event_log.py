"""EventLog: what has happened to the robots of an open project, and who did it."""

import time
from collections.abc import Callable, Sequence
from itertools import takewhile

from openpendant.messages import Deed, EventKind, bus, decode_said
from openpendant.messages.operation import Event, Events
from openpendant.said import Said, say

OWN_NAME = "studio"
"""What the robots know this server by; people are named by what they did."""
MOST_EVENTS = 300
STEADY_S = 1.0
"""A speed that is dragged is logged when it has not changed for this time."""


class EventLog:
    """The newest events, numbered, each sent to everybody once."""

    def __init__(self, publish: Callable[[Events], None]) -> None:
        """Begin empty."""
        self._publish = publish
        self._events: list[Event] = []
        self._count = 0
        self._newest: bus.RobotEvent | None = None
        self._wall = time.time() - time.monotonic()
        self._speed: tuple[float, str, str, float] | None = None

    def events(self) -> Events:
        """Return what has happened lately, oldest first."""
        return Events(events=tuple(self._events))

    def restart(self) -> None:
        """The robots were restarted, and with them their log."""
        self._newest = None

    def add_new(self, log: Sequence[bus.RobotEvent]) -> None:
        """Take over what is new in the log of the robots, which only grows at its end.

        Their numbers do not help: a process that was restarted counts from the start again.
        """
        fresh = list(takewhile(lambda event: event != self._newest, reversed(log)))[::-1]
        if fresh:
            self._newest = fresh[-1]
        self._add(
            [
                self._event(
                    e.robot, e.kind, e.about, without_sender(decode_said(e.message, e.said)), stamp_s=e.stamp_ns * 1e-9
                )
                for e in fresh
                if e.kind != "halt" or e.about != OWN_NAME
            ]
        )

    def note(self, who: str, did: Deed, robot: str = "", what: str = "") -> None:
        """Note what a person did."""
        self._add([self._event(robot, "person", did, what, who=who, did=did)])

    def note_event(self, robot: str, kind: EventKind, message: str, *, who: str = "") -> None:
        """Note something of our own."""
        self._add([self._event(robot, kind, "", message, who=who)])

    def note_speed(self, who: str, robot: str, fraction: float) -> None:
        """Note another speed, once it stays."""
        self._speed = (time.monotonic() + STEADY_S, who, robot, fraction)

    def poll(self) -> None:
        """Note what has waited long enough."""
        if self._speed is not None and time.monotonic() >= self._speed[0]:
            _, who, robot, fraction = self._speed
            self._speed = None
            self.note(who, "speed", robot, f"{100.0 * fraction:g} %")

    def _event(
        self,
        robot: str,
        kind: EventKind,
        about: str,
        message: str,
        *,
        who: str = "",
        did: Deed | None = None,
        stamp_s: float | None = None,
    ) -> Event:
        self._count += 1
        at_s = time.monotonic() if stamp_s is None else stamp_s
        return Event(
            number=self._count - 1,
            robot=robot,
            time_s=round(self._wall + at_s, 3),
            kind=kind,
            about=about,
            message=message,
            who=who,
            did=did,
        )

    def _add(self, events: list[Event]) -> None:
        if events:
            self._events = [*self._events, *events][-MOST_EVENTS:]
            self._publish(Events(events=tuple(events)))


def without_sender(message: str) -> str:
    """Return a robot's message without this server's name as its sender; the person is named elsewhere."""
    if not isinstance(message, Said):
        return message
    if message.code == "stop.by" and message.values["who"] == OWN_NAME:
        return ""
    why = message.values.get("why")
    if not isinstance(why, Said) or without_sender(why):
        return message
    if message.code == "run.was_stopped":
        return say("run.was_stopped_plain", robot=message.values["robot"])
    return str(message.values["robot"]) if message.code == "robot.named" else message
