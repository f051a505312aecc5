"""Studio: the studio as a person uses it, and what it shows."""

import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import BrowserContext, Locator, Page

__all__ = ["HOOK", "SELDOM", "OpenStudio", "Studio"]

PATIENCE_S = 120.0
WEB = Path(__file__).parents[2] / "web"
HOOK = WEB / "test-hook.js"
"""Makes `window.openpendant` of what the page's own module exports; the page is the one that users get."""
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
INPUTS = """(() => {
    const inputs = (globalThis.inputs = []);
    const note = (event) => {
        const { tagName, dataset, innerText } = event.target;
        const what = event.key ?? dataset?.testid ?? dataset?.value ?? innerText?.slice(0, 20) ?? "";
        inputs.push(`${Math.round(event.timeStamp)} ms ${event.type} ${tagName} ${what}`);
        if (inputs.length > 12) inputs.shift();
    };
    for (const type of ["pointerdown", "pointerup", "pointercancel", "click", "keydown", "change"])
        addEventListener(type, note, { capture: true, passive: true });
})()"""
"""What reached the page of what a test did, for a test that fails."""
# Fine pictures are slow without a graphics card, and no test looks at pixels.
PLAIN = "?aa=0&sharp=0.25"
# Where robots move, pictures would follow each other at thirty a second, and take a core from the robots.
SELDOM = f"{PLAIN}&rate=10"


class Studio:
    """The page in its own browser: its memory is empty, and the tour was taken unless a test wants it."""

    def __init__(
        self, context: BrowserContext, url: str, *, name: str = "Ann", tour: bool = False, drawn: str = PLAIN
    ) -> None:
        self.context = context
        self._drawn = drawn
        self.url = url
        self.errors: list[str] = []
        context.add_init_script(path=HOOK)
        context.add_init_script(INPUTS)
        if name:
            self.remember("name", f'"{name}"')
        if not tour:
            self.remember("toured", "true")
        self.page: Page = context.new_page()
        self.page.set_default_timeout(1000.0 * PATIENCE_S)
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def remember(self, key: str, value: str) -> None:
        """Have the page find something in its memory when it first comes."""
        self.context.add_init_script(
            f"if (location.protocol === 'http:' && localStorage.getItem('openpendant.{key}') === null)"
            f" localStorage.setItem('openpendant.{key}', {value!r});"
        )

    def welcome(self) -> None:
        """Go to the first page, and wait for its demos."""
        self.page.goto(f"{self.url}/{self._drawn}#/")
        self.find("demo-bench").wait_for()

    def open_demo(self, demo: str) -> str:
        """Make a project of a demo and open it; return its id."""
        self.welcome()
        self.find(f"demo-{demo}").click()
        self.wait_for_project()
        return self.project("id")

    def open(self, project: str) -> None:
        """Open a project by its address."""
        self.page.goto(f"{self.url}/{self._drawn}#/projects/{project}")
        # Another project may have been open on the page until now.
        self.wait(f"openpendant?.project?.id === {project!r}", "the project")

    def wait_for_project(self) -> None:
        """Wait until all of a project is here."""
        self.wait("openpendant?.project", "the project")

    def wait(self, condition: str, what: str) -> None:
        """Wait for a JavaScript condition. The page's content policy forbids Playwright's own way."""
        end = time.monotonic() + PATIENCE_S
        while not self.page.evaluate(f"Boolean({condition})"):
            assert time.monotonic() < end, f"waited in vain for {what}: {self.seen()}"
            self.page.wait_for_timeout(20)

    def seen(self) -> str:
        """Return where the focus is, what the page says, and what is open: for a test that fails."""
        focus = self.page.evaluate("document.activeElement?.outerHTML.slice(0, 300)")
        notices = self.page.locator("[role=status], [role=alert]").all_inner_texts()
        project = self.page.evaluate("openpendant?.project") or {}
        # The checks and the history first: a cell is long, and a report is cut at some length.
        inputs = self.page.evaluate("[performance.now(), inputs]")
        return f"focus {focus}; told {notices}; inputs {inputs}; view {self.page.evaluate('openpendant?.view')}; " + (
            json.dumps({name: project[name] for name in sorted(project, key=["cell", "programs"].__contains__)})
        )

    def project(self, name: str) -> Any:
        """Return one value of the open project, as the page shows it to tests."""
        return self.page.evaluate(f"openpendant.project.{name}")

    def said(self) -> str:
        """Return how robots stand, what the page complains of, and what its log says: for a test that fails."""
        log = self.find("log")
        words = log.inner_text() if log.count() else ""
        return f"{self.project('operating')}\n{self.project('complaint')}\n{words}"

    @property
    def title(self) -> str:
        """The title of the open project."""
        return self.page.evaluate("openpendant.project.cell.title ?? openpendant.project.cell.name")

    def find(self, testid: str) -> Locator:
        """Return the element with this test id."""
        return self.page.get_by_test_id(testid)

    def make(self, title: str, demo: str = "") -> str:
        """Make a project, empty or of a demo, and open it; return its id. Quicker than through the first page."""
        body = json.dumps({"title": title, "demo": demo}).encode()
        request = urllib.request.Request(f"{self.url}/api/projects", body, {"content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            project = json.load(answer)["id"]
        self.open(project)
        return project

    def settle(self) -> None:
        """Wait until the cell is drawn and nothing in it moves by itself."""
        self.wait("openpendant?.view?.settled && openpendant.view.framesDrawn > 0", "the view")

    def grab(self, axis: str) -> tuple[float, float]:
        """Press the mouse button on an arrow or ring of the handle in the view; return where."""
        # Seen from some sides, another part of the handle stands before the tip of an arrow.
        for far in (0.53, 0.45, 0.37, 0.3):
            point = self.page.evaluate(f"openpendant.view.grab({axis!r}, {far})")
            self.page.mouse.move(point["x"], point["y"])
            if self.page.evaluate("openpendant.view.touched") == axis:
                break
        assert self.page.evaluate("openpendant.view.touched") == axis
        self.page.mouse.down()
        self.wait("openpendant.view.dragging", "a drag")
        return point["x"], point["y"]

    def drag(self, axis: str, pixels: float, *, let_go: bool = True) -> None:
        """Drag an arrow of the handle outwards with the real mouse."""
        x, y = self.grab(axis)
        inner = self.page.evaluate(f"openpendant.view.grab({axis!r}, 0)")
        way = np.array([x - inner["x"], y - inner["y"]])
        way *= pixels / np.linalg.norm(way)
        self.page.mouse.move(x + way[0], y + way[1], steps=6)
        if let_go:
            self.page.mouse.up()

    def press(self, key: str) -> None:
        """Press a key, wherever the focus is."""
        self.page.keyboard.press(key)

    def rename(self, title: str) -> None:
        """Give the project another title."""
        self.press("F2")
        self.find("title-field").fill(title)
        self.find("title-field").press("Enter")
        self.wait(f"openpendant.project.cell.title === {title!r}", "the new title")

    def findings(self) -> list[str]:
        """Return what axe finds wrong with the page as it is, seriously or worse."""
        self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("axe.run().then(({ violations }) => violations)")
        return [
            f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes']][:3]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]


OpenStudio = Callable[..., Studio]
"""Opens a separate browser: width, height, then by name scheme, touch, url, name, tour, locale."""
