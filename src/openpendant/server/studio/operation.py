"""Operation: the robots of one open project that run; who of the people has control; runs, jogging, stops.

Everything that waits for a robot happens in threads; the event loop only passes messages. A stop waits for nothing
else that is under way, and makes void what was asked for before it. Nothing moves without somebody who has control
and shows that they are there.
"""

import time
from collections.abc import Callable

import msgspec

from openpendant.messages.operation import (
    Connect,
    ControlRequest,
    Disconnect,
    Events,
    FromOperator,
    GiveControl,
    Intend,
    Operating,
    PartPlace,
    Pause,
    Probe,
    ProbeReply,
    ResetParts,
    Resume,
    ResumeStopped,
    Run,
    SetBreakpoints,
    SetSpeed,
    SingleStep,
    Stop,
    TakeControl,
    WatchSamples,
)
from openpendant.pool import WorkPool
from openpendant.projects import OpenProject
from openpendant.runtime import CellRuntime
from openpendant.scene import Scene
from openpendant.stop_service import LineAddress

from .cell_connection import CellConnection
from .control import RobotControl
from .current_run import CurrentRun
from .event_log import EventLog
from .handover import ControlHandover
from .people import RoomPeople
from .presence import Presence
from .robot_actions import RobotActions
from .robot_status import layout_of, parts_of, status_of
from .robot_watch import RobotWatch
from .run_control import RunControl
from .sample_relay import SampleRelay
from .started_cell import StartedCell
from .stop_control import StopControl, StopMark


class Operation:
    """The running robots of one project."""

    def __init__(
        self,
        project: OpenProject,
        people: RoomPeople,
        pool: WorkPool,
        alive_ns: Callable[[], int],
        stop_line: Callable[[], LineAddress | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing runs yet.

        Args:
            project: Whose robots these are.
            people: In its room.
            pool: Where programs are checked before they run.
            alive_ns: Returns when this server was last seen alive, monotonic nanoseconds; else its robots stop.
            stop_line: Returns how robots reach the stop service; None: there is none.
            clock: Returns the monotonic time, seconds.
        """
        publish = self._publish
        self._people = people
        self._control = control = RobotControl()
        self._runs = runs = CurrentRun(clock)
        self._presence = presence = Presence(clock)
        self._log = log = EventLog(people.publish)
        self._cell = cell = StartedCell(project, pool, publish, alive_ns, stop_line)
        self._stops = stops = StopControl(cell, runs, people, log, publish, clock)
        watch = RobotWatch(cell, control, runs, stops, presence, people, log, publish, clock)
        self._connection = connection = CellConnection(cell, control, runs, stops, watch, people, log, publish)
        self._handover = ControlHandover(cell, control, runs, stops, people, log)
        self._actions = RobotActions(cell, connection, control, runs, stops, people, log)
        self._run_control = RunControl(
            project, cell, connection, control, runs, stops, presence, people, log, publish, clock
        )
        self._samples = SampleRelay(cell, people.sample)
        watch.after_watch = self._after_watch
        self._told: Operating | None = None
        self._placed: tuple[Scene | None, tuple[PartPlace, ...]] = (None, ())

    def _parts(self, runtime: CellRuntime) -> tuple[PartPlace, ...]:
        """Return parts that are not where the cell says."""
        scene = runtime.left
        if scene is not self._placed[0]:
            self._placed = (scene, parts_of(scene))
        return self._placed[1]

    def _after_watch(self) -> None:
        """Do what follows every look at the robots."""
        self._run_control.void_if_stopped()
        self._samples.follow()

    def now(self) -> Operating:
        """Return everything about the robots."""
        cell = self._cell
        runtime = cell.on
        return Operating(
            state=cell.state,
            message=cell.message,
            robots=()
            if runtime is None
            else tuple(status_of(runtime, name, cell.addresses, self._control) for name in runtime.robots),
            run=self._runs.now(),
            layout=() if runtime is None else layout_of(runtime),
            stale=cell.is_stale(),
            parts=() if runtime is None else self._parts(runtime),
        )

    def log(self) -> Events:
        """Return what has happened lately."""
        return self._log.events()

    def holds(self, client: str) -> bool:
        """Return whether a client has control of a robot."""
        return self._control.holds(client)

    def mark(self) -> StopMark:
        """Return what goes with something that somebody requests now."""
        return self._stops.mark()

    async def act(self, client: str, message: FromOperator, mark: StopMark) -> ProbeReply | None:
        """Do what a client asks for; return the answer where there is more to say than that it is done.

        Raises:
            OpenPendantError: It cannot be done; one sentence for the person.
        """
        who, reply = self._people.name(client), None
        match message:
            case Stop(id=number, press=press):
                return await self._stops.stop_by(client, number, press)
            case Probe():
                reply = await self._cell.probe(message)
            case WatchSamples(robots=robots):
                self._samples.watch(client, robots)
            case Connect(addresses=addresses):
                await self._connection.connect(dict(addresses), who)
            case Disconnect():
                self._log.note(who, "disconnect")
                await self._connection.disconnect()
            case TakeControl() | GiveControl() | ControlRequest():
                await self._handover.act(client, message)
            case Run():
                await self._run_control.start(client, message, mark)
            case ResumeStopped():
                await self._run_control.resume_stopped(client, message, mark)
            case ResetParts():
                await self._run_control.reset_parts(client)
            case Pause() | Resume() | SingleStep() | SetSpeed() | SetBreakpoints():
                await self._run_control.change(client, message, mark)
            case _:
                await self._actions.act(client, message, mark)
        self._publish()
        return reply

    def intend(self, client: str, message: Intend, sampled_ns: int) -> None:
        """Pass on what a person wants an arm to do now; silently nothing where they have no control.

        Args:
            client: Whose it is.
            message: What is wanted.
            sampled_ns: When the sample was taken, on our monotonic clock, which the robots' processes share.
        """
        runtime = self._cell.on
        if runtime is None or self._control.holder(message.robot) != client:
            return
        robot = runtime.robot(message.robot)
        robot.intend(msgspec.structs.replace(message.intent, source=robot.client_id, stamp_ns=sampled_ns))

    def present(self, client: str, at_ns: int) -> None:
        """A client was there at a time of our monotonic clock."""
        self._presence.note(client, at_ns * 1e-9)

    def leave(self, client: str, name: str) -> tuple[str, ...]:
        """A client has gone: what it had control of comes to rest; return these robots."""
        self._presence.forget(client)
        self._samples.leave(client)
        lost = self._handover.leave(client, name)
        self._publish()
        return lost

    async def close(self) -> None:
        """End everything."""
        await self._connection.disconnect()
        self._cell.close()
        self._stops.close()

    def _publish(self) -> None:
        now = self.now()
        if now != self._told:
            self._told = now
            self._people.publish(now)
