"""Pendant: windows that wait for a person, and what is set on the screen."""

from openpendant.virtual.arm import TickClock
from openpendant.virtual.pendant import Window, WindowStack

from .messages import MessageLog, Popup


class Pendant:
    """The screen of the teach pendant."""

    def __init__(self, clock: TickClock, log: MessageLog) -> None:
        self._clock = clock
        self._log = log
        self._windows: WindowStack[Popup] = WindowStack()
        self.operational_mode: str | None = None
        self.freedrive_held = False

    @property
    def window(self) -> Window[Popup] | None:
        """The popup that is in front."""
        return self._windows.front

    def show(self, text: str, title: str, *, warning: bool, error: bool, blocking: bool) -> Window[Popup]:
        """Show a popup."""
        popup = Popup(self._clock.ticks, self._windows.count + 1, title, text, warning, error, blocking)
        self._log.add(popup)
        return self._windows.show(popup)

    def confirm(self) -> bool:
        """Close the popup in front; False if there is none."""
        return self._windows.confirm()

    def clear(self) -> None:
        """Close all: the program that showed them has ended."""
        self._windows.clear()
