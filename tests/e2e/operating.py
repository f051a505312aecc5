"""What tests of Operate ask of a studio: to wait for its robot, and to run its program."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser
from studio import SELDOM, Studio

__all__ = [
    "JOINTS",
    "MOST_PRESSES",
    "ROBOT",
    "RUN",
    "SLOW_MS",
    "hold",
    "hold_since",
    "hold_until",
    "is_held",
    "jog",
    "newest_event",
    "open_bench",
    "operator",
    "run",
    "sees",
    "until",
    "wait",
]

PATIENCE_S = 120.0
SLOW_MS = 1000.0 * PATIENCE_S
STEADY_S = 0.4
OBEYED_S = 1.0
"""So long a test waits for robots to tell of its last STOP; some are frozen, or gone."""
MOST_PRESSES = 2
HELD = ("held", "job held", "job failed", "stumbled", "lease lost")
"""What the log tells where the product itself has ended a jog."""
ROBOT = "openpendant.project.operating.robots[0]"
RUN = "(openpendant.project.operating.run ?? {})"
JOINTS = "openpendant.project.joints['ur3e/arm'].measured"


@contextmanager
def open_bench(browser: Browser, url: str) -> Iterator[Studio]:
    """Open the demo bench, in one page for all tests of a file: starting robots takes long."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark", locale="en-GB")
    studio = Studio(context, url, name="Ann", drawn=SELDOM)
    studio.open_demo("bench")
    yield studio
    context.close()


@contextmanager
def operator(page: Studio) -> Iterator[None]:
    """Be in Operate with a robot that is ready and at rest, and end with a STOP and without errors."""
    page.press("Alt+4")
    if page.project("operating")["state"] == "off":
        page.find("operate-start").click()
    wait(page, f"{ROBOT}?.ready && !{ROBOT}?.moving && openpendant.project.joints['ur3e/arm']")
    yield
    before, end = newest_event(page), time.monotonic() + OBEYED_S
    page.press("Pause")
    # A STOP comes to the robots over two paths: what the next test runs before they tell of both is void.
    obeyed = f"openpendant.project.events.some(({{ kind, number }}) => kind === 'halt' && number > {before})"
    while not sees(page, obeyed) and time.monotonic() < end:
        page.page.wait_for_timeout(30)
    assert page.errors == []


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
    """Press a button and keep it pressed, once it can be and has stayed in its place: whoever presses looks first.

    A press just after the buttons have moved is ignored, and the page says so: then it is pressed once more.
    """
    button = studio.find(testid)
    button.scroll_into_view_if_needed()
    seen: tuple[object, float] = (None, 0.0)

    def is_steady() -> bool:
        nonlocal seen
        place = button.bounding_box() if button.is_enabled() else None
        if place is None or place != seen[0]:
            seen = (place, time.monotonic())
        return time.monotonic() - seen[1] > STEADY_S

    for _ in range(MOST_PRESSES):
        until(studio, is_steady, f"{testid} at its place")
        button.hover()
        studio.page.mouse.down()
        if studio.find("jog-moved").count() == 0:
            return
        studio.page.mouse.up()
    raise AssertionError(f"{testid} does not stay in its place")


def is_held(studio: Studio, testid: str) -> bool:
    """Return whether the page takes a button as held: not once a rule has ended what it does."""
    return studio.find(testid).get_attribute("aria-pressed") == "true"


def hold_until(studio: Studio, testid: str, done: Callable[[], bool], what: str, *, key: str = "") -> None:
    """Hold a button, by the mouse or by a key, until something is seen; return with it still held.

    Samples of a page that is drawn late are too old, so the robot ends the jog and the page shows the button as let
    go: then it is pressed once more, as a person does. The log must say why.
    """
    reasons: list[str] = []
    seen = False

    def is_over() -> bool:
        # What was seen once counts: a robot whose samples come late stands still again a moment later.
        nonlocal seen
        seen = seen or done()
        return seen or not is_held(studio, testid)

    for _ in range(MOST_PRESSES):
        before = newest_event(studio)
        if key:
            studio.find(testid).focus()
            studio.page.keyboard.down(key)
        else:
            hold(studio, testid)
        until(studio, is_over, what)
        if seen:
            return
        if key:
            studio.page.keyboard.up(key)
        else:
            studio.page.mouse.up()
        wait(studio, f"!{ROBOT}?.moving")
        reasons.append(hold_since(studio, before))
    raise AssertionError(f"{testid} was not held until {what}: {reasons}; {studio.said()}")


def newest_event(studio: Studio) -> int:
    """Return the number of the newest event in the log of the page; -1: there is none."""
    return studio.page.evaluate("openpendant.project.events.at(-1)?.number ?? -1")


def hold_since(studio: Studio, number: int) -> str:
    """Return why the product has ended a jog after an event of its log; fails where the log does not say."""

    def found() -> list[str]:
        events = studio.project("events")
        return [one["message"] for one in events if one["number"] > number and one["kind"] in HELD]

    shown = studio.page.evaluate("document.querySelector('[data-testid=jog] .hint')?.innerText ?? ''")
    until(studio, lambda: bool(found()), f"a reason in the log, where the page says {shown!r}")
    return "; ".join(found())


def jog(studio: Studio, testid: str) -> None:
    """Hold a jog button, and return when the robot moves."""
    hold_until(studio, testid, lambda: sees(studio, f"{ROBOT}?.moving"), "the robot moves")


def run(studio: Studio) -> None:
    """Run the program, and wait until the robot moves."""
    studio.find("run-start").click()
    wait(studio, f"['running', 'failed'].includes({RUN}.status) && ({ROBOT}.moving || {RUN}.message)")
    assert sees(studio, f"{RUN}.status === 'running'"), studio.project("operating")["run"]
