"""Teach: points by jogging, typing and dragging; touching up; calibrating; steps that go to what was taught."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect
from serving import Serving
from studio import OpenStudio, Studio

from openpendant import robots
from openpendant.spatial import matrix_from_quaternion


@pytest.fixture(scope="module")
def page(browser: Browser, server: Serving) -> Iterator[Studio]:
    """One page for all tests: a new one takes seconds without a graphics card."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme="dark", locale="en-GB")
    yield Studio(context, server.url)
    context.close()


@pytest.fixture
def studio(page: Studio) -> Iterator[Studio]:
    """The bench in Teach, its ghost ready; nothing may be written to the console as an error."""
    page.errors.clear()
    page.make("Bench", "bench")
    page.press("Alt+2")
    page.find("teach-x").wait_for()
    page.settle()
    yield page
    assert page.errors == []


def points(studio: Studio) -> list[dict[str, Any]]:
    return studio.page.evaluate("openpendant.project.cell.points ?? []")


def point(studio: Studio, name: str) -> dict[str, Any]:
    studio.wait(f"openpendant.project.cell.points.some((one) => one.name === {name!r})", name)
    return next(one for one in points(studio) if one["name"] == name)


def number(studio: Studio, testid: str) -> float:
    return float(studio.find(testid).input_value().replace("\N{MINUS SIGN}", "-"))


def settle(studio: Studio, testid: str, value: float) -> None:
    """Wait until a field shows a number."""
    studio.wait(
        f"Math.abs(Number(document.querySelector('[data-testid=\"{testid}\"]').value.replace('\u2212', '-')) - {value})"
        " < 0.006",
        f"{testid} at {value}",
    )


def step(studio: Studio, testid: str) -> None:
    """Jog one step, by the keyboard: between the two halves of a mouse click, a busy machine may let more pass."""
    studio.find(testid).press("Enter")


def test_four_points_by_jogging_and_typing(studio: Studio) -> None:
    start = number(studio, "teach-x")
    studio.find("teach-name").fill("first")
    studio.find("teach-point").click()
    assert point(studio, "first")["robot"] == "ur3e"
    # A step along x of the world: 10 mm.
    step(studio, "jog-x-plus")
    settle(studio, "teach-x", start + 10)
    studio.find("teach-panel").locator("kbd").first.wait_for()
    studio.press("t")
    second = point(studio, "point")
    assert second["pose"]["xyz"][0] * 1000 == pytest.approx(start + 10, abs=0.006)
    studio.find("teach-z").fill("1000")
    studio.find("teach-z").press("Enter")
    settle(studio, "teach-z", 1000)
    studio.find("teach-name").fill("third")
    studio.find("teach-name").press("Enter")
    assert point(studio, "third")["pose"]["xyz"][2] == pytest.approx(1.0, abs=1e-9)
    before = number(studio, "joint-1-value")
    step(studio, "jog-joint-1-plus")
    settle(studio, "joint-1-value", before + 5)
    studio.find("teach-frame").select_option("bench")
    studio.find("teach-name").fill("fourth")
    studio.find("teach-name").press("Enter")
    fourth = point(studio, "fourth")
    assert fourth["frame"] == "bench"
    assert len(fourth["q"]) == 6
    for name in ("first", "point", "third", "fourth"):
        studio.page.locator(f'[data-testid="reach-{name}"][data-reach="yes"]').wait_for()
    # While the check runs, what it said before is shown paler.
    studio.wait("document.querySelector('.stale') === null", "the check")
    assert studio.findings() == []


