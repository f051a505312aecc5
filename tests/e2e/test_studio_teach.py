"""Teach: points by jogging, typing and dragging; touching up; calibrating; steps that go to what was taught."""

from typing import Any

import pytest
from studio import OpenStudio, Studio


@pytest.fixture
def studio(open_studio: OpenStudio) -> Studio:
    """The bench in Teach, its ghost ready."""
    studio = open_studio()
    studio.open_demo("bench")
    studio.press("Alt+2")
    studio.find("teach-x").wait_for()
    return studio


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
        " < 0.02",
        f"{testid} at {value}",
    )


def test_four_points_by_jogging_and_typing(studio: Studio) -> None:
    start = number(studio, "teach-x")
    studio.find("teach-name").fill("first")
    studio.find("teach-point").click()
    assert point(studio, "first")["robot"] == "ur3e"
    # A step along x of the world: 10 mm.
    studio.find("jog-x-plus").click()
    settle(studio, "teach-x", start + 10)
    studio.find("teach-panel").locator("kbd").first.wait_for()
    studio.press("t")
    second = point(studio, "point")
    assert second["pose"]["xyz"][0] * 1000 == pytest.approx(start + 10, abs=0.05)
    studio.find("teach-z").fill("1000")
    studio.find("teach-z").press("Enter")
    settle(studio, "teach-z", 1000)
    studio.find("teach-name").fill("third")
    studio.find("teach-name").press("Enter")
    assert point(studio, "third")["pose"]["xyz"][2] == pytest.approx(1.0, abs=1e-4)
    before = number(studio, "joint-1-value")
    studio.find("jog-joint-1-plus").click()
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
    for field, value in (("teach-x", x - 50), ("teach-y", y + 40)):
        studio.find(field).fill(f"{value}")
        studio.find(field).press("Enter")
        settle(studio, field, value)
        studio.find("calibrate-touch").click()
    studio.find("calibrate-found").wait_for()
    studio.find("calibrate-apply").click()
    studio.find("calibrate-card").wait_for(state="detached")
    pose = studio.page.evaluate("openpendant.project.cell.frames[0].pose")
    assert pose["xyz"][0] * 1000 == pytest.approx(x, abs=0.1)
    assert pose["xyz"][1] * 1000 == pytest.approx(y, abs=0.1)


def test_the_tool_snaps_to_a_surface(studio: Studio) -> None:
    studio.find("snap-to").select_option("bench top")
    studio.find("snap-face").click()
    settle(studio, "teach-z", 850)


def test_without_a_robot_the_panel_says_what_to_do(open_studio: OpenStudio) -> None:
    studio = open_studio()
    studio.welcome()
    made = studio.page.evaluate(
        "fetch('/api/projects', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({title: 'Nothing'})}).then((answer) => answer.json())"
    )
    studio.open(made["id"])
    studio.press("Alt+2")
    assert "Add one in Build" in studio.find("teach-panel").inner_text()
