"""CellConnection: the robots of a project are connected, restarted after an edit of the cell, and disconnected."""

import asyncio
from collections.abc import Callable

from openpendant.errors import InputError
from openpendant.runtime import RunLife
from openpendant.said import say

from .control import RobotControl
from .current_run import CurrentRun
from .event_log import EventLog
from .people import RoomPeople
from .robot_watch import RobotWatch
from .started_cell import StartedCell
from .stop_control import StopControl


class CellConnection:
    """What starts and ends robots: one thing at a time, behind `turn`. Lives in the event loop."""

    def __init__(
        self,
        cell: StartedCell,
        control: RobotControl,
        runs: CurrentRun,
        stops: StopControl,
        watch: RobotWatch,
        people: RoomPeople,
        log: EventLog,
        publish: Callable[[], None],
    ) -> None:
        """Nothing runs yet."""
        self._cell, self._control, self._runs, self._stops = cell, control, runs, stops
        self._watch, self._people, self._log, self._publish = watch, people, log, publish
        self.turn = asyncio.Lock()
        """Held while robots start, restart or end; never while a program is checked."""

    async def connect(self, addresses: dict[str, str], who: str) -> None:
        """Start all robots; raises OpenPendantError where they run already or cannot be started."""
        async with self.turn:
            self._cell.check_startable()
            self._log.note(who, "connect", what=", ".join(f"{robot}: {at}" for robot, at in addresses.items()))
            await self._cell.start(addresses, look=True)
            self._started()

    async def disconnect(self) -> None:
        """End all robots, and whatever was under way with them."""
        why = say("connect.disconnected")
        self._stops.void(why)
        async with self.turn:
            await self._watch.end()
            self._control.clear()
            await self._cell.end()
            self._runs.end(why)
        self._publish()

    async def restart_if_edited(self, client: str, robots: tuple[str, ...], life: RunLife | None = None) -> None:
        """Restart the robots where the cell was edited since, for `robots`, that are to move. Only in its turn.

        Args:
            client: For whom.
            robots: That are to move.
            life: Of the run in which they are to; None: by hand.

        Raises:
            InputError: That would take another robot out of somebody's hands, or out of its run.
        """
        if not self._cell.is_stale():
            return
        self._check_unused(client, robots, life)
        await self._cell.restart()
        self._started()

    def _started(self) -> None:
        self._log.restart()
        self._watch.start()
        self._publish()

    def _check_unused(self, client: str, robots: tuple[str, ...], life: RunLife | None) -> None:
        """Refuse to restart all robots while another one is in use."""
        robot, under_way = robots[0], self._runs.under_way
        if under_way is not None and under_way is not life:
            raise InputError(say("run.restart_running", robot=robot, program=under_way.name))
        for other in self._cell.robots:
            holder = self._control.holder(other)
            if other in robots:
                continue
            if holder not in ("", client):
                name = self._people.name_or_somebody(holder)
                raise InputError(say("run.restart_held", robot=robot, name=name, other=other))
            if self._cell.moves(other):
                raise InputError(say("run.restart_moving", robot=robot, other=other))
