"""ScriptIntake: programs as they arrive on ports 30001, 30002 and 30003."""

from collections import deque

from openpendant.protocols.ur_primary import ScriptSplitter
from openpendant.virtual.ur.script_job import ScriptJob
from openpendant.virtual.wire import Link

from .host_port import ControllerHost

LARGE = 32_000
"""Characters; a longer script is compiled beside the controller's ticks. ur_rtde's control script is shorter."""


class ScriptIntake:
    """One connection's scripts: cut from the stream and run, one after the other."""

    def __init__(self, box: ControllerHost) -> None:
        """Run them on the brain of `box`."""
        self._box = box
        self._brain = box.brain
        self._splitter = ScriptSplitter()
        self._waiting: deque[str] = deque()
        self._job: ScriptJob | None = None

    @property
    def idle(self) -> bool:
        """Whether all that came has been run."""
        return not self._waiting

    def feed(self, link: Link, data: bytes) -> None:
        """Run every script that is complete now."""
        self._waiting.extend(self._splitter.feed(data))
        self.poll()
        if self._splitter.fault is not None:
            link.close()

    def poll(self) -> None:
        """Run what is ready; at every tick while it is not idle."""
        brain = self._brain
        while self._waiting:
            if brain is not self._box.brain:
                self.drop()
                return
            if len(self._waiting[0]) <= LARGE:
                brain.run_script(self._waiting.popleft())
                continue
            if self._job is None:
                self._job = ScriptJob(self._waiting[0], brain.functions)
            made = self._job.poll()
            if made is None:
                return
            self._job = None
            self._waiting.popleft()
            brain.run_program(made)

    def drop(self) -> None:
        """Forget what has not been run."""
        self._waiting.clear()
        if self._job is not None:
            self._job.close()
            self._job = None


class ScriptIntakes:
    """The scripts of all connections of a port; those of a client that is gone are still run."""

    def __init__(self, box: ControllerHost) -> None:
        """Run them on the brain of `box`."""
        self._box = box
        self._open: dict[Link, ScriptIntake] = {}
        self._left: list[ScriptIntake] = []

    def opened(self, link: Link) -> None:
        """A client is there."""
        self._open[link] = ScriptIntake(self._box)

    def received(self, link: Link, data: bytes) -> None:
        """Run scripts that are complete."""
        self._open[link].feed(link, data)

    def closed(self, link: Link) -> None:
        """The client is gone; what it sent is run."""
        intake = self._open.pop(link, None)
        if intake is not None and not intake.idle:
            self._left.append(intake)

    def poll(self) -> None:
        """Run what has become ready."""
        for intake in (*self._open.values(), *self._left):
            if not intake.idle:
                intake.poll()
        if self._left:
            self._left = [intake for intake in self._left if not intake.idle]

    def close(self) -> None:
        """Forget all that has not been run."""
        for intake in (*self._open.values(), *self._left):
            intake.drop()
        self._left.clear()
