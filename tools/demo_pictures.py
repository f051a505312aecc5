"""Rewrites web/public/demos: a small picture of every demo cell in both themes, for the first page.

Needs the built page and Chromium; build the page once more afterwards.
"""

import io
import sys
import time
from pathlib import Path

from photographing import PATIENCE_S, Scheme, browser_and_server, new_context, open_demo
from PIL import Image
from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).parent.parent / "web" / "public" / "demos"
SIZE = (960, 540)
SMALL = (480, 270)
SHARE = 0.7
"""Of the view; its edges are floor."""
# The first round makes the bodies of the robots; views that waited for them were laid out without.
ROUNDS: tuple[Scheme, ...] = ("light", "dark", "light")
VIEW_ALONE = """
.studio { grid-template: "view" minmax(0, 1fr) / minmax(0, 1fr) !important }
header, aside, .bottom, .view > :not(main), main > :not(canvas) { display: none !important }
"""


def main() -> None:
    """Take all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with browser_and_server() as (browser, url):
        for scheme in ROUNDS:
            take_all(browser, url, scheme)


def take_all(browser: Browser, url: str, scheme: Scheme) -> None:
    """Take the picture of every demo in one theme."""
    context = new_context(browser, SIZE, scheme)
    page = context.new_page()
    for demo in page.request.get(f"{url}/api/demos").json():
        # A new query makes a new page, where a new fragment alone would not.
        open_demo(page, url, demo["name"], f"?picture={demo['name']}&handle=0")
        page.add_style_tag(content=VIEW_ALONE)
        rest(page)
        page.keyboard.press("f")
        rest(page)
        picture = middle_of(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
        path = PICTURES / f"{demo['name']}-{scheme}.webp"
        picture.save(path, quality=82, method=6)
        sys.stdout.write(f"{path.name} {path.stat().st_size} bytes\n")
    context.close()


def middle_of(picture: Image.Image) -> Image.Image:
    """Return the part where the robots are, in the size in which it is shown."""
    width, height = (round(side * SHARE) for side in SIZE)
    left, top = (SIZE[0] - width) // 2, round((SIZE[1] - height) * 0.4)
    return picture.crop((left, top, left + width, top + height)).resize(SMALL, Image.Resampling.LANCZOS)


def rest(page: Page) -> None:
    """Wait until two pictures, half a second apart, are the same."""
    end = time.monotonic() + PATIENCE_S
    before = b""
    same = 0
    while same < 3:
        page.wait_for_timeout(500)
        now = page.screenshot()
        same = same + 1 if now == before else 0
        before = now
        if time.monotonic() > end:
            raise TimeoutError("the picture does not come to rest")


if __name__ == "__main__":
    main()
