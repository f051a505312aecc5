"""The studio with one robot of the catalogue: every robot, themes, sizes, the lost connection, keeping it."""

import math

import numpy as np
import pytest
from pendant import OpenPage, Pendant
from playwright.sync_api import expect
from serving import Serving

from openpendant import robots

TWELVE_FRAMES = """new Promise(done => {
  let left = 12;
  const next = () => left-- ? requestAnimationFrame(next) : done();
  next();
})"""


def test_every_robot_is_shown_without_complaint(pendant: Pendant) -> None:
    names = robots.names()
    pendant.open(names[0])
    for name in names:
        pendant.find(f"robot-{name}").click()
        pendant.wait_for_robot(name)
        pendant.find("view-arm-frames").click()
        pendant.settle()
        expect(pendant.find("project-title")).to_have_text(robots.load(name).title)
        expect(pendant.find("complaint")).to_have_count(0)
        expect(pendant.find(f"robot-{name}")).to_have_attribute("aria-current", "true")
        assert pendant.page.url.endswith(f"#/robots/{name}")
    pendant.page.reload()
    pendant.wait_for_robot(names[-1])


def test_robots_that_left_hold_nothing_on_the_graphics_card(pendant: Pendant) -> None:
    pendant.open("ur3e")
    held = []
    for _ in range(2):
        for name in ("irb120", "robomap", "ur3e"):
            pendant.find(f"robot-{name}").click()
            pendant.wait_for_robot(name)
        # Bodies reach the graphics card with the picture that shows them.
        pendant.page.evaluate(TWELVE_FRAMES)
        held.append(pendant.state("held"))
    assert held[0]["geometries"] > 0
    assert held[0] == held[1]


def test_it_draws_only_when_something_changes(pendant: Pendant) -> None:
    pendant.open("ur3e")
    pendant.wait("openpendant.settled", "the first picture")
    pendant.page.evaluate(TWELVE_FRAMES)
    drawn = pendant.state("framesDrawn")
    pendant.page.evaluate(TWELVE_FRAMES)
    assert pendant.state("framesDrawn") == drawn
    pendant.look("top")
    pendant.wait(f"openpendant.framesDrawn > {drawn} && openpendant.settled", "the view from above")
    box = pendant.find("cell-canvas").bounding_box()
    assert box is not None
    before = pendant.state("tool")
    pendant.page.mouse.move(box["x"] + 60, box["y"] + 500)
    pendant.page.mouse.down()
    pendant.page.mouse.move(box["x"] + 160, box["y"] + 450, steps=3)
    pendant.page.mouse.up()
    pendant.wait(f"openpendant.tool.x !== {before['x']}", "the turned view")


def test_reach_and_frames_are_shown_on_demand(pendant: Pendant) -> None:
    pendant.open("ur3e")
    with pendant.page.expect_response("**/reach?arm=arm") as answer:
        pendant.find("view-reach").click()
    assert answer.value.ok
    pendant.page.keyboard.press("Shift+c")
    for toggle in ("view-reach", "view-arm-frames"):
        expect(pendant.find(toggle)).to_have_attribute("aria-pressed", "true")
    pendant.page.keyboard.press("r")
    expect(pendant.find("view-reach")).to_have_attribute("aria-pressed", "false")


def test_theme_follows_the_system_until_it_is_chosen(open_page: OpenPage) -> None:
    pendant = open_page(scheme="light")
    pendant.open("robomap")
    page = pendant.page.locator("html")
    expect(page).to_have_attribute("data-theme", "light")
    pendant.page.emulate_media(color_scheme="dark")
    expect(page).to_have_attribute("data-theme", "dark")
    pendant.find("project-menu").click()
    pendant.find("theme-choice").locator('[data-value="light"]').click()
    expect(page).to_have_attribute("data-theme", "light")
    pendant.page.reload()
    pendant.wait_for_robot("robomap")
    expect(page).to_have_attribute("data-theme", "light")
    assert pendant.errors == []


