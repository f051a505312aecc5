"""What all takers of pictures share: a server with an empty library, a browser, and patience."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

CHROMIUM = "/usr/bin/chromium"
HOOK = Path(__file__).parent.parent / "web" / "test-hook.js"
"""Lets the page show its state as `window.openpendant`."""
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]
PATIENCE_S = 240.0
REMEMBERED = {"toured": "true", "name": '"Ann"', "nameAsked": "true"}
"""What a browser knows of somebody who has been here before."""

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@contextmanager
def browser_and_server() -> Generator[tuple[Browser, str]]:
    """Give a browser and the address of its own server; both end afterwards."""
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
            yield browser, url
            browser.close()
        finally:
            server.terminate()
            server.wait()


def new_context(browser: Browser, size: tuple[int, int], scheme: Scheme, *, touch: bool = False) -> BrowserContext:
    """Return a browser's memory, of somebody who has been here before."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        has_touch=touch,
        is_mobile=touch,
        locale="en-GB",
    )
    context.add_init_script(path=HOOK)
    for key, value in REMEMBERED.items():
        context.add_init_script(f"localStorage.setItem('openpendant.{key}', {value!r})")
    return context


def open_demo(page: Page, url: str, demo: str, query: str = "") -> None:
    """Make a project from a demo, and wait until all of it is there."""
    titles = {one["name"]: one["title"] for one in page.request.get(f"{url}/api/demos").json()}
    made = page.request.post(f"{url}/api/projects", data={"title": titles[demo], "demo": demo}).json()["id"]
    page.goto(f"{url}/{query}#/projects/{made}", timeout=PATIENCE_S * 1000, wait_until="domcontentloaded")
    wait(page, "window.openpendant?.project && document.querySelector('[data-testid=\"cell-canvas\"]')", made)
    # Bodies that are asked for the first time are made first.
    page.wait_for_load_state("networkidle", timeout=PATIENCE_S * 1000)


def wait(page: Page, condition: str, what: str) -> None:
    """Wait for a JavaScript condition; the page's content policy forbids Playwright's own way."""
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(f"Boolean({condition})"):
        if time.monotonic() > end:
            raise TimeoutError(f"waited in vain for {what}")
        page.wait_for_timeout(30)


def wait_two_frames(page: Page) -> None:
    """Wait until what has changed is drawn."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