def test_a_place_out_of_reach_says_how_far_and_keeps_the_other_numbers(studio: Studio) -> None:
    fields = ["teach-x", "teach-y", "teach-z", "teach-turn-0", "teach-turn-1", "teach-turn-2"]
    start = [number(studio, field) for field in fields]
    button = studio.find("teach-point").bounding_box()
    studio.find("teach-x").fill("9000")
    studio.find("teach-x").press("Enter")
    why = studio.find("teach-unreached")
    why.wait_for()
    assert re.match(r"Too far: .* \d", why.inner_text())
    taught(studio)
    assert [number(studio, field) for field in fields] == pytest.approx([9000, *start[1:]], abs=0.006)
    # Nothing is taught where the numbers do not say, and no button has moved.
    expect(studio.find("teach-point")).to_be_disabled()
    studio.find("teach-name").press("Enter")
    expect(studio.find("complaint")).to_contain_text("numbers")
    studio.find("complaint").get_by_role("button", name="Close").click()
    assert studio.find("teach-point").bounding_box() == button
    # One number is corrected, and the tool is there in the orientation from before.
    studio.find("teach-x").fill(f"{start[0] - 20}")
    studio.find("teach-x").press("Enter")
    why.wait_for(state="detached")
    taught(studio)
    assert [number(studio, field) for field in fields] == pytest.approx([start[0] - 20, *start[1:]], abs=0.006)
    # What brought it there is undone, one number after the other.
    for _ in range(2):
        studio.press("Control+z")
    settle(studio, "teach-x", start[0])
    assert studio.project("seq") == 0


def test_undo_takes_back_the_drag_and_not_the_point(studio: Studio) -> None:
    studio.press("t")
    point(studio, "point")
    studio.wait("openpendant.project.history.undo.length === 1", "the edit")
    before = taught(studio)["tcp"]["xyz"]
    studio.drag("Z", 30)
    assert taught(studio)["tcp"]["xyz"] != pytest.approx(before, abs=1e-3)
    studio.find("undo").click()
    settle(studio, "teach-z", 1000 * before[2])
    assert point(studio, "point")["pose"]["xyz"] == pytest.approx(before, abs=1e-4)
    studio.press("Control+z")
    studio.wait("!openpendant.project.cell.points.some(({name}) => name === 'point')", "no point")


def test_numbers_joints_and_points_are_seen_at_once_and_points_are_one_stop(studio: Studio) -> None:
    studio.page.set_viewport_size({"width": 1280, "height": 800})
    seen = ("teach-x", "jog-rz-plus", "joint-1-value", "joint-6-value", "posture-home", "go-start")
    for testid in seen:
        expect(studio.find(testid)).to_be_in_viewport(ratio=1)
    names = [one["name"] for one in points(studio)]
    studio.find(f"point-{names[0]}").focus()
    studio.press("ArrowDown")
    assert studio.page.evaluate("document.activeElement.dataset.testid") == f"point-{names[1]}"
    stops = studio.find("points-panel").locator("li button:not([tabindex='-1'])")
    expect(stops).to_have_count(1)
    # There from the view, from the tree, and by a key.
    ways: list[Callable[[], None]] = [
        lambda: studio.find("view-point-go").click(),
        lambda: studio.find("tree-go").click(),
        lambda: studio.press("g"),
    ]
    for name, go in zip(names[1:], ways, strict=False):
        before = taught(studio)["tcp"]["xyz"]
        studio.find(f"point-{name}").click()
        go()
        studio.wait(f"openpendant.view.taught.tcp.xyz.some((x, i) => Math.abs(x - {before}[i]) > 0.01)", name)
    studio.page.set_viewport_size({"width": 1280, "height": 720})


def test_touch_up_and_go_there(studio: Studio) -> None:
    studio.find("go-start").click()
    studio.find("point-start").click()
    studio.find("jog-axes").select_option("tool")
    x = number(studio, "teach-x")
    studio.find("jog-ry-plus").click()
    studio.find("jog-move").select_option("0.05")
    studio.find("jog-z-minus").click()
    studio.wait(f"document.querySelector('[data-testid=\"teach-x\"]').value !== '{x}'", "another place")
    before = next(one for one in points(studio) if one["name"] == "start")["pose"]["xyz"]
    studio.find("touch-up").click()
    studio.wait(
        f"openpendant.project.cell.points.find(({{name}}) => name === 'start').pose.xyz[2] !== {before[2]}",
        "another place of the point",
    )
    studio.wait("openpendant.project.history.undo.length > 0", "something to undo")
    studio.press("Control+z")
    studio.wait(
        f"openpendant.project.cell.points.find(({{name}}) => name === 'start').pose.xyz[2] === {before[2]}",
        "the old place of the point",
    )


