"""Reading: one state of the controller, taken apart."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers.states import OpenWindow, RobotState
from openpendant.messages import Mode, OperatingMode, Safety

from .state_names import MODES, SAFETIES

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reading:
    """What the controller said at one tick. Arrays are read-only."""

    time_ns: int
    stamp_ns: int
    q: Array
    qd: Array
    q_target: Array
    mode: Mode
    safety: Safety
    runtime: int
    """Whether a program plays; see `words`."""
    speed: float
    inputs: dict[str, bool]
    outputs: dict[str, bool]
    line: int
    """Of the program that plays."""
    token: int
    """The last uploaded program that came to its end."""

    @classmethod
    def nothing(cls, inputs: Iterable[str], outputs: Iterable[str]) -> "Reading":
        """Return what is known before anything was received."""
        off = [dict.fromkeys(names, False) for names in (inputs, outputs)]
        zero = _frozen(np.zeros(6))
        return cls(0, 0, zero, zero, zero, "unknown", "unknown", 1, 1.0, off[0], off[1], 0, 0)

    @property
    def could_move(self) -> bool:
        """Whether the robot itself is ready to move."""
        return self.mode == "ready" and self.safety in ("normal", "reduced")

    def state(
        self,
        arm: str,
        *,
        moving: bool,
        connected: bool,
        in_control: bool,
        opening_m: float = 0.0,
        tool_moving: bool = False,
        operating: OperatingMode = "unknown",
        window: OpenWindow | None = None,
    ) -> RobotState:
        """Return it as every controller tells its state."""
        return RobotState(
            self.time_ns,
            {arm: self.q},
            {arm: self.qd},
            {arm: opening_m},
            self.inputs,
            self.outputs,
            {arm: moving},
            {arm: tool_moving},
            self.stamp_ns,
            connected,
            self.mode if connected else "unknown",
            self.safety if connected else "unknown",
            {arm: self.q_target},
            self.speed,
            in_control,
            operating,
            window=window,
        )


def read_state(flat: Sequence[float], stamp_ns: int, inputs: Mapping[str, int], outputs: Mapping[str, int]) -> Reading:
    """Take apart a state that was laid flat in the order of `state_link.OUTPUTS`; signals by the bits they have."""
    vectors = np.array(flat[1:19], dtype=np.float64).reshape(3, 6)
    vectors.setflags(write=False)
    mode, safety, runtime, scaling, fraction, bits_in, bits_out, line, token = flat[19:28]
    return Reading(
        round(flat[0] * 1e9),
        stamp_ns,
        vectors[0],
        vectors[1],
        vectors[2],
        MODES.get(int(mode), "unknown"),
        SAFETIES.get(int(safety), "unknown"),
        int(runtime),
        scaling * fraction,
        {name: bool(int(bits_in) >> bit & 1) for name, bit in inputs.items()},
        {name: bool(int(bits_out) >> bit & 1) for name, bit in outputs.items()},
        int(line),
        int(token),
    )


def _frozen(values: Array) -> Array:
    values.setflags(write=False)
    return values
