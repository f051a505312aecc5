"""The view of a cell: what is drawn, chosen, dragged, measured and taught in it, with the real mouse."""

import json
import math
import urllib.request
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pendant import OpenPage, Pendant
from serving import Serving

OpenCell = Callable[..., Pendant]


def make_project(url: str, demo: str) -> str:
    body = json.dumps({"title": demo, "demo": demo}).encode()
    request = urllib.request.Request(f"{url}/api/projects", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["id"]


@pytest.fixture
def open_cell(open_page: OpenPage, server: Serving) -> Iterator[OpenCell]:
    """Open a new project with a demo cell; whatever is written to the console as an error fails the test."""
    opened: list[Pendant] = []

    def open_cell(demo: str = "pick_and_place", mode: str = "build") -> Pendant:
        pendant = open_page()
        pendant.page.add_init_script(
            "localStorage.setItem('openpendant.toured', 'true'); localStorage.setItem('openpendant.name', '\"Ann\"')"
        )
        project = make_project(server.url, demo)
        pendant.page.goto(f"{server.url}/?aa=0&sharp=0.5#/projects/{project}")
        opened.append(pendant)
        settle(pendant)
        if mode != "build":
            pendant.page.keyboard.press({"teach": "Alt+2", "program": "Alt+3"}[mode])
        return pendant

    yield open_cell
    assert [error for pendant in opened for error in pendant.errors] == []


def settle(pendant: Pendant) -> None:
    pendant.wait("openpendant?.view?.settled && openpendant.view.framesDrawn > 0", "the view")


def press(pendant: Pendant, at: dict[str, float]) -> None:
    pendant.page.mouse.click(at["x"], at["y"])


def at(pendant: Pendant, name: str) -> dict[str, float]:
    return pendant.page.evaluate(f"openpendant.view.at({name!r})")


def grab(pendant: Pendant, axis: str) -> tuple[float, float]:
    """Press the mouse button on an arrow of the handle; return where."""
    for far in (0.53, 0.45, 0.37, 0.3):
        point = pendant.page.evaluate(f"openpendant.view.grab({axis!r}, {far})")
        pendant.page.mouse.move(point["x"], point["y"])
        if pendant.state("view.touched") == axis:
            break
    assert pendant.state("view.touched") == axis
    pendant.page.mouse.down()
    pendant.wait("openpendant.view.dragging", "a drag")
    return point["x"], point["y"]


def drag(pendant: Pendant, axis: str, pixels: float, *, let_go: bool = True) -> None:
    """Drag an arrow of the handle outwards."""
    x, y = grab(pendant, axis)
    inner = pendant.page.evaluate(f"openpendant.view.grab({axis!r}, 0)")
    way = np.array([x - inner["x"], y - inner["y"]])
    way *= pixels / np.linalg.norm(way)
    pendant.page.mouse.move(x + way[0], y + way[1], steps=6)
    if let_go:
        pendant.page.mouse.up()


def place(pendant: Pendant, name: str, section: str = "objects") -> list[float]:
    return pendant.page.evaluate(f"openpendant.project.cell.{section}.find((one) => one.name === {name!r}).pose.xyz")


@pytest.mark.parametrize("demo", ["bench", "pick_and_place", "two_arms", "weld_a_box"])
def test_every_demo_is_drawn_with_all_its_bodies(open_cell: OpenCell, demo: str) -> None:
    pendant = open_cell(demo)
    assert pendant.state("view.held")["geometries"] > 20
    box = pendant.page.get_by_test_id("cell-canvas").bounding_box()
    assert box is not None
    for robot in pendant.state("project.cell.robots"):
        point = at(pendant, robot["name"])
        assert box["x"] < point["x"] < box["x"] + box["width"]
        assert box["y"] < point["y"] < box["y"] + box["height"]


def test_a_thing_is_chosen_by_a_click_dragged_and_undone(open_cell: OpenCell) -> None:
    pendant = open_cell()
    press(pendant, at(pendant, "cube 1"))
    pendant.wait("openpendant.project.selection[0] === 'cube 1'", "the cube")
    before = place(pendant, "cube 1")
    drag(pendant, "X", 60)
    pendant.wait("openpendant.project.seq === 1", "the edit")
    after = place(pendant, "cube 1")
    assert after[0] > before[0] + 0.01
    assert after[1:] == pytest.approx(before[1:], abs=1e-9)
    pendant.page.keyboard.press("Control+z")
    pendant.wait("openpendant.project.seq === 2", "the undo")
    assert place(pendant, "cube 1") == pytest.approx(before)


def test_escape_lets_go_without_an_edit(open_cell: OpenCell) -> None:
    pendant = open_cell()
    press(pendant, at(pendant, "cube 1"))
    pendant.wait("openpendant.project.selection.length === 1", "the cube")
    before = place(pendant, "cube 1")
    drag(pendant, "Z", 50, let_go=False)
    pendant.page.keyboard.press("Escape")
    pendant.wait("!openpendant.view.dragging", "the end of the drag")
    pendant.page.mouse.up()
    settle(pendant)
    assert pendant.state("project.seq") == 0
    assert place(pendant, "cube 1") == before
    pendant.page.keyboard.press("Escape")
    pendant.wait("openpendant.project.selection.length === 0", "nothing selected")


def test_several_things_move_together_in_steps_and_come_back_with_one_undo(open_cell: OpenCell) -> None:
    pendant = open_cell()
    press(pendant, at(pendant, "cube 1"))
    pendant.page.keyboard.down("Shift")
    press(pendant, at(pendant, "cube 3"))
    pendant.page.keyboard.up("Shift")
    pendant.wait("openpendant.project.selection.length === 2", "both")
    one, three = place(pendant, "cube 1"), place(pendant, "cube 3")
    pendant.find("view-snap").click()
    pendant.find("view-snap-options").click()
    pendant.page.get_by_label("Line up with neighbours").uncheck()
    pendant.find("view-snap-step").get_by_text("50").click()
    pendant.page.keyboard.press("Escape")
    drag(pendant, "Z", 70)
    pendant.wait("openpendant.project.seq === 1", "one edit")
    by = np.subtract(place(pendant, "cube 1"), one)
    assert by == pytest.approx(np.subtract(place(pendant, "cube 3"), three))
    height = place(pendant, "cube 1")[2] + 0.75
    assert height / 0.05 == pytest.approx(round(height / 0.05), abs=1e-6)
    pendant.page.keyboard.press("Control+z")
    pendant.wait("openpendant.project.seq === 2", "one undo")
    assert place(pendant, "cube 3") == pytest.approx(three)


def test_a_thing_drops_onto_what_is_below(open_cell: OpenCell) -> None:
    pendant = open_cell()
    press(pendant, at(pendant, "cube 1"))
    drag(pendant, "Z", 60)
    pendant.wait("openpendant.project.seq === 1", "the edit")
    assert place(pendant, "cube 1")[2] > 0.03
    pendant.page.keyboard.press("End")
    pendant.wait("openpendant.project.seq === 2", "the drop")
    assert place(pendant, "cube 1")[2] == pytest.approx(0.02, abs=1e-6)


def test_the_way_between_two_corners_is_measured(open_cell: OpenCell) -> None:
    pendant = open_cell()
    pendant.page.keyboard.press("m")
    x, y, z = place(pendant, "cube 1")
    for corner in ((x - 0.02, y - 0.02), (x + 0.02, y - 0.02)):
        spot = pendant.page.evaluate(f"openpendant.view.spot({corner[0]}, {corner[1]}, {z + 0.77})")
        pendant.page.mouse.move(spot["x"] + 1, spot["y"] + 1)
        pendant.page.mouse.click(spot["x"] + 1, spot["y"] + 1)
    pendant.wait("openpendant.view.measured !== null", "a measure")
    assert pendant.state("view.measured") == pytest.approx(0.04, abs=1e-6)
    assert "40.00 mm" in pendant.find("view-distance").inner_text()
    pendant.page.keyboard.press("Escape")
    pendant.wait("openpendant.view.measured === null", "no measure")
    pendant.page.keyboard.press("Escape")
    assert pendant.find("view-measured").count() == 0


def test_an_arm_is_taught_by_dragging_its_tool(open_cell: OpenCell) -> None:
    pendant = open_cell("bench", "teach")
    pendant.wait("openpendant.view.taught?.tcp != null && openpendant.view.settled", "the ghost")
    before = pendant.state("view.taught")
    # The tool of the cell ends 0.1 m before the flange: its TCP is given in the world, on the bench.
    assert before["tcp"]["xyz"][2] > 0.85
    drag(pendant, "Z", 40)
    settle(pendant)
    pendant.wait(f"openpendant.view.taught.tcp.xyz[2] > {before['tcp']['xyz'][2] + 0.005}", "the tool higher")
    after = pendant.state("view.taught")
    assert after["q"] != before["q"]
    assert after["tcp"]["xyz"][:2] == pytest.approx(before["tcp"]["xyz"][:2], abs=1e-4)
    assert pendant.state("project.seq") == 0
    pendant.wait("openpendant.view.taught.nearest !== null", "what is nearest")
    assert "nearest" in pendant.find("view-nearest").inner_text()


def test_touching_something_is_said(open_cell: OpenCell) -> None:
    pendant = open_cell("bench", "teach")
    pendant.wait("openpendant.view.taught?.tcp != null && openpendant.view.settled", "the ghost")
    x, y = grab(pendant, "Z")
    pendant.page.mouse.move(x, y + 130, steps=10)
    pendant.wait("openpendant.view.taught.touches", "a touch")
    assert "touches" in pendant.find("view-nearest").inner_text()
    pendant.page.mouse.up()


def test_the_tool_view_tilts_and_its_absence_is_remembered(open_cell: OpenCell) -> None:
    pendant = open_cell("bench", "teach")
    pendant.find("view-inset-picture").focus()
    tilt = pendant.state("view.toolTilt")
    pendant.page.keyboard.press("ArrowDown")
    pendant.page.keyboard.press("ArrowRight")
    assert pendant.state("view.toolTilt") == pytest.approx([tilt[0] + 0.12, tilt[1] + 0.12])
    pendant.find("view-inset-close").click()
    assert pendant.find("view-inset").count() == 0
    pendant.page.reload()
    settle(pendant)
    pendant.page.keyboard.press("Alt+2")
    assert pendant.find("view-inset").count() == 0


def test_the_camera_takes_in_what_is_selected(open_cell: OpenCell) -> None:
    pendant = open_cell()
    press(pendant, at(pendant, "cube 1"))
    pendant.page.keyboard.press("f")
    pendant.wait("openpendant.view.settled", "the camera")
    settle(pendant)
    box = pendant.page.get_by_test_id("cell-canvas").bounding_box()
    assert box is not None
    middle = at(pendant, "cube 1")
    off = math.hypot(middle["x"] - box["x"] - box["width"] / 2, middle["y"] - box["y"] - box["height"] / 2)
    assert off < 0.1 * box["height"]


def rest(pendant: Pendant) -> dict[str, int]:
    """Wait until nothing is drawn any more; return what the graphics card holds then."""
    settle(pendant)
    # Checks and recordings may still arrive and be drawn; after them there must come a rest.
    for _ in range(40):
        drawn = pendant.state("view.framesDrawn")
        pendant.page.wait_for_timeout(500)
        if pendant.state("view.framesDrawn") == drawn:
            return pendant.state("view.held")
    raise AssertionError("the view is drawn again and again though nothing moves")


def test_a_view_at_rest_draws_nothing_and_a_closed_one_holds_nothing(open_cell: OpenCell) -> None:
    pendant = open_cell("bench")
    address = pendant.page.url.split("#")[1]
    pendant.page.mouse.move(5, 5)
    held = rest(pendant)
    for _ in range(5):
        pendant.page.evaluate("location.hash = '/'")
        pendant.wait("openpendant.view === null", "the welcome page")
        pendant.page.evaluate(f"location.hash = {address!r}")
        settle(pendant)
    assert rest(pendant) == held
