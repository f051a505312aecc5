"""Lines from a device to one arm: of a cell that this process runs, or of a studio."""

import time
from typing import TYPE_CHECKING

import msgspec

from openpendant.messages import Intent
from openpendant.said import say

if TYPE_CHECKING:
    from openpendant.client import ClientProject
    from openpendant.runtime import RemoteRobot

OVER = ("stopped", "held", "failed", "done")
"""Outcomes after which the switch has to be pressed again."""
ENDS = ("held", "job held", "job failed")
"""Events of a studio that say the same."""


class CellLine:
    """To an arm of a cell of this process."""

    def __init__(self, robot: "RemoteRobot", arm: str) -> None:
        """Belong to one arm.

        Args:
            robot: Of a running cell.
            arm: Its name; empty: the first.
        """
        self.robot, self.arm = robot, robot.placed(arm).arm
        self._job = ""

    def now_ns(self) -> int:
        """Return the time of the robot's client."""
        return self.robot.now_ns()

    def why_not(self) -> str:
        """Return why the robot would not take a command; empty: it would."""
        state = self.robot.state
        if not state.capabilities.servo:
            return say("robot.no_servo", robot=self.robot.name)
        return "" if state.ready else state.reason

    def engage(self) -> None:
        """Clutch in, with a dead-man switch.

        Raises:
            OpenPendantError: The robot refuses; says why.
        """
        self._job = self.robot.engage(self.arm, needs_dead_man=True)

    def intend(self, intent: Intent) -> None:
        """Send what the arm is to do now.

        Args:
            intent: Its source and arm are filled in here.
        """
        self.robot.intend(msgspec.structs.replace(intent, source=self.robot.client_id, arm=self.arm))

    def ended(self) -> str | None:
        """Return why the robot has ended the motion; None: it has not."""
        outcome, reason = self.robot.outcome(self._job, self.arm)
        return reason if outcome in OVER else None

    def store(self) -> str:
        """Return the joints: a cell of this process has no project to store a point in."""
        q = self.robot.q(self.arm)
        return "joints " + " ".join(f"{value:.4f}" for value in q.tolist()) + " rad"

    def close(self) -> None:
        """Stop the robot."""
        self.robot.stop()


class StudioLine:
    """To an arm of a studio's open project, as a person in it."""

    def __init__(self, project: "ClientProject", robot: str, arm: str) -> None:
        """Belong to one arm.

        Args:
            project: Open; its robots run.
            robot: Name of the robot in the cell.
            arm: Its name; empty: the first.
        """
        self.project, self.robot, self.arm = project, robot, arm
        self._seen = -1

    def now_ns(self) -> int:
        """Return the time of this process; the server knows how it differs from its own."""
        return time.monotonic_ns()

    def why_not(self) -> str:
        """Return why the robot would not take a command; empty: it would."""
        status = self.project.robots.status(self.robot)
        if not status.capabilities.servo:
            return say("robot.no_servo", robot=self.robot)
        return "" if status.ready else status.reason

    def engage(self) -> None:
        """Clutch in, with a dead-man switch.

        Raises:
            InputError: The server refuses, as where somebody else has control.
            LinkError: The server does not answer.
        """
        events = self.project.robots.events
        self._seen = events[-1].number if events else -1
        self.project.robots.engage(self.robot, self.arm, needs_dead_man=True)

    def intend(self, intent: Intent) -> None:
        """Send what the arm is to do now.

        Args:
            intent: Its arm is filled in here, its source by the server.
        """
        self.project.robots.intend(self.robot, msgspec.structs.replace(intent, arm=self.arm))

    def ended(self) -> str | None:
        """Return why the robot has ended the motion; None: it has not."""
        for event in reversed(self.project.robots.events):
            if event.number <= self._seen:
                return None
            if event.robot == self.robot and event.kind in ENDS:
                return event.message
        return None

    def store(self) -> str:
        """Store where the arm is as a point of the project; return its name."""
        taken = {point.name for point in self.project.cell.points}
        name = next(f"point {number}" for number in range(1, len(taken) + 2) if f"point {number}" not in taken)
        self.project.teach(name, self.robot, arm=self.arm)
        return name

    def close(self) -> None:
        """Give control back: what still moves is stopped with it."""
        if self.project.robots.has(self.robot):
            self.project.robots.give(self.robot)
