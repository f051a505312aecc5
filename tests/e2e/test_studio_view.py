"""The view of a cell: what is drawn, chosen, dragged, measured and taught in it, with the real mouse."""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import pytest
import trimesh
from playwright.sync_api import Browser, Route, expect
from serving import Serving
from studio import Studio

from openpendant import connect
from openpendant.scene import Replace

OpenCell = Callable[..., Studio]


@pytest.fixture(scope="module")
def page(browser: Browser, server: Serving) -> Iterator[Studio]:
    """One page for all tests: a new one takes seconds without a graphics card."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme="dark", locale="en-GB")
    yield Studio(context, server.url)
    context.close()


@pytest.fixture
def open_cell(page: Studio) -> Iterator[OpenCell]:
    """Open a new project with a demo cell; whatever is written to the console as an error fails the test."""
    page.errors.clear()

    def open_cell(demo: str = "pick_and_place", mode: str = "build") -> Studio:
        page.make(demo, demo)
        page.settle()
        if mode != "build":
            page.press({"teach": "Alt+2", "program": "Alt+3"}[mode])
        return page

    yield open_cell
    assert page.errors == []


def press(studio: Studio, at: dict[str, float]) -> None:
    studio.page.mouse.click(at["x"], at["y"])


def at(studio: Studio, name: str) -> dict[str, float]:
    return studio.page.evaluate(f"openpendant.view.at({name!r})")


def seen(studio: Studio, name: str) -> Any:
    return studio.page.evaluate(f"openpendant.view.{name}")


def place(studio: Studio, name: str, section: str = "objects") -> list[float]:
    return studio.page.evaluate(f"openpendant.project.cell.{section}.find((one) => one.name === {name!r}).pose.xyz")


def inside(studio: Studio) -> None:
    """Fail where a robot of the cell is not in the picture."""
    box = studio.page.get_by_test_id("cell-canvas").bounding_box()
    assert box is not None
    for robot in studio.project("cell.robots"):
        point = at(studio, robot["name"])
        assert box["x"] < point["x"] < box["x"] + box["width"]
        assert box["y"] < point["y"] < box["y"] + box["height"]


def test_a_cell_is_looked_at_from_the_start_and_drawn_with_all_its_bodies(page: Studio) -> None:
    page.errors.clear()
    held: list[Route] = []
    waits = True
    page.page.route("**/api/robots/*", lambda route: held.append(route) if waits else route.continue_())
    page.make("two_arms", "two_arms")
    # Before any robot is there, the camera looks down on the place where it will stand.
    page.wait("openpendant.view?.framesDrawn > 0", "a picture")
    inside(page)
    x, y, z = place(page, "yumi", "robots")
    low, high = (page.page.evaluate(f"openpendant.view.spot({x + dx}, {y}, {z})") for dx in (0.5, -0.5))
    assert high["y"] < low["y"]
    waits = False
    for route in held:
        route.continue_()
    page.page.unroute("**/api/robots/*")
    page.settle()
    inside(page)
    page.make("weld_a_box", "weld_a_box")
    page.settle()
    page.wait("openpendant.view.held.geometries > 20", "bodies in the picture")
    inside(page)
    assert page.errors == []


def test_a_thing_is_chosen_by_a_click_dragged_and_undone(open_cell: OpenCell) -> None:
    studio = open_cell()
    press(studio, at(studio, "cube 1"))
    studio.wait("openpendant.project.selection[0] === 'cube 1'", "the cube")
    before = place(studio, "cube 1")
    studio.drag("X", 60)
    studio.wait("openpendant.project.seq === 1", "the edit")
    after = place(studio, "cube 1")
    assert after[0] > before[0] + 0.01
    assert after[1:] == pytest.approx(before[1:], abs=1e-9)
    studio.press("Control+z")
    studio.wait("openpendant.project.seq === 2", "the undo")
    assert place(studio, "cube 1") == pytest.approx(before)
    # Escape lets go without an edit.
    studio.drag("Z", 50, let_go=False)
    studio.press("Escape")
    studio.wait("!openpendant.view.dragging", "the end of the drag")
    studio.page.mouse.up()
    studio.settle()
    assert studio.project("seq") == 2
    assert place(studio, "cube 1") == pytest.approx(before)
    studio.press("Escape")
    studio.wait("openpendant.project.selection.length === 0", "nothing selected")
    # Several things move together, in steps, and come back with one undo.
    press(studio, at(studio, "cube 1"))
    studio.wait("openpendant.project.selection[0] === 'cube 1'", "the cube")
    studio.page.keyboard.down("Shift")
    press(studio, at(studio, "cube 3"))
    studio.page.keyboard.up("Shift")
    studio.wait("openpendant.project.selection.length === 2", "both")
    one, three = place(studio, "cube 1"), place(studio, "cube 3")
    studio.find("view-snap").click()
    studio.find("view-snap-options").click()
    studio.page.get_by_label("Line up with neighbours").uncheck()
    studio.find("view-snap-step").get_by_text("50").click()
    studio.press("Escape")
    studio.drag("Z", 70)
    studio.wait("openpendant.project.seq === 3", "one edit")
    by = np.subtract(place(studio, "cube 1"), one)
    assert by == pytest.approx(np.subtract(place(studio, "cube 3"), three))
    height = place(studio, "cube 1")[2] + 0.75
    assert height / 0.05 == pytest.approx(round(height / 0.05), abs=1e-6)
    # What can be undone comes just after the edit.
    expect(studio.find("undo")).to_be_enabled()
    studio.press("Control+z")
    studio.wait("openpendant.project.seq === 4", "one undo")
    assert place(studio, "cube 3") == pytest.approx(three)
    studio.find("view-snap").click()


def test_things_are_measured_dropped_laid_and_looked_at(open_cell: OpenCell) -> None:
    studio = open_cell()
    studio.press("m")
    x, y, z = place(studio, "cube 1")
    for corner in ((x - 0.02, y - 0.02), (x + 0.02, y - 0.02)):
        spot = studio.page.evaluate(f"openpendant.view.spot({corner[0]}, {corner[1]}, {z + 0.77})")
        studio.page.mouse.move(spot["x"] + 1, spot["y"] + 1)
        studio.page.mouse.click(spot["x"] + 1, spot["y"] + 1)
    studio.wait("openpendant.view.measured !== null", "a measure")
    assert seen(studio, "measured") == pytest.approx(0.04, abs=1e-6)
    assert "40.00 mm" in studio.find("view-distance").inner_text()
    studio.press("Escape")
    studio.wait("openpendant.view.measured === null", "no measure")
    studio.press("Escape")
    assert studio.find("view-measured").count() == 0
    press(studio, at(studio, "cube 1"))
    studio.drag("Z", 60)
    studio.wait("openpendant.project.seq === 1", "the edit")
    assert place(studio, "cube 1")[2] > 0.03
    studio.press("End")
    studio.wait("openpendant.project.seq === 2", "the drop")
    assert place(studio, "cube 1")[2] == pytest.approx(0.02, abs=1e-6)
    # With Snap, the middle of the handle lays it onto the face under the pointer: here the tray's.
    studio.press("s")
    studio.settle()
    # The handle follows the cube to where the server says it is; then its middle is under the pointer.
    for _ in range(100):
        middle = studio.page.evaluate("openpendant.view.grab('X', 0)")
        studio.page.mouse.move(middle["x"] + 3, middle["y"])
        studio.page.mouse.move(middle["x"], middle["y"])
        if seen(studio, "touched") == "XYZ":
            break
        studio.page.wait_for_timeout(50)
    assert seen(studio, "touched") == "XYZ"
    studio.page.mouse.down()
    spot = studio.page.evaluate("openpendant.view.spot(0.36, -0.12, 0.762)")
    studio.page.mouse.move(spot["x"], spot["y"], steps=6)
    studio.page.mouse.up()
    studio.wait("openpendant.project.seq === 3", "the cube on the tray")
    assert place(studio, "cube 1") == pytest.approx([0.36, -0.12, 0.032], abs=0.004)
    assert place(studio, "cube 1")[2] == pytest.approx(0.032, abs=1e-6)
    # The camera takes in what is selected.
    studio.press("f")
    studio.wait("openpendant.view.settled", "the camera")
    studio.settle()
    box = studio.page.get_by_test_id("cell-canvas").bounding_box()
    assert box is not None
    middle = at(studio, "cube 1")
    off = math.hypot(middle["x"] - box["x"] - box["width"] / 2, middle["y"] - box["y"] - box["height"] / 2)
    assert off < 0.1 * box["height"]
    # A view that was kept is found again.
    studio.find("view-views").click()
    studio.find("view-keep-name").fill("at the cube")
    studio.find("view-keep").click()
    studio.find("view-look-top").click()
    studio.settle()
    assert at(studio, "cube 1") != pytest.approx(middle, abs=3)
    studio.find("view-views").click()
    studio.find("view-kept-at the cube").click()
    studio.settle()
    assert at(studio, "cube 1") == pytest.approx(middle, abs=1)


def test_it_says_what_it_shows_from_six_sides_and_through_bodies(open_cell: OpenCell) -> None:
    studio = open_cell("bench")
    shown = studio.find("view-shown")
    expect(shown).to_have_attribute("data-shown", "start")
    studio.press("Alt+2")
    expect(shown).to_have_attribute("data-shown", "target")
    studio.press("Alt+3")
    expect(shown).to_have_attribute("data-shown", "preview")
    studio.press("Alt+4")
    expect(shown).to_have_attribute("data-shown", "start")
    # A place off to a side of the robot is seen on its side: to the right or the left, above or below.
    x, y, z = place(studio, "ur3e", "robots")
    sides = (
        ("k", "y", 1),
        ("Shift+K", "y", -1),
        ("l", "x", -1),
        ("Shift+L", "x", 1),
        ("o", "x", 1),
        ("Shift+O", "x", 1),
    )
    for key, axis, sign in sides:
        studio.press(key)
        studio.settle()
        middle = studio.page.evaluate(f"openpendant.view.spot({x}, {y}, {z})")
        beside = studio.page.evaluate(
            f"openpendant.view.spot({x + 0.2 * (axis == 'x')}, {y + 0.2 * (axis == 'y')}, {z})"
        )
        assert (beside["x"] - middle["x"]) * sign > 5, key
        assert abs(beside["y"] - middle["y"]) < abs(beside["x"] - middle["x"]), key
    studio.press("Control+k")
    studio.page.keyboard.type("from behind")
    studio.press("Enter")
    studio.settle()
    studio.find("view-xray").click()
    expect(studio.find("view-xray")).to_have_attribute("aria-pressed", "true")
    studio.press("Shift+X")
    expect(studio.find("view-xray")).to_have_attribute("aria-pressed", "false")


# Counts the tones that the page would play.
LISTEN = """() => {
    window.tones = 0;
    const made = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { window.tones += 1; return made.call(this); };
}"""


def test_what_is_near_is_named_a_touch_sounds_once_and_the_tool_view_tilts(open_cell: OpenCell) -> None:
    studio = open_cell("bench", "teach")
    studio.wait("openpendant.view.taught?.tcp != null && openpendant.view.settled", "the ghost")
    studio.page.evaluate(LISTEN)
    studio.wait("openpendant.view.taught.nearest !== null", "what is nearest")
    assert "nearest" in studio.find("view-nearest").inner_text()
    for sounds, pressed in ((True, "true"), (False, "false")):
        tones = studio.page.evaluate("tones")
        studio.find("teach-reset").click()
        studio.wait("!openpendant.view.taught.touches", "nothing touched")
        studio.settle()
        assert studio.find("view-sound").get_attribute("aria-pressed") == pressed
        x, y = studio.grab("Z")
        studio.page.mouse.move(x, y + 130, steps=10)
        studio.wait("openpendant.view.taught.touches", "a touch")
        assert "touches " in studio.find("view-nearest").inner_text()
        # Farther in it is still the same touch.
        studio.page.mouse.move(x, y + 140, steps=4)
        studio.page.mouse.up()
        studio.settle()
        assert studio.page.evaluate("tones") - tones == (1 if sounds else 0)
        studio.find("view-sound").click()
    assert studio.project("seq") == 0
    # The tool view tilts; that it was closed is remembered.
    studio.find("view-inset-picture").focus()
    tilt = seen(studio, "toolTilt")
    studio.press("ArrowDown")
    studio.press("ArrowRight")
    assert seen(studio, "toolTilt") == pytest.approx([tilt[0] + 0.12, tilt[1] + 0.12])
    studio.find("view-inset-close").click()
    assert studio.find("view-inset").count() == 0
    studio.page.reload()
    studio.settle()
    assert studio.find("view-inset").count() == 0
    studio.press("v")
    studio.find("view-inset").wait_for()


def rest(studio: Studio) -> dict[str, int]:
    """Wait until nothing is drawn any more; return what the graphics card holds then."""
    studio.settle()
    # Checks and recordings may still arrive and be drawn; after them there must come a rest.
    for _ in range(40):
        drawn = seen(studio, "framesDrawn")
        studio.page.wait_for_timeout(500)
        if seen(studio, "framesDrawn") == drawn:
            return seen(studio, "held")
    raise AssertionError("the view is drawn again and again though nothing moves")


def test_a_view_at_rest_draws_nothing_and_a_closed_one_holds_nothing(open_cell: OpenCell) -> None:
    studio = open_cell("bench")
    address = studio.page.url.split("#")[1]
    studio.page.mouse.move(5, 5)
    held = rest(studio)
    for _ in range(2):
        studio.page.evaluate("location.hash = '/'")
        studio.wait("openpendant.view === null", "the welcome page")
        studio.page.evaluate(f"location.hash = {address!r}")
        studio.settle()
    assert rest(studio) == held
    # A mesh of a tool is drawn like its other parts, and let go of again.
    ring = trimesh.creation.torus(0.04, 0.012).export(file_type="stl")
    project = studio.project("id")
    upload = f"{studio.url}/api/projects/{project}/meshes?file=ring.stl&scale=1"
    with urlopen(Request(upload, ring, {"content-type": "application/octet-stream"})) as answer:
        shape = {"type": "mesh", "file": json.load(answer)["file"]}
    tool = studio.project("cell.tools[0]")
    with connect(studio.url, name="Ben").open(project) as other:
        other.edit_cell(Replace(name=tool["name"], item={**tool, "parts": [*tool["parts"], {"shape": shape}]}))
        studio.wait("openpendant.project.seq === 1", "the other tool")
        assert rest(studio)["geometries"] == held["geometries"] + 1
        other.undo()
        studio.wait("openpendant.project.seq === 2", "the tool as it was")
        assert rest(studio) == held
