"""The arm itself: joints that follow their targets with a lag, and everything that is measured on them.

One call per tick. `body` holds what stays the same, `memory` what goes on from tick to tick, `out` all vectors of
floats that a controller reports, at the offsets below.

Derivation: velocities are J q̇, accelerations their differences over a tick; a push f at the tool is felt as Jᵀ f by
the joints (virtual work); friction is dry, smoothed by tanh, plus viscous; currents are moments over torque
constants.
"""

import math

import numpy as np
from numpy.typing import NDArray

from openpendant.virtual.arm.kernels.drive import follow_targets

from .arm import frames, gravity_moments, pose_of, tool_jacobian
from .compile import jit
from .step import DT

Array = NDArray[np.float64]

LAYOUT: tuple[tuple[str, int], ...] = (
    ("target_q", 6),
    ("target_qd", 6),
    ("target_qdd", 6),
    ("target_current", 6),
    ("target_moment", 6),
    ("actual_q", 6),
    ("actual_qd", 6),
    ("actual_current", 6),
    ("joint_control_output", 6),
    ("actual_TCP_pose", 6),
    ("actual_TCP_speed", 6),
    ("actual_TCP_force", 6),
    ("target_TCP_pose", 6),
    ("target_TCP_speed", 6),
    ("actual_TCP_acceleration", 6),
    ("target_TCP_acceleration", 6),
    ("ft_raw_wrench", 6),
    ("wrench_calc_from_currents", 6),
    ("flange_pose", 6),
    ("target_flange_pose", 6),
    ("elbow_position", 3),
    ("elbow_velocity", 3),
    ("actual_tool_accelerometer", 3),
    ("actual_momentum", 1),
    ("tcp_force_scalar", 1),
    ("actual_robot_current", 1),
    ("joint_position_deviation_ratio", 1),
    ("collision_detection_ratio", 1),
    ("deviation_m", 1),
    ("cross_deviation_m", 1),
    ("tcp_speed_scalar", 1),
    ("power_w", 1),
)
SIZE = sum(count for _, count in LAYOUT)


def offset(name: str) -> int:
    """Return where a vector begins in `out`."""
    at = 0
    for known, count in LAYOUT:
        if known == name:
            return at
        at += count
    raise KeyError(name)


TQ, TQD, TQDD, TCUR, TMOM = (
    offset(n) for n in ("target_q", "target_qd", "target_qdd", "target_current", "target_moment")
)
AQ, AQD, ACUR, JCO = (offset(n) for n in ("actual_q", "actual_qd", "actual_current", "joint_control_output"))
AP, AV, AF, TP, TV = (
    offset(n)
    for n in ("actual_TCP_pose", "actual_TCP_speed", "actual_TCP_force", "target_TCP_pose", "target_TCP_speed")
)
AA, TA, FT, WC, FP, TFP = (
    offset(n)
    for n in (
        "actual_TCP_acceleration",
        "target_TCP_acceleration",
        "ft_raw_wrench",
        "wrench_calc_from_currents",
        "flange_pose",
        "target_flange_pose",
    )
)
ELBOW, ELBOW_V, ACC, MOMENTUM, FORCE, CURRENT, RATIO, COLLISION, LATE, CROSS, SPEED, POWER = (
    offset(n)
    for n in (
        "elbow_position",
        "elbow_velocity",
        "actual_tool_accelerometer",
        "actual_momentum",
        "tcp_force_scalar",
        "actual_robot_current",
        "joint_position_deviation_ratio",
        "collision_detection_ratio",
        "deviation_m",
        "cross_deviation_m",
        "tcp_speed_scalar",
        "power_w",
    )
)


