"""ControlHandover: control passes between people; what moves stops before control is taken over or given up."""

from openpendant.messages.operation import ControlRequest, GiveControl, TakeControl
from openpendant.said import say

from .control import RobotControl
from .current_run import CurrentRun
from .event_log import EventLog
from .people import RoomPeople
from .started_cell import StartedCell
from .stop_control import StopControl


class ControlHandover:
    """Taking, giving and asking for control, and leaving with it."""

    def __init__(
        self,
        cell: StartedCell,
        control: RobotControl,
        runs: CurrentRun,
        stops: StopControl,
        people: RoomPeople,
        log: EventLog,
    ) -> None:
        """Hand over control of the robots that run in `cell`."""
        self._cell, self._control, self._runs = cell, control, runs
        self._stops, self._people, self._log = stops, people, log

    async def act(self, client: str, message: TakeControl | GiveControl | ControlRequest) -> None:
        """Do what a client wants with control of a robot.

        Raises:
            InputError: It cannot be done; one sentence for the person.
        """
        names, robot, log = self._people.names(), message.robot, self._log
        who = names.get(client, "")
        self._cell.robot(robot)
        match message:
            case TakeControl(take_over=take_over):
                lost = self._control.grant(robot, client, names, take_over=take_over)
                if lost:
                    await self._stops.stop(say("control.taken_over", name=who))
                else:
                    # Whoever had control may have left just now: that stop would make void what is requested next.
                    await self._stops.settle()
                log.note(who, "take over" if lost else "take control", robot, names.get(lost, ""))
            case GiveControl(to=to):
                self._control.hand_over(robot, client, to, names)
                used = robot in self._runs.robots or self._cell.moves(robot)
                if used and (not to or self._runs.pending is not None):
                    # A run continues under somebody who is there: not without a holder, and not before it has begun.
                    await self._stops.stop(say("control.given_away", name=who))
                log.note(who, "hand over" if to else "give control", robot, names.get(to, ""))
            case ControlRequest():
                self._control.note_request(robot, client)
                log.note(who, "ask control", robot)

    def leave(self, client: str, name: str) -> tuple[str, ...]:
        """A client has gone: what it had control of comes to rest; return these robots."""
        lost = self._control.leave(client)
        if lost or (self._runs.pending is not None and self._runs.client == client):
            self._stops.stop(say("control.left", name=name))
            for robot in lost:
                self._log.note(name, "leave", robot)
        return lost
