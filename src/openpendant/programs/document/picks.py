"""plain_steps: a pick or a place as the plain steps that it means."""

from typing import Literal

import numpy as np

from openpendant.messages import Pose
from openpendant.spatial import matrix_from_quaternion

from .actions import Action, Axis, GoTo, Offset, PickPart, PlacePart, Target, Tool, Value

APPROACH, GRASP, PUT, RETREAT = ".approach", ".grasp", ".put", ".retreat"
OPEN, CLOSE = ".open", ".close"
"""What is added to the id of a pick or place for each of its plain steps; no step of a program has a dot in its id."""
DIGITS = 9


def plain_steps(step: PickPart | PlacePart, at: Target, pose: Pose) -> tuple[Action, ...]:
    """Return the plain steps of a pick or place, with ids that begin with its own.

    Args:
        step: The pick or place.
        at: Its point; where the step has none, the one that was found for it.
        pose: Of that point, in its frame.
    """
    start = GoTo(
        id=step.id + APPROACH,
        to=at,
        offset=_beside(step.offset, pose, step.along, step.approach_m),
        speed=step.speed,
        zone=step.zone,
    )
    away = GoTo(
        id=step.id + RETREAT,
        to=at,
        how="line",
        offset=_beside(step.offset, pose, step.along, step.retreat_m),
        speed=step.slowly,
        zone=step.zone,
    )
    there = GoTo(id=step.id + PUT, to=at, how="line", offset=step.offset, speed=step.slowly)
    opens = Tool(id=step.id + OPEN, state="open")
    if isinstance(step, PlacePart):
        return (start, there, opens, away)
    there = GoTo(id=step.id + GRASP, to=at, how="line", offset=step.offset, speed=step.slowly)
    return (opens, start, there, Tool(id=step.id + CLOSE, state="close"), away)


def tool_states(step: Action) -> tuple[Literal["open", "close"], ...]:
    """Return how a step leaves the tool, in order: 'open' or 'close'; empty: it does not work it."""
    match step:
        case Tool(state=state):
            return (state,)
        case PickPart():
            return ("open", "close")
        case PlacePart():
            return ("open",)
        case _:
            return ()


def _beside(offset: Offset | None, pose: Pose, along: Axis, distance_m: float) -> Offset:
    """Return an offset and, from there, so far back along an axis."""
    R = matrix_from_quaternion(pose.wxyz)
    if along == "tool":
        back = np.array([0.0, 0.0, -distance_m])
    else:
        back = np.zeros(3)
        back["xyz".index(along[1])] = distance_m if along[0] == "+" else -distance_m
    if offset is None:
        return Offset(by=_values(back), axes="tool" if along == "tool" else "frame")
    if along == "tool" and offset.axes == "frame":
        back = R @ back
    elif along != "tool" and offset.axes == "tool":
        back = R.T @ back
    x, y, z = (_sum(value, float(more)) for value, more in zip(offset.by, back, strict=True))
    return Offset(by=(x, y, z), axes=offset.axes)


def _values(p: np.ndarray) -> tuple[Value, Value, Value]:
    x, y, z = (round(float(value), DIGITS) + 0.0 for value in p)
    return x, y, z


def _sum(value: Value, more: float) -> Value:
    more = round(more, DIGITS) + 0.0
    if isinstance(value, str):
        return value if more == 0.0 else f"({value}) {'+' if more > 0.0 else '-'} {abs(more):.9g}"
    return round(value + more, DIGITS) + 0.0
