"""Where the bodies of arms are, and how far they can get from there.

Source: a turn about an axis by Rodrigues' formula, B. Siciliano et al., Robotics: Modelling, Planning and Control,
Springer 2009, section 2.5; the bound is proved at `reach_of_bodies`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .rows import JOINT, PLACE, SPINE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@jit
def place_bodies(
    joint_floats: Floats, joint_ints: Ints, bodies: Floats, ints: Ints, q: Floats, frames: Floats, places: Floats
) -> None:
    """Write the frames of joints (J, 12) after turning, and the places of bodies (S, 12), in the world."""
    for j in range(joint_floats.shape[0]):
        fixed = joint_floats[j]
        before = joint_ints[j, 0]
        value = q[joint_ints[j, 1]]
        R = frames[j]
        if before < 0:
            for c in range(12):
                R[c] = fixed[c]
        else:
            P = frames[before]
            for row in range(3):
                x, y, z = P[3 * row], P[3 * row + 1], P[3 * row + 2]
                for c in range(3):
                    R[3 * row + c] = x * fixed[c] + y * fixed[3 + c] + z * fixed[6 + c]
                R[9 + row] = x * fixed[9] + y * fixed[10] + z * fixed[11] + P[9 + row]
        ax, ay, az = fixed[12], fixed[13], fixed[14]
        if fixed[15] != 0.0:
            for row in range(3):
                R[9 + row] += value * (R[3 * row] * ax + R[3 * row + 1] * ay + R[3 * row + 2] * az)
        else:
            c, s = math.cos(value), math.sin(value)
            k = 1.0 - c
            t0, t1, t2 = c + ax * ax * k, ax * ay * k - az * s, ax * az * k + ay * s
            t3, t4, t5 = ay * ax * k + az * s, c + ay * ay * k, ay * az * k - ax * s
            t6, t7, t8 = az * ax * k - ay * s, az * ay * k + ax * s, c + az * az * k
            for row in range(3):
                x, y, z = R[3 * row], R[3 * row + 1], R[3 * row + 2]
                R[3 * row] = x * t0 + y * t3 + z * t6
                R[3 * row + 1] = x * t1 + y * t4 + z * t7
                R[3 * row + 2] = x * t2 + y * t5 + z * t8
    for i in range(bodies.shape[0]):
        P = frames[ints[i, JOINT]]
        B = bodies[i]
        out = places[i]
        for row in range(3):
            x, y, z = P[3 * row], P[3 * row + 1], P[3 * row + 2]
            for c in range(3):
                out[3 * row + c] = x * B[PLACE + c] + y * B[PLACE + 3 + c] + z * B[PLACE + 6 + c]
            out[9 + row] = x * B[PLACE + 9] + y * B[PLACE + 10] + z * B[PLACE + 11] + P[9 + row]


@jit
def _off_axis(frame: Floats, fixed: Floats, x: float, y: float, z: float) -> float:
    """Return how far a point in the world is from the axis of a joint."""
    ax = frame[0] * fixed[12] + frame[1] * fixed[13] + frame[2] * fixed[14]
    ay = frame[3] * fixed[12] + frame[4] * fixed[13] + frame[5] * fixed[14]
    az = frame[6] * fixed[12] + frame[7] * fixed[13] + frame[8] * fixed[14]
    dx, dy, dz = x - frame[9], y - frame[10], z - frame[11]
    cx, cy, cz = ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx
    return math.sqrt(cx * cx + cy * cy + cz * cz)


@jit
def reach_of_bodies(
    joint_floats: Floats,
    joint_ints: Ints,
    bodies: Floats,
    ints: Ints,
    frames: Floats,
    places: Floats,
    turn: Floats,
    reach: Floats,
) -> None:
    """Write how far any point of each body can get when no joint leaves its interval about this configuration.

    `reach` (S, J) holds it by joint: the part that joint j adds. The sum over the joints that carry a body bounds the
    way of each of its points, whatever the joints do inside their intervals:

    Let p_j(t) be a point seen from the frame of joint j, moved by the joints after j only. One joint further back it
    is A R(t) p_j(t) with a fixed placement A and the turn R of the joint, so it has moved by
        |R(t) p_j(t) - R(0) p_j(0)| <= |p_j(t) - p_j(0)| + |(R(t) - R(0)) p_j(0)| <= way_j + |turn_j| · rho_j,
    where rho_j is the distance of p_j(0) from the axis. By induction from the tool to the base the whole way is at
    most the sum of |turn_j| rho_j, with every rho_j taken at this one configuration. (A joint that slides adds its
    stroke.) The greatest rho of a body is that of the ends of its spine plus the spine's radius, since the distance
    from a line is a convex function.

    Args:
        joint_floats: Rows of the joints.
        joint_ints: Rows of the joints.
        bodies: Rows of the bodies.
        ints: Rows of the bodies.
        frames: Frames of joints at this configuration, as `place_bodies` writes them.
        places: Places of bodies, likewise.
        turn: (J,): the greatest deviation of each joint from this configuration, by row.
        reach: (S, J): written.
    """
    for i in range(bodies.shape[0]):
        B = bodies[i]
        P = places[i]
        x0 = P[0] * B[SPINE] + P[1] * B[SPINE + 1] + P[2] * B[SPINE + 2] + P[9]
        y0 = P[3] * B[SPINE] + P[4] * B[SPINE + 1] + P[5] * B[SPINE + 2] + P[10]
        z0 = P[6] * B[SPINE] + P[7] * B[SPINE + 1] + P[8] * B[SPINE + 2] + P[11]
        x1 = P[0] * B[SPINE + 3] + P[1] * B[SPINE + 4] + P[2] * B[SPINE + 5] + P[9]
        y1 = P[3] * B[SPINE + 3] + P[4] * B[SPINE + 4] + P[5] * B[SPINE + 5] + P[10]
        z1 = P[6] * B[SPINE + 3] + P[7] * B[SPINE + 4] + P[8] * B[SPINE + 5] + P[11]
        for j in range(joint_floats.shape[0]):
            reach[i, j] = 0.0
        j = ints[i, JOINT]
        while j >= 0:
            if turn[j] > 0.0:
                if joint_floats[j, 15] != 0.0:
                    reach[i, j] = turn[j]
                else:
                    rho = max(
                        _off_axis(frames[j], joint_floats[j], x0, y0, z0),
                        _off_axis(frames[j], joint_floats[j], x1, y1, z1),
                    )
                    reach[i, j] = turn[j] * (rho + B[SPINE + 6])
            j = joint_ints[j, 0]


@jit
def relative_reach(joint_ints: Ints, ints: Ints, reach: Floats, a: int, b: int) -> float:
    """Return how far two moving bodies can get towards each other.

    Joints that carry both move neither against the other, and do not count.
    """
    total = 0.0
    i, k = ints[a, JOINT], ints[b, JOINT]
    # Joints of one arm stand in consecutive rows, so the farther one of two is not below the other.
    while i != k:
        if i > k:
            total += reach[a, i]
            i = joint_ints[i, 0]
        else:
            total += reach[b, k]
            k = joint_ints[k, 0]
    return total
