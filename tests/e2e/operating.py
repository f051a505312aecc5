"""What tests of Operate ask of a studio: to wait for its robot, and to run its program."""

import time
from collections.abc import Callable

from studio import Studio

__all__ = ["JOINTS", "ROBOT", "RUN", "SLOW_MS", "hold", "hold_until", "is_held", "jog", "run", "sees", "until", "wait"]

PATIENCE_S = 120.0
SLOW_MS = 1000.0 * PATIENCE_S
STEADY_S = 0.4
MOST_PRESSES = 20
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


def is_held(studio: Studio, testid: str) -> bool:
    """Return whether the page takes a button as held: not once a rule has ended what it does."""
    return studio.find(testid).get_attribute("aria-pressed") == "true"


def hold_until(studio: Studio, testid: str, done: Callable[[], bool], what: str, *, key: str = "") -> None:
    """Hold a button, by the mouse or by a key, until something is seen; return with it still held.

    Samples of a page that is drawn late are too old, so the robot ends the jog and the page shows the button as let
    go: then it is pressed again, as a person does.
    """
    for _ in range(MOST_PRESSES):
        if key:
            studio.find(testid).focus()
            studio.page.keyboard.down(key)
        else:
            hold(studio, testid)
        until(studio, lambda: done() or not is_held(studio, testid), what)
        if done():
            return
        if key:
            studio.page.keyboard.up(key)
        else:
            studio.page.mouse.up()
        wait(studio, f"!{ROBOT}?.moving")
    raise AssertionError(f"{testid} was pressed {MOST_PRESSES} times, but not held until {what}: {studio.said()}")


def jog(studio: Studio, testid: str) -> None:
    """Hold a jog button, and return when the robot moves."""
    hold_until(studio, testid, lambda: sees(studio, f"{ROBOT}?.moving"), "the robot moves")


def run(studio: Studio) -> None:
    """Run the program, and wait until the robot moves."""
    studio.find("run-start").click()
    wait(studio, f"['running', 'failed'].includes({RUN}.status) && ({ROBOT}.moving || {RUN}.message)")
    assert sees(studio, f"{RUN}.status === 'running'"), studio.project("operating")["run"]
