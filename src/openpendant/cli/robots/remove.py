"""`openpendant robots remove`: take an imported robot out of the catalogue."""

from openpendant.cli.joints import RobotArgument

__all__ = ["remove_robot"]


def remove_robot(robot: RobotArgument) -> None:
    """Take a robot that was imported out of the catalogue; those that come with OpenPendant stay."""
    from openpendant.robots import remove

    remove(robot)
    print(f"removed {robot}")
