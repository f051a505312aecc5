"""What tests of Operate ask of a studio: to wait for its robot, and to run its program."""

import time
from collections.abc import Callable

from studio import Studio

__all__ = ["JOINTS", "ROBOT", "RUN", "SLOW_MS", "hold", "run", "sees", "until", "wait"]

PATIENCE_S = 120.0
SLOW_MS = 1000.0 * PATIENCE_S
STEADY_S = 0.4
ROBOT = "openpendant.project.operating.robots[0]"
RUN = "(openpendant.project.operating.run ?? {})"
JOINTS = "openpendant.project.joints['ur3e/arm'].measured"


def until(studio: Studio, ready: Callable[[], bool], what: str) -> None:
    """Wait for something; starting robots takes long where others are busy."""
    end = time.monotonic() + PATIENCE_S
    while not ready():
        assert time.monotonic() < end, f"waited in vain for {what}: {studio.said()}"
        studio.page.wait_for_timeout(30)


def sees(studio: Studio, condition: str) -> bool:
    """Return whether a JavaScript condition holds."""
    return bool(studio.page.evaluate(f"Boolean({condition})"))


def wait(studio: Studio, condition: str) -> None:
    """Wait until a JavaScript condition holds."""
    until(studio, lambda: sees(studio, condition), condition)


def hold(studio: Studio, testid: str) -> None:
    """Press a button and keep it pressed, once it can be and has stayed in its place: whoever presses looks first."""
    button = studio.find(testid)
    button.scroll_into_view_if_needed()
    seen: tuple[object, float] = (None, 0.0)

    def is_steady() -> bool:
        nonlocal seen
        place = button.bounding_box() if button.is_enabled() else None
        if place is None or place != seen[0]:
            seen = (place, time.monotonic())
        return time.monotonic() - seen[1] > STEADY_S

    until(studio, is_steady, f"{testid} at its place")
    button.hover()
    studio.page.mouse.down()


def run(studio: Studio) -> None:
    """Run the program, and wait until the robot moves."""
    studio.find("run-start").click()
    wait(studio, f"['running', 'failed'].includes({RUN}.status) && ({ROBOT}.moving || {RUN}.message)")
    assert sees(studio, f"{RUN}.status === 'running'"), studio.project("operating")["run"]
