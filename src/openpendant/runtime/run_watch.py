"""RunWatch: sees what ends a run from outside: stops of anybody, lost control, lost robots, and no progress."""

from collections.abc import Mapping

from openpendant.errors import ControllerError
from openpendant.messages import bus, decode_said
from openpendant.said import say

from .link import CellLink
from .remote_robot import RemoteRobot
from .stops import StopCounts, StoppedError

STILL_S = 2.0
"""A run that makes no progress for this time, or receives nothing from a robot, has failed."""


class RunWatch:
    """Looks at the robots of one run at every tick of it, whatever the run is at."""

    def __init__(self, link: CellLink, robots: Mapping[str, RemoteRobot], since: StopCounts) -> None:
        """Look at nothing yet; a stop after `since` ends the run."""
        self._link, self._robots, self._since = link, robots, since
        self._births: dict[str, tuple[int, int]] = {}
        """Process and number of the newest report of each robot."""
        self._progress: tuple[object, ...] = ()
        self._begun_ns = self._moved_ns = 0

    def begin(self) -> None:
        """Note the processes that the run begins with, once their reports say who has control."""
        self._link.wait(lambda: all(robot.state.holder_id == self._link.id for robot in self._robots.values()), STILL_S)
        self._births = {name: (robot.state.pid, robot.state.number) for name, robot in self._robots.items()}
        self._begun_ns = self._moved_ns = self._link.clock.now_ns()

    @property
    def stopped(self) -> bool:
        """Whether one of the robots has obeyed a stop since the run was requested."""
        return any(
            self._link.stopped_since(name, self._since) and not self._restarted(name, self._link.newest(name))
            for name in self._robots
        )

    def poll(self, *, stops: bool = True) -> None:
        """Raise where the run cannot continue.

        Args:
            stops: Whether a stop and a loss of control end it at once; otherwise its job ends it.

        Raises:
            StoppedError: A robot was stopped, by anybody.
            ControllerError: A robot, its process or control of it was lost; says which.
        """
        for name in self._robots:
            report = self._link.newest(name)
            if report is None or self._restarted(name, report):
                raise ControllerError(say("robot.named", robot=name, why=say("process.restarted")))
            if stops and report.stops > self._since.obeyed.get(name, 0):
                raise StoppedError(say("run.was_stopped", robot=name, why=_by(self._link.events(name))))
            if not self._link.alive(name):
                raise ControllerError(say("robot.named", robot=name, why=say("process.ended")))
            silent_s = (self._link.clock.now_ns() - report.stamp_ns) * 1e-9
            if silent_s > STILL_S:
                raise ControllerError(say("robot.named", robot=name, why=say("process.silent", silent_s=silent_s)))
            if stops and report.holder_id != self._link.id:
                why = _lost(self._link.events(name), self._begun_ns)
                raise ControllerError(say("control.lost", robot=name, why=why))
            if stops and not report.ready:
                # Also where the program only waits: it must not continue by itself when the robot is back.
                raise ControllerError(say("robot.named", robot=name, why=report.reason))

    def watch_progress(self, progress: tuple[object, ...], *, waits: bool) -> None:
        """Raise where nothing has changed for too long and the program does not wait.

        Raises:
            ControllerError: It makes no progress.
        """
        now_ns = self._link.clock.now_ns()
        if waits or progress != self._progress:
            self._progress, self._moved_ns = progress, now_ns
        elif now_ns - self._moved_ns > STILL_S * 1e9:
            raise ControllerError(say("run.no_progress", still_s=STILL_S))

    def _restarted(self, name: str, report: bus.RobotReport | None) -> bool:
        if report is None:
            return False
        pid, number = self._births.get(name, (report.pid, 0))
        if report.pid == pid and report.number >= number:
            self._births[name] = (pid, report.number)
            return False
        return True


def _by(events: tuple[bus.RobotEvent, ...]) -> str:
    """Return who has stopped a robot last, as words."""
    halts = [event.about for event in events[-50:] if event.kind == "halt"]
    return say("stop.by", who=halts[-1] if halts else say("who.somebody"))


def _lost(events: tuple[bus.RobotEvent, ...], since_ns: int) -> str:
    """Return why control of a robot was lost last, as words."""
    losses = [event for event in events[-50:] if event.kind == "lease lost" and event.stamp_ns >= since_ns]
    return decode_said(losses[-1].message, losses[-1].said) if losses else say("control.nobody")
