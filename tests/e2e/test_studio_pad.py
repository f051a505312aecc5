"""A gamepad in the page: a pad as the browser would show it moves the ghost, turns it round a box and stores points."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import Studio

PAD = """
window.pad = {
  id: "Xbox 360 Controller (STANDARD GAMEPAD Vendor: 045e Product: 028e)", index: 0, mapping: "standard",
  connected: false, timestamp: 0, axes: [0, 0, 0, 0], shaken: 0,
  buttons: Array.from({ length: 17 }, () => ({ value: 0, pressed: false, touched: false })),
  vibrationActuator: { playEffect: () => { window.pad.shaken++; return Promise.resolve("complete"); } },
};
Navigator.prototype.getGamepads = () => (window.pad.connected ? [window.pad] : [null]);
window.plug = (connected) => {
  window.pad.connected = connected;
  const event = new Event(connected ? "gamepadconnected" : "gamepaddisconnected");
  window.dispatchEvent(Object.assign(event, { gamepad: window.pad }));
};
"""
A, Y, RIGHT_BUMPER = 0, 3, 5
TAUGHT = "openpendant.view.taught"


@pytest.fixture(scope="module")
def studio(browser: Browser, server: Serving) -> Iterator[Studio]:
    """The bench in Teach, and a pad that is plugged in."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme="dark", locale="en-GB")
    context.add_init_script(PAD)
    made = Studio(context, server.url)
    made.make("Pad", "bench")
    made.press("Alt+2")
    made.find("teach-x").wait_for()
    made.settle()
    made.page.evaluate("plug(true)")
    made.find("pad-picture").wait_for()
    yield made
    assert made.errors == []
    context.close()


def button(studio: Studio, index: int, *, down: bool) -> None:
    value = {"value": float(down), "pressed": down, "touched": down}
    studio.page.evaluate("([i, value]) => { pad.buttons[i] = value; }", [index, value])


def press(studio: Studio, index: int) -> None:
    """Press a button until the picture shows it, and let go."""
    name = {A: "a", Y: "y", RIGHT_BUMPER: "right bumper"}[index]
    lit = studio.page.locator(f"[data-testid=pad-picture] [data-control='{name}'].lit")
    button(studio, index, down=True)
    lit.wait_for()
    button(studio, index, down=False)
    lit.wait_for(state="detached")


def tcp(studio: Studio) -> dict[str, Any]:
    studio.settle()
    return studio.page.evaluate(f"{TAUGHT}.tcp")


def test_the_left_stick_moves_the_ghost_and_the_picture_lights_up(studio: Studio) -> None:
    before = np.array(tcp(studio)["xyz"])
    studio.page.evaluate("pad.axes = [0, -1, 0, 0]")
    studio.page.locator("[data-control='left stick'].lit").wait_for()
    studio.wait(f"Math.hypot(...{TAUGHT}.tcp.xyz.map((x, i) => x - {before.tolist()}[i])) > 0.03", "the ghost moved")
    studio.page.evaluate("pad.axes = [0, 0, 0, 0]")
    after = tcp(studio)
    studio.settle()
    assert tcp(studio)["xyz"] == pytest.approx(after["xyz"], abs=1e-6), "the stick rests"


def test_y_turns_the_tool_round_the_box_and_leaves_it_where_it_is(studio: Studio) -> None:
    studio.find("teach-reset").click()
    before = tcp(studio)
    press(studio, Y)
    studio.wait(f"Math.abs({TAUGHT}.tcp.wxyz[0] - {before['wxyz'][0]}) > 0.01", "the tool has turned")
    assert tcp(studio)["xyz"] == pytest.approx(before["xyz"], abs=1e-4)


def test_the_right_bumper_stores_a_point(studio: Studio) -> None:
    count = len(studio.page.evaluate("openpendant.project.cell.points ?? []"))
    press(studio, RIGHT_BUMPER)
    studio.wait(f"(openpendant.project.cell.points ?? []).length === {count + 1}", "a point")


def test_a_control_that_is_chosen_is_kept_and_a_pad_that_is_pulled_is_gone(studio: Studio) -> None:
    studio.find("pad-set").click()
    studio.find("pad-choose-z-plus").click()
    studio.find("pad-asking").wait_for()
    button(studio, A, down=True)
    expect(studio.find("pad-z-plus")).to_have_text("A")
    button(studio, A, down=False)
    kept = studio.page.evaluate("JSON.parse(localStorage.getItem('openpendant.pad')).axes")
    assert [one["axis"] for one in kept if one["control"] == "a"] == ["z"]
    studio.find("pad-reset").click()
    expect(studio.find("pad-z-plus")).to_have_text("D-pad up")
    studio.page.evaluate("plug(false)")
    expect(studio.find("pad")).to_have_attribute("data-pad", "none")
