"""check_chain: everything a check wants to know about one chain of moves."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openpendant.motion import Blocked, Corner, MoveJoint, Trajectory
from openpendant.programs.sequence import MoveChain, TcpPoint, plan_chain
from openpendant.said import say
from openpendant.scene import Collision, CollisionWorld, find_space_fault, spaces_of_arm

from .corner_check import check_corner
from .report import Finding, FindingKind, Near

Array = NDArray[np.float64]

CHORD_M = 0.0002
"""Between two checked vertices, nothing strays farther than this from the straight line."""
MOST_PARTS = 64
REACHED = 0.95
MUCH_OF_ZONE = 0.65
"""A joint corner that keeps inside its zone uses 0.7 of it; that is not worth reporting."""
SPEED_SAMPLES_S = 0.01
SPACE_SAMPLES_S = 0.004
"""At 2 m/s and 20 m/s² the TCP strays less than 0.1 mm from the straight connection of two samples."""
KINDS: dict[str, FindingKind] = {
    "unreachable": "unreachable",
    "limit": "limit",
    "jump": "singular",
    "degenerate": "no circle",
}


@dataclass(eq=False)
class MoveFindings:
    """What was found of one move."""

    duration_s: float = 0.0
    length_m: float = 0.0
    near: Near | None = None
    findings: list[Finding] = field(default_factory=list[Finding])

    def note_near(self, near: Near | None) -> None:
        """Remember what was near, if nothing nearer is known."""
        if near is not None and (self.near is None or near.distance_m < self.near.distance_m):
            self.near = near


@dataclass(eq=False)
class ChainFindings:
    """What was found of a chain."""

    legs: list[MoveFindings]
    q_end: Array
    blocked_at: int | None = None
    """The move that cannot be executed; those after it were not checked."""
    trajectory: Trajectory | None = None


def check_chain(
    chain: MoveChain,
    world: CollisionWorld | None,
    others: dict[str, Array],
    reach: Array,
    widest_margin_m: float,
    tcps: Sequence[TcpPoint] = (),
    worlds: Mapping[int, CollisionWorld] | None = None,
) -> ChainFindings:
    """Plan a chain and look at it.

    Args:
        chain: What to look at.
        world: As it stands while the chain is made; None: collisions are not looked for.
        others: Joints of the other arms.
        reach: How far from each joint anything is that it moves.
        widest_margin_m: Of all objects.
        tcps: On the flange, metres: what keeps to spaces beside the tool's own TCP and that of the chain.
        worlds: By the number of a move, a world of its own, where something may touch.
    """
    worlds = worlds or {}
    planned = plan_chain(chain)
    if isinstance(planned, Blocked):
        return _blocked(chain, planned, world, others, reach, widest_margin_m, tcps, worlds)
    findings = [MoveFindings() for _ in chain.legs]
    _measure(chain, planned, findings)
    for corner in planned.corners:
        _corner_remarks(corner, findings[corner.move])
    _spaces(chain, planned, findings, tcps)
    if world is not None:
        _touch(chain, planned, world, others, reach, findings, worlds)
        for corner in planned.corners:
            if corner.space != "stop":
                _check_rounded_corner(chain, corner, world, others, reach, widest_margin_m, findings)
    return ChainFindings(findings, planned.q_end, None, planned)


def _blocked(
    chain: MoveChain,
    blocked: Blocked,
    world: CollisionWorld | None,
    others: dict[str, Array],
    reach: Array,
    widest_margin_m: float,
    tcps: Sequence[TcpPoint],
    worlds: Mapping[int, CollisionWorld],
) -> ChainFindings:
    """Look at the moves before the one that cannot be executed."""
    at = blocked.move
    before = ChainFindings([], chain.q_start)
    if at > 0:
        head = MoveChain(chain.setting, chain.q_start, chain.legs[:at], say("check.next_blocked"))
        before = check_chain(head, world, others, reach, widest_margin_m, tcps, worlds)
        if before.blocked_at is not None:
            return before
    result = MoveFindings()
    q = None if blocked.q is None else tuple(float(value) for value in blocked.q)
    result.findings.append(
        Finding(
            kind=KINDS[blocked.kind],
            message=blocked.reason,
            fails=True,
            fraction=blocked.fraction,
            joint=blocked.joint,
            q=q,
        )
    )
    return ChainFindings([*before.legs, result], chain.legs[at].q_guess, at, before.trajectory)


def path_vertices(trajectory: Trajectory, reach: Array) -> tuple[Array, NDArray[np.int64]]:
    """Return vertices (N, n) along a trajectory, whose straight connections stray at most 0.2 mm from it.

    Also which move each of the N - 1 connections belongs to.
    """
    cells, h = trajectory.cells, np.diff(trajectory.knots)
    power: NDArray[np.int64] = np.arange(cells.shape[1], dtype=np.int64)
    # A curve strays from its chord by at most h² max|q″| / 8.
    curving: Array = (power * (power - 1))[2:, None] * np.abs(cells[:, 2:]) * h[:, None, None] ** power[2:, None]
    strays = curving.sum(axis=1) @ reach / 8.0
    parts = np.clip(np.ceil(np.sqrt(strays / CHORD_M)), 1, MOST_PARTS).astype(np.int64)
    cell = np.repeat(np.arange(len(parts)), parts)
    x = (np.arange(len(cell)) - np.repeat(np.cumsum(parts) - parts, parts)) / np.repeat(parts, parts) * h[cell]
    Q = np.einsum("ik,ikj->ij", x[:, None] ** power, cells[cell])
    Q = np.clip(np.vstack([Q, trajectory.q_end]), trajectory.limits.lower, trajectory.limits.upper)
    return np.ascontiguousarray(Q), trajectory.owner[cell]


def _touch(
    chain: MoveChain,
    trajectory: Trajectory,
    world: CollisionWorld,
    others: dict[str, Array],
    reach: Array,
    findings: list[MoveFindings],
    worlds: Mapping[int, CollisionWorld],
) -> None:
    Q, owner = path_vertices(trajectory, reach)
    key = chain.setting.key
    for move in range(len(findings)):
        mine = np.flatnonzero(owner == move)
        if len(mine) == 0:
            continue
        first, last = int(mine[0]), int(mine[-1]) + 1
        found = worlds.get(move, world).check_path(Q[first : last + 1], key, others=others or None)
        if isinstance(found, Collision):
            share = _share(chain, Q[first : last + 1], found)
            findings[move].findings.append(_collision(found, share))
        findings[move].note_near(Near.of(found.nearest))


def _spaces(chain: MoveChain, trajectory: Trajectory, findings: list[MoveFindings], tcps: Sequence[TcpPoint]) -> None:
    """Say where a TCP leaves the allowed spaces or enters a forbidden one.

    That of the chain, that of the tool which the arm carries, and `tcps`, which the gate all keeps to spaces.
    """
    setting = chain.setting
    boxes = spaces_of_arm(setting.scene, setting.key)
    if not boxes:
        return
    own = (setting.T_flange_tool(tool)[:3, 3] for tool in (chain.tool, ""))
    points = {tuple(map(float, point)): None for point in (*own, *tcps)}
    for span in trajectory.spans:
        count = max(1, math.ceil(span.duration_s / SPACE_SAMPLES_S))
        Q = trajectory.samples_at(np.linspace(span.start_s, span.end_s, count + 1)).q
        T = setting.placed.kinematics.fk(Q, check_limits=False)
        ways = [T[:, :3, :3] @ np.array(point) + T[:, :3, 3] for point in points]
        faults = [(fault, p) for p in ways if (fault := find_space_fault(boxes, p)) is not None]
        if not faults or any(one.kind == "space" for one in findings[span.move].findings):
            continue
        found, p = min(faults, key=lambda one: (one[0].index, one[0].fraction))
        way = np.linalg.norm(np.diff(p, axis=0), axis=1)
        gone = float(way[: found.index].sum() + found.fraction * way[min(found.index, len(way) - 1)])
        share = gone / max(float(way.sum()), 1e-12)
        x, y, z = (setting.placed.T_world_base @ [*found.point, 1.0])[:3]
        place = {"share_percent": 100.0 * share, "x_mm": 1000.0 * x, "y_mm": 1000.0 * y, "z_mm": 1000.0 * z}
        leaves = say("check.leaves_spaces", **place)
        findings[span.move].findings.append(
            Finding(
                kind="space",
                message=say("check.enters_space", space=found.space, **place) if found.space else leaves,
                fails=True,
                fraction=min(share, 1.0),
                q=tuple(float(value) for value in Q[found.index]),
            )
        )


def _share(chain: MoveChain, Q: Array, found: Collision) -> float:
    """Return how far along its way the tool is at a collision, 0 to 1; in joints where it only turns."""
    T = chain.setting.placed.kinematics.fk(Q, check_limits=False) @ chain.setting.T_flange_tool(chain.tool)
    way = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1)
    if way.sum() < 1e-6:
        way = np.linalg.norm(np.diff(Q, axis=0), axis=1)
    at = min(found.index, len(way) - 1)
    return float((way[:at].sum() + found.fraction * way[at]) / max(float(way.sum()), 1e-12))


def _check_rounded_corner(
    chain: MoveChain,
    corner: Corner,
    world: CollisionWorld,
    others: dict[str, Array],
    reach: Array,
    widest_margin_m: float,
    findings: list[MoveFindings],
) -> None:
    after = corner.move + 1
    if after >= len(chain.legs):
        return
    tool = chain.setting.T_flange_tool(chain.tool)
    found = check_corner(world, chain.setting.placed, corner, tool, reach, widest_margin_m, others)
    result = findings[corner.move]
    if isinstance(found, Collision):
        if not any(finding.kind == "collision" for finding in result.findings):
            result.findings.append(_collision(found, None))
        result.note_near(Near.of(found.nearest))
    elif found is not None:
        result.note_near(Near.of(found))


def _collision(found: Collision, share: float | None) -> Finding:
    """Return a collision `share` of the way along the move; None: on some blend inside its zone."""
    near = Near.of(found.nearest)
    p = found.nearest.point_b if np.isfinite(found.nearest.point_b).all() else found.nearest.point_a
    place = {name: 1000.0 * float(value) for name, value in zip(("x_mm", "y_mm", "z_mm"), p, strict=True)}
    if share is None:
        message = say("check.contact_in_blend", contact=found.said, **place)
    else:
        message = say("check.contact_along", contact=found.said, share_percent=100.0 * share, **place)
    return Finding(
        kind="collision",
        message=message,
        fails=True,
        fraction=1.0 if share is None else share,
        near=near,
        q=tuple(float(value) for value in found.q),
    )


def _corner_remarks(corner: Corner, result: MoveFindings) -> None:
    asked_mm = 1000.0 * corner.radius_m
    if corner.space == "stop":
        message = say("check.rests_instead", asked_mm=asked_mm)
    elif corner.cut and corner.reached_m < MUCH_OF_ZONE * corner.radius_m:
        message = say("check.zone_cut", asked_mm=asked_mm, left_mm=1000.0 * corner.reached_m)
    else:
        return
    result.findings.append(Finding(kind="zone cut", message=message, fails=False, fraction=1.0))


def _measure(chain: MoveChain, trajectory: Trajectory, findings: list[MoveFindings]) -> None:
    """Fill in times and lengths, and say where a speed is never reached."""
    if chain.stopped_by:
        message = say("check.zone_not_used", why=chain.stopped_by)
        findings[-1].findings.append(Finding(kind="zone cut", message=message, fails=False, fraction=1.0))
    count = max(8, int(np.ceil(trajectory.duration / SPEED_SAMPLES_S)))
    samples = trajectory.samples_at(np.linspace(0.0, trajectory.duration, count + 1))
    arm = chain.setting.placed.kinematics
    T = arm.fk(samples.q, check_limits=False) @ chain.setting.T_flange_tool(chain.tool)
    way = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1)
    chord = np.linalg.norm(np.diff(T[:, :3, :3], axis=0), axis=(1, 2)) / np.sqrt(8.0)
    turn = 2.0 * np.arcsin(np.minimum(chord, 1.0))
    dt = trajectory.duration / count
    middle = 0.5 * (samples.t[1:] + samples.t[:-1])
    joints = np.abs(samples.qd / trajectory.limits.velocity).max(axis=1)
    for span in trajectory.spans:
        result = findings[span.move]
        result.duration_s += span.duration_s
        mine = (middle >= span.start_s) & (middle <= span.end_s)
        result.length_m += float(way[mine].sum())
        move = chain.legs[span.move].move
        if not mine.any() or dt <= 0.0:
            continue
        tool_m_s, turn_rad_s = float(way[mine].max()) / dt, float(turn[mine].max()) / dt
        fraction = float(joints[:-1][mine].max())
        speed = move.speed
        full = max(
            tool_m_s / speed.tool_m_s,
            turn_rad_s / speed.turn_rad_s,
            fraction / speed.joint_fraction if speed.joint_fraction < 1.0 or isinstance(move, MoveJoint) else 0.0,
        )
        asked = np.isfinite(speed.tool_m_s) or speed.joint_fraction < 1.0
        if asked and full < REACHED:
            message = (
                say("check.speed_tool", most_mm_s=1000.0 * tool_m_s, asked_mm_s=1000.0 * speed.tool_m_s)
                if np.isfinite(speed.tool_m_s)
                else say(
                    "check.speed_joints", most_percent=100.0 * fraction, asked_percent=100.0 * speed.joint_fraction
                )
            )
            result.findings.append(Finding(kind="speed never reached", message=message, fails=False))
