"""The cell in a headset: menus, points, moving and STOP, with controllers and with bare hands."""

from collections.abc import Iterator

import numpy as np
import pytest
from headset import Headset
from operating import RUN
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import SELDOM, OpenStudio, Studio

GRIP_M = 0.00398
"""So far outside of its place the grip of an emulated controller is."""
MENUS = "a-button"
BACK = "b-button"
NEAR_M = 0.02


@pytest.fixture(scope="module")
def worn(browser: Browser, server: Serving) -> Iterator[Headset]:
    """A headset in one page for all tests: a new one takes seconds without a graphics card."""
    context = browser.new_context(viewport={"width": 960, "height": 640}, color_scheme="dark", locale="en-GB")
    studio = Studio(context, server.url, name="Ann")
    headset = Headset(studio)
    studio.make("Cell", "pick_and_place")
    studio.settle()
    yield headset
    context.close()


@pytest.fixture
def headset(worn: Headset) -> Iterator[Headset]:
    """In VR, the menus shown; nothing may be written to the console as an error."""
    worn.studio.errors.clear()
    worn.page.evaluate("device.primaryInputMode = 'controller'")
    worn.page.evaluate("device.position.set(0, 1.6, 0); device.quaternion.set(0, 0, 0, 1)")
    worn.place("left", (-0.25, 1.1, -0.2))
    worn.place("right", (0.25, 1.1, -0.2))
    worn.enter()
    worn.tap(MENUS)
    worn.wait("room.page === 'home'", "the first menu")
    yield worn
    worn.leave()
    assert worn.studio.errors == []


def test_there_is_no_button_without_a_headset(open_studio: OpenStudio) -> None:
    studio = open_studio(960, 640)
    studio.make("Cell", "bench")
    studio.settle()
    assert studio.find("enter-headset").count() == 0
    studio.press("Control+k")
    studio.page.keyboard.type("Enter VR")
    # Chromium without a device says so; the command tells why, and does nothing.
    expect(studio.page.get_by_text("No headset is connected to this browser.")).to_be_visible()


def test_menus_open_before_the_person_and_one_button_hides_them(headset: Headset) -> None:
    menu = headset.panel("menu")
    assert menu is not None
    assert np.hypot(menu["at"][0], menu["at"][2]) == pytest.approx(0.85, abs=0.01)
    assert menu["at"][2] < -0.8
    headset.tap(MENUS)
    assert headset.panel("menu") is None
    # Who sits on the floor and looks to the left has them there, above the floor.
    headset.page.evaluate("device.position.set(0.5, 0.5, 0); device.quaternion.set(0, Math.SQRT1_2, 0, Math.SQRT1_2)")
    headset.frames()
    headset.tap(MENUS)
    menu = headset.panel("menu")
    assert menu is not None
    assert menu["at"][0] == pytest.approx(0.5 - 0.85, abs=0.01)
    assert menu["at"][1] - menu["height"] / 2 > 0.0


def test_a_button_has_three_looks_and_acts_on_release_inside(headset: Headset) -> None:
    assert headset.button("program")["look"] == "rest"
    headset.aim("program")
    assert headset.button("program")["look"] == "lit"
    headset.trigger(1)
    assert headset.button("program")["look"] == "held"
    # Let go elsewhere: nothing is done, and nothing stays lit when the menus are hidden.
    headset.point_at(headset.button("moving")["at"])
    headset.trigger(0)
    assert headset.seen("page") == "home"
    headset.push("program")
    assert headset.seen("page") == "program"
    headset.tap(BACK)
    assert headset.seen("page") == "home"
    # The head alone lights nothing, wherever it looks.
    headset.place("right", (0.4, 1.0, 0.4))
    headset.frames()
    panel = headset.panel("menu")
    assert panel is not None
    assert {one["look"] for one in panel["buttons"]} == {"rest"}


