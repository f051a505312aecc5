"""WindowStack: the windows on a pendant's screen that wait for a person."""

from dataclasses import dataclass
from typing import Generic, TypeVar

PopupT = TypeVar("PopupT")


@dataclass(eq=False)
class Window(Generic[PopupT]):
    """A window on the screen; open until somebody answers it."""

    popup: PopupT
    open: bool = True


class WindowStack(Generic[PopupT]):
    """Windows over each other; a person sees and answers the one in front."""

    def __init__(self) -> None:
        """Begin with none."""
        self._windows: list[Window[PopupT]] = []
        self.count = 0
        """How many there have been."""

    @property
    def front(self) -> Window[PopupT] | None:
        """The window that is seen."""
        return self._windows[-1] if self._windows else None

    def show(self, popup: PopupT) -> Window[PopupT]:
        """Open a window in front of the others."""
        self.count += 1
        window = Window(popup)
        self._windows.append(window)
        return window

    def confirm(self) -> bool:
        """Close the window in front; False if there is none."""
        if not self._windows:
            return False
        self._windows.pop().open = False
        return True

    def clear(self) -> None:
        """Close all: what showed them has ended."""
        for window in self._windows:
            window.open = False
        self._windows.clear()
