"""HandMapping: the tool makes the way of a tracked hand while the hand holds its clutch."""

from dataclasses import dataclass

from openpendant.errors import InputError
from openpendant.messages import Axis, Intent, PoseIntent

from .device import DeviceSample
from .mapping import DeviceMapping


@dataclass(frozen=True)
class HandSettings:
    """How a hand is followed."""

    clutch: tuple[str, ...]
    """Clutch and dead-man switch in one: a grip or a pinch."""
    buttons: tuple[str, ...] = ()
    scale: float = 1.0
    """Multiplies the way of the hand, more than 0 and at most 1; its rotation is followed one to one."""
    locked: tuple[Axis, ...] = ()
    """Axes of the world along or about which nothing happens."""

    def __post_init__(self) -> None:
        """Refuse what cannot be followed.

        Raises:
            InputError: Names the value, and what is allowed.
        """
        if not self.clutch:
            raise InputError("no control is the clutch; a hand needs one")
        if not 0.0 < self.scale <= 1.0:
            raise InputError(f"the scale is {self.scale}; allowed: more than 0 and at most 1")


class HandMapping(DeviceMapping):
    """Where the hand is; the way since the clutch was closed is the servo's to know."""

    def __init__(self, settings: HandSettings) -> None:
        """Begin with the clutch open."""
        super().__init__()
        self.settings = settings

    @property
    def dead_man(self) -> tuple[str, ...]:
        """Any of these controls is clutch and dead-man switch."""
        return self.settings.clutch

    @property
    def buttons(self) -> tuple[str, ...]:
        """Controls whose presses are reported."""
        return self.settings.buttons

    def intent_of(self, sample: DeviceSample, *, held: bool) -> Intent | None:
        """Return where the hand is, while it holds on; None: it does not, or where it is is not known."""
        if not held or sample.pose is None:
            return None
        of = self.settings
        return PoseIntent(
            source="", stamp_ns=sample.stamp_ns, pose=sample.pose, frame="world", scale=of.scale, locked=of.locked
        )
