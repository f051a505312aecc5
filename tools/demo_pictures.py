"""Writes web/public/demos anew: a small picture of every demo cell in both themes, for the first page.

Needs the built page and Chromium; build the page once more afterwards.
"""

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parent.parent / "web" / "public" / "demos"
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]
SIZE = (960, 540)
SMALL = (480, 270)
SHARE = 0.7
"""Of the view; its edges are floor."""
PATIENCE_S = 240.0
VIEW_ALONE = """
.studio { grid-template: "view" minmax(0, 1fr) / minmax(0, 1fr) !important }
header, aside, .bottom, .view > :not(main), main > :not(canvas) { display: none !important }
"""
REMEMBERED = {"toured": "true", "name": '"picture"', "nameAsked": "true"}


def main() -> None:
    """Start a server with an empty library, take all pictures, stop it."""
    PICTURES.mkdir(parents=True, exist_ok=True)
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
            # The first round makes the bodies of the robots; views that waited for them were laid out without.
            for scheme in ("light", "dark", "light"):
                take_all(browser, url, scheme)
            browser.close()
        finally:
            server.terminate()


def take_all(browser: Browser, url: str, scheme: str) -> None:
    """Take the picture of every demo in one theme."""
    context = browser.new_context(
        viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="dark" if scheme == "dark" else "light"
    )
    for key, value in REMEMBERED.items():
        context.add_init_script(f"localStorage.setItem('openpendant.{key}', {value!r})")
    page = context.new_page()
    for demo in page.request.get(f"{url}/api/demos").json():
        body = {"title": demo["title"], "demo": demo["name"]}
        project = page.request.post(f"{url}/api/projects", data=body).json()["id"]
        address = f"{url}/?picture={demo['name']}&handle=0#/projects/{project}"
        page.goto(address, timeout=PATIENCE_S * 1000, wait_until="domcontentloaded")
        wait(page, "window.openpendant?.project && document.querySelector('[data-testid=\"cell-canvas\"]')", project)
        # Bodies that are asked for the first time are made first.
        page.wait_for_load_state("networkidle", timeout=PATIENCE_S * 1000)
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


def wait(page: Page, condition: str, what: str) -> None:
    """Wait for a JavaScript condition; the page's content policy forbids Playwright's own way."""
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(f"Boolean({condition})"):
        if time.monotonic() > end:
            raise TimeoutError(f"waited in vain for {what}")
        page.wait_for_timeout(50)


if __name__ == "__main__":
    main()
