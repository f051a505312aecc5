"""ClientSamples: what a robot of an open project is sent and where it is measured, tick by tick."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from openpendant.messages import SampleBatch
from openpendant.messages.sample_buffer import SampleBuffer, SampleChunk


class ClientSamples:
    """Samples of one robot from now on, until it is closed. Close it, or use it as a context: samples cost ticks."""

    def __init__(
        self,
        most: int,
        wait: Callable[[Callable[[], SampleChunk | None], float], SampleChunk],
        end: Callable[["ClientSamples"], None],
    ) -> None:
        """Made by `ClientRobots.samples`.

        Args:
            most: Ticks that are kept until they are read.
            wait: Waits until something is found, for at most the given seconds, as `ProjectLink.wait`.
            end: Asks for these samples no longer.
        """
        self._buffer = SampleBuffer(most)
        self._wait, self._end = wait, end
        self._closed = False

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def read(self, within_s: float = 10.0) -> SampleChunk:
        """Return what has come since the last read; wait for something where nothing has.

        Args:
            within_s: How long to wait, seconds.

        Raises:
            LinkError: Nothing came within the time, or the server has gone.
        """
        return self._wait(self._buffer.drain, within_s)

    def close(self) -> None:
        """Ask no longer; again is allowed.

        Raises:
            LinkError: The server does not answer.
        """
        if not self._closed:
            self._closed = True
            self._end(self)

    def put(self, batch: SampleBatch) -> None:
        """Take a batch; called by the project's reader.

        Args:
            batch: Of this robot.
        """
        self._buffer.put(batch)
