"""Rewrites docs/images/studio: every mode of the studio in both themes at three sizes, and what opens over it.

Needs the built page and Chromium; `make images` sees to both. Words after the command choose screens: `build operate`.
"""

import io
import sys
from collections.abc import Callable
from pathlib import Path

from photographing import SCHEMES, Scheme, browser_and_server, new_context, open_demo, wait, wait_two_frames
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

PICTURES = Path(__file__).parent.parent / "docs" / "images" / "studio"
SIZES = {"1280": (1280, 720), "1920": (1920, 1080), "tablet": (1024, 768)}
ROBOT = "openpendant.project.operating.robots[0]"


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:] or list(SCREENS)
    with browser_and_server() as (browser, url):
        for size in SIZES:
            for scheme in SCHEMES:
                take_all(browser, url, size, scheme, wanted)


def take_all(browser: Browser, url: str, size: str, scheme: Scheme, wanted: list[str]) -> None:
    """Take every screen in one size and theme."""
    context = new_context(browser, SIZES[size], scheme, touch=size == "tablet")
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
    open_demo(page, url, demo)
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


def shortcuts(context: BrowserContext, url: str) -> Page:
    """All keys."""
    page = project(context, url, "two_arms", 1)
    page.keyboard.press("?")
    page.wait_for_timeout(500)
    return page


def history(context: BrowserContext, url: str) -> Page:
    """What was done, after a few edits."""
    page = project(context, url, "pick_and_place", 1)
    for name in ("cube 1", "cube 2", "tray"):
        page.get_by_text(name, exact=True).first.click()
        page.keyboard.press("Control+d")
        page.wait_for_timeout(300)
    page.get_by_test_id("history").click()
    settle(page)
    return page


def calibrate(context: BrowserContext, url: str) -> Page:
    """The first touch of a work object that is measured."""
    page = project(context, url, "bench", 1)
    page.get_by_test_id("tree-bench").click()
    page.get_by_test_id("calibrate-frame").click()
    page.get_by_test_id("calibrate-touch").click()
    settle(page)
    return page


def tour(context: BrowserContext, url: str) -> Page:
    """The first of the five steps for those who are here for the first time."""
    page = context.new_page()
    page.add_init_script("localStorage.removeItem('openpendant.toured')")
    open_demo(page, url, "bench")
    page.get_by_test_id("tour").wait_for()
    settle(page)
    return page


def settle(page: Page) -> None:
    """Wait until nothing in the view moves."""
    wait_two_frames(page)
    wait(page, "openpendant.view?.settled", "rest")
    page.wait_for_timeout(300)


SCREENS: dict[str, Callable[[BrowserContext, str], Page]] = {
    "welcome": welcome,
    "build": build,
    "teach": teach,
    "program": program,
    "operate": operate,
    "export": export,
    "palette": palette,
    "shortcuts": shortcuts,
    "history": history,
    "calibrate": calibrate,
    "tour": tour,
}


if __name__ == "__main__":
    main()
