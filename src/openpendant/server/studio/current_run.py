"""CurrentRun: the present or last run of a project, from when somebody asks for it until it has ended."""

import time
from collections.abc import Callable
from typing import Literal

import msgspec

from openpendant.errors import InputError
from openpendant.messages.operation import Run, RunStatus
from openpendant.runtime import ProgramRun, RunLife, RunState
from openpendant.said import say

from .event_log import without_sender

STATUS: dict[RunState, Literal["checking", "running", "paused", "done", "failed", "stopped"]] = {
    "asked": "checking",
    "checking": "checking",
    "starting": "checking",
    "running": "running",
    "paused": "paused",
    "stopping": "running",
    "done": "done",
    "failed": "failed",
    "stopped": "stopped",
}
"""The run status that people see for each state."""
VARIABLES_S = 0.25
"""Between two reports of the variables of a run."""


class CurrentRun:
    """One run at a time, with one life. Lives in the event loop; robots and workers change the life from threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing was run yet; `clock` returns the monotonic time, seconds."""
        self._clock = clock
        self.client = ""
        """Who asked for it."""
        self._life: RunLife | None = None
        self._run: ProgramRun | None = None
        self._robots: tuple[str, ...] = ()
        self._attended = False
        self._status: RunStatus | None = None
        self._asked: Run | None = None
        self._before: tuple[Run, ProgramRun] | None = None
        """The run before this one that has begun."""
        self._shown_s = float("-inf")
        """When variables were reported last."""

    @property
    def under_way(self) -> RunLife | None:
        """The run, from when it is asked for until it has ended."""
        return None if self._life is None or self._life.over else self._life

    @property
    def pending(self) -> RunLife | None:
        """The run, while it has not begun: robots restart for it, it is checked, or it starts."""
        return self._life if self._life is not None and self._life.pending else None

    @property
    def active(self) -> ProgramRun | None:
        """The run, once it has begun and until it has ended."""
        return None if self.under_way is None or self.pending is not None else self._run

    @property
    def interrupted(self) -> tuple[Run, ProgramRun] | None:
        """The last run that has begun, and how it was asked for, where it was stopped before its end."""
        if self.under_way is not None:
            return None
        last = self._last
        return last if last is not None and last[1].interrupted is not None and last[1].interrupted.at_rest else None

    @property
    def _last(self) -> tuple[Run, ProgramRun] | None:
        """The last run that has begun: one that was refused changes nothing."""
        run, asked = self._run, self._asked
        return (asked, run) if run is not None and asked is not None and run.begun else self._before

    @property
    def robots(self) -> tuple[str, ...]:
        """The robots of the run, while it is under way."""
        return () if self.under_way is None else self._robots

    @property
    def moving(self) -> tuple[str, ...]:
        """The robots of the run, from just before its first command until it has ended; those of a paused one rest.

        A page may draw no frame for a while before that: it must be present when the robots get the command.
        """
        life = self.under_way
        if life is None or life.state == "paused" or (life.pending and not self._attended):
            return ()
        return self._robots

    def begin(self, asked: Run, client: str, robots: tuple[str, ...]) -> RunLife:
        """Begin the life of a run that somebody asks for.

        Raises:
            InputError: Another one is under way.
        """
        if self.under_way is not None:
            raise InputError(say("run.runs_already", program=self.under_way.name))
        self._before = self._last
        self._life, self._run, self._asked = RunLife(asked.program), None, asked
        self.client, self._robots, self._attended = client, robots, False
        self._status = RunStatus(
            program=asked.program,
            mode=asked.mode or "streamed",
            status="checking",
            message="",
            step=None,
            by=client,
            speed=1.0,
        )
        return self._life

    def prepared(self, run: ProgramRun) -> None:
        """Note what the robots are to run."""
        if run.life is self._life:
            self._run = run

    def attended(self, life: RunLife) -> None:
        """The client that requested it is present, and the robots are about to get their commands."""
        self._attended = self._attended or life is self._life

    def stop(self, why: str) -> str:
        """Note that everything is stopped, and why (empty: a person wants it); return the program of a pending run."""
        life, pending = self._life, self.pending
        if life is not None:
            life.stop(why)
        return pending.name if pending is not None and pending.over else ""

    def set_speed(self, fraction: float) -> None:
        """Note another speed."""
        if self._status is not None:
            self._status = msgspec.structs.replace(self._status, speed=fraction)

    def end(self, why: str) -> None:
        """The robots have gone, and the run with them; how it ended stays known."""
        if self._life is not None:
            self._life.end("stopped", why)
        self._run = self._before = None

    def now(self) -> RunStatus | None:
        """Return how the present or last run stands."""
        run, life, known = self._run, self._life, self._status
        if life is None or known is None:
            return known
        state, message = life.now
        resumes = self.interrupted
        place = None if resumes is None or resumes[1].interrupted is None else resumes[1].interrupted.place
        self._status = msgspec.structs.replace(
            known,
            mode=known.mode if run is None else run.mode,
            status=STATUS[state],
            message=without_sender(message),
            said=None,
            step=known.step if run is None else run.step_id,
            step_in="" if run is None or run.step_in == known.program else run.step_in,
            variables=self._variables(known, run, moves=state == "running"),
            resumes_at="" if place is None else place.step,
            resumes_in="" if place is None else place.program,
        )
        return self._status

    def _variables(self, known: RunStatus, run: ProgramRun | None, *, moves: bool) -> dict[str, float]:
        """Return the variables to report: while the run moves on, at most a few times a second."""
        now = {} if run is None else dict(run.variables)
        if now == known.variables or (moves and self._clock() < self._shown_s + VARIABLES_S):
            return known.variables
        self._shown_s = self._clock()
        return now
