"""What is wrong with what a tool grips in a pick, or holds before it opens; check and run ask the same."""

from openpendant.programs.document import CLOSE, OPEN, PickPart
from openpendant.said import Said, say
from openpendant.scene import PlacedArm

from .grasp import ToolResult
from .step_order import StepTurn

SAME_OPENING_M = 0.001
"""Openings that differ by less are the same."""


def find_grip_fault(turn: StepTurn, placed: PlacedArm, worked: ToolResult) -> Said | None:
    """Return what is wrong with what the closing tool of a pick has gripped; None: nothing, or it does not pick."""
    whole = turn.whole
    if not isinstance(whole, PickPart) or not turn.step.id.endswith(CLOSE):
        return None
    if whole.part and worked.taken is None:
        return say("check.part_not_there", part=whole.part)
    if whole.part and worked.taken != whole.part:
        return say("check.other_part", part=whole.part, taken=str(worked.taken))
    if whole.opening_m is None or not placed.fingers:
        return None
    opening_m = len(placed.fingers) * worked.scene.opening(placed.key)
    if abs(opening_m - whole.opening_m) <= SAME_OPENING_M:
        return None
    return say("check.other_opening", opening_mm=1000.0 * opening_m, expected_mm=1000.0 * whole.opening_m)


def find_hold_fault(turn: StepTurn, held: tuple[str, ...]) -> Said | None:
    """Return what is wrong with what a tool holds before it opens in a pick or place; None: nothing.

    Args:
        turn: The step that works the tool.
        held: Parts in the tool.
    """
    whole = turn.whole
    if whole is None or not turn.step.id.endswith(OPEN):
        return None
    if isinstance(whole, PickPart):
        return say("check.holds_already", part=held[0]) if held else None
    if whole.part and whole.part not in held:
        return say("check.does_not_hold", part=whole.part)
    return None
