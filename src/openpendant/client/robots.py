"""ClientRobots: the running robots of an open project: control, runs, jogging, stops, and how they are now."""

import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

import msgspec

from openpendant.errors import InputError, LinkError
from openpendant.messages import Intent
from openpendant.projects.operate import (
    AskControl,
    Connect,
    Disconnect,
    Engage,
    Event,
    Events,
    FromRobots,
    GiveControl,
    Intend,
    Operating,
    Pause,
    Press,
    Resume,
    RobotStatus,
    RobotStop,
    Run,
    RunStatus,
    SetReduced,
    SetSpeed,
    SetTool,
    Step,
    Stopped,
    SwitchOutput,
    TakeControl,
)
from openpendant.projects.talk import FromClient

__all__ = ["ClientRobots", "Joints"]

ENDED = ("done", "failed", "stopped")
MOST_EVENTS = 1000
T = TypeVar("T")


@dataclass(frozen=True)
class Joints:
    """Where all arms are: the newest that was heard."""

    time_s: float
    """When the oldest of what is in it was reported, of the server's monotonic clock."""
    measured: dict[str, tuple[float, ...]]
    """By robot/arm, radians or metres."""
    sent: dict[str, tuple[float, ...]]
    """What they were sent last."""


class Link(Protocol):
    """What the robots need of the open project."""

    def done(self, make: Callable[[int], FromClient], within_s: float = ...) -> int:
        """Ask, wait until it is done; raises InputError with the server's reason."""
        ...

    def send(self, message: FromClient) -> None:
        """Say something that is not answered."""
        ...

    def stop(self) -> tuple[RobotStop, ...]:
        """Stop every robot."""
        ...

    def wait(self, look: Callable[[], T | None], within_s: float) -> T:
        """Wait until something is found; raises LinkError after the time."""
        ...