@jit
def measure(
    dh: Array,
    tool: Array,
    mass: Array,
    com: Array,
    load: Array,
    world: Array,
    step: Array,
    brake: Array,
    memory: Array,
    q_target: Array,
    noise: Array,
    driven: bool,
    out: Array,
) -> None:
    """Let the joints follow `q_target` for one tick and measure everything.

    Args:
        dh: (6, 4), calibrated.
        tool: (3, 4) on the flange.
        mass: (6,) of the links.
        com: (6, 3) centres of the links' masses.
        load: (10,): payload mass, its centre (3), torque constants (6).
        world: (15,): gravity (3), wrench pushing at the tool (6, base axes), offset of the force sensor (6).
        step: (14,), from `step_numbers`.
        brake: (6,): deceleration of each brake.
        memory: (6, 6), of `follow_targets`.
        q_target: (6,).
        noise: (18,) standard normal numbers.
        driven: False: the brakes hold the arm where it is.
        out: (SIZE,).
    """
    T = np.empty((7, 3, 4))
    J = np.empty((6, 6))
    tip = np.empty((3, 4))
    moment = np.empty(6)
    inertia = np.empty(6)
    speed = np.empty(6)
    gravity = world[0:3]
    # What is asked for.
    frames(dh, q_target, T)
    tool_jacobian(T, tool, J, tip)
    gravity_moments(T, mass, com, load[0:4], gravity, moment, inertia)
    for i in range(6):
        qd = (q_target[i] - memory[4, i]) / DT
        qdd = (qd - memory[5, i]) / DT
        out[TQ + i], out[TQD + i], out[TQDD + i] = q_target[i], qd, qdd
        torque = moment[i] + inertia[i] * qdd if driven else 0.0
        out[TMOM + i] = torque
        out[TCUR + i] = torque / load[4 + i]
    for row in range(6):
        speed[row] = 0.0
        for i in range(6):
            speed[row] += J[row, i] * out[TQD + i]
        out[TA + row] = (speed[row] - out[TV + row]) / DT
        out[TV + row] = speed[row]
    pose_of(tip, out[TP : TP + 6])
    pose_of(T[6], out[TFP : TFP + 6])
    target_x, target_y, target_z = tip[0, 3], tip[1, 3], tip[2, 3]
    # What the joints make of it.
    q = np.empty(6)
    worst = follow_targets(step, memory, q_target, moment, brake, driven, DT)
    for i in range(6):
        q[i] = memory[2, i]
        out[AQ + i] = q[i] + step[9] * noise[i]
        out[AQD + i] = memory[3, i] + (step[10] * noise[6 + i] if driven else 0.0)
        q[i] = out[AQ + i]
    out[RATIO] = worst / 0.2
    # What is measured on it.
    frames(dh, q, T)
    tool_jacobian(T, tool, J, tip)
    gravity_moments(T, mass, com, load[0:4], gravity, moment, inertia)
    pose_of(tip, out[AP : AP + 6])
    pose_of(T[6], out[FP : FP + 6])
    dx, dy, dz = tip[0, 3] - target_x, tip[1, 3] - target_y, tip[2, 3] - target_z
    late = math.sqrt(dx * dx + dy * dy + dz * dz)
    pace = math.sqrt(out[TV] ** 2 + out[TV + 1] ** 2 + out[TV + 2] ** 2)
    along = (dx * out[TV] + dy * out[TV + 1] + dz * out[TV + 2]) / pace if pace > 1e-3 else 0.0
    out[LATE] = late
    out[CROSS] = math.sqrt(max(0.0, late * late - along * along))
    momentum, heat, amperes, power = 0.0, 0.0, 0.0, 0.0
    for row in range(6):
        speed[row] = 0.0
        for i in range(6):
            speed[row] += J[row, i] * out[AQD + i]
        out[AA + row] = (speed[row] - out[AV + row]) / DT
        out[AV + row] = speed[row]
    for i in range(6):
        push = 0.0
        for row in range(6):
            push += J[row, i] * world[3 + row]
        friction = 0.5 * math.tanh(20.0 * out[AQD + i]) + 0.2 * out[AQD + i]
        torque = moment[i] + inertia[i] * out[TQDD + i] + friction - push if driven else 0.0
        out[ACUR + i] = (torque / load[4 + i] + (0.02 * step[9] / 1e-5 * noise[12 + i])) if driven else 0.0
        out[JCO + i] = out[ACUR + i]
        amperes += abs(out[ACUR + i])
        power += abs(torque * out[AQD + i])
        momentum += inertia[i] * abs(out[AQD + i])
        heat = max(heat, abs(push) / 30.0)
    out[COLLISION] = heat
    out[MOMENTUM] = momentum
    out[CURRENT] = 0.35 + (0.25 * amperes if driven else 0.0)
    out[POWER] = power
    total = 0.0
    for row in range(6):
        felt = world[3 + row] - world[9 + row] + step[11] * noise[(row + 12) % 18] * (1.0 if row < 3 else 0.05)
        out[AF + row] = felt if driven else 0.0
        out[WC + row] = out[AF + row]
        if row < 3:
            total += out[AF + row] * out[AF + row]
    out[FORCE] = math.sqrt(total)
    # The sensor sits in the flange: it feels the payload's weight too, in its own axes.
    for row in range(3):
        f, t = 0.0, 0.0
        for k in range(3):
            f += T[6, k, row] * (world[3 + k] - load[0] * gravity[k])
            t += T[6, k, row] * world[6 + k]
        out[FT + row] = f if driven else 0.0
        out[FT + 3 + row] = t if driven else 0.0
        out[ACC + row] = (T[6, 0, row] * gravity[0] + T[6, 1, row] * gravity[1] + T[6, 2, row] * gravity[2]) + (
            T[6, 0, row] * out[AA] + T[6, 1, row] * out[AA + 1] + T[6, 2, row] * out[AA + 2]
        )
        out[ELBOW + row] = T[2, row, 3]
    for row in range(3):
        out[ELBOW_V + row] = 0.0
    for i in range(2):
        wx, wy, wz = T[i, 0, 2], T[i, 1, 2], T[i, 2, 2]
        ex, ey, ez = T[2, 0, 3] - T[i, 0, 3], T[2, 1, 3] - T[i, 1, 3], T[2, 2, 3] - T[i, 2, 3]
        out[ELBOW_V] += (wy * ez - wz * ey) * out[AQD + i]
        out[ELBOW_V + 1] += (wz * ex - wx * ez) * out[AQD + i]
        out[ELBOW_V + 2] += (wx * ey - wy * ex) * out[AQD + i]
    out[SPEED] = math.sqrt(out[AV] ** 2 + out[AV + 1] ** 2 + out[AV + 2] ** 2)