def test_a_point_and_a_step_are_one_edit(studio: Studio) -> None:
    program = studio.project("openProgram")
    count = "openpendant.project.programs[openpendant.project.openProgram].steps.length"
    steps = studio.page.evaluate(count)
    studio.find("jog-z-plus").click()
    studio.find("teach-step").click()
    studio.wait(f"{count} === {steps + 1} || openpendant.project.cell.points.some((p) => p.name === 'point')", "a step")
    point(studio, "point")
    text = studio.page.evaluate(f"JSON.stringify(openpendant.project.programs[{program!r}])")
    assert '"to":"point"' in text
    studio.wait(f"openpendant.project.checks[{program!r}] !== 'checking'", "the check")
    studio.press("Control+z")
    studio.wait("!openpendant.project.cell.points.some((p) => p.name === 'point')", "no point")
    assert '"to":"point"' not in studio.page.evaluate(f"JSON.stringify(openpendant.project.programs[{program!r}])")


def test_a_frame_from_three_points(studio: Studio) -> None:
    studio.press("Alt+1")
    studio.find("tree-bench").click()
    studio.find("calibrate-frame").click()
    studio.find("calibrate-card").wait_for()
    x, y = number(studio, "teach-x"), number(studio, "teach-y")
    studio.find("calibrate-touch").click()
    for touches, (field, value) in enumerate((("teach-x", x - 50), ("teach-y", y + 40)), start=2):
        studio.find(field).fill(f"{value}")
        studio.find(field).press("Enter")
        studio.find("calibrate-touch").click()
        studio.wait(f"document.querySelectorAll('[data-testid=\"calibrate-card\"] li').length === {touches}", "a touch")
    studio.find("calibrate-found").wait_for()
    studio.find("calibrate-apply").click()
    studio.find("calibrate-card").wait_for(state="detached")
    pose = studio.page.evaluate("openpendant.project.cell.frames[0].pose")
    assert [1000 * value for value in pose["xyz"][:2]] == pytest.approx([x, y], abs=0.006)


def taught(studio: Studio) -> dict[str, Any]:
    """The ghost, at rest."""
    studio.settle()
    return studio.page.evaluate("openpendant.view.taught")


def test_branches_and_stance_of_the_ghost_are_those_of_python(studio: Studio) -> None:
    arm = robots.load("ur3e").arm()
    q = np.array(taught(studio)["q"])
    T = arm.fk(q)
    solutions = arm.ik(T, seed=q).solutions
    rows = studio.find("branches").get_by_role("button")
    expect(rows).to_have_count(len(solutions))
    shown = [row.inner_text().split("\n")[1] for row in rows.all()]
    assert sorted(shown) == sorted(one.label for one in solutions)
    for i in (len(shown) - 1, 0):
        studio.press(str(i + 1))
        expect(studio.find(f"branch-{i + 1}")).to_have_attribute("aria-current", "true")
        q = np.array(taught(studio)["q"])
        turns = [np.exp(1j * one.q) for one in solutions if one.label == shown[i]]
        assert any(np.allclose(turn, np.exp(1j * q), atol=1e-7) for turn in turns)
        np.testing.assert_allclose(arm.fk(q), T, atol=1e-8, err_msg="the tool stays")
        expect(studio.find("configuration")).to_have_text(arm.describe(q))
        expect(studio.find("manipulability")).to_have_text(f"{arm.manipulability(q):.4f}")
    expect(studio.find("section-teach.stance")).to_contain_text("tool0 in")
    expect(studio.find("vendor-text")).to_contain_text("p[")


