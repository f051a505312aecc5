"""ScriptIntake: programs as they arrive on ports 30001, 30002 and 30003."""

from openpendant.protocols.ur_primary import ScriptSplitter
from openpendant.virtual.wire import Link

from .host_port import Box

__all__ = ["ScriptIntake"]


class ScriptIntake:
    """One connection's scripts: cut from the stream and run."""

    def __init__(self, box: Box) -> None:
        """Run them on the brain of `box`."""
        self._box = box
        self._splitter = ScriptSplitter()

    def take(self, link: Link, data: bytes) -> None:
        """Run every script that is complete now."""
        for text in self._splitter.feed(data):
            self._box.brain.run_script(text)
        if self._splitter.fault is not None:
            link.close()
