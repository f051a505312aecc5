"""Pendant: the studio with one robot, as a person uses it, and what it shows."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page
from studio import HOOK

__all__ = ["OpenPage", "Pendant"]

Array = NDArray[np.float64]
PATIENCE_S = 120.0
"""For conditions; the first robot's bodies may have to be built."""


class Pendant:
    """The page in a browser. Numbers are SI and radians."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.errors: list[str] = []
        page.set_default_timeout(1000.0 * PATIENCE_S)
        page.add_init_script(path=HOOK)
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, robot: str) -> None:
        """Show a robot as on a fresh page, and wait until all of it is there."""
        if self.page.url.startswith(self.url) and self.page.evaluate("localStorage.length === 0"):
            self._choose_afresh(robot)
        else:
            # Fine pictures are slow without a graphics card, and no test looks at pixels.
            self.page.goto(f"{self.url}/?aa=0&sharp=0.5#/robots/{robot}")
        self.wait_for_robot(robot)

    def _choose_afresh(self, robot: str) -> None:
        """Forget what was done on the page, without the seconds that a new one takes: the studio is made again."""
        self.page.evaluate("location.hash = '/'")
        self.wait("openpendant.project === null", "the first page")
        # The project of the robot from before is there again, with what was done in it: take another.
        self.page.evaluate("sessionStorage.clear()")
        self.page.evaluate("([robot]) => (location.hash = `/robots/${robot}`)", [robot])

    def wait_for_robot(self, robot: str) -> None:
        """Wait until this robot with all its bodies is shown and at rest."""
        self.wait(f"openpendant?.robot === {robot!r} && openpendant.complete && openpendant.settled", robot)
        self.wait("openpendant.framesDrawn > 0", "a picture")

    def wait(self, condition: str, what: str) -> None:
        """Wait for a JavaScript condition. The page's content policy forbids Playwright's own way."""
        end = time.monotonic() + PATIENCE_S
        while not self.page.evaluate(f"Boolean({condition})"):
            assert time.monotonic() < end, f"waited in vain for {what}: {self.page.evaluate('openpendant')}"
            self.page.wait_for_timeout(20)

    def settle(self) -> None:
        """Wait until every question has its answer and nothing moves."""
        self.wait("openpendant.settled && (openpendant.pose !== null || openpendant.arm === null)", "rest")

    def state(self, name: str) -> Any:
        """Return one value that the page shows to tests."""
        return self.page.evaluate(f"openpendant.{name}")

    @property
    def q(self) -> Array:
        """The joints of the active arm, or of the platform."""
        return np.array(self.state("q"))

    @property
    def position(self) -> Array:
        """Where the chosen frame is in the chosen base."""
        return np.array(self.state("pose")["xyz"])

    @property
    def quaternion(self) -> Array:
        """How the chosen frame is turned, (w, x, y, z)."""
        return np.array(self.state("pose")["wxyz"])

    def find(self, testid: str) -> Locator:
        """Return the element with this test id."""
        return self.page.get_by_test_id(testid)

    def number(self, testid: str) -> float:
        """Return the number that a field shows."""
        text = self.find(testid).input_value()
        assert "-" not in text, f"{text!r} is written with a hyphen, not with a minus"
        return float(text.replace("−", "-"))

    def type(self, testid: str, text: str) -> None:
        """Type into a field and press Enter."""
        self.find(testid).fill(text)
        self.find(testid).press("Enter")
        self.settle()

    def look(self, view: str) -> None:
        """Look from a named side, by the list of views."""
        self.find("view-views").click()
        self.find(f"view-look-{view}").click()

    def slide(self, testid: str, value: float) -> None:
        """Move a slider."""
        self.find(testid).fill(str(value))
        self.settle()

    def grab(self, axis: str) -> tuple[float, float]:
        """Press the mouse button on an arrow or ring of the handle; return where."""
        # Seen from some sides, another part of the handle stands before the tip of an arrow.
        for far in (0.53, 0.45, 0.37, 0.3):
            point = self.page.evaluate(f"openpendant.grab({axis!r}, {far})")
            self.page.mouse.move(point["x"], point["y"])
            if self.state("touched") == axis:
                break
        assert self.state("touched") == axis, f"{self.state('touched')} is there instead of {axis}"
        self.page.mouse.down()
        assert self.state("dragging"), f"nothing to grab at {point}"
        return point["x"], point["y"]

    def drag(self, axis: str, dx: float, dy: float) -> None:
        """Drag the handle by pixels with the real mouse, and let go."""
        x, y = self.grab(axis)
        self.page.mouse.move(x + dx, y + dy, steps=8)
        self.page.mouse.up()
        self.settle()

    def outwards(self, axis: str) -> tuple[float, float]:
        """Return the direction on the screen, of length 1, in which an arrow points."""
        tip, middle = self.page.evaluate(f"openpendant.grab({axis!r})"), self.state("tool")
        way = np.array([tip["x"] - middle["x"], tip["y"] - middle["y"]])
        way /= np.linalg.norm(way)
        return float(way[0]), float(way[1])


OpenPage = Callable[..., Pendant]
"""Makes a page: width, height, then by name scheme, touch, url."""