def test_the_reach_of_the_arm_is_drawn_on_demand(studio: Studio) -> None:
    geometries = "openpendant.view.held.geometries"
    before = studio.page.evaluate(geometries)
    with studio.page.expect_response("**/reach?arm=arm", timeout=60_000) as answer:
        studio.press("r")
    assert answer.value.ok
    expect(studio.find("view-reach")).to_have_attribute("aria-pressed", "true")
    studio.wait(f"{geometries} > {before}", "the reach")
    shown = studio.page.evaluate(geometries)
    studio.find("view-reach").click()
    expect(studio.find("view-reach")).to_have_attribute("aria-pressed", "false")
    studio.wait(f"{geometries} < {shown}", "no reach")


def test_the_elbow_of_yumi_swings_while_the_ghosts_tool_stays(page: Studio) -> None:
    page.make("Two arms", "two_arms")
    page.press("Alt+2")
    page.find("teach-arm").select_option("yumi/left")
    page.find("section-teach.joints").get_by_role("button", name="at work").click()
    page.find("swing-slider").wait_for()
    arm = robots.load("yumi").arm("left")
    q = np.array(taught(page)["q"])
    page.find("swing-slider").fill(str(q[6] - 0.2))
    page.wait(f"Math.abs(openpendant.view.taught.q[6] - {q[6] - 0.2}) < 1e-9", "the elbow")
    after = np.array(taught(page)["q"])
    np.testing.assert_allclose(arm.fk(after, frame="tcp"), arm.fk(q, frame="tcp"), atol=1e-6)


def test_a_robot_in_build_says_where_its_numbers_come_from(page: Studio) -> None:
    page.make("Bench", "bench")
    page.find("tree-ur3e").click()
    about = page.find("section-inspect.about")
    expect(about).to_contain_text(robots.load("ur3e").facts.summary)
    expect(about).to_contain_text("Sources")


def test_four_points_by_dragging_the_tool(studio: Studio) -> None:
    studio.wait("openpendant.view.taught?.tcp != null", "the ghost")
    places: list[list[float]] = []
    for axis, pixels in (("Z", 30), ("X", -30), ("Y", 30), ("Z", -20)):
        before = taught(studio)["tcp"]["xyz"]
        studio.drag(axis, pixels)
        after = taught(studio)["tcp"]["xyz"]
        along = "XYZ".index(axis)
        assert abs(after[along] - before[along]) > 0.01
        others = [i for i in range(3) if i != along]
        assert [after[i] for i in others] == pytest.approx([before[i] for i in others], abs=1e-4)
        studio.press("t")
        made = point(studio, f"point {len(places) + 1}" if places else "point")
        assert made["pose"]["xyz"] == pytest.approx(after, abs=1e-4)
        assert made["q"] == pytest.approx(taught(studio)["q"])
        places.append(after)
    # Each is its own edit.
    studio.press("Control+z")
    studio.wait("!openpendant.project.cell.points.some(({name}) => name === 'point 4')", "three points")


