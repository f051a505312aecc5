"""Whether a program works only from where the arm stands, and why."""

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.motion import MoveJoint
from openpendant.programs.document import GoTo
from openpendant.programs.sequence import Leg, ProgramArm, StepTurn
from openpendant.scene import Collision, CollisionWorld
from openpendant.spatial import inverse

Array = NDArray[np.float64]
Firsts = dict[str, tuple[ProgramArm, StepTurn, Leg]]
"""By arm, its first move."""


def why_start_matters(firsts: Firsts, q_start: dict[str, Array], world: CollisionWorld | None) -> str:
    """Return why a program depends on where its arms start, as text; empty: it does not."""
    reasons = [reason for first in firsts.values() if (reason := _why(*first, q_start, world))]
    return "; ".join(reasons)


def _why(setting: ProgramArm, leaf: StepTurn, leg: Leg, q_start: dict[str, Array], world: CollisionWorld | None) -> str:
    step = leaf.step
    name = f"{setting.key}: the first move (step {step.id})"
    if isinstance(step, GoTo):
        if step.how != "joint":
            way = "in a straight line" if step.how == "line" else "on an arc"
            return f"{name} goes {way} from wherever the arm stands"
        if setting.point(step.to)[2] is None:
            T = setting.T_base(step.to, leaf.offset, "frame" if step.offset is None else step.offset.axes)
            arm = setting.placed.kinematics
            result = arm.ik(T @ inverse(setting.T_flange_tool(step.tool)), seed=q_start[setting.key])
            if len(result.solutions) > 1:
                return (
                    f"{name} goes to a point without taught joints; which of {len(result.solutions)} "
                    "configurations it takes depends on where the arm stands"
                )
    if world is None or not isinstance(leg.move, MoveJoint):
        return ""
    others = {key: q for key, q in q_start.items() if key != setting.key}
    facts = setting.placed.model.arm_facts(setting.placed.arm)
    for posture in facts.postures:
        try:
            q = setting.placed.kinematics.check_q(setting.placed.model.posture(posture.name, setting.placed.arm))
        except InputError:
            continue
        if isinstance(world.check_path(q[None], setting.key, others=others or None), Collision):
            continue
        found = world.check_path(np.array([q, leg.move.q_end]), setting.key, others=others or None)
        if isinstance(found, Collision):
            return f"{name} would fail from '{posture.name}': {found}"
    return ""
