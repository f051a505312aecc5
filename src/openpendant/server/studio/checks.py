"""Checks: after every edit, the watched programs are checked again in another process; the newest state counts."""

import asyncio
import logging
import time
from collections.abc import Callable

import msgspec

from openpendant.errors import OpenPendantError
from openpendant.messages.project import Checked, Checking, FromServer
from openpendant.pool import WorkPool
from openpendant.programs import Program, Report, check_program
from openpendant.projects import OpenProject
from openpendant.said import say
from openpendant.scene import Cell

log = logging.getLogger("openpendant.server")
WAIT_S = 0.12
"""Edits that come faster, as while dragging, are checked once."""


class Checks:
    """The checks of one project. One at a time; a program that has not changed is not checked again."""

    def __init__(
        self,
        project: OpenProject,
        pool: WorkPool,
        publish: Callable[[str, FromServer], None],
        watched: Callable[[], tuple[str, ...]],
    ) -> None:
        """Begin; `watched` says which programs somebody wants to know about."""
        self._project = project
        self._pool = pool
        self._publish = publish
        self._watched = watched
        self._known: dict[str, tuple[object, Checked]] = {}
        self._awake = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._work())

    def wake(self) -> None:
        """Something has changed, or is watched again."""
        self._awake.set()

    def send_known(self, programs: tuple[str, ...], send: Callable[[FromServer], None]) -> None:
        """Send what is known of programs already."""
        for name in programs:
            if name in self._known:
                send(self._known[name][1])

    def close(self) -> None:
        """End; a check that is under way is of no interest any more."""
        self._task.cancel()

    async def _work(self) -> None:
        while True:
            await self._awake.wait()
            await asyncio.sleep(WAIT_S)
            self._awake.clear()
            for name in self._watched():
                if self._awake.is_set():
                    break
                await self._check(name)

    async def _check(self, name: str) -> None:
        shared = self._project.shared
        cell, programs, seq = shared.cell, shared.programs, shared.seq
        if name not in programs:
            self._known.pop(name, None)
            return
        # Documents never change, each edit makes another: the same objects mean the same answer.
        about = (cell, tuple(programs.items()))
        known = self._known.get(name)
        if known is not None and known[0] == about:
            if known[1].seq != seq:
                # As after an undo: the answer is the same, and holds for the project as it is now.
                again = msgspec.structs.replace(known[1], seq=seq)
                self._known[name] = (about, again)
                self._publish(name, again)
            return
        self._publish(name, Checking(program=name, seq=seq))
        began = time.monotonic()
        report: Report | None = None
        try:
            future = self._pool.submit(run_check, cell, programs[name], programs, str(self._project.folder))
            report = await asyncio.wrap_future(future)
            summary = report.summary
        except OpenPendantError as error:
            summary = error.said
        except Exception:
            # Whatever it was, the next edit is checked again.
            log.exception("could not check %s", name)
            summary = say("server.own_error")
        took = (time.monotonic() - began) * 1000.0
        found = Checked(program=name, seq=seq, report=report, summary=summary, took_ms=took)
        self._known[name] = (about, found)
        self._publish(name, found)


def run_check(cell: Cell, program: Program, programs: dict[str, Program], folder: str) -> Report:
    """Check a program, in whatever process."""
    return check_program(cell, program, programs=programs, folder=folder)
