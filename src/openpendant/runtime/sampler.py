"""Sampler: what each tick sent and measured, in batches, while there are requests; otherwise it does nothing."""

from collections.abc import Mapping

from openpendant.controllers import RobotState
from openpendant.messages import ArmSamples, SampleBatch, SampleRequest, SetpointOrigin

from .arm_executor import ArmExecutor

KEEP_NS = 2_000_000_000
"""Who has not asked again for this time has gone."""
BATCH_NS = 50_000_000
"""Of ticks go into one batch."""
MOST_TICKS = 250
"""In one batch, however fast the robot is."""
MOST_READERS = 100


class _ArmRows:
    """What a batch holds of one arm."""

    def __init__(self) -> None:
        self.q: list[tuple[float, ...] | None] = []
        self.sent: list[tuple[float, ...] | None] = []
        self.origins: list[int] = []


class Sampler:
    """Collects the samples of one robot. Its owner calls `add_tick` after each tick while `is_requested`."""

    def __init__(self, robot: str, tick_ns: int) -> None:
        """Begin without readers; `tick_ns` is the time of a tick."""
        self._robot = robot
        self._most = min(MOST_TICKS, max(1, BATCH_NS // tick_ns))
        self._readers: dict[str, int] = {}
        self._begin()

    @property
    def is_requested(self) -> bool:
        """Whether somebody asks for samples."""
        return bool(self._readers)

    def request(self, request: SampleRequest, now_ns: int) -> None:
        """Take a request; more than `MOST_READERS` are not known."""
        if not request.wanted:
            self._readers.pop(request.reader, None)
        elif request.reader in self._readers or len(self._readers) < MOST_READERS:
            self._readers[request.reader] = now_ns
        self._end_if_unwanted()

    def expire(self, now_ns: int) -> None:
        """Forget who has not asked again."""
        gone = [reader for reader, asked_ns in self._readers.items() if now_ns - asked_ns > KEEP_NS]
        for reader in gone:
            del self._readers[reader]
        self._end_if_unwanted()

    def add_tick(
        self, number: int, now_ns: int, state: RobotState, drives: Mapping[str, ArmExecutor]
    ) -> SampleBatch | None:
        """Take the tick that was just made; return a batch whenever one is full.

        Args:
            number: Of the tick.
            now_ns: When it began.
            state: The controller's newest state in it.
            drives: The arms, after the tick.
        """
        if self._stamps and number != self._first + len(self._stamps):
            self._begin()  # After a time without readers: the batch begun then is not continued.
        if not self._stamps:
            self._first = number
        self._stamps.append(now_ns)
        self._states.append(state.stamp_ns)
        for name, drive in drives.items():
            rows = self._arms.setdefault(name, _ArmRows())
            q = state.q.get(name)
            sent = drive.sent if drive.sent_ns == now_ns else None
            rows.q.append(None if q is None else tuple(q.tolist()))
            rows.sent.append(None if sent is None else tuple(sent.tolist()))
            rows.origins.append(self._origin(name, drive, sends=sent is not None))
        return self._batch() if len(self._stamps) >= self._most else None

    def _origin(self, arm: str, drive: ArmExecutor, *, sends: bool) -> int:
        """Return the place of what moves an arm among the origins of the batch."""
        doing, intent = drive.doing, drive.intent if sends else None
        if sends and doing == "nothing":
            doing = "stopping"  # With this setpoint its job has ended.
        at = self._newest.get(arm, -1)
        known = None if at < 0 else self._origins[at]
        if known is None or known.intent is not intent or known.doing != doing or known.job != drive.job:
            self._origins.append(SetpointOrigin(doing=doing, job=drive.job, intent=intent))
            at = self._newest[arm] = len(self._origins) - 1
        return at

    def _batch(self) -> SampleBatch:
        arms = {
            name: ArmSamples(q=tuple(rows.q), sent=tuple(rows.sent), origins=tuple(rows.origins))
            for name, rows in self._arms.items()
        }
        batch = SampleBatch(
            robot=self._robot,
            number=self._first,
            stamps_ns=tuple(self._stamps),
            states_ns=tuple(self._states),
            arms=arms,
            origins=tuple(self._origins),
        )
        self._begin()
        return batch

    def _begin(self) -> None:
        self._first = 0
        self._stamps: list[int] = []
        self._states: list[int] = []
        self._arms: dict[str, _ArmRows] = {}
        self._origins: list[SetpointOrigin] = []
        self._newest: dict[str, int] = {}

    def _end_if_unwanted(self) -> None:
        if not self._readers and self._stamps:
            self._begin()
