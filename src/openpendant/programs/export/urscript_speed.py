"""How fast the leading axis of a joint move goes whose start only the controller knows."""

from .source import Lines

JOINT_SPEED_WORDS = "q_to v_tool v_most q_from farthest axis longest before_here place share here"
"""Variables of the function. A function of URScript writes into the program's variable where it has one of that name,
so nothing else may be called so."""

PLACES = 32
"""Number of samples with which the length of the tool's path is measured."""


def write_joint_speed(out: Lines, name: str) -> None:
    """Write a function that finds the speed at which the tool keeps to its own.

    It is called with the joints to go to, the speed of the tool's point (m/s) and the largest speed of the leading
    axis (rad/s), where the arm stands; a joint move from there goes straight in joint space.
    """
    out.add()
    out.add(f"def {name}(q_to, v_tool, v_most):")
    body = out.inside()
    body.add("# The speed of the leading axis at which the tool goes no faster than v_tool from here to q_to.")
    between = [f"q_from[{i}] + share*(q_to[{i}] - q_from[{i}])" for i in range(6)]
    for line in (
        "q_from = get_actual_joint_positions()",
        "farthest = 0.0",
        "axis = 0",
        "while axis < 6:",
        "  if norm(q_to[axis] - q_from[axis]) > farthest:",
        "    farthest = norm(q_to[axis] - q_from[axis])",
        "  end",
        "  axis = axis + 1",
        "end",
        "longest = 0.0",
        "before_here = get_forward_kin(q_from)",
        "place = 1",
        f"while place <= {PLACES}:",
        f"  share = place / {PLACES}.0",
        f"  here = get_forward_kin([{', '.join(between)}])",
        "  if point_dist(before_here, here) > longest:",
        "    longest = point_dist(before_here, here)",
        "  end",
        "  before_here = here",
        "  place = place + 1",
        "end",
        f"if v_most * longest * {PLACES} <= v_tool * farthest:",
        "  return v_most",
        "end",
        f"return v_tool * farthest / (longest * {PLACES})",
    ):
        body.add(line)
    out.add("end")
