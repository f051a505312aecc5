"""Writes docs/images/studio anew: every mode of the studio in both themes at three sizes, and what opens over it.

Needs the built page and Chromium; `make images` sees to both. Words after the command choose screens: `build operate`.
"""

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

PICTURES = Path(__file__).parent.parent / "docs" / "images" / "studio"
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]
SIZES = {"1280": (1280, 720), "1920": (1920, 1080), "tablet": (1024, 768)}
SCHEMES = ("light", "dark")
PATIENCE_S = 240.0
REMEMBERED = {"toured": "true", "name": '"Ann"', "nameAsked": "true"}
ROBOT = "openpendant.project.operating.robots[0]"


def main() -> None:
    """Start a server with an empty library, take all pictures, stop it."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:] or list(SCREENS)
    command = [sys.executable, "-m", "openpendant", "serve", "--port", "0", "--json", "--no-open"]
    with (
        tempfile.TemporaryDirectory() as home,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "OPENPENDANT_HOME": home}
        ) as server,
        sync_playwright() as playwright,
    ):
        try:
            url = json.loads(server.stdout.readline() if server.stdout else "")["url"]
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for size in SIZES:
                for scheme in SCHEMES:
                    take_all(browser, url, size, scheme, wanted)
            browser.close()
        finally:
            server.terminate()
            server.wait()


def take_all(browser: Browser, url: str, size: str, scheme: str, wanted: list[str]) -> None:
    """Take every screen in one size and theme."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        has_touch=size == "tablet",
        locale="en-GB",
    )
    for key, value in REMEMBERED.items():
        context.add_init_script(f"localStorage.setItem('openpendant.{key}', {value!r})")
    for screen in wanted:
        page = SCREENS[screen](context, url)
        path = PICTURES / f"{screen}-{scheme}-{size}.webp"
        Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(path, quality=84, method=6)
        sys.stdout.write(f"{path.name} {path.stat().st_size // 1024} kB\n")
        if screen == "operate":
            page.keyboard.press("Pause")
        page.close()
    context.close()


def welcome(context: BrowserContext, url: str) -> Page:
    """The first page."""
    page = context.new_page()
    page.goto(f"{url}/#/")
    page.get_by_test_id("demo-bench").wait_for()
    page.wait_for_load_state("networkidle")
    return page


def project(context: BrowserContext, url: str, demo: str, mode: int) -> Page:
    """A demo in one of the four modes."""
    page = context.new_page()
    titles = {one["name"]: one["title"] for one in page.request.get(f"{url}/api/demos").json()}
    made = page.request.post(f"{url}/api/projects", data={"title": titles[demo], "demo": demo}).json()["id"]
    page.goto(f"{url}/#/projects/{made}", timeout=PATIENCE_S * 1000, wait_until="domcontentloaded")
    wait(page, "window.openpendant?.project && document.querySelector('[data-testid=\"cell-canvas\"]')", made)
    page.wait_for_load_state("networkidle", timeout=PATIENCE_S * 1000)
    page.keyboard.press(f"Alt+{mode}")
    settle(page)
    return page


def build(context: BrowserContext, url: str) -> Page:
    """A cube is selected."""
    page = project(context, url, "pick_and_place", 1)
    page.get_by_text("cube 1", exact=True).first.click()
    settle(page)
    return page


def teach(context: BrowserContext, url: str) -> Page:
    """The ghost of the welding robot."""
    return project(context, url, "weld_a_box", 2)


def program(context: BrowserContext, url: str) -> Page:
    """A program that is checked, with its timeline."""
    page = project(context, url, "pick_and_place", 3)
    wait(page, "Object.values(openpendant.project.checks).includes('clear')", "the check")
    page.wait_for_timeout(1500)
    settle(page)
    return page


def operate(context: BrowserContext, url: str) -> Page:
    """A program runs on the virtual UR3e."""
    page = project(context, url, "bench", 4)
    page.get_by_test_id("operate-start").click()
    wait(page, f"{ROBOT}?.ready", "the robot")
    page.get_by_test_id("run-start").click()
    wait(page, "openpendant.project.operating.run?.status === 'running'", "the run")
    page.wait_for_timeout(2500)
    return page


def export(context: BrowserContext, url: str) -> Page:
    """The export of a program."""
    page = program(context, url)
    page.get_by_test_id("open-export").click()
    page.wait_for_timeout(1000)
    return page


def palette(context: BrowserContext, url: str) -> Page:
    """All commands."""
    page = project(context, url, "two_arms", 1)
    page.keyboard.press("Control+k")
    page.wait_for_timeout(500)
    return page


def settle(page: Page) -> None:
    """Wait until nothing in the view moves."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    wait(page, "openpendant.view?.settled", "rest")
    page.wait_for_timeout(300)


def wait(page: Page, condition: str, what: str) -> None:
    """Wait for a JavaScript condition; the page's content policy forbids Playwright's own way."""
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(f"Boolean({condition})"):
        if time.monotonic() > end:
            raise TimeoutError(f"waited in vain for {what}")
        page.wait_for_timeout(30)


SCREENS: dict[str, Callable[[BrowserContext, str], Page]] = {
    "welcome": welcome,
    "build": build,
    "teach": teach,
    "program": program,
    "operate": operate,
    "export": export,
    "palette": palette,
}


if __name__ == "__main__":
    main()