def test_a_controller_comes_late_and_changes_sides(headset: Headset) -> None:
    headset.aim("program")
    headset.page.evaluate("device.controllers.right.connected = false")
    headset.frames()
    assert headset.button("program")["look"] == "rest"
    assert headset.seen("aims.right") == "nothing"
    headset.push("program", side="left")
    assert headset.seen("page") == "program"
    headset.page.evaluate("device.controllers.right.connected = true")
    headset.frames()
    headset.tap(BACK)
    headset.push("moving")
    assert headset.seen("page") == "moving"


def test_bare_hands_press_by_a_pinch(headset: Headset) -> None:
    headset.page.evaluate("device.primaryInputMode = 'hand'")
    headset.place("left", (-0.3, 1.0, -0.2))
    headset.push("moving")
    assert headset.seen("page") == "moving"


def test_a_wait_by_the_keypad(headset: Headset) -> None:
    steps = "openpendant.project.programs[openpendant.project.openProgram].steps"
    count = headset.page.evaluate(f"{steps}.length")
    headset.push("wait")
    assert headset.button("accept")["blocked"] == "Type how many seconds."
    for key in ("1", ".", "2", "5"):
        headset.push(f"key:{key}")
    headset.push("key:delete")
    assert "1.2 s" in headset.words()
    headset.push("accept")
    headset.studio.wait(f"{steps}.length === {count + 1}", "the new step")
    assert headset.page.evaluate(f"{steps}.some((one) => one.do === 'wait' && one.seconds === 1.2)")
    assert "1.2 s" in " ".join(one["text"] for one in (headset.panel("steps") or {"buttons": []})["buttons"])


def test_a_point_is_marked_and_one_out_of_reach_is_refused(headset: Headset) -> None:
    points = "(openpendant.project.cell.points ?? [])"
    count = headset.page.evaluate(f"{points}.length")
    headset.push("point")
    headset.wait("room.panels.some(({ words }) => words.some((one) => one.includes('Within reach')))", "the check")
    start = np.array(headset.page.evaluate("openpendant.view.taught.tcp.xyz"))

    def guide(by: tuple[float, float, float]) -> None:
        """Close the left grip, bring the hand this far, and open it."""
        at = np.array([-0.2, 1.1, -0.3])
        headset.place("left", at)
        headset.key("squeeze", 1, "left")
        headset.place("left", at + by)
        headset.frames()
        headset.key("squeeze", 0, "left")

    # The hand is far from the tool: the tool comes to it, wherever that is; this is several metres from the robot.
    guide((-3.0, 0.5, 0.0))
    # It says why, as the page does, and nothing is made.
    accept = "room.panels[0].buttons.find(({ id }) => id === 'accept').blocked"
    headset.wait(f"!['', 'Being checked…'].includes({accept})", "the refusal")
    assert "reach" in headset.button("accept")["blocked"]
    assert headset.page.evaluate(f"{points}.length") == count
    headset.push("reset")
    headset.wait("room.panels[0].words.some((one) => one.includes('Within reach'))", "the check")
    assert headset.button("accept")["blocked"] == ""
    reached = np.array(headset.page.evaluate("openpendant.view.taught.tcp.xyz"))
    assert np.linalg.norm(reached - start) < NEAR_M
    headset.push("accept")
    headset.studio.wait(f"{points}.length === {count + 1}", "the point")
    made = headset.page.evaluate(f"{points}.at(-1)")
    assert np.linalg.norm(np.array(made["pose"]["xyz"]) - reached) < NEAR_M
    step = headset.page.evaluate("openpendant.project.openStep")
    assert step
    assert headset.seen("page") == "home"


def test_an_axis_is_held_pushed_and_taken_back(headset: Headset) -> None:
    headset.push("axis")
    headset.wait("room.page === 'axis' && openpendant.view.taught !== null", "the axes")
    before = headset.page.evaluate("openpendant.view.taught.q")
    headset.aim("axis:0")
    headset.trigger(1)
    headset.stick(0, -1)
    headset.studio.wait(f"openpendant.view.taught.q[0] > {before[0] + 0.02}", "the axis turns")
    assert headset.page.evaluate("openpendant.view.taught.q")[1:] == before[1:]
    headset.stick(0, 0)
    headset.tap(BACK)
    headset.trigger(0)
    headset.studio.wait(f"Math.abs(openpendant.view.taught.q[0] - {before[0]}) < 1e-6", "the angle of before")
    assert headset.seen("page") == "axis"
    headset.tap(BACK)
    assert headset.seen("page") == "home"


