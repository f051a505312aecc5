"""JogSession: keys that move one arm of a running robot. No terminal here: keys in, intents to the robot out."""

from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING

from openpendant.errors import OpenPendantError

from .jog_keys import JogKeys

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from openpendant.messages import bus
    from openpendant.runtime import RemoteRobot

OVER = ("stopped", "held", "failed", "done")
"""Outcomes after which a key has to be pressed again."""


class JogSession:
    """Engages the arm when a key is pressed, sends an intent with every `step`, and lets go with the key."""

    def __init__(self, robot: "RemoteRobot", arm: str, waiter: Executor, *, joints: bool) -> None:
        """Begin with no key held.

        Args:
            robot: Of a running cell; it is known where its joints are.
            arm: Its name; empty: the first.
            waiter: Where the robot is waited for while it engages, so that keys are read meanwhile.
            joints: Whether keys move joints at first, instead of the tool.
        """
        from openpendant.motion import joint_limits

        self.robot, self.placed = robot, robot.placed(arm)
        self.arm = self.placed.arm
        dof = self.placed.kinematics.dof
        self.keys = JogKeys(dof, "joints" if joints else "tool", source=robot.client_id, arm=self.arm)
        self.job = ""
        """Of the arm that follows the keys now; empty: it follows none."""
        self.ended = ""
        """Why the arm has stopped following, or does not begin; empty: it may."""
        self._top = tuple(float(v) for v in joint_limits(self.placed.model, self.arm).velocity)
        self._waiter, self._report = waiter, robot.state.arms[self.arm]
        self._engaging: Future[str] | None = None
        self._bar = False

    @property
    def report(self) -> "bus.ArmReport":
        """How the arm is now; as it was last, while its process restarts."""
        arms = self.robot.state.arms
        self._report = arms.get(self.arm, self._report)
        return self._report

    @property
    def moving(self) -> bool:
        """Whether the arm moves, or is about to."""
        return self._engaging is not None or self.report.moving

    @property
    def why(self) -> tuple[str, ...]:
        """Why the arm does not do all that the keys ask."""
        return (self.ended,) if self.ended else self.report.limited_by

    @property
    def T_base_tool(self) -> "NDArray[np.float64]":
        """(4, 4): the tool as measured, metres."""
        return self.placed.kinematics.fk(self.report.q, check_limits=False) @ self.placed.T_flange_tcp

    def step(self) -> None:
        """Send what the keys ask for now; to be called every few hundredths of a second.

        Raises:
            BusError: Nothing can be sent.
        """
        held = self.keys.held(self.robot.now_ns())
        if self.keys.stop_wanted():
            self.stop()
            return
        self._check_engaged()
        if self.job:
            self._follow(held)
        elif not held:
            self._bar = False
        elif self._engaging is None and not self._bar:
            self._engage()

    def stop(self) -> None:
        """Stop the robot; a key has to be pressed again."""
        outcome = self.robot.stop()
        self.job, self._bar = "", True
        self.ended = "" if outcome.reached else outcome.reason

    def _engage(self) -> None:
        state = self.robot.state
        if not state.ready:
            self._end(f"the robot cannot move: {state.reason}")
            return
        self.ended = ""
        self._engaging = self._waiter.submit(self.robot.engage, self.arm, needs_dead_man=True)

    def _check_engaged(self) -> None:
        """Take the answer to a request to engage, once it is there."""
        if self._engaging is None or not self._engaging.done():
            return
        engaged, self._engaging = self._engaging, None
        try:
            self.job = engaged.result()
        except OpenPendantError as error:
            self._end(error.said)

    def _follow(self, held: bool) -> None:
        outcome, reason = self.robot.outcome(self.job, self.arm)
        if outcome in OVER:
            self._end("" if outcome == "done" else f"{outcome}: {reason}")
            return
        self.robot.intend(self.keys.intent(self.robot.now_ns(), self._top))
        if not held:
            self.job = ""

    def _end(self, reason: str) -> None:
        self.job, self.ended, self._bar = "", reason, True
