"""ClientRobots: the running robots of an open project: control, runs, jogging, stops, and how they are now."""

import time
from contextlib import suppress

import msgspec

from openpendant.errors import InputError, LinkError
from openpendant.messages import Intent
from openpendant.messages.operation import (
    Connect,
    ControlRequest,
    Disconnect,
    Engage,
    Event,
    Events,
    FromRobots,
    GiveControl,
    Intend,
    Operating,
    Press,
    RobotSamples,
    RobotStatus,
    RobotStop,
    RunStatus,
    SetReduced,
    SetTool,
    Stopped,
    SwitchOutput,
    TakeControl,
    WatchSamples,
)
from openpendant.messages.sample_buffer import MOST_SAMPLES

from .joints import Joints, unpack_joints
from .project_link import ProjectLink
from .run_requests import ENDED, RunRequests
from .samples import ClientSamples

MOST_EVENTS = 1000


class ClientRobots(RunRequests):
    """The robots of an open project, as the page's Operate has them."""

    def __init__(self, link: ProjectLink, me: str) -> None:
        """Belong to an open project; `me` is the id of this client."""
        super().__init__(link)
        self._me = me
        self._events: tuple[Event, ...] = ()
        self._frame = b""
        self._samples: tuple[tuple[str, ClientSamples], ...] = ()
        self._stopped: Stopped | None = None

    def __repr__(self) -> str:
        """Which robots run, and how they are."""
        now = self._operating
        state = "not known yet" if now is None else now.state
        robots = () if now is None else tuple(f"{one.name} {'ready' if one.ready else one.mode}" for one in now.robots)
        return f"<robots: {', '.join((state, *robots))}>"

    @property
    def now(self) -> Operating:
        """Everything about the robots, as last reported."""
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
        """Return how one robot is.

        Args:
            robot: Name of the robot in the cell.

        Raises:
            InputError: No such robot runs.
            LinkError: Nothing was received from the robots within ten seconds.
        """
        found = {one.name: one for one in self.now.robots}
        if robot not in found:
            raise InputError(f"no robot {robot!r} runs; running: {', '.join(found) or 'none'}")
        return found[robot]

    def joints(self) -> Joints:
        """Return where all arms are; waits for the first report.

        Raises:
            InputError: No robot runs.
            LinkError: Nothing was received from the robots within ten seconds.
        """
        if self.now.state in ("off", "failed"):
            raise InputError("no robot runs, so there are no joints; start them with robots.start()")

        def unpack() -> Joints | None:
            layout = () if self._operating is None else self._operating.layout
            return unpack_joints(self._frame, layout)

        return self._link.wait(unpack, 10.0)

    def samples(self, robot: str, most: int = MOST_SAMPLES) -> ClientSamples:
        """Return a stream of what a robot is sent and where it is measured, tick by tick, from now on.

        The robot samples only while somebody asks: use the stream as a context, or close it. Stamps are of the
        server's monotonic clock.

        Args:
            robot: Name of the robot in the cell.
            most: Ticks that are kept until they are read; a slow reader loses the oldest, and gets their count.

        Raises:
            InputError: No such robot runs, or `most` is not positive.
            LinkError: The server does not answer.
        """
        if most < 1:
            raise InputError(f"most is {most}; at least one tick must be kept")
        made = ClientSamples(most, self._link.wait, self._end_samples)
        self._samples = (*self._samples, (robot, made))
        try:
            self._watch_samples()
        except InputError:
            self._samples = tuple(one for one in self._samples if one[1] is not made)
            raise
        return made

    def _end_samples(self, ended: ClientSamples) -> None:
        self._samples = tuple(one for one in self._samples if one[1] is not ended)
        with suppress(InputError):  # Nothing runs any more.
            self._watch_samples()

    def _watch_samples(self) -> None:
        robots = tuple(dict.fromkeys(robot for robot, _ in self._samples))
        self._link.done(lambda number: WatchSamples(id=number, robots=robots))

    def start(self, addresses: dict[str, str] | None = None, within_s: float = 240.0) -> Operating:
        """Start all robots, and wait until they run.

        Args:
            addresses: Of real controllers, by robot; the others are virtual or kinematic. "kinematic" for a robot that
                is to have no virtual controller.
            within_s: How long to wait, seconds.

        Returns:
            How they are then.

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

    def wait_ready(self, robot: str, within_s: float = 45.0) -> None:
        """Wait until a robot would take a command to move.

        Args:
            robot: Name of the robot in the cell.
            within_s: How long to wait, seconds.

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

    def take_control(self, robot: str, *, take_over: bool = False) -> None:
        """Take control of a robot.

        Args:
            robot: Name of the robot in the cell.
            take_over: Whether to take it from its present holder; what moves is stopped first.

        Raises:
            InputError: The server refuses, as where somebody else has control; the message is its own.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: TakeControl(id=number, robot=robot, take_over=take_over))

    def request_control(self, robot: str) -> None:
        """Ask the holder of control of a robot to give it.

        Args:
            robot: Name of the robot in the cell.

        Raises:
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: ControlRequest(id=number, robot=robot))

    def give_control(self, robot: str, to: str = "") -> None:
        """Give control of a robot back, or to a client that asked.

        Args:
            robot: Name of the robot in the cell.
            to: The id of the client; empty: whoever takes it next.

        Raises:
            InputError: The server refuses; the message is its own.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: GiveControl(id=number, robot=robot, to=to))

    # Their earlier names, for one version.
    take = take_control
    ask_for = request_control
    give = give_control

    def has(self, robot: str) -> bool:
        """Return whether this client has control of a robot.

        Args:
            robot: Name of the robot in the cell.

        Raises:
            InputError: No such robot runs.
            LinkError: Nothing was received from the robots within ten seconds.
        """
        return self.status(robot).holder == self._me

    def stop(self) -> tuple[RobotStop, ...]:
        """Stop every robot; needs no control. Return what it did to each, once they rest.

        Raises:
            InputError: It has not reached every robot; says which and why.
        """
        return self._link.stop()

    def set_reduced(self, robot: str, *, reduced: bool) -> None:
        """Hold tool and elbow of a robot under 250 mm/s, or lift that; needs control of the robot.

        Args:
            robot: Name of the robot in the cell.
            reduced: True: hold; False: lift.

        Raises:
            InputError: The server refuses, as where somebody else has control; the message is its own.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: SetReduced(id=number, robot=robot, reduced=reduced))

    def switch(self, robot: str, signal: str, *, on: bool) -> None:
        """Set a digital output; needs control of the robot.

        Args:
            robot: Name of the robot in the cell.
            signal: Name of the output.
            on: True: high.

        Raises:
            InputError: The server refuses, as where somebody else has control; the message is its own.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: SwitchOutput(id=number, robot=robot, signal=signal, value=on))

    def set_tool(self, robot: str, opening_m: float = 0.0, arm: str = "arm", *, closes: bool | None = None) -> None:
        """Open or close an arm's tool: its fingers, and the outputs that the cell names for it.

        Args:
            robot: Name of the robot in the cell.
            opening_m: How far each finger opens, metres; 0 without fingers.
            arm: Name of the arm.
            closes: Whether it closes; None: where fingers go to less than half of their travel.

        Raises:
            InputError: The server refuses, as where somebody else has control; the message is its own.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: SetTool(id=number, robot=robot, arm=arm, opening_m=opening_m, closes=closes))

    def engage(self, robot: str, arm: str = "", *, needs_dead_man: bool = False) -> None:
        """Clutch in: from now on `intend` moves this arm, from where it is.

        Args:
            robot: Name of the robot in the cell.
            arm: Name of the arm; empty: the first.
            needs_dead_man: Whether intents count only while they say that the dead-man switch is held; real robots
                need that anyway.

        Raises:
            InputError: The server refuses, as where somebody else has control; the message is its own.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: Engage(id=number, robot=robot, arm=arm, needs_dead_man=needs_dead_man))

    def intend(self, robot: str, intent: Intent) -> None:
        """Send what the arm is to do now; repeat it at least ten times a second, or the arm stops.

        Args:
            robot: Name of the robot in the cell.
            intent: Joint, twist or pose command. Its stamp is when the sample was taken, of `time.monotonic_ns`; 0:
                now. What is older than 150 ms when it comes to the server is not obeyed.

        Raises:
            LinkError: The connection is closed, or the server does not take it in time.
        """
        if intent.stamp_ns == 0:
            intent = msgspec.structs.replace(intent, stamp_ns=time.monotonic_ns())
        self._link.send(Intend(robot=robot, intent=intent))

    def press(self, robot: str, button: str) -> None:
        """Press a button of a controller, as `RobotStatus.buttons` names it; needs control of the robot.

        Args:
            robot: Name of the robot in the cell.
            button: power_on, brake_release, unlock, continue, …

        Raises:
            InputError: There is no virtual controller or no such button, or somebody else has control.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: Press(id=number, robot=robot, button=button))

    def receive(self, message: FromRobots) -> None:
        """Take a message of the server about the robots; called by the project's reader.

        Args:
            message: State, events, or the reply to a stop.
        """
        match message:
            case Operating():
                self._operating = message
            case Events(events=events):
                known = self._events[-1].number if self._events else -1
                fresh = tuple(one for one in events if one.number > known)
                self._events = (*self._events, *fresh)[-MOST_EVENTS:]
            case RobotSamples(batch=batch):
                for robot, samples in self._samples:
                    if robot == batch.robot:
                        samples.put(batch)
            case Stopped(by=by):
                self._stopped = message if by == self._me else self._stopped
            case _:
                pass

    def receive_frame(self, data: bytes) -> None:
        """Take the newest joints; called by the project's reader.

        Args:
            data: Little-endian doubles, as described in `messages.operation`.
        """
        self._frame = data