def test_a_platform_is_driven_by_numbers_and_by_hand(pendant: Pendant) -> None:
    pendant.open("robomap")
    pendant.type("joint-1-value", "250")
    pendant.type("joint-3-value", "90")
    pendant.wait("openpendant.q[0] === 0.25 && openpendant.q[2] > 1.5", "the place that was typed")
    np.testing.assert_allclose(pendant.q, [0.25, 0, math.pi / 2], atol=1e-12)
    dx, dy = pendant.outwards("X")
    pendant.drag("X", 40 * dx, 40 * dy)
    pendant.wait("openpendant.q[0] > 0.3", "the place that it was pushed to")
    np.testing.assert_allclose(pendant.q[1:], [0, math.pi / 2], atol=1e-9)
    pendant.page.keyboard.press("h")
    pendant.wait("openpendant.q.every(value => value === 0)", "the way home")
    pendant.page.keyboard.press("Control+z")
    pendant.wait("openpendant.q[0] > 0.3", "the place that it had")


def test_commands_are_found_and_run(pendant: Pendant) -> None:
    pendant.open("irb120")
    pendant.page.keyboard.press("?")
    expect(pendant.find("commands")).to_be_visible()
    pendant.page.keyboard.type("radians")
    pendant.page.keyboard.press("Enter")
    expect(pendant.find("commands")).not_to_be_visible()
    pendant.find("project-menu").click()
    expect(pendant.find("angle").locator('[data-value="rad"]')).to_be_checked()


def test_a_panel_is_resized_folded_and_remembered(pendant: Pendant) -> None:
    pendant.open("irb120")
    panel = pendant.find("studio-right")
    edge = panel.get_by_role("separator")
    edge.focus()
    for _ in range(3):
        edge.press("ArrowLeft")
    pendant.find("section-teach.joints").get_by_role("button", name="Joints").click()
    pendant.find("toggle-left").click()
    pendant.page.reload()
    pendant.wait_for_robot("irb120")
    box = panel.bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(360)
    expect(pendant.find("joint-1")).to_have_count(0)
    expect(pendant.find("studio-left")).to_have_count(0)


def test_an_unknown_robot_is_told_with_what_there_is(open_page: OpenPage) -> None:
    pendant = open_page()
    pendant.page.goto(f"{pendant.url}/?aa=0#/robots/ur3")
    expect(pendant.find("failed")).to_contain_text("ur3e")
    pendant.find("robot-ur3e").click()
    pendant.wait_for_robot("ur3e")


def test_a_damaged_address_shows_the_first_robot(pendant: Pendant) -> None:
    pendant.page.goto(f"{pendant.url}/?aa=0&sharp=0.5#/robots/%E0%A4%A")
    pendant.wait_for_robot(robots.names()[0])


def test_it_fits_a_phone(open_page: OpenPage) -> None:
    pendant = open_page(390, 844, touch=True)
    pendant.open("ur3e")
    for testid in ("project-menu", "undo", "palette", "stop", "toggle-left", "toggle-right"):
        box = pendant.find(testid).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390, f"{testid} is outside of the page"
    assert pendant.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_nothing_moves_for_who_wants_no_motion(open_page: OpenPage) -> None:
    pendant = open_page()
    pendant.page.emulate_media(reduced_motion="reduce")
    pendant.open("irb120")
    pendant.page.evaluate(
        """() => {
          document.querySelector('[data-testid="posture-folded"]').click();
          window.dispatchEvent(new KeyboardEvent("keydown", { key: "o" }));
        }"""
    )
    folded = robots.load("irb120").posture("folded")
    np.testing.assert_allclose(pendant.q, folded, atol=1e-12)
    drawn = pendant.state("framesDrawn")
    pendant.settle()
    pendant.page.evaluate(TWELVE_FRAMES)
    assert pendant.state("framesDrawn") <= drawn + 3, "the view is there at once"


