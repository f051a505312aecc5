"""RobotCommands: a robot of a running cell: its state, who controls it, and every command but moves."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import ControllerError, InputError
from openpendant.messages import bus, decode_said
from openpendant.messages.sample_buffer import MOST_SAMPLES
from openpendant.said import say
from openpendant.scene import PlacedArm, Scene

from .bus import BusError
from .bus_codec import encode_scene
from .link import CellLink
from .sample_stream import SampleStream
from .stops import StopCounts, StopOutcome

Array = NDArray[np.float64]

READY_S = 60.0


class RobotCommands:
    """One robot of a cell. Calls block; they may come from any thread. `RemoteRobot` adds what moves its arms."""

    def __init__(self, name: str, scene: Scene, link: CellLink) -> None:
        """Made by `CellRuntime.robot`.

        Args:
            name: In the cell.
            scene: Of the cell.
            link: To the bus.
        """
        self.name = name
        self._scene, self._link = scene, link

    @property
    def _arms(self) -> list[PlacedArm]:
        return [arm for arm in self._scene.arms.values() if arm.robot == self.name]

    def placed(self, arm: str = "") -> PlacedArm:
        """Return an arm with its place in the cell.

        Args:
            arm: Name of the arm; empty: the first.

        Raises:
            InputError: The robot has no such arm.
        """
        found = next((one for one in self._arms if arm in ("", one.arm)), None)
        if found is None:
            known = ", ".join(one.arm for one in self._arms)
            raise InputError(say("robot.no_such_arm", robot=self.name, arm=arm, known=known))
        return found

    @property
    def state(self) -> bus.RobotReport:
        """How it is now; `connected` is False, with the reason, where nothing fresh is known.

        Raises:
            ControllerError: Nothing was ever received from it.
        """
        report = self._link.report(self.name)
        if report is None:
            raise ControllerError(say("robot.unheard", robot=self.name))
        return report

    @property
    def reduced(self) -> bool:
        """Whether its gate keeps tool and elbow to 250 mm/s, whatever moves them; `set_reduced` changes it."""
        return self.state.reduced

    @property
    def events(self) -> tuple[bus.RobotEvent, ...]:
        """Its log, oldest first."""
        return self._link.events(self.name)

    def samples(self, most: int = MOST_SAMPLES) -> SampleStream:
        """Return a stream of what its arms are sent and where they are measured, tick by tick, from now on.

        The robot samples only while somebody asks: use the stream as a context, or close it.

        Args:
            most: Ticks that are kept until they are read; a later reader loses the oldest, and learns how many.

        Raises:
            InputError: `most` is not positive.
        """
        return self._link.samples(self.name, most)

    def q(self, arm: str = "") -> Array:
        """Return the measured joints of an arm, (n,): radians (metres where a joint slides).

        Args:
            arm: Name of the arm; empty: the first.

        Raises:
            InputError: The robot has no such arm.
            ControllerError: Nothing was received from it.
        """
        return np.array(self._arm(arm).q)

    def _arm(self, arm: str) -> bus.ArmReport:
        name = self.placed(arm).arm
        report = self.state
        if name not in report.arms:
            why = decode_said(report.reason, report.said)
            raise ControllerError(say("robot.no_report", robot=self.name, arm=name, why=why))
        return report.arms[name]

    def wait_ready(self, within_s: float = READY_S, *, unless: Callable[[], bool] | None = None) -> None:
        """Wait until the robot would take a command to move.

        Args:
            within_s: How long to wait, seconds.
            unless: Whether it was cancelled meanwhile; None: it cannot be.

        Raises:
            ControllerError: It does not within the time; says why.
        """

        def ready() -> bool:
            report = self._link.report(self.name)
            return (report is not None and report.ready) or (unless is not None and unless())

        if not self._link.wait(ready, within_s):
            report = self._link.report(self.name)
            why = say("robot.never_heard") if report is None else decode_said(report.reason, report.said)
            raise ControllerError(say("robot.not_ready", robot=self.name, within_s=within_s, why=why))

    def wait_rest(self, within_s: float = READY_S) -> bool:
        """Wait until no arm moves; return whether that is so.

        Args:
            within_s: How long to wait, seconds.

        Raises:
            ControllerError: Nothing was ever received from the robot.
        """
        return self._link.wait(lambda: not any(arm.moving for arm in self.state.arms.values()), within_s)

    def acquire(self, *, take_over: bool = False) -> None:
        """Request control of the robot and keep it until it is released; moves do it by themselves.

        Args:
            take_over: Whether to take control from its present holder.

        Raises:
            LeaseError: Somebody else has control, or this client gives no sign of life.
            InputError: The robot does not allow the `hold_s` of this client.
            BusError: The robot does not answer.
        """
        self._link.acquire(self.name, take_over=take_over)

    def release(self) -> None:
        """Give control back; what moves comes to rest."""
        self._link.release(self.name)

    def stop(self, *, now: bool = False) -> StopOutcome:
        """Stop the robot, whoever moves it, and return what became of it; needs no control.

        Args:
            now: As hard as the robot can, instead of along its path.
        """
        return self._link.halt((self.name,), now=now)[self.name]

    def pause(self) -> None:
        """Come to rest on the path."""
        self._command(bus.PauseMotion(holder=self._link.id))

    def resume(self, *, since: StopCounts | None = None) -> None:
        """Continue along the same path after a pause.

        Args:
            since: `CellLink.stop_counts` when this was requested: a stop after that makes it void. None: now.

        Raises:
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped after this was requested.
            ControllerError: The robot cannot move now, or does not answer; says why.
            BusError: The robot does not answer a request for control.
        """
        self._command(bus.ResumeMotion(holder=self._link.id, stops=self._stops(since)))

    def set_pace(self, pace: float, *, since: StopCounts | None = None) -> None:
        """Set the override of speeds of the path under way.

        Args:
            pace: Share of the planned speed, above 0 up to 1.
            since: `CellLink.stop_counts` when this was requested: a stop after that makes it void. None: now.

        Raises:
            InputError: The pace is out of range.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped after this was requested.
            ControllerError: The robot does not answer.
            BusError: The robot does not answer a request for control.
        """
        self._command(bus.SetPace(holder=self._link.id, pace=pace, stops=self._stops(since)))

    def set_reduced(self, reduced: bool, *, since: StopCounts | None = None) -> None:
        """Keep tool and elbow to 250 mm/s from now on, whatever moves them, or lift that.

        Args:
            reduced: True: keep to it; False: lift it.
            since: As for `follow`; a stop makes void only what lifts the limit.

        Raises:
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped after lifting it was requested.
            ControllerError: The robot does not answer.
            BusError: The robot does not answer a request for control.
        """
        stops = 0 if reduced else self._stops(since)
        self._command(bus.ReduceSpeed(holder=self._link.id, reduced=reduced, stops=stops))

    def set_output(self, name: str, value: bool, *, since: StopCounts | None = None) -> None:
        """Set a digital output.

        Args:
            name: Name of the signal.
            value: True: high.
            since: `CellLink.stop_counts` when this was requested: a stop after that makes it void. None: now.

        Raises:
            InputError: The robot has no such output.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped after this was requested.
            ControllerError: The controller refuses it, or the robot does not answer; says why.
            BusError: The robot does not answer a request for control.
        """
        self._command(bus.SetDigital(holder=self._link.id, name=name, value=value, stops=self._stops(since)))

    def move_tool(
        self,
        opening_m: float = 0.0,
        arm: str = "",
        *,
        closes: bool | None = None,
        since: StopCounts | None = None,
    ) -> None:
        """Open or close an arm's tool: fingers of a simulated robot, and the outputs that the cell names for it.

        Args:
            opening_m: How far each finger opens, metres; 0 without fingers.
            arm: Name of the arm; empty: the first.
            closes: Whether it closes; None: where fingers go to less than half of their travel.
            since: `CellLink.stop_counts` when this was requested: a stop after that makes it void. None: now.

        Raises:
            InputError: Unknown arm, a tool that is not wired, or an opening beyond the travel of its fingers.
            LeaseError: Somebody else has control.
            StoppedError: The robot was stopped after this was requested.
            ControllerError: The controller refuses it, or the robot does not answer; says why.
            BusError: The robot does not answer a request for control.
        """
        stops = self._stops(since)
        placed = self.placed(arm)
        closing = 2.0 * opening_m < placed.travel_m if closes is None else closes
        self._command(
            bus.MoveTool(holder=self._link.id, arm=placed.arm, opening_m=opening_m, closes=closing, stops=stops)
        )

    def arrange(self, scene: Scene) -> None:
        """Send the robot's gate where parts are by now, in grippers or elsewhere.

        Args:
            scene: Of the same cell, with poses of parts in the world and openings of fingers.

        Raises:
            LeaseError: Somebody else has control.
            ControllerError: The robot moves, or does not answer.
            BusError: The robot does not answer a request for control.
        """
        self._command(encode_scene(scene, self._link.id))

    @property
    def client_id(self) -> str:
        """The source that intents of this client must carry."""
        return self._link.id

    def now_ns(self) -> int:
        """Return the time of this client, as in `RobotReport.stamp_ns`."""
        return self._link.clock.now_ns()

    def _stops(self, since: StopCounts | None) -> int:
        return self._link.stops_of(self.name, since)

    def _command(self, command: bus.Command) -> None:
        if not self._link.holds(self.name):
            self._link.acquire(self.name)
        try:
            self._link.request(self.name, command)
        except BusError as error:
            raise ControllerError(say("robot.no_answer", robot=self.name, why=error.said)) from None
