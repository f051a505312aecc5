"""DeviceMapping: makes what an arm shall do of the samples of one device.

It knows no robot: what it gives fits any arm. One mapping drives one arm; a device with two hands has two of them.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from openpendant.messages import Intent, TwistIntent

from .dead_man import CLOSES_AT, OPENS_AT, DeadMan
from .device import DeviceSample
from .sample_guard import SampleGuard


@dataclass(frozen=True)
class ControlPress:
    """A control other than those of motion was pressed, or let go."""

    control: str
    down: bool


@dataclass(frozen=True)
class HandWish:
    """What a person wants of one arm at the moment of a sample."""

    stamp_ns: int
    """Of the sample."""
    held: bool
    """Whether the dead-man switch is held. Without it a robot does not move."""
    intent: Intent | None
    """What the arm shall do; None: nothing. Source and arm are for the session to fill in."""
    presses: tuple[ControlPress, ...] = ()
    """Since the last wish, oldest first."""


class DeviceMapping(ABC):
    """Dead-man switch, presses and losses, the same for every mapping."""

    def __init__(self) -> None:
        """Begin with nothing held."""
        self._guard = SampleGuard()
        self._dead_man = DeadMan()
        self._down: dict[str, None] = {}
        self._stuck: set[str] | None = None

    @property
    @abstractmethod
    def dead_man(self) -> tuple[str, ...]:
        """Any of these controls is the dead-man switch."""

    @property
    @abstractmethod
    def buttons(self) -> tuple[str, ...]:
        """Controls whose presses are reported."""

    @abstractmethod
    def intent_of(self, sample: DeviceSample, *, held: bool) -> Intent | None:
        """Return what the arm shall do by a sample that counts; None: nothing.

        Args:
            sample: Finite, and newer than the last one.
            held: Whether the dead-man switch is.
        """

    def take(self, sample: DeviceSample) -> HandWish | None:
        """Take the next sample; None: it is no newer than the last one, and changes nothing."""
        verdict = self._guard.look(sample)
        if verdict == "old":
            return None
        if verdict == "lost":
            presses = tuple(ControlPress(control, down=False) for control in self._down)
            self.release()
            return HandWish(sample.stamp_ns, held=False, intent=None, presses=presses)
        pressed = max((sample.value(control) for control in self.dead_man), default=0.0)
        held = self._dead_man.take(pressed)
        presses = self._look(sample)
        return HandWish(sample.stamp_ns, held, self.intent_of(sample, held=held), presses)

    def release(self) -> None:
        """Let go of everything: the robot has ended the motion, say. Has to be pressed again."""
        self._dead_man.release()
        self._down = {}
        self._stuck = None

    def _look(self, sample: DeviceSample) -> tuple[ControlPress, ...]:
        presses: list[ControlPress] = []
        first = self._stuck is None
        # What was down before it was looked at counts after it was let go.
        stuck = self._stuck = self._stuck or set[str]()
        for control in self.buttons:
            value = sample.value(control)
            if value <= OPENS_AT:
                stuck.discard(control)
                if control in self._down:
                    del self._down[control]
                    presses.append(ControlPress(control, down=False))
            elif value >= CLOSES_AT and first:
                stuck.add(control)
            elif value >= CLOSES_AT and control not in stuck and control not in self._down:
                self._down[control] = None
                presses.append(ControlPress(control, down=True))
        return tuple(presses)


def rest_intent(stamp_ns: int) -> TwistIntent:
    """Return what is sent while the switch is held and nothing is deflected."""
    return TwistIntent(source="", stamp_ns=stamp_ns, linear=(0.0, 0.0, 0.0))
