"""find_handling_offer: a pick or place instead of plain steps at which the tool touches the part that it is to take."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from openpendant.programs.document import (
    Action,
    GoTo,
    PickPart,
    PlacePart,
    Program,
    RemoveStep,
    ReplaceStep,
    Tool,
    edit_program,
    find_step,
    steps_at,
)
from openpendant.programs.sequence import ProgramArm
from openpendant.said import say
from openpendant.spatial import inverse

from .report import Alternative, Finding

Array = NDArray[np.float64]

SAME_M, SAME_TURN = 0.001, 1e-3
NEAREST_M, FARTHEST_M = 0.005, 0.5
"""Moves that go straight back by this much are the approach and the retreat."""


def find_handling_offer(setting: ProgramArm, program: Program, step_id: str, finding: Finding) -> Alternative | None:
    """Return a pick or place for a failing step, with the steps around it that it stands for; it is not checked yet.

    Args:
        setting: The program's arm.
        program: That has the step.
        step_id: The step that fails.
        finding: Why it fails.
    """
    part = _touched_part(setting, finding)
    place, failing = find_step(program, step_id)
    beside = [step for step in steps_at(program, place.parent, place.slot) if step.enabled]
    at = next((index for index, step in enumerate(beside) if step.id == step_id), None)
    if part is None or at is None:
        return None
    if isinstance(failing, Tool):
        at -= 1
    go = beside[at] if at >= 0 else None
    tool = beside[at + 1] if at + 1 < len(beside) else None
    if not isinstance(go, GoTo) or not isinstance(tool, Tool) or go.how == "arc" or go.tool:
        return None
    picks = tool.state == "close"
    if isinstance(failing, Tool) and picks:
        return None
    before = at - 1
    stands_for = [go.id, tool.id]
    approach_m = _back_m(setting, beside[before] if before >= 0 else None, go)
    if approach_m is not None:
        stands_for.append(beside[before].id)
        before -= 1
    opens = beside[before] if before >= 0 else None
    if picks and isinstance(opens, Tool) and opens.state == "open":
        stands_for.append(opens.id)
    retreat_m = _back_m(setting, beside[at + 2] if at + 2 < len(beside) else None, go)
    if retreat_m is not None:
        stands_for.append(beside[at + 2].id)
    kind = PickPart if picks else PlacePart
    action = kind(
        id=step_id,
        part=part,
        at=go.to,
        offset=go.offset,
        approach_m=approach_m or retreat_m or kind(part=part).approach_m,
        retreat_m=retreat_m or approach_m or kind(part=part).retreat_m,
        slowly=go.speed,
    )
    others = tuple(one for one in stands_for if one != step_id)
    message = say("check.make_pick" if picks else "check.make_place", part=part)
    return Alternative(kind="pick" if picks else "place", message=message, action=action, instead_of=(step_id, *others))


def with_offer(program: Program, offer: Alternative) -> Program:
    """Return the program with a pick or place in the place of the steps that it stands for."""
    first, *others = offer.instead_of
    for one in others:
        program = edit_program(program, RemoveStep(id=one)).program
    return edit_program(program, ReplaceStep(id=first, action=offer.action)).program


def _touched_part(setting: ProgramArm, finding: Finding) -> str | None:
    """Return the part that an arm's tool or the part in it touches; None: something else fails."""
    near, placed = finding.near, setting.placed
    if finding.kind != "collision" or near is None:
        return None
    hand = {f"{placed.robot}/{name}" for name in (*placed.tool_links, placed.tool.name if placed.tool else "")}
    parts = {one.name for one in setting.scene.cell.objects if one.graspable}
    for mover, other in ((near.a, near.b), (near.b, near.a)):
        if mover in hand and other in parts:
            return other
    return near.a if near.a in parts else None


def _back_m(setting: ProgramArm, step: Action | None, go: GoTo) -> float | None:
    """Return how far behind the point of `go`, along its tool, a move ends; None: it ends elsewhere."""
    if not isinstance(step, GoTo) or step.tool or step.how == "arc":
        return None
    T_here, T_there = _end(setting, go), _end(setting, step)
    if T_here is None or T_there is None:
        return None
    T = inverse(T_here) @ T_there
    back_m = -float(T[2, 3])
    same = float(np.abs(T[:2, 3]).max()) < SAME_M and float(np.abs(T[:3, :3] - np.eye(3)).max()) < SAME_TURN
    return round(back_m, 4) if same and NEAREST_M <= back_m <= FARTHEST_M else None


def _end(setting: ProgramArm, step: GoTo) -> Array | None:
    """Return where a move ends in the arm's base; None: it depends on variables."""
    if step.offset is None:
        return setting.T_base(step.to)
    by = msgspec.to_builtins(step.offset.by)
    if any(isinstance(value, str) for value in by):
        return None
    x, y, z = (float(value) for value in by)
    return setting.T_base(step.to, (x, y, z), step.offset.axes)