def test_moving(headset: Headset) -> None:
    start = headset.seen("stands")
    headset.stick(0, -1, "left")
    headset.studio.wait("openpendant.headset.vignette === 1", "the vignette")
    headset.stick(0, 0, "left")
    walked = headset.seen("stands")
    assert walked["at"][1] == start["at"][1]
    assert np.linalg.norm(np.subtract(walked["at"], start["at"])) > 0.05
    headset.stick(1, 0)
    headset.stick(0, 0)
    assert headset.seen("stands.yaw") == pytest.approx(start["yaw"] - np.pi / 6, abs=1e-6)
    headset.push("moving")
    headset.push("model")
    assert headset.seen("stands.scale") == pytest.approx(8.0)
    headset.push("start")
    stands = headset.seen("stands")
    assert stands["at"] == pytest.approx(start["at"])
    assert (stands["yaw"], stands["scale"]) == pytest.approx((start["yaw"], 1.0))
    # Both grips hold the world: hands half as far apart, and it is about half as large.
    headset.place("left", (-0.2, 1.0, -0.4))
    headset.place("right", (0.2, 1.0, -0.4))
    headset.frames()
    headset.key("squeeze", 1, "left")
    headset.key("squeeze", 1, "right")
    headset.frames()
    headset.place("left", (-0.1, 1.0, -0.4))
    headset.place("right", (0.1, 1.0, -0.4))
    headset.frames()
    headset.key("squeeze", 0, "left")
    headset.key("squeeze", 0, "right")
    assert headset.seen("stands.scale") == pytest.approx((0.4 + 2 * GRIP_M) / (0.2 + 2 * GRIP_M), rel=1e-3)


def test_leaving_gives_the_page_back(headset: Headset) -> None:
    mode = headset.studio.project("mode")
    headset.push("point")
    headset.leave()
    headset.studio.settle()
    assert headset.studio.project("mode") == mode
    before = headset.page.evaluate("openpendant.framesDrawn")
    headset.page.mouse.move(400, 300)
    headset.studio.press("I")
    headset.studio.wait(f"openpendant.framesDrawn > {before}", "the page draws")
    headset.enter()


@pytest.mark.live
def test_a_program_runs_and_is_stopped_from_inside(browser: Browser, serving: Serving) -> None:
    context = browser.new_context(viewport={"width": 640, "height": 480}, color_scheme="dark", locale="en-GB")
    studio = Studio(context, serving.url, name="Ann", drawn=SELDOM)
    headset = Headset(studio)
    studio.make("Cell", "pick_and_place")
    studio.settle()
    headset.place("left", (-0.25, 1.1, -0.2))
    headset.enter()
    headset.tap(MENUS)
    headset.push("run")
    headset.push("connect")
    headset.wait("room.panels[0].buttons.some(({ id, blocked }) => id === 'run' && blocked === '')", "the robots")
    robot = "openpendant.project.operating.robots[0]"
    stops = [
        lambda: (headset.key("y-button", 1, "left"), headset.key("b-button", 1, "right")),
        lambda: headset.push("stop", "wrist-left"),
    ]
    for stop in stops:
        headset.push("run")
        studio.wait(f"{RUN}.status === 'running' && {robot}.moving", "the robot moves")
        stop()
        studio.wait(f"!['running', 'ready', 'checking'].includes({RUN}.status) && !{robot}.moving", "the stop")
        headset.key("y-button", 0, "left")
        headset.key("b-button", 0, "right")
        headset.wait("room.panels[0].buttons.some(({ id, blocked }) => id === 'run' && blocked === '')", "at rest")
    assert headset.seen("page") == "run"
    assert studio.errors == []
    context.close()
