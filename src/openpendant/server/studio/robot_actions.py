"""RobotActions: what the holder of control does with one robot by hand: outputs, tool, jogging, buttons."""

from openpendant.errors import InputError
from openpendant.messages.operation import Engage, FromOperator, Press, SetReduced, SetTool, SwitchOutput
from openpendant.runtime import CellRuntime
from openpendant.said import say

from .cell_connection import CellConnection
from .control import RobotControl
from .current_run import CurrentRun
from .event_log import EventLog
from .people import RoomPeople
from .robot_status import status_of, title_of
from .started_cell import StartedCell, leased
from .stop_control import StopControl, StopMark


class RobotActions:
    """Single robots of one project, by hand."""

    def __init__(
        self,
        cell: StartedCell,
        connection: CellConnection,
        control: RobotControl,
        runs: CurrentRun,
        stops: StopControl,
        people: RoomPeople,
        log: EventLog,
    ) -> None:
        """Act on the robots that run in `cell`."""
        self._cell, self._connection, self._control, self._runs = cell, connection, control, runs
        self._stops, self._people, self._log = stops, people, log

    async def act(self, client: str, message: FromOperator, mark: StopMark) -> None:
        """Do what a client wants of a robot.

        Raises:
            OpenPendantError: It cannot be done; one sentence for the person.
        """
        who, log, in_thread = self._people.name(client), self._log, self._cell.in_thread
        match message:
            case SwitchOutput(robot=robot, signal=signal, value=value):
                runtime = self._claim(client, robot)
                since = self._stops.since(robot, mark)[1]
                await in_thread(lambda: leased(runtime, robot).set_output(signal, value, since=since))
                log.note(who, "switch on" if value else "switch off", robot, signal)
            case SetTool(robot=robot, arm=arm, opening_m=opening, closes=closes):
                runtime = self._claim(client, robot)
                since = self._stops.since(robot, mark)[1]
                await in_thread(lambda: leased(runtime, robot).move_tool(opening, arm, closes=closes, since=since))
                log.note(who, "tool", robot, f"{1000.0 * opening:.1f} mm")
            case SetReduced(robot=robot, reduced=reduced):
                runtime = self._claim(client, robot)
                since = self._stops.since(robot, mark)[1]
                await in_thread(lambda: leased(runtime, robot).set_reduced(reduced, since=since))
                log.note(who, "reduce" if reduced else "lift reduced", robot)
            case Engage():
                await self._engage(client, message, mark)
                log.note(who, "jog", message.robot, message.arm)
            case Press(robot=robot, button=button):
                runtime = self._claim(client, robot)
                title = title_of(status_of(runtime, robot, self._cell.addresses, self._control), button)
                await in_thread(lambda: runtime.press(robot, button))
                log.note(who, "press", robot, title)
            case _:
                raise InputError(f"{type(message).__name__} is not a message to a robot")

    async def _engage(self, client: str, message: Engage, mark: StopMark) -> None:
        robot = message.robot
        self._claim(client, robot)
        pending = self._runs.pending
        if pending is not None and robot in self._runs.robots:
            raise InputError(say("run.runs_already", program=pending.name))
        async with self._connection.turn:
            self._stops.refuse_void(mark)
            await self._connection.restart_if_edited(client, (robot,))
        self._stops.refuse_void(mark)
        runtime, since = self._stops.since(robot, mark)
        needs = message.needs_dead_man
        await self._cell.in_thread(lambda: runtime.robot(robot).engage(message.arm, needs_dead_man=needs, since=since))

    def _claim(self, client: str, robot: str) -> CellRuntime:
        """Give a client control of a free robot, and return what runs; raises if another client has it."""
        runtime = self._cell.robot(robot)
        self._control.claim(robot, client, self._people.names())
        return runtime
