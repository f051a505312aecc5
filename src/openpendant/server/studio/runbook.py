"""RunBook: the present or last run of a project, from when somebody asks for it until it has ended."""

from dataclasses import dataclass

import msgspec

from openpendant.cell import ProgramRun
from openpendant.errors import InputError
from openpendant.projects.operate import PartPlace, Run, RunStatus
from openpendant.said import say
from openpendant.scene import Scene

from .diary import plain
from .reporting import parts_of

__all__ = ["Pending", "RunBook"]


@dataclass(frozen=True)
class Pending:
    """A run that somebody has asked for and that has not begun: it is checked, or robots restart for it."""

    program: str
    client: str
    """Who asked."""
    robots: tuple[str, ...]


class RunBook:
    """One run at a time: pending, active, or ended. Lives in the event loop alone."""

    def __init__(self) -> None:
        """Nothing was run yet."""
        self.pending: Pending | None = None
        self._run: ProgramRun | None = None
        self._robots: tuple[str, ...] = ()
        self._status: RunStatus | None = None
        self._why = ""
        self._parts: tuple[Scene | None, tuple[PartPlace, ...]] = (None, ())

    @property
    def active(self) -> ProgramRun | None:
        """The run, while it runs or is paused."""
        run = self._run
        return run if run is not None and run.status in ("running", "paused") else None

    @property
    def robots(self) -> tuple[str, ...]:
        """The robots of the run, while it is pending or active."""
        if self.pending is not None:
            return self.pending.robots
        return () if self.active is None else self._robots

    @property
    def moving(self) -> tuple[str, ...]:
        """The robots of the run while it runs; those of one that is pending or paused rest.

        Whoever leaves cancels a pending run too, but a page may draw no frame for a while as it begins.
        """
        run = self.active
        return () if run is None or run.status == "paused" else self.robots

    def ask(self, asked: Run, client: str, robots: tuple[str, ...]) -> None:
        """Note a run that somebody asks for.

        Raises:
            InputError: Another one is under way.
        """
        if self.active is not None:
            raise InputError(say("run.runs_already", program=self.active.program.name))
        self._run, self._why = None, ""
        self.pending = Pending(asked.program, client, robots)
        self._status = RunStatus(
            program=asked.program,
            mode=asked.mode,
            status="checking",
            message="",
            step=None,
            by=client,
            speed=1.0,
        )

    def begin(self, run: ProgramRun, robots: tuple[str, ...]) -> None:
        """Note that the run has begun."""
        self.pending, self._run, self._robots = None, run, robots

    def refuse(self, why: str, *, stopped: bool) -> None:
        """Note that the run that was asked for does not begin; why is kept where it was cancelled before."""
        if self.pending is not None:
            self._end("stopped" if stopped else "failed", why)

    def stop(self, why: str) -> str:
        """Note that everything is stopped, and why (empty: a person wants it); return the pending run's program."""
        pending = self.pending
        if self.active is not None:
            # The first reason is the reason; it may take some ticks until the run has ended.
            self._why = self._why or why
        if pending is None:
            return ""
        program = pending.program
        before = (
            say("run.before_began_why", program=program, why=why) if why else say("run.before_began", program=program)
        )
        self._end("stopped", before)
        return pending.program

    def set_speed(self, fraction: float) -> None:
        """Note another speed."""
        if self._status is not None:
            self._status = msgspec.structs.replace(self._status, speed=fraction)

    def forget(self) -> None:
        """The robots have gone, and the run with them; how it ended stays known."""
        self._run, self.pending = None, None

    def now(self) -> RunStatus | None:
        """Return how the present or last run stands."""
        run, known = self._run, self._status
        if run is None or known is None:
            return known
        message = self._why if run.status == "stopped" and self._why else plain(run.message)
        self._status = msgspec.structs.replace(known, status=run.status, message=message, said=None, step=run.step_id)
        return self._status

    def parts(self) -> tuple[PartPlace, ...]:
        """Return parts that are not where the cell says."""
        scene = None if self._run is None else self._run.scene
        if scene is not self._parts[0]:
            self._parts = (scene, parts_of(scene))
        return self._parts[1]

    def _end(self, status: str, message: str) -> None:
        self.pending = None
        if self._status is not None:
            self._status = msgspec.structs.replace(self._status, status=status, message=message, said=None)
