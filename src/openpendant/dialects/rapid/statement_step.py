"""StatementStep: where a task is within the one statement that it is to make."""

from dataclasses import dataclass

from .running_task import RunningTask


@dataclass(eq=False)
class StatementStep:
    """One statement of a task.

    Attributes:
        into: Whether a routine that is called is stepped through, too; else the whole call is one statement.
        depth: Calls inside each other at its beginning.
        begun: Whether the task has come to it: what a routine does before its first statement does not count as a step.
    """

    into: bool
    depth: int
    begun: bool = False

    def update(self, task: RunningTask) -> None:
        """See whether the task stands at the statement, before each of its instructions."""
        frame = task.frames[-1] if task.frames else None
        self.begun = self.begun or (frame is not None and frame.pointer >= frame.routine.prologue)

    def done(self, task: RunningTask) -> bool:
        """Return whether the task, which has made an instruction since, stands at the beginning of a statement."""
        if not task.frames:
            return True
        if not self.begun:
            return False
        frame = task.frames[-1]
        deeper = len(task.frames) > self.depth and not self.into
        # A trap does not belong to the routine that it interrupts.
        if frame.waiting is not None or deeper or any(one.trap for one in task.frames):
            return False
        return frame.pointer >= frame.routine.prologue and frame.routine.starts[frame.pointer] == frame.pointer
