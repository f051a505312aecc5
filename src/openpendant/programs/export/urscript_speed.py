"""How fast the leading axis of a joint move goes whose start only the controller knows."""

from .writing import Lines

__all__ = ["write_joint_speed"]

PLACES = 32
"""At so many places of the move the way of the tool is measured."""


def write_joint_speed(out: Lines, name: str) -> None:
    """Write a function that finds the speed at which the tool keeps to its own.

    It is called with the joints to go to, the speed of the tool's point (m/s) and the largest speed of the leading
    axis (rad/s), where the arm stands; a joint move from there goes straight in joint space.
    """
    out.add()
    out.add(f"def {name}(q_to, v_tool, v_most):")
    body = out.inside()
    body.add("# The speed of the leading axis at which the tool goes no faster than v_tool from here to q_to.")
    for line in (
        "q_from = get_actual_joint_positions()",
        "farthest = 0.0",
        "i = 0",
        "while i < 6:",
        "  if norm(q_to[i] - q_from[i]) > farthest:",
        "    farthest = norm(q_to[i] - q_from[i])",
        "  end",
        "  i = i + 1",
        "end",
        "longest = 0.0",
        "before = get_forward_kin(q_from)",
        "i = 1",
        f"while i <= {PLACES}:",
        f"  x = i / {PLACES}.0",
        "  here = get_forward_kin([" + ", ".join(f"q_from[{i}] + x*(q_to[{i}] - q_from[{i}])" for i in range(6)) + "])",
        "  if point_dist(before, here) > longest:",
        "    longest = point_dist(before, here)",
        "  end",
        "  before = here",
        "  i = i + 1",
        "end",
        f"if v_most * longest * {PLACES} <= v_tool * farthest:",
        "  return v_most",
        "end",
        f"return v_tool * farthest / (longest * {PLACES})",
    ):
        body.add(line)
    out.add("end")
