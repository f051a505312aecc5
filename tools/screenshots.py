"""Rewrites docs/images: every robot, one in the studio (both themes, tablet), the pendant of a virtual UR3e.

Needs the built page and Chromium; `make images` sees to both.
"""

import sys
import tempfile
from pathlib import Path

from photographing import SCHEMES, Scheme, browser_and_server, new_context, wait, wait_two_frames
from playwright.sync_api import Browser, Page

from openpendant.virtual import start_virtual

IMAGES = Path(__file__).parent.parent / "docs" / "images"
DESK = (1280, 720)
TABLET = (820, 1180)
PENDANT = "127.0.0.19"
SWING = """def swing():
  set_digital_out(1, True)
  while True:
    movej([0.4, -1.5, 1.3, -1.2, -1.57, 0.2], a=1.4, v=0.6)
    movej([-0.4, -1.3, 1.1, -1.4, -1.57, 0.2], a=1.4, v=0.6)
  end
end
"""
ROBOT_ALONE = """
header, aside, .view > :not(main), main > :not(canvas) { display: none !important }
"""


def main() -> None:
    """Take all pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with browser_and_server() as (browser, url):
        take_all(browser, url)
        take_pendant(browser)


def take_all(browser: Browser, url: str) -> None:
    """Take every picture."""
    page = open_page(browser, url, "light", DESK)
    for name in [robot["name"] for robot in page.request.get(f"{url}/api/robots").json() if not robot["imported"]]:
        show(page, url, name, "handle=0")
        page.add_style_tag(content=ROBOT_ALONE)
        page.keyboard.press("f")
        take(page, name)
    for scheme, robot in zip(SCHEMES, ("ur3e", "irb120"), strict=True):
        page = open_page(browser, url, scheme, DESK)
        show(page, url, robot)
        # Ask once more, so that the times in the picture are those of a warm server.
        page.get_by_test_id("joint-1-slider").fill("0")
        page.get_by_test_id("joint-1-slider").blur()
        take(page, f"page-{scheme}")
    page = open_page(browser, url, "light", TABLET, touch=True)
    show(page, url, "yumi")
    page.get_by_test_id("toggle-right").tap()
    take(page, "page-tablet")


def take_pendant(browser: Browser) -> None:
    """Take the web page of a virtual controller that plays a program."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "swing.script"
        program.write_text(SWING)
        with start_virtual("ur3e", PENDANT, program=program) as robot:
            context = browser.new_context(viewport={"width": 1180, "height": 860}, color_scheme="light")
            page = context.new_page()
            page.goto(robot.panel_url)
            robot.press("play")
            page.wait_for_timeout(4000)
            path = IMAGES / "virtual-pendant.png"
            page.screenshot(path=path)
            sys.stdout.write(f"{path.relative_to(IMAGES.parent.parent)}\n")
            context.close()


def open_page(browser: Browser, url: str, scheme: Scheme, size: tuple[int, int], *, touch: bool = False) -> Page:
    """Return a fresh page."""
    page = new_context(browser, size, scheme, touch=touch).new_page()
    page.goto(url)
    return page


def show(page: Page, url: str, robot: str, options: str = "") -> None:
    """Show a robot, and wait until all of it is there."""
    # A new query makes a new page, where a new fragment alone would not.
    page.goto(f"{url}/?picture={robot}&{options}#/robots/{robot}")
    wait(page, f"window.openpendant?.robot === {robot!r} && openpendant.complete && openpendant.settled", robot)


def take(page: Page, name: str) -> None:
    """Write the picture once nothing moves any more."""
    wait_two_frames(page)
    wait(page, "openpendant.settled", "rest")
    wait_two_frames(page)
    path = IMAGES / f"{name}.png"
    page.screenshot(path=path)
    sys.stdout.write(f"{path.relative_to(IMAGES.parent.parent)}\n")


if __name__ == "__main__":
    main()
