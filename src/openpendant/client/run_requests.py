"""RunRequests: runs of programs on the robots of an open project, as a client requests them."""

from collections.abc import Iterable
from typing import Literal

from openpendant.messages.operation import (
    Operating,
    Pause,
    ResetParts,
    Resume,
    ResumeStopped,
    Run,
    RunStatus,
    SetBreakpoints,
    SetSpeed,
    SingleStep,
)

from .project_link import ProjectLink

ENDED = ("done", "failed", "stopped")


class RunRequests:
    """Runs of programs; `ClientRobots` has them."""

    def __init__(self, link: ProjectLink) -> None:
        """Belong to an open project."""
        self._link = link
        self._operating: Operating | None = None

    def run(
        self,
        program: str,
        *,
        mode: Literal["streamed", "uploaded"] | None = None,
        reduced: bool | None = None,
        loop: bool = False,
        from_step: str = "",
        single: bool = False,
        breakpoints: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Start a program from where the arms stand; `wait_for_end` waits for it.

        Args:
            program: Name of the program.
            mode: 'streamed' from here, or 'uploaded' to the robot's own controller; None: streamed where all its robots
                take setpoints, else uploaded.
            reduced: Whether the tool stays under 250 mm/s; None: on robots with an address.
            loop: Whether it begins again when it ends.
            from_step: The id of the step to begin with, with parts as the last run has left them; empty: the first.
            single: Whether it pauses after one step.
            breakpoints: Steps before which it pauses, by program and id; only where it is streamed.

        Raises:
            InputError: The server refuses, as where the check is not clear; the message is its own.
            LinkError: The server does not answer.
        """
        pauses = tuple(breakpoints)
        self._link.done(
            lambda number: Run(
                id=number,
                program=program,
                mode=mode,
                reduced=reduced,
                loop=loop,
                from_step=from_step,
                single=single,
                breakpoints=pauses,
            )
        )

    def resume_stopped(self, *, breakpoints: Iterable[tuple[str, str]] = ()) -> None:
        """Run on where the last run was stopped, checked from where the arms stand; `RunStatus.resumes_at` is the step.

        Args:
            breakpoints: As for `run`.

        Raises:
            InputError: The server refuses, as where no run was stopped; the message is its own.
            LinkError: The server does not answer.
        """
        pauses = tuple(breakpoints)
        self._link.done(lambda number: ResumeStopped(id=number, breakpoints=pauses))

    def set_breakpoints(self, breakpoints: Iterable[tuple[str, str]]) -> None:
        """Have the run pause before these steps, and before no others.

        Args:
            breakpoints: As for `run`.

        Raises:
            InputError: The server refuses, as where the run is not streamed; the message is its own.
            LinkError: The server does not answer.
        """
        pauses = tuple(breakpoints)
        self._link.done(lambda number: SetBreakpoints(id=number, breakpoints=pauses))

    def reset_parts(self) -> None:
        """Count all parts as being back where the cell says, out of every hand; nothing moves.

        Raises:
            InputError: The server refuses, as while a program runs; the message is its own.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: ResetParts(id=number))

    def step(self) -> None:
        """Make one step of the run, and pause."""
        self._link.done(lambda number: SingleStep(id=number))

    def wait_for_end(self, within_s: float = 600.0) -> RunStatus:
        """Wait until the run has ended, and return how.

        Args:
            within_s: How long to wait, seconds.

        Raises:
            LinkError: It has not ended in time, or the server has gone.
        """

        def ended() -> RunStatus | None:
            run = None if self._operating is None else self._operating.run
            return run if run is not None and run.status in ENDED else None

        return self._link.wait(ended, within_s)

    def pause(self) -> None:
        """Come to rest on the path."""
        self._link.done(lambda number: Pause(id=number))

    def resume(self) -> None:
        """Resume after a pause."""
        self._link.done(lambda number: Resume(id=number))

    def set_speed(self, fraction: float) -> None:
        """Set the override of all speeds of the run.

        Args:
            fraction: Share of the programmed speeds, 0.01 to 1.

        Raises:
            InputError: The fraction is out of range, no streamed run is under way, or somebody else has control.
            LinkError: The server does not answer.
        """
        self._link.done(lambda number: SetSpeed(id=number, fraction=fraction))
