"""SampleBuffer: samples of one robot until they are read; a slow reader loses the oldest, and gets their count."""

from collections import deque
from dataclasses import dataclass

from .samples import SampleBatch, SetpointOrigin

MOST_SAMPLES = 30_000
"""A minute at 500 Hz."""


@dataclass(frozen=True)
class ArmSample:
    """One arm in one tick."""

    stamp_ns: int
    """When the tick began, and the setpoint was sent: nanoseconds of the monotonic clock of the robots' machine."""
    state_ns: int
    """When the state with `q` was received; 0: never."""
    q: tuple[float, ...] | None
    """Measured joints, radians (metres where a joint slides); None: not known."""
    sent: tuple[float, ...] | None
    """The setpoint sent in this tick, radians or metres; None: none was."""
    origin: SetpointOrigin
    """What the setpoint came from."""


@dataclass(frozen=True)
class SampleChunk:
    """What has come since the last read, oldest first."""

    batches: tuple[SampleBatch, ...]
    lost: int
    """Ticks that are missing before or between them: not read in time, or lost on their way."""

    def arm(self, name: str) -> tuple[ArmSample, ...]:
        """Return the samples of one arm.

        Args:
            name: Name of the arm.

        Raises:
            KeyError: The robot has no such arm.
        """
        return tuple(
            ArmSample(stamp_ns, state_ns, q, sent, batch.origins[origin])
            for batch in self.batches
            for stamp_ns, state_ns, q, sent, origin in zip(
                batch.stamps_ns,
                batch.states_ns,
                batch.arms[name].q,
                batch.arms[name].sent,
                batch.arms[name].origins,
                strict=True,
            )
        )


class SampleBuffer:
    """Bounded. It has no lock: whoever puts and takes in different threads holds one."""

    def __init__(self, most: int = MOST_SAMPLES) -> None:
        """Begin empty; `most` ticks are kept."""
        self._most = most
        self._batches: deque[SampleBatch] = deque()
        self._held = self._lost = 0
        self._next: int | None = None

    def put(self, batch: SampleBatch) -> None:
        """Add a batch; the oldest go where there are too many."""
        count = len(batch.stamps_ns)
        if self._next is not None:
            self._lost += max(0, batch.number - self._next)
        self._next = batch.number + count
        self._batches.append(batch)
        self._held += count
        while self._held > self._most and len(self._batches) > 1:
            dropped = len(self._batches.popleft().stamps_ns)
            self._held -= dropped
            self._lost += dropped

    def drain(self) -> SampleChunk | None:
        """Return what there is; None: nothing has come."""
        if not self._batches:
            return None
        chunk = SampleChunk(tuple(self._batches), self._lost)
        self._batches.clear()
        self._held = self._lost = 0
        return chunk
