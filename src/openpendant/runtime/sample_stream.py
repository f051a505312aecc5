"""SampleStream: the samples of one robot for one reader: what was sent, what was measured, and what it came from."""

import threading
import uuid
from collections.abc import Callable
from types import TracebackType
from typing import Self

import msgspec

from openpendant.errors import InputError
from openpendant.messages import SampleBatch, SampleRequest
from openpendant.messages.sample_buffer import MOST_SAMPLES, SampleBuffer, SampleChunk

from .bus import Bus, BusError, key
from .clock import Clock

ASK_S = 0.5
"""Between two requests for samples; the robot waits four times as long."""

_BATCH = msgspec.msgpack.Decoder(SampleBatch)


class SampleStream:
    """Samples of one robot from now on, until it is closed. Close it, or use it as a context: samples cost ticks."""

    def __init__(
        self,
        session: Bus,
        cell: str,
        robot: str,
        clock: Clock,
        most: int = MOST_SAMPLES,
        on_samples: Callable[[], None] | None = None,
    ) -> None:
        """Ask for samples; made by `RemoteRobot.samples`.

        Args:
            session: On the bus of the cell.
            cell: The name of the cell.
            robot: The name of the robot.
            clock: Its time.
            most: Ticks that are kept until they are read.
            on_samples: Called, in a thread of the bus, whenever something has come; None: no call.

        Raises:
            InputError: `most` is not positive.
        """
        if most < 1:
            raise InputError(f"most is {most}; at least one tick must be kept")
        self._bus, self._clock, self._heard = session, clock, on_samples
        self._key = key(cell, robot, "watch")
        self._id = uuid.uuid4().hex
        self._changed = threading.Condition()
        self._buffer = SampleBuffer(most)
        self._closed = False
        self._unlisten = session.listen(key(cell, robot, "sample"), self._receive)
        self._end = clock.every(ASK_S, self._renew_request, f"openpendant-samples-{robot}")

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def read(self, within_s: float = 1.0) -> SampleChunk:
        """Return what has come since the last read; wait for something where nothing has.

        Args:
            within_s: How long to wait, seconds; then the result has no batches.
        """
        end_ns = self._clock.now_ns() + int(within_s * 1e9)
        with self._changed:
            while (chunk := self._buffer.drain()) is None:
                left_s = (end_ns - self._clock.now_ns()) * 1e-9
                if left_s <= 0.0 or self._closed:
                    return SampleChunk((), 0)
                self._clock.wait(self._changed, left_s)
            return chunk

    def close(self) -> None:
        """End the request; the robot stops sampling at once without other readers. May be called again."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        self._end()
        self._unlisten()
        self._request(wanted=False)

    def _renew_request(self) -> bool:
        self._request(wanted=True)
        return not self._bus.closed

    def _request(self, *, wanted: bool) -> None:
        raw = msgspec.msgpack.encode(SampleRequest(reader=self._id, wanted=wanted))
        try:
            # In order and not to be dropped: a request that comes after the end would cost two seconds.
            self._bus.publish(self._key, raw, newest=False)
        except BusError:
            return  # The robot forgets us by itself.

    def _receive(self, _: str, raw: bytes) -> None:
        try:
            batch = _BATCH.decode(raw)
        except msgspec.MsgspecError:
            return
        with self._changed:
            self._buffer.put(batch)
            self._changed.notify_all()
        if self._heard is not None:
            self._heard()