def test_a_tools_working_point_from_four_touches(studio: Studio) -> None:
    # Where the tip of the real tool is, in what the cell takes for its tip.
    miss = np.array([0.004, -0.003, 0.02])
    studio.press("Alt+1")
    studio.find("tree-suction cup").click()
    studio.find("calibrate-tool").click()
    studio.find("calibrate-card").wait_for()
    studio.find("jog-axes").select_option("tool")
    studio.find("jog-turn").select_option(label="15.0°")
    tip: np.ndarray | None = None
    for number, turns in enumerate(([], ["jog-rx-plus"] * 2, ["jog-ry-plus"] * 2, ["jog-rx-minus"] * 3)):
        for button in turns:
            wxyz = taught(studio)["tcp"]["wxyz"]
            studio.find(button).click()
            studio.wait(f"openpendant.view.taught.tcp.wxyz[0] !== {wxyz[0]}", "another orientation")
        now = taught(studio)["tcp"]
        R = matrix_from_quaternion(np.array(now["wxyz"]))
        if tip is None:
            tip = np.array(now["xyz"]) + R @ miss
        for field, value in zip(("teach-x", "teach-y", "teach-z"), tip - R @ miss, strict=True):
            studio.find(field).fill(f"{1000 * value:.6f}")
            studio.find(field).press("Enter")
        # Neither fields nor touches wait for the ghost: each is one more change of where it is going.
        studio.find("calibrate-touch").click()
        studio.wait(
            f"document.querySelectorAll('[data-testid=\"calibrate-card\"] li').length === {number + 1}", "a touch"
        )
    found = studio.find("calibrate-found").inner_text()
    x, y, z, missed = (float(number) for number in re.findall(r"-?\d+\.\d+", found.replace("\u2212", "-")))
    assert (x, y, z, missed) == pytest.approx((4.0, -3.0, 120.0, 0.0), abs=0.005)
    assert studio.findings() == []
    studio.find("calibrate-apply").click()
    studio.find("calibrate-card").wait_for(state="detached")
    tcp = studio.page.evaluate("openpendant.project.cell.tools[0].tcp.xyz")
    assert tcp == pytest.approx([0.004, -0.003, 0.12], abs=1e-8)


def test_the_tool_goes_to_a_surface_by_name_and_by_a_click(studio: Studio) -> None:
    studio.find("snap-to").select_option("bench top")
    studio.find("snap-face").click()
    settle(studio, "teach-z", 850)
    studio.find("go-start").click()
    taught(studio)
    # A puck is a cylinder: its top lies level, and is no box.
    puck = next(one for one in studio.project("cell")["objects"] if one["name"] == "puck 1")
    x, y, z = puck["pose"]["xyz"]
    top = z + puck["shape"]["length"] / 2 + 0.85
    studio.press("q")
    studio.find("view-touching").wait_for()
    spot = studio.page.evaluate(f"openpendant.view.spot({x}, {y}, {top})")
    studio.page.mouse.click(spot["x"], spot["y"])
    settle(studio, "teach-z", 1000 * top)
    tool = taught(studio)["tcp"]
    assert tool["xyz"][:2] == pytest.approx([x, y], abs=0.01)
    assert matrix_from_quaternion(np.array(tool["wxyz"]))[:, 2] == pytest.approx([0, 0, -1], abs=1e-6)
    assert studio.project("selection") == []
    studio.press("Escape")
    assert studio.find("view-touching").count() == 0


def test_jogs_go_along_the_axes_of_a_part(studio: Studio) -> None:
    # A puck that is turned by 90° about z: its x is the world's y.
    studio.press("Alt+1")
    studio.find("tree-puck 2").click()
    studio.find("pose-turn-2").fill("90")
    studio.find("pose-turn-2").press("Enter")
    studio.wait("openpendant.project.seq === 1", "a turned puck")
    studio.press("Alt+2")
    studio.find("jog-axes").select_option("puck 2")
    before = taught(studio)["tcp"]["xyz"]
    step(studio, "jog-x-plus")
    studio.wait(f"Math.abs(openpendant.view.taught.tcp.xyz[1] - {before[1]}) > 0.009", "a step")
    after = taught(studio)["tcp"]["xyz"]
    assert np.subtract(after, before) == pytest.approx([0, 0.01, 0], abs=1e-4)


def test_another_arm_is_jogged_as_soon_as_it_is_chosen(page: Studio) -> None:
    page.make("Two arms", "two_arms")
    page.press("Alt+2")
    page.find("teach-x").wait_for()
    page.settle()
    arms = page.find("teach-arm").locator("option").evaluate_all("options => options.map(({ value }) => value)")
    first = page.find("teach-arm").input_value()
    starts = {}
    for arm in [*(one for one in arms if one != first), first]:
        page.find("teach-arm").select_option(arm)
        step(page, "jog-joint-1-plus")
        page.wait(f"`${{openpendant.view.taught?.robot}}/${{openpendant.view.taught?.arm}}` === {arm!r}", arm)
        starts[arm] = taught(page)["q"]
    assert len(starts) > 1
    # Each of them has made its own step, from where it stands in the cell.
    for arm, q in starts.items():
        robot, _, _ = arm.partition("/")
        place = [one for one in arms if one.startswith(f"{robot}/")].index(arm) * len(q)
        stands = page.page.evaluate(f"openpendant.view.joints({robot!r})")[place : place + len(q)]
        assert np.degrees(np.subtract(q, stands)) == pytest.approx([5] + [0] * (len(q) - 1), abs=1e-6)


