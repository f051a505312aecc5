"""Other ways to make a step that fails: another configuration, another turn about the tool's axis, a way round."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import IkSolution
from openpendant.motion import FINE, MoveArc, MoveJoint, MoveLine, Zone, detour_moves, find_detour
from openpendant.programs.document import GoTo, MoveAxis, parse_speed, parse_zone, scaled_speed
from openpendant.programs.sequence import Leg, MoveChain, ProgramArm, StepTurn, TcpPoint, plan_step
from openpendant.said import say
from openpendant.scene import CollisionWorld
from openpendant.spatial import inverse, make_transform, rotation_z

from .chain_check import ChainFindings, check_chain
from .report import Alternative

Array = NDArray[np.float64]

TURNS_DEG = tuple(sign * angle for angle in (15, 30, 45, 60, 75, 90, 120, 150, 180) for sign in (1, -1))
MOST_BRANCHES = 3
LONGEST_SEARCH_S = 2.0


@dataclass(frozen=True, eq=False)
class Context:
    """How things stood when a step failed."""

    setting: ProgramArm
    leaf: StepTurn
    q: Array
    """Where the arm was before it."""
    override: float
    world: CollisionWorld | None
    others: dict[str, Array]
    reach: Array
    margin: float
    tcps: tuple[TcpPoint, ...] = ()

    def works(self, leg: Leg, q_start: Array) -> bool:
        """Return whether a move can be made, and touches nothing."""
        chain = MoveChain(self.setting, q_start, (leg,), "")
        found = self.check(chain)
        return not any(finding.fails for one in found.legs for finding in one.findings)

    def check(self, chain: MoveChain) -> ChainFindings:
        """Look at a chain as things stood."""
        return check_chain(chain, self.world, self.others, self.reach, self.margin, self.tcps)


def find_alternatives(context: Context) -> tuple[Alternative, ...]:
    """Return other ways to make the step that failed, the nearest first; each was checked."""
    step = context.leaf.step
    if isinstance(step, MoveAxis):
        return _detours(context, [np.array(step.q, dtype=np.float64)], step.speed)
    if not isinstance(step, GoTo):
        return ()
    axes = "frame" if step.offset is None else step.offset.axes
    T = context.setting.T_base(step.to, context.leaf.offset, axes)
    found = (*_branches(context, step, T), *_turns(context, step, T))
    if step.how != "joint":
        return found
    T_flange = T @ inverse(context.setting.T_flange_tool(step.tool))
    goals = context.setting.placed.kinematics.ik(T_flange, seed=context.q, variants=True).solutions
    return (*found, *_detours(context, [np.array(one.q) for one in goals], step.speed))


def _branches(context: Context, step: GoTo, T: Array) -> list[Alternative]:
    """Return other configurations to arrive in; for lines and arcs, other ones to begin in."""
    arm = context.setting.placed.kinematics
    T_tool = context.setting.T_flange_tool(step.tool)
    joint = step.how == "joint"
    T_flange = T @ inverse(T_tool) if joint else arm.fk(context.q)
    found: list[Alternative] = []
    now = arm.describe(context.q)
    for solution in arm.ik(T_flange, seed=context.q, variants=True).solutions:
        leg = _alternative_leg(context, step, solution)
        q_start = context.q if joint else np.array(solution.q)
        if leg is None or (not joint and np.abs(q_start - context.q).max() < 1e-6):
            continue
        if context.works(leg, q_start):
            label = solution.label or say("check.another_branch")
            begin = say("check.begin_as", label=label, now=now or say("check.this_branch"))
            message = say("check.arrive_as", label=label) if joint else begin
            found.append(Alternative(kind="branch", message=message, q=tuple(float(v) for v in solution.q)))
        if len(found) == MOST_BRANCHES:
            break
    return found


def _alternative_leg(context: Context, step: GoTo, solution: IkSolution) -> Leg | None:
    speed = scaled_speed(parse_speed(step.speed), context.override)
    zone = parse_zone(step.zone)
    q = np.array(solution.q)
    if step.how == "joint":
        return Leg(context.leaf, MoveJoint(q, speed, zone), step.tool, q, context.override)
    laid = plan_step(context.setting, context.leaf, q, context.override)
    return laid if isinstance(laid, Leg) else None


def _turns(context: Context, step: GoTo, T: Array) -> list[Alternative]:
    """Return the smallest further turn about the tool's own z with which the step can be made."""
    arm = context.setting.placed.kinematics
    T_tool = context.setting.T_flange_tool(step.tool)
    speed = scaled_speed(parse_speed(step.speed), context.override)
    for degrees in TURNS_DEG:
        T_turned = T @ make_transform(rotation_z(math.radians(degrees)))
        result = arm.ik(T_turned @ inverse(T_tool), seed=context.q, variants=True)
        if result.nearest is None:
            continue
        q = np.array(result.nearest.q)
        if step.how == "joint":
            move = MoveJoint(q, speed, FINE)
        elif step.how == "line" or step.via is None:
            move = MoveLine(T_turned, speed, FINE)
        else:
            move = MoveArc(context.setting.T_base(step.via, context.leaf.offset), T_turned, speed, FINE)
        leg = Leg(context.leaf, move, step.tool, q, context.override)
        if context.works(leg, context.q):
            message = say("check.turn_tool", turn_deg=degrees)
            joints = tuple(float(value) for value in q)
            return [Alternative(kind="turn", message=message, q=joints, turn_rad=math.radians(degrees))]
    return []


def _detours(context: Context, goals: list[Array], speed: str) -> tuple[Alternative, ...]:
    """Return joint moves round what is in the way, if a way is found soon."""
    world, setting = context.world, context.setting
    if world is None or not goals:
        return ()
    collides = world.checker(setting.key, context.others)
    path = find_detour(collides, context.q, goals, setting.limits, time_s=LONGEST_SEARCH_S)
    if path is None or len(path) < 3:
        return ()
    for zone in (Zone(0.01), FINE):
        asked = scaled_speed(parse_speed(speed), context.override)
        legs = tuple(
            Leg(context.leaf, move, "", move.q_end, context.override) for move in detour_moves(path, asked, zone)
        )
        found = context.check(MoveChain(setting, context.q, legs))
        if not any(finding.fails for one in found.legs for finding in one.findings):
            points = tuple(tuple(float(value) for value in q) for q in path[1:])
            count = len(points) - 1
            message = say("check.go_round" if count > 1 else "check.go_round_one", count=count)
            return (Alternative(kind="way round", message=message, q=points[-1], way=points),)
    return ()
