"""SampleRelay: passes the samples of running robots on to the clients that request them."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from openpendant.messages.operation import RobotSamples
from openpendant.runtime import CellRuntime, SampleStream

from .started_cell import StartedCell

KEPT_TICKS = 2000


class SampleRelay:
    """The samples of one project's robots. Lives in the event loop."""

    def __init__(self, cell: StartedCell, send: Callable[[str, RobotSamples], bool]) -> None:
        """Begin without readers.

        Args:
            cell: What runs.
            send: Sends samples to a client; returns False where it has gone or has not answered for a while.
        """
        self._cell, self._send = cell, send
        self._asked: dict[str, frozenset[str]] = {}
        self._streams: dict[str, SampleStream] = {}
        self._runtime: CellRuntime | None = None
        self._closing: set[asyncio.Task[None]] = set()

    def watch(self, client: str, robots: tuple[str, ...]) -> None:
        """Send a client the samples of these robots from now on, and of no others.

        Raises:
            InputError: Nothing runs.
            UnknownNameError: No such robot runs.
        """
        for robot in robots:
            self._cell.robot(robot)
        self._asked[client] = frozenset(robots)
        self.follow()

    def leave(self, client: str) -> None:
        """Send a client nothing more."""
        if self._asked.pop(client, None) is not None:
            self.follow()

    def follow(self) -> None:
        """Read what is asked for, of what runs now: robots may have been started again."""
        runtime = self._cell.on
        if runtime is not self._runtime:
            self._runtime, streams, self._streams = runtime, self._streams, {}
            for stream in streams.values():
                self._close(stream)
        wanted = frozenset[str]().union(*self._asked.values()) if self._asked else frozenset[str]()
        for robot in tuple(self._streams.keys() - wanted):
            self._close(self._streams.pop(robot))
        if runtime is None:
            return
        loop = asyncio.get_running_loop()
        for robot in wanted & set(runtime.robots) - self._streams.keys():
            heard = partial(self._rouse, loop, robot)
            self._streams[robot] = runtime.link.samples(robot, KEPT_TICKS, heard)

    def _rouse(self, loop: asyncio.AbstractEventLoop, robot: str) -> None:
        """Called in a thread of the bus when samples have come."""
        with suppress(RuntimeError):  # The server ends.
            loop.call_soon_threadsafe(self._pass_on, robot)

    def _pass_on(self, robot: str) -> None:
        stream = self._streams.get(robot)
        if stream is None:
            return
        for batch in stream.read(0.0).batches:
            message = RobotSamples(batch=batch)
            for client, robots in tuple(self._asked.items()):
                if robot in robots and not self._send(client, message):
                    self.leave(client)

    def _close(self, stream: SampleStream) -> None:
        """Close a stream in a thread: it may have to wait for the bus."""
        task = asyncio.get_running_loop().create_task(self._cell.in_thread(stream.close))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