def test_without_a_robot_the_panel_says_what_to_do(page: Studio) -> None:
    page.make("Nothing")
    page.press("Alt+2")
    assert "Add one in Build" in page.find("teach-panel").inner_text()


def test_a_reply_about_a_point_comes_when_it_is_no_longer_selected(open_studio: OpenStudio) -> None:
    """A late reply found no point in the panel and failed; `open_studio` fails on that."""
    studio = open_studio()
    late: list[Callable[[], None]] = []

    def link(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def reply(message: str | bytes) -> None:
            text = message if isinstance(message, str) else ""
            if holding and '"type":"forward"' in text:
                late.append(lambda: page.send(message))
            else:
                page.send(message)

        server.on_message(reply)

    holding = False
    studio.page.route_web_socket(lambda url: url.endswith("/ws"), link)
    studio.make("Bench", "bench")
    studio.press("Alt+2")
    studio.find("teach-x").wait_for()
    studio.settle()
    studio.find("teach-name").fill("here")
    studio.find("teach-name").press("Enter")
    assert point(studio, "here")["q"]
    studio.press("Alt+1")
    studio.press("Escape")
    studio.wait("openpendant.project.selection.length === 0", "nothing selected")
    studio.settle()
    holding = True
    studio.find("tree-here").click()
    studio.find("taught-joints").wait_for()
    end = time.monotonic() + 30.0
    while not late:
        assert time.monotonic() < end, "nothing was asked about the point"
        studio.page.wait_for_timeout(20)
    studio.press("Escape")
    studio.find("taught-joints").wait_for(state="detached")
    for deliver in late:
        deliver()
    studio.page.wait_for_timeout(200)
    assert studio.errors == []


@pytest.mark.soak
def test_the_robot_itself_goes_to_a_point_as_long_as_it_is_held(page: Studio) -> None:
    page.errors.clear()
    page.make("Pick and place", "pick_and_place")
    page.press("Alt+4")
    page.find("operate-address").fill("kinematic")
    page.find("operate-start").click()
    page.wait("openpendant.project.operating.robots[0]?.ready", "a robot that is ready")
    page.press("Alt+2")
    page.find("point-above slot 1").click()
    measured = "openpendant.project.joints['irb120/arm'].measured"
    start = page.page.evaluate(measured)
    page.find("teach-move").hover()
    page.page.mouse.down()
    page.wait(f"{measured}.some((value, i) => Math.abs(value - {start}[i]) > 0.05)", "a robot that moves")
    page.page.mouse.up()
    page.wait("!openpendant.project.operating.robots[0].moving", "rest")
    # Let go on the way, it rests on the way; held again, it arrives. The ghost has stayed where it was.
    way = page.page.evaluate(measured)
    ghost = page.page.evaluate("openpendant.view.taught.q")
    page.page.mouse.down()
    page.wait(f"{measured}.some((value, i) => Math.abs(value - {way}[i]) > 0.05)", "a robot that goes on")
    page.page.mouse.up()
    page.wait("!openpendant.project.operating.robots[0].moving", "rest")
    assert page.page.evaluate("openpendant.view.taught.q") == ghost
    assert page.project("seq") == 0
    page.press("Alt+4")
    page.find("operate-disconnect").click()
    page.wait("openpendant.project.operating.state === 'off'", "no robots")
    assert page.errors == []
