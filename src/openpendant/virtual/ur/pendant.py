"""Pendant: windows that wait for a person, and what is set on the screen."""

from dataclasses import dataclass

from .clock import Clock
from .messages import MessageLog, Popup

__all__ = ["Pendant", "Window"]


@dataclass(eq=False)
class Window:
    """A popup on the screen; open until somebody confirms it."""

    popup: Popup
    open: bool = True


class Pendant:
    """The screen of the teach pendant."""

    def __init__(self, clock: Clock, log: MessageLog) -> None:
        self._clock = clock
        self._log = log
        self._windows: list[Window] = []
        self._count = 0
        self.operational_mode: str | None = None
        self.freedrive_held = False

    @property
    def window(self) -> Window | None:
        """The popup that is in front."""
        return self._windows[-1] if self._windows else None

    def show(self, text: str, title: str, *, warning: bool, error: bool, blocking: bool) -> Window:
        """Show a popup."""
        self._count += 1
        popup = Popup(self._clock.ticks, self._count, title, text, warning, error, blocking)
        window = Window(popup)
        self._windows.append(window)
        self._log.add(popup)
        return window

    def confirm(self) -> bool:
        """Close the popup in front; False where there is none."""
        if not self._windows:
            return False
        self._windows.pop().open = False
        return True

    def clear(self) -> None:
        """Close all: the program that showed them has ended."""
        for window in self._windows:
            window.open = False
        self._windows.clear()
