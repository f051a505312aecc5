"""Joints that follow their targets with a lag, and are held by brakes.

Derivation: the lag is linear, so over a tick in which the target rises evenly it has an exact solution: the steady
lag behind a ramp, 2ζ(1 - κ)/ω times its pace, plus the free motion of a damped oscillator, a matrix of four numbers
for a tick of fixed length. A brake takes its deceleration off the velocity until that is zero, v² / 2b further on.
"""

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]
MEMORY_ROWS = 6
"""Motor q, motor qd, link q, link qd, target q of the tick before, target qd of it."""


@jit
def follow_targets(
    step: Array, memory: Array, q_target: Array, moment: Array, brake: Array, driven: bool, dt: float
) -> float:
    """Let the joints follow `q_target` for one tick.

    Exact steps of x'' = ω²(q - x) + 2ζω(κ q' - x') while q rises evenly.

    Args:
        step: (14,), from `step_numbers`.
        memory: (MEMORY_ROWS, n), which this carries on.
        q_target: (n,).
        moment: (n,): under which soft joints give way.
        brake: (n,): deceleration of each brake; infinite: it holds at once.
        driven: False: the brakes are closed.
        dt: Seconds of a tick.

    Returns:
        How far the farthest joint is from its target.
    """
    worst = 0.0
    for i in range(q_target.shape[0]):
        pace = (q_target[i] - memory[4, i]) / dt
        memory[4, i], memory[5, i] = q_target[i], pace
        if driven:
            before = memory[0, i]
            rest = q_target[i] - step[8] * pace
            x, v = before - (rest - pace * dt), memory[1, i] - pace
            memory[0, i] = rest + step[0] * x + step[1] * v
            memory[1, i] = pace + step[2] * x + step[3] * v
            if step[12] > 0.0:
                # A soft joint: the link swings on the motor, and hangs through under its weight.
                sag = step[13] * moment[i]
                x, v = memory[2, i] - (before - sag), memory[3, i] - memory[1, i]
                memory[2, i] = memory[0, i] - sag + step[4] * x + step[5] * v
                memory[3, i] = memory[1, i] + step[6] * x + step[7] * v
            else:
                memory[2, i], memory[3, i] = memory[0, i], memory[1, i]
        else:
            v = memory[3, i]
            if abs(v) <= brake[i] * dt:
                memory[2, i] += 0.5 * v * abs(v) / brake[i]
                memory[3, i] = 0.0
            else:
                slower = v - brake[i] * dt if v > 0.0 else v + brake[i] * dt
                memory[2, i] += 0.5 * (v + slower) * dt
                memory[3, i] = slower
            memory[0, i], memory[1, i] = memory[2, i], memory[3, i]
        worst = max(worst, abs(q_target[i] - memory[2, i]))
    return worst


@jit
def read_joints(step: Array, memory: Array, noise: Array, driven: bool, out: Array) -> None:
    """Write joints and velocities as the encoders tell them into `out` (2, n); `noise` (2, n) is standard normal."""
    for i in range(out.shape[1]):
        out[0, i] = memory[2, i] + step[9] * noise[0, i]
        out[1, i] = memory[3, i] + (step[10] * noise[1, i] if driven else 0.0)
