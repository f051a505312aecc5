"""DeviceSession: a device that drives one arm of a running robot. Samples in, intents to the robot out."""

from concurrent.futures import Executor, Future
from typing import Protocol

import msgspec

from openpendant.errors import OpenPendantError
from openpendant.messages import Intent

from .devices import DeviceMapping, DeviceSample, HandWish, TeleopDevice
from .devices.mapping import rest_intent


class ArmLine(Protocol):
    """The line to one arm: of a cell of this process, or of a studio."""

    def now_ns(self) -> int:
        """Return the time, on the clock of the intents that are sent."""
        ...

    def why_not(self) -> str:
        """Return why the robot would not take a command; empty: it would."""
        ...

    def engage(self) -> None:
        """Clutch in, with a dead-man switch; may wait.

        Raises:
            OpenPendantError: The robot refuses, as where somebody else has control.
        """
        ...

    def intend(self, intent: Intent) -> None:
        """Send what the arm is to do now.

        Args:
            intent: Of which source and arm are filled in by the line.

        Raises:
            LinkError: Nothing can be sent.
        """
        ...

    def ended(self) -> str | None:
        """Return why the robot has ended the motion since `engage`; None: it has not; empty: not known."""
        ...


class DeviceSession:
    """Engages the arm when the dead-man switch is held, sends an intent with every sample, and lets go with it."""

    def __init__(self, device: TeleopDevice, mapping: DeviceMapping, line: ArmLine, waiter: Executor) -> None:
        """Begin with nothing held.

        Args:
            device: What is read.
            mapping: What its controls mean; no other code changes it.
            line: To the arm.
            waiter: Where the robot is waited for while it engages, so that the device is read meanwhile.
        """
        self.device, self.mapping = device, mapping
        self.engaged = False
        """Whether the arm follows the device now."""
        self.why = ""
        """Why it does not, or has stopped following; empty: it may."""
        self.sample: DeviceSample | None = None
        """The last one; for who shows it."""
        self._line, self._waiter = line, waiter
        self._engaging: Future[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether the arm follows, or is about to."""
        return self.engaged or self._engaging is not None

    def step(self) -> HandWish | None:
        """Read the device, and send what it asks for; to be called a hundred times a second.

        Returns:
            What the person wants; None: the device has said nothing new.

        Raises:
            LinkError: Nothing can be sent.
        """
        now_ns = self._line.now_ns()
        self.sample = self.device.read(now_ns)
        wish = self.mapping.take(self.sample)
        if wish is None:
            return None
        self._check_engaged()
        if self.engaged:
            self._follow(wish)
        elif wish.held and self._engaging is None:
            self._engage()
        return wish

    def let_go(self) -> None:
        """Let go of everything; the switch has to be pressed again."""
        self.mapping.release()
        if self.engaged:
            self.engaged = False
            self._send(rest_intent(self._line.now_ns()), held=False)

    def _engage(self) -> None:
        self.why = self._line.why_not()
        if self.why:
            self.mapping.release()
            return
        self._engaging = self._waiter.submit(self._line.engage)

    def _check_engaged(self) -> None:
        """Take the answer to a request to engage, once it is there."""
        if self._engaging is None or not self._engaging.done():
            return
        engaging, self._engaging = self._engaging, None
        try:
            engaging.result()
        except OpenPendantError as error:
            self.why = error.said
            self.mapping.release()
        else:
            self.engaged = True

    def _follow(self, wish: HandWish) -> None:
        ended = self._line.ended()
        if ended is not None:
            self.engaged, self.why = False, ended
            self.mapping.release()
            return
        self._send(wish.intent or rest_intent(wish.stamp_ns), held=wish.held)
        self.engaged = wish.held

    def _send(self, intent: Intent, *, held: bool) -> None:
        self._line.intend(msgspec.structs.replace(intent, clutch=held, dead_man=held))
