"""Build: signals get their robot and port, a tool its outputs and inputs, and spaces are drawn and edited."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import Studio

SIGNAL = "openpendant.project.cell.signals.find(({ name }) => name === 'vacuum')"
TOOL = "openpendant.project.cell.tools.find(({ name }) => name === 'suction cup')"
SPACE = "(openpendant.project.cell.spaces ?? [])[0]"


@pytest.fixture(scope="module")
def studio(browser: Browser, server: Serving) -> Iterator[Studio]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light", locale="en-GB")
    studio = Studio(context, server.url)
    studio.make("Wired", "bench")
    studio.press("Alt+1")
    yield studio
    assert studio.errors == []
    context.close()


def test_a_signal_is_wired_to_a_port_of_its_robot(studio: Studio) -> None:
    studio.find("tree-vacuum").click()
    studio.find("signal-robot").select_option("")
    studio.wait(f"!{SIGNAL}.robot", "a signal that is not wired")
    studio.find("signal-robot").select_option("ur3e")
    studio.wait(f"{SIGNAL}.robot === 'ur3e'", "the robot")
    # A select once the page has drawn that its maker has ports.
    ports = studio.page.locator("select[data-testid=signal-port]")
    ports.select_option("standard_out_3")
    studio.wait(f"{SIGNAL}.port === 'standard_out_3'", "the port")
    assert ports.locator("option").count() == 19
    assert studio.findings() == []


def test_a_tool_says_what_opens_and_closes_it(studio: Studio) -> None:
    studio.find("tree-suction cup").first.click()
    for way in ("open", "close"):
        while studio.find(f"tool-{way}-outputs-0").count() == 0:
            studio.find(f"tool-{way}-outputs-add").click()
            studio.page.wait_for_timeout(100)
    switch = studio.find("tool-open-outputs-0").locator("xpath=following-sibling::button[1]")
    opens = f"({TOOL}.open.outputs[0].value ?? true)"
    first = studio.page.evaluate(opens)
    for value in (not first, first):
        switch.click()
        studio.wait(f"{opens} === {str(value).lower()}", "the other value to open")
    studio.find("tool-close-inputs-add").click()
    studio.wait(f"{TOOL}.close.inputs?.length >= 1", "an input that confirms")
    studio.find("tool-close-time").fill("0.5")
    studio.find("tool-close-time").press("Enter")
    studio.wait(f"{TOOL}.close.time_s === 0.5", "its time")
    assert studio.findings() == []


def test_a_space_is_added_sized_and_moved(studio: Studio) -> None:
    studio.find("add-space").click()
    studio.find("space-forbidden").click()
    studio.wait(f"{SPACE}?.kind === 'forbidden'", "a space")
    studio.find("size-x").fill("500")
    studio.find("size-x").press("Enter")
    studio.wait(f"{SPACE}.size[0] === 0.5", "its size")
    before = studio.page.evaluate(f"{SPACE}.pose.xyz")
    studio.settle()
    studio.drag("Z", 40)
    studio.wait(f"{SPACE}.pose.xyz[2] > {before[2]} + 0.01", "it moved up")
    studio.find("space-kind").get_by_text("Allowed").click()
    studio.wait(f"{SPACE}.kind === 'allowed'", "another kind")
    expect(studio.find("inspector-panel")).to_contain_text("stays inside this box")
    assert studio.findings() == []
