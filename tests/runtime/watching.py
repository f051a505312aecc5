"""An observer of a virtual controller that nobody disturbs: it asks the controller itself, over its control channel."""

import itertools
import threading
import time
from dataclasses import dataclass, field

import numpy as np

from openpendant.errors import OpenPendantError
from openpendant.virtual.launch import VirtualControl

NAMES = ("timestamp", "target_q", "target_qd", "actual_q", "actual_qd")


@dataclass
class Sample:
    wall_s: float
    timestamp: float
    target_q: np.ndarray
    target_qd: np.ndarray
    actual_q: np.ndarray
    actual_qd: np.ndarray


@dataclass
class Observer:
    """Writes down what the controller wants and does, as quickly as it answers."""

    address: str
    samples: list[Sample] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join()

    def newest(self) -> Sample | None:
        return self.samples[-1] if self.samples else None

    def since(self, wall_s: float) -> list[Sample]:
        return [sample for sample in self.samples if sample.wall_s >= wall_s]

    def _watch(self) -> None:
        control: VirtualControl | None = None
        while not self._end.wait(0.002):
            try:
                if control is None:
                    control = VirtualControl(self.address)
                values = control.read(*NAMES)
            except OpenPendantError:
                if control is not None:
                    control.disconnect()
                control = None
                self._end.wait(0.05)
                continue
            numbers = [np.array(values[name]) for name in NAMES[1:]]
            if not self.samples or values["timestamp"] != self.samples[-1].timestamp:
                self.samples.append(Sample(time.monotonic(), float(values["timestamp"]), *numbers))
        if control is not None:
            control.disconnect()


def worst_acceleration(samples: list[Sample], limit: np.ndarray) -> float:
    """Return the largest change of the wanted velocity over its limit; restarts of the controller's clock split it."""
    worst = 0.0
    for before, after in itertools.pairwise(samples):
        dt = after.timestamp - before.timestamp
        if dt > 0.0:
            worst = max(worst, float((np.abs(after.target_qd - before.target_qd) / dt / limit).max()))
    return worst
