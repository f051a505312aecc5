"""`openpendant robots show`: everything known of one robot."""

import math
from typing import TYPE_CHECKING

from openpendant.cli.joints import RobotArgument

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from openpendant.kinematics import Arm
    from openpendant.robots import Edge, Robot

UNKNOWN = "–"


def show_robot(robot: RobotArgument) -> None:
    """Show the facts of a robot: limits, frames, postures, and where the numbers come from."""
    from openpendant.cli.screen import console, heading
    from openpendant.robots import load

    found = load(robot)
    out = console()
    out.print(heading(found.title, found.facts.summary))
    out.print(general(found))
    for name, arm in found.arms.items():
        for part in arm_parts(found, name, arm):
            out.print(part)
    if found.facts.platform is not None:
        out.print(joint_table(found, "Platform", found.facts.platform.joints))
    for part in origins(found):
        out.print(part)


def general(robot: "Robot") -> "Table":
    """Return what is said about the robot as a whole."""
    from rich.text import Text

    from openpendant.cli.screen import facts_table

    facts = robot.facts
    table = facts_table()
    table.add_row("name", facts.name)
    table.add_row("maker", Text(facts.maker))
    if facts.payload_kg is not None:
        table.add_row("payload", f"{facts.payload_kg:g} kg")
    if facts.reach_m is not None:
        table.add_row("reach", f"{facts.reach_m:g} m")
    if facts.mass_kg is not None:
        table.add_row("mass", f"{facts.mass_kg:g} kg")
    table.add_row("root link", facts.root)
    if facts.platform is not None:
        table.add_row("body", "{:g} × {:g} × {:g} m".format(*facts.platform.size_m))
        table.add_row("margin", f"{facts.platform.margin_m:g} m kept free around it")
        table.add_row("fastest", f"{facts.platform.speed_m_s:g} m/s, {facts.platform.turn_deg_s:g}°/s")
        table.add_row("camera frame", facts.platform.camera)
    table.add_row("files", Text(str(robot.folder)))
    return table


def arm_parts(robot: "Robot", name: str, arm: "Arm") -> list["RenderableType"]:
    """Return the tables of one arm."""
    from rich.text import Text

    from openpendant.cli.screen import facts_table, row_table

    facts, tool = robot.arm_facts(name), robot.tool(name)
    table = facts_table()
    table.add_row("base", f"{arm.base}   (also: {', '.join(one for one in arm.bases if one != arm.base) or 'none'})")
    table.add_row("flange", arm.flange)
    table.add_row("frames", ", ".join(arm.frames))
    table.add_row("tool", "none" if tool is None else Text(tool.title))
    table.add_row("inverse kinematics", Text(arm.solver.title))
    if arm.redundancy is not None:
        table.add_row("redundancy", f"held or swept with {arm.joint_titles[arm.redundancy]}")
    postures = row_table("posture", *arm.joint_titles, "", right=arm.joint_titles)
    for one in facts.postures:
        postures.add_row(Text(one.name), *(f"{value:g}" for value in one.q_deg), Text(one.note))
    return [joint_table(robot, facts.title, facts.joints), table, postures]


def joint_table(robot: "Robot", title: str, joints: tuple[str, ...]) -> "Table":
    """Return the limits of joints, in degrees or metres."""
    from rich.text import Text

    from openpendant.cli.screen import row_table

    numbers = ("lower", "upper", "speed", "acceleration")
    table = row_table("joint", "axis", *numbers, right=numbers, title=title)
    for name in joints:
        joint = robot.tree.edge(name)
        table.add_row(
            name,
            Text(joint.title),
            quantity(joint, joint.lower, ""),
            quantity(joint, joint.upper, ""),
            quantity(joint, joint.velocity, "/s"),
            quantity(joint, joint.acceleration, "/s²"),
        )
    return table


def quantity(joint: "Edge", value: float | None, per: str) -> str:
    """Return a value of a joint with its unit, as people read it."""
    if value is None:
        return UNKNOWN
    if math.isinf(value):
        return "without end"
    return f"{value:g} m{per}" if joint.kind == "prismatic" else f"{round(math.degrees(value), 4):g}°{per}"


def origins(robot: "Robot") -> list["RenderableType"]:
    """Return the notes, and where the numbers come from."""
    from rich.text import Text

    from openpendant.cli.screen import row_table

    parts: list[RenderableType] = []
    notes = {frame.name: frame.note for frame in robot.facts.frames if frame.note}
    if notes:
        frames = row_table("frame", "", title="Frames")
        for name, note in notes.items():
            frames.add_row(name, Text(note))
        parts.append(frames)
    parts.extend(Text(f"• {note}") for note in robot.facts.notes)
    table = row_table("source", "covers", "licence", title="Where the numbers come from")
    for one in robot.facts.sources:
        table.add_row(Text(one.title), Text(one.covers), Text(one.licence or UNKNOWN))
    parts.append(table)
    return parts
