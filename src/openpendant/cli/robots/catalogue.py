"""`openpendant robots`: the catalogue as a table."""


def list_robots() -> None:
    """Print one row per robot; the row of a broken entry has its fault."""
    from rich.text import Text

    from openpendant.cli.screen import console, row_table
    from openpendant.errors import RobotFileError
    from openpendant.robots import load, names

    table = row_table("name", "robot", "axes", "reach", "payload", "", right=("axes", "reach", "payload"))
    for name in names():
        try:
            robot = load(name)
        except RobotFileError as error:
            table.add_row(name, "", "", "", "", Text(f"cannot be used: {error}", "red"))
            continue
        facts = robot.facts
        axes = [len(arm.joints) for arm in facts.arms] or ([3] if facts.platform else [])
        table.add_row(
            name,
            Text(facts.title),
            " + ".join(map(str, axes)),
            "" if facts.reach_m is None else f"{facts.reach_m:.3f} m",
            "" if facts.payload_kg is None else f"{facts.payload_kg:g} kg",
            Text(f"{facts.summary}{' (imported)' if robot.imported else ''}"),
        )
    console().print(table)
