"""`openpendant robots remove`: take an imported robot out of the catalogue."""

from openpendant.cli.joints import RobotArgument


def remove_robot(robot: RobotArgument) -> None:
    """Remove an imported robot from the catalogue; those that come with OpenPendant stay."""
    from openpendant.robots import remove

    remove(robot)
    print(f"removed {robot}")