def test_it_fits_a_tablet(open_page: OpenPage) -> None:
    pendant = open_page(820, 1180, touch=True)
    pendant.open("ur3e")
    expect(pendant.find("studio-left")).to_have_count(0)
    pendant.find("toggle-left").tap()
    pendant.find("robot-irb120").tap()
    pendant.wait_for_robot("irb120")
    expect(pendant.find("studio-left")).to_have_count(0)
    pendant.find("toggle-right").tap()
    pendant.type("joint-1-value", "20")
    assert pendant.q[0] == pytest.approx(math.radians(20))
    for testid in ("joint-1-slider", "toggle-right", "view-views", "posture-home", "branch-1"):
        box = pendant.find(testid).bounding_box()
        assert box is not None
        assert box["height"] >= 39, f"{testid} is too small for a finger"
    assert pendant.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    tool = pendant.state("tool")
    panel = pendant.find("studio-right").bounding_box()
    assert panel is not None
    assert 0 < tool["x"] < panel["x"], "the tool stays in sight beside the panel"
    assert pendant.errors == []


def test_a_lost_connection_is_shown_and_comes_back(open_page: OpenPage) -> None:
    serving = Serving()
    serving.start()
    try:
        pendant = open_page(url=serving.url)
        pendant.open("ur3e")
        serving.kill()
        expect(pendant.find("lost")).to_be_visible()
        expect(pendant.find("connection")).not_to_have_attribute("data-state", "open")
        # The arm still moves by its joints, and the view still turns; the pose waits.
        pendant.find("joint-1-slider").fill("0.5")
        drawn = pendant.state("framesDrawn")
        pendant.look("front")
        pendant.wait(f"openpendant.framesDrawn > {drawn}", "the view while there is no server")
        assert pendant.state("pose") is None
        serving.start()
        pendant.wait("openpendant.connected", "the connection")
        expect(pendant.find("lost")).to_have_count(0)
        pendant.settle()
        T = robots.load("ur3e").arm().fk(pendant.q)
        assert pendant.q[0] == pytest.approx(0.5)
        np.testing.assert_allclose(pendant.position, T[:3, 3], atol=1e-9)
    finally:
        serving.stop()


def test_a_robot_that_is_looked_at_is_kept_only_when_asked(pendant: Pendant) -> None:
    pendant.open("ur3e")
    looked_at = pendant.state("project.id")
    pendant.find("teach-name").fill("here")
    pendant.find("teach-name").press("Enter")
    pendant.wait("openpendant.project.cell.points?.length === 1", "the point")
    # The tour through a first project would change its mode.
    pendant.page.evaluate("localStorage.setItem('openpendant.toured', 'true')")
    pendant.page.reload()
    pendant.wait_for_robot("ur3e")
    assert pendant.state("project.id") == looked_at
    assert pendant.state("project.cell.points")[0]["name"] == "here"
    pendant.page.evaluate("location.hash = '/'")
    pendant.find("demo-bench").wait_for()
    assert looked_at not in pendant.page.evaluate("fetch('/api/projects').then((got) => got.text())")
    pendant.page.go_back()
    pendant.wait_for_robot("ur3e")
    pendant.page.keyboard.press("Control+s")
    pendant.wait("openpendant.project !== null && location.hash.startsWith('#/projects/')", "the project")
    kept = pendant.state("project.id")
    assert pendant.state("project.mode") == "teach"
    assert pendant.state("project.cell.points")[0]["name"] == "here"
    assert kept in pendant.page.evaluate("fetch('/api/projects').then((got) => got.text())")


def test_fingers_and_arms_are_moved_by_hand_and_back(pendant: Pendant) -> None:
    pendant.open("irb120")
    home = pendant.q
    opened = pendant.number("gripper-value")
    pendant.type("gripper-value", "5")
    pendant.find("gripper-value").press("Escape")
    pendant.page.keyboard.press("Control+z")
    pendant.settle()
    assert pendant.number("gripper-value") == opened
    pendant.find("posture-folded").click()
    pendant.settle()
    pendant.page.keyboard.press("h")
    pendant.settle()
    np.testing.assert_allclose(pendant.q, home, atol=1e-12)
    pendant.open("yumi")
    pendant.page.keyboard.press("a")
    pendant.settle()
    assert pendant.state("arm") == "right"
