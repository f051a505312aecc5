"""One server, one browser and one page for all tests; pages of their own for those that need other sizes."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from pendant import OpenPage, Pendant
from playwright.sync_api import Browser, Error, expect, sync_playwright
from serving import Serving
from studio import OpenStudio, Studio

from openpendant.robots import import_urdf

CHROMIUM = str(Path(__file__).with_name("chromium.sh")) if os.geteuid() == 0 else "/usr/bin/chromium"
# A custom arm, with fewer joints than usual and no tool.
TWO_JOINTS = """<robot name="crane">
  <link name="foot"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <link name="mast"><visual><geometry><box size="0.08 0.08 0.5"/></geometry></visual></link>
  <link name="hook"><visual><geometry><box size="0.3 0.06 0.06"/></geometry></visual></link>
  <joint name="turn" type="revolute">
    <parent link="foot"/><child link="mast"/><axis xyz="0 0 1"/><origin xyz="0 0 0.3"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/>
  </joint>
  <joint name="lift" type="prismatic">
    <parent link="mast"/><child link="hook"/><axis xyz="0 0 1"/><origin xyz="0.2 0 0"/>
    <limit lower="-0.2" upper="0.2" velocity="0.1" effort="1"/>
  </joint>
</robot>
"""
PATIENCE_MS = 120_000
"""Of what is expected of a page, and of a press on it: pages without robots are drawn behind robots in real time."""
expect.set_options(timeout=PATIENCE_MS)
MOST_SEEN = 6000
"""Characters of what a page shows when a test of it has failed."""
# Mesa's software rendering: about twice as fast as the browser's own. Without a graphics card, the page around the
# scene is drawn sooner without it.
GRAPHICS = ["--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--disable-gpu-rasterization"]


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An own place for data, so that no user's robots are seen."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("OPENPENDANT_HOME", str(home))
        (home / "crane.urdf").write_text(TWO_JOINTS)
        import_urdf(home / "crane.urdf")
        yield home


@pytest.fixture(scope="session")
def server(home: Path) -> Iterator[Serving]:
    serving = Serving()
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture(scope="module")
def serving(server: Serving) -> Iterator[Serving]:
    """The server, for the tests of one file with robots: their projects and robots are gone after it."""
    yield server
    server.start()
    server.clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *GRAPHICS])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, server: Serving) -> Iterator[OpenPage]:
    """Make pages with their own size, theme and memory; closes them afterwards."""
    contexts = []

    def open_page(
        width: int = 1280, height: int = 720, *, scheme: str = "dark", touch: bool = False, url: str = ""
    ) -> Pendant:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
            has_touch=touch,
            is_mobile=touch,
        )
        contexts.append(context)
        return Pendant(context.new_page(), url or server.url)

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def shared_page(browser: Browser, server: Serving) -> Iterator[Pendant]:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme="dark", reduced_motion="reduce")
    yield Pendant(context.new_page(), server.url)
    context.close()


@pytest.fixture
def pendant(shared_page: Pendant) -> Iterator[Pendant]:
    """A page at 1280 × 720 that must not complain in its console; `open` makes it like new."""
    shared_page.errors.clear()
    yield shared_page
    assert shared_page.errors == []
    if shared_page.page.evaluate("localStorage.length > 0"):
        shared_page.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        shared_page.page.goto("about:blank")


@pytest.fixture
def open_studio(browser: Browser, server: Serving) -> Iterator[OpenStudio]:
    """Make studios with their own size, theme and memory; they must not complain in their console."""
    made: list[Studio] = []

    def open_studio(
        width: int = 1280,
        height: int = 720,
        *,
        scheme: str = "dark",
        touch: bool = False,
        url: str = "",
        name: str = "Ann",
        tour: bool = False,
        locale: str = "en-GB",
    ) -> Studio:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
            has_touch=touch,
            is_mobile=touch,
            locale=locale,
        )
        made.append(Studio(context, url or server.url, name=name, tour=tour))
        return made[-1]

    yield open_studio
    errors = [error for studio in made for error in studio.errors]
    for studio in made:
        studio.context.close()
    assert errors == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say with a failure what its pages showed."""
    report = yield
    if report.failed:
        for name, studio in getattr(item, "funcargs", {}).items():
            if isinstance(studio, Studio):
                report.sections.append((f"What {name} shows", _what_it_shows(studio)))
    return report


def _what_it_shows(studio: Studio) -> str:
    try:
        return f"{studio.seen()[:MOST_SEEN]}\nerrors {studio.errors}"
    except Error as error:
        return f"nothing: {error}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Robots that start and pages that draw without a graphics card take long: five minutes unless a test says more.

    Pages without robots are drawn behind robots in real time, in what time these leave.
    """
    for item in items:
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(300 if item.get_closest_marker("live") else 900))
