"""Whole corners: every blend inside a zone, not only ours, keeps its distance.

Between the points where a corner leaves and meets the programmed paths, any controller's blend lies in the triangle
of those two points and the programmed one. One look at the programmed point settles most corners: when nothing is
nearer than anything in the triangle can be from there, all of it is clear. Otherwise rungs are laid across the
triangle, closer and closer, until what lies between two of them cannot reach what is near.
"""

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.motion import Corner
from openpendant.scene import Collision, CollisionWorld, Nearest, PlacedArm
from openpendant.spatial import inverse, rotation_vector_from_matrix

Array = NDArray[np.float64]

RESOLUTION_M = 0.0005
"""Rungs are never laid closer than this."""
MOST_RUNGS = 512
POINTS_ON_RUNG = 9
NO_TURN = 1e-9


def reaches(world: CollisionWorld, placed: PlacedArm) -> Array:
    """Return how far from each joint's axis anything can be that the joint moves, metres; 1 where it slides."""
    chain = placed.kinematics.chain
    own = np.zeros(chain.dof)
    for body in world.layout.moving_bodies:
        if body.arm == placed.key:
            size = float(np.linalg.norm(body.body.T[:3, 3]) + np.linalg.norm(body.body.bound()))
            own[body.joint] = max(own[body.joint], size)
    out = np.empty(chain.dof)
    far = 0.0
    for place in range(chain.dof - 1, -1, -1):
        index = chain.order[place]
        far = max(far, float(own[place]))
        slides = bool(chain.prismatic[place])
        out[index] = 1.0 if slides else far
        travel = float(max(abs(chain.lower[index]), abs(chain.upper[index]))) if slides else 0.0
        far += float(np.linalg.norm(chain.T_parent_joint[place][:3, 3])) + travel
    return out


def check_corner(
    world: CollisionWorld,
    placed: PlacedArm,
    corner: Corner,
    T_flange_tool: Array,
    reach: Array,
    widest_margin_m: float,
    others: dict[str, Array],
) -> Collision | Nearest | None:
    """Return what some blend inside a corner would touch, or the nearest thing, or None where nothing is near.

    Args:
        world: With everything as it stands at that time.
        placed: The arm.
        corner: Of a trajectory.
        T_flange_tool: Of the tool that is moved.
        reach: From `reaches`.
        widest_margin_m: Of all objects.
        others: Joints of the other arms.
    """
    edges = np.abs(np.array([corner.q_enter, corner.q_leave]) - corner.q_corner)
    # In joint space the triangle is flat. One of the tool bends a little out of it; half as much again is ample.
    straight = corner.space == "joint"
    radius = (1.0 if straight else 1.5) * float((edges @ reach).max())
    look = world.check_path(corner.q_corner[None], placed.key, others=others or None)
    if isinstance(look, Collision):
        return look
    if look.at_least_m > radius + widest_margin_m:
        return look.nearest if np.isfinite(look.at_least_m) else None
    rungs = 4
    while True:
        Q = (
            _rungs_in_joints(corner, rungs)
            if straight
            else _rungs_of_tool(placed.kinematics, corner, T_flange_tool, rungs)
        )
        if Q is None:
            Q = _rungs_in_joints(corner, rungs)
        found = world.check_path(_serpentine(Q), placed.key, others=others or None)
        if isinstance(found, Collision):
            return found
        gap = 0.5 * float((np.abs(np.diff(Q, axis=0)) @ reach).max())
        if found.at_least_m > gap + widest_margin_m or gap < RESOLUTION_M or rungs >= MOST_RUNGS:
            return found.nearest if np.isfinite(found.nearest.distance_m) else None
        rungs *= 2


def _rungs_in_joints(corner: Corner, count: int) -> Array:
    """Return (count + 1, P, n): straight joint lines across the corner, from the programmed point outwards."""
    u = np.linspace(0.0, 1.0, count + 1)[:, None]
    start = corner.q_corner + u * (corner.q_enter - corner.q_corner)
    end = corner.q_corner + u * (corner.q_leave - corner.q_corner)
    v = np.linspace(0.0, 1.0, POINTS_ON_RUNG)[None, :, None]
    return (1.0 - v) * start[:, None] + v * end[:, None]


def _rungs_of_tool(arm: Arm, corner: Corner, T_flange_tool: Array, count: int) -> Array | None:
    """Return the same with the tool on straight lines; None where some pose has no solution near."""
    ends = np.array([corner.q_enter, corner.q_corner, corner.q_leave])
    T = arm.fk(ends, check_limits=False) @ T_flange_tool
    guess = _rungs_in_joints(corner, count)
    shape = guess.shape[:2]
    u = np.linspace(0.0, 1.0, count + 1)[:, None]
    v = np.linspace(0.0, 1.0, POINTS_ON_RUNG)[None, :]
    w_enter, w_leave = u * (1.0 - v), u * v
    p = (
        T[1, :3, 3]
        + w_enter[..., None] * (T[0, :3, 3] - T[1, :3, 3])
        + w_leave[..., None] * (T[2, :3, 3] - T[1, :3, 3])
    )
    poses = np.tile(T[1], (*shape, 1, 1))
    poses[..., :3, 3] = p
    turns = np.array([rotation_vector_from_matrix(T[1, :3, :3].T @ T[k, :3, :3]) for k in (0, 2)])
    if np.abs(turns).max() > NO_TURN:
        turn = w_enter[..., None] * turns[0] + w_leave[..., None] * turns[1]
        poses[..., :3, :3] = T[1, :3, :3] @ _rotations(turn.reshape(-1, 3)).reshape(*shape, 3, 3)
    flat = poses.reshape(-1, 4, 4) @ inverse(T_flange_tool)
    seeds = guess.reshape(-1, arm.dof)
    Q, mask = arm.ik_array(flat, seeds)
    away = np.where(mask, np.abs(Q - seeds[:, None]).max(axis=2), np.inf)
    best = away.argmin(axis=1)
    rows = np.arange(len(best))
    # Farther away than this it is another branch: the corner is too near to a singular posture for rungs of the tool.
    if not (away[rows, best] < 0.5).all():
        return None
    return Q[rows, best].reshape(guess.shape)


def _rotations(turns: Array) -> Array:
    """Return (N, 3, 3) of rotation vectors (N, 3); Rodrigues."""
    angle = np.linalg.norm(turns, axis=1)
    axis = turns / np.maximum(angle, 1e-12)[:, None]
    K = np.zeros((len(turns), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    K -= np.swapaxes(K, 1, 2)
    return np.eye(3) + np.sin(angle)[:, None, None] * K + (1.0 - np.cos(angle))[:, None, None] * (K @ K)


def _serpentine(Q: Array) -> Array:
    """Return one path over all rungs, there and back."""
    rows = [rung if index % 2 == 0 else rung[::-1] for index, rung in enumerate(Q)]
    return np.ascontiguousarray(np.concatenate(rows))
