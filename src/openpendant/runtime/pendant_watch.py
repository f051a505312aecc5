"""PendantWatch: what the pendant of a virtual controller shows, kept fresh by its own thread."""

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from openpendant.errors import OpenPendantError

if TYPE_CHECKING:
    from openpendant.virtual.launch import VirtualControl, VirtualHandle

PERIOD_S = 0.4
REPLY_WITHIN_S = 1.0
"""A controller that is frozen does not hold its reader up for longer."""


class PendantWatch:
    """Reads a pendant over its own connection, so that pressing a button never waits for it."""

    def __init__(self, find: Callable[[], "VirtualHandle"], ended: threading.Event) -> None:
        """Begin to read.

        Args:
            find: Returns the controller that runs now; raises OpenPendantError while there is none.
            ended: Set when it is to end.
        """
        self.state: Mapping[str, Any] | None = None
        """The newest; None: nothing is received."""
        self._find, self._ended = find, ended
        self._wake = threading.Event()
        self._control: VirtualControl | None = None
        self._pid = 0
        self.thread = threading.Thread(target=self._run, name="openpendant-pendant", daemon=True)
        self.thread.start()

    def refresh(self) -> None:
        """Read it at once: somebody has pressed a button."""
        self._wake.set()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self.state = self._connected().state()
            except OpenPendantError:
                self.state = None
                self._drop()
            self._wake.wait(PERIOD_S)
            self._wake.clear()
        self._drop()

    def _connected(self) -> "VirtualControl":
        handle = self._find()
        if self._control is None or self._pid != handle.process.pid:
            from openpendant.virtual.launch import VirtualControl

            self._drop()
            control, self._pid = (
                VirtualControl(handle.address, handle.port, within_s=REPLY_WITHIN_S),
                handle.process.pid,
            )
            self._control = control
            return control
        return self._control

    def _drop(self) -> None:
        if self._control is not None:
            self._control.disconnect()
            self._control = None
