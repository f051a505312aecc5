"""DeadMan: the switch that a person holds as long as an arm may move."""

CLOSES_AT = 0.6
"""A trigger counts as held from here on."""
OPENS_AT = 0.4
"""And as let go from here on, so that a trembling finger does not chatter."""


class DeadMan:
    """Whatever takes the switch away (the hand, the device, the robot) takes it until it was seen open again."""

    def __init__(self) -> None:
        """Begin open, and not seen open yet."""
        self._held = self._armed = False

    @property
    def held(self) -> bool:
        """Whether it is held."""
        return self._held

    def take(self, pressed: float) -> bool:
        """Take how far it is pressed, 0 to 1; return whether it is held."""
        if pressed <= OPENS_AT:
            self._held, self._armed = False, True
        elif pressed >= CLOSES_AT and self._armed:
            self._held = True
        return self._held

    def release(self) -> None:
        """Let go, until it was seen open."""
        self._held = self._armed = False
