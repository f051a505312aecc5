"""NoControl: in place of the process with ur_rtde, where a robot is to run uploaded programs alone."""

from collections.abc import Sequence


class NoControl:
    """Holds nothing: nobody has to leave the robot before a program can run. See `Control`."""

    in_control = True
    """There is nothing to be taken."""
    why = ""
    settled = released = True

    def poll(self, now_ns: int, *, wanted: bool) -> None:
        """Do nothing."""

    def servo(self, q: Sequence[float]) -> None:
        """Do nothing; the driver refuses setpoints."""

    def stop(self, *, hard: bool) -> None:
        """Do nothing: nothing of ours moves the arm."""

    def lose(self, why: str, now_ns: int) -> None:
        """Do nothing."""

    def close(self, timeout_s: float) -> None:
        """Do nothing."""
