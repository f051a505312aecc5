"""PopupWatch: the window that the controller has open, as far as it tells."""

from openpendant.controllers.states import OpenWindow

from .state_names import PAUSED, PLAYING, STOPPED


class PopupWatch:
    """Controllers say when a window opens (primary interface), not when it is answered. One that a program waits for is
    closed when the program plays on or ends; any is when another program begins.
    """

    def __init__(self) -> None:
        """Nothing is open."""
        self.open: OpenWindow | None = None
        self._count = 0
        self._runtime = STOPPED[-1]
        self._waits = False

    def show(self, title: str, text: str, *, waits: bool) -> None:
        """Note that a window opens; `waits`: the program does until it is answered."""
        self._count += 1
        self.open, self._waits = OpenWindow(self._count, title, text), waits

    def update(self, runtime: int) -> None:
        """Take in whether a program plays now, by `runtime_state` of RTDE."""
        before, self._runtime = self._runtime, runtime
        begins = before in STOPPED and runtime == PLAYING
        goes_on = before == PAUSED and runtime == PLAYING
        ends = before not in STOPPED and runtime in STOPPED
        if begins or (self._waits and (goes_on or ends)):
            self.open = None

    def close(self) -> None:
        """Nothing is known to be open any more."""
        self.open = None