class ClientRobots:
    """The robots of an open project, as the page's Operate has them."""

    def __init__(self, link: Link, me: str) -> None:
        """Belong to an open project; `me` is the id of this client."""
        self._link = link
        self._me = me
        self._operating: Operating | None = None
        self._events: tuple[Event, ...] = ()
        self._frame = b""
        self._stopped: Stopped | None = None

    @property
    def now(self) -> Operating:
        """Everything about the robots, as told last."""
        return self._link.wait(lambda: self._operating, 10.0)

    @property
    def run_status(self) -> RunStatus | None:
        """The present or last run."""
        return self.now.run

    @property
    def moves(self) -> bool:
        """Whether this client has control of a robot, or has begun a run that has not ended."""
        now = self._operating
        if now is None:
            return False
        mine = now.run is not None and now.run.by == self._me and now.run.status not in ENDED
        return mine or any(one.holder == self._me for one in now.robots)

    @property
    def stopped(self) -> Stopped | None:
        """What the last stop from here did; None: there was none."""
        return self._stopped

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened lately, oldest first."""
        return self._events

    def status(self, robot: str) -> RobotStatus:
        """Return how one robot is; raises InputError for one that does not run."""
        found = {one.name: one for one in self.now.robots}
        if robot not in found:
            raise InputError(f"no robot {robot!r} runs; running: {', '.join(found) or 'none'}")
        return found[robot]

    def joints(self) -> Joints:
        """Return where all arms are, once something was heard of them."""

        def look() -> Joints | None:
            layout = () if self._operating is None else self._operating.layout
            return _unpack(self._frame, layout)

        return self._link.wait(look, 10.0)

    def start(self, addresses: dict[str, str] | None = None, within_s: float = 240.0) -> Operating:
        """Start all robots, those of `addresses` for real; return how they are once they are.

        Raises:
            InputError: They cannot be started; the message says why.
            LinkError: They did not come within the time.
        """
        self._link.done(lambda number: Connect(id=number, addresses=addresses or {}), within_s)

        def settled() -> Operating | None:
            now = self._operating
            return now if now is not None and now.state in ("on", "failed") else None

        now = self._link.wait(settled, within_s)
        if now.state == "failed":
            raise InputError(now.message)
        return now

    def wait_ready(self, robot: str, within_s: float = 60.0) -> None:
        """Wait until a robot would take a command to move.

        Raises:
            InputError: There is no such robot, or it is not ready within the time; says why.
        """

        def ready() -> bool | None:
            return self.status(robot).ready or None

        try:
            self._link.wait(ready, within_s)
        except LinkError:
            raise InputError(f"{robot} is not ready: {self.status(robot).reason}") from None

    def end(self) -> None:
        """Bring all robots to rest and end them."""
        self._link.done(lambda number: Disconnect(id=number))

    def take(self, robot: str, *, take_over: bool = False) -> None:
        """Have control of a robot; `take_over`: from whoever has it."""
        self._link.done(lambda number: TakeControl(id=number, robot=robot, take_over=take_over))

    def ask_for(self, robot: str) -> None:
        """Ask whoever has control of a robot to give it."""
        self._link.done(lambda number: AskControl(id=number, robot=robot))

    def give(self, robot: str, to: str = "") -> None:
        """Give control of a robot back, or to a client that asked."""
        self._link.done(lambda number: GiveControl(id=number, robot=robot, to=to))

    def has(self, robot: str) -> bool:
        """Return whether this client has control of a robot."""
        return self.status(robot).holder == self._me

    def run(
        self,
        program: str,
        *,
        mode: Literal["streamed", "uploaded"] = "streamed",
        reduced: bool | None = None,
        loop: bool = False,
        from_step: str = "",
        single: bool = False,
    ) -> None:
        """Start a program from where the arms stand; `wait_for_end` waits for it.

        Args:
            program: Its name.
            mode: 'streamed' from here, or 'uploaded' to the robot's own controller.
            reduced: Whether the tool stays under 250 mm/s; default: on robots with an address.
            loop: Whether it begins anew when it ends.
            from_step: The id of the step to begin with; parts are then where the last run has left them.
            single: Whether it pauses after one step.
        """
        self._link.done(
            lambda number: Run(
                id=number,
                program=program,
                mode=mode,
                reduced=reduced,
                loop=loop,
                from_step=from_step,
                single=single,
            )
        )

    def step(self) -> None:
        """Make one step of the run, and pause."""
        self._link.done(lambda number: Step(id=number))

    def wait_for_end(self, within_s: float = 600.0) -> RunStatus:
        """Wait until the run has ended, and return how."""

        def ended() -> RunStatus | None:
            run = None if self._operating is None else self._operating.run
            return run if run is not None and run.status in ENDED else None

        return self._link.wait(ended, within_s)

    def pause(self) -> None:
        """Come to rest on the path."""
        self._link.done(lambda number: Pause(id=number))

    def resume(self) -> None:
        """Go on after a pause."""
        self._link.done(lambda number: Resume(id=number))

    def stop(self) -> tuple[RobotStop, ...]:
        """Stop every robot; needs no control. Return what it did to each, once they rest.

        Raises:
            InputError: It has not reached every robot; says which and why.
        """
        return self._link.stop()

    def set_reduced(self, robot: str, *, reduced: bool) -> None:
        """Hold tool and elbow of a robot under 250 mm/s, or lift that."""
        self._link.done(lambda number: SetReduced(id=number, robot=robot, reduced=reduced))

    def set_speed(self, fraction: float) -> None:
        """Set the override of all speeds of the run."""
        self._link.done(lambda number: SetSpeed(id=number, fraction=fraction))

    def switch(self, robot: str, signal: str, *, on: bool) -> None:
        """Set a digital output."""
        self._link.done(lambda number: SwitchOutput(id=number, robot=robot, signal=signal, value=on))

    def set_tool(self, robot: str, opening_m: float = 0.0, arm: str = "arm", *, closes: bool | None = None) -> None:
        """Open or close an arm's tool: its fingers, and the outputs that the cell names for it.

        Args:
            robot: Of the cell.
            opening_m: How far each finger goes; 0 without fingers.
            arm: Which.
            closes: Whether it closes; None: where fingers go to less than half of their travel.
        """
        self._link.done(lambda number: SetTool(id=number, robot=robot, arm=arm, opening_m=opening_m, closes=closes))

    def engage(self, robot: str, arm: str = "", *, needs_dead_man: bool = False) -> None:
        """Clutch in: from now on `intend` moves this arm; `needs_dead_man`: only while intents say that it is held."""
        self._link.done(lambda number: Engage(id=number, robot=robot, arm=arm, needs_dead_man=needs_dead_man))

    def intend(self, robot: str, intent: Intent) -> None:
        """Say what the arm is to do now; say it again at least ten times a second, or it stops.

        Its stamp is when the sample was taken, of `time.monotonic_ns`; 0: now. What is older than 150 ms when it comes
        to the server is not obeyed.
        """
        if intent.stamp_ns == 0:
            intent = msgspec.structs.replace(intent, stamp_ns=time.monotonic_ns())
        self._link.send(Intend(robot=robot, intent=intent))

    def press(self, robot: str, button: str) -> None:
        """Press a button of a virtual controller: power_on, brake_release, unlock, continue, …"""
        self._link.done(lambda number: Press(id=number, robot=robot, button=button))

    def take_in(self, message: FromRobots) -> None:
        """Take what the server says; called by the project's reader."""
        match message:
            case Operating():
                self._operating = message
            case Events(events=events):
                known = self._events[-1].number if self._events else -1
                fresh = tuple(one for one in events if one.number > known)
                self._events = (*self._events, *fresh)[-MOST_EVENTS:]
            case Stopped(by=by):
                self._stopped = message if by == self._me else self._stopped
            case _:
                pass

    def take_frame(self, data: bytes) -> None:
        """Take the newest joints; called by the project's reader."""
        self._frame = data


def _unpack(frame: bytes, layout: tuple[tuple[str, int], ...]) -> Joints | None:
    if not layout or len(frame) != 8 * (1 + 2 * sum(dof for _, dof in layout)):
        return None
    values = struct.unpack(f"<{len(frame) // 8}d", frame)
    measured: dict[str, tuple[float, ...]] = {}
    sent: dict[str, tuple[float, ...]] = {}
    at = 1
    for key, dof in layout:
        measured[key] = values[at : at + dof]
        sent[key] = values[at + dof : at + 2 * dof]
        at += 2 * dof
    return Joints(values[0], measured, sent)
