"""The whole way: an empty project, a cell, four points, a program that is put right, a run, an export, an undo."""

import numpy as np
import pytest
from operating import JOINTS, ROBOT, RUN, wait
from playwright.sync_api import Locator, expect
from serving import Serving
from studio import OpenStudio, Studio

from openpendant import connect, robots
from openpendant.scene import Add

pytestmark = pytest.mark.live


def checked(studio: Studio, verdict: str) -> None:
    studio.find("program-summary").and_(studio.page.locator(f'[data-state="{verdict}"]')).wait_for(timeout=120_000)


def step(studio: Studio, name: str) -> Locator:
    return studio.page.locator(f'[data-testid="step"][data-step="{name}"]')


def tcp(studio: Studio) -> np.ndarray:
    return np.array(studio.page.evaluate("openpendant.view.taught.tcp.xyz"))


def drag_tool(studio: Studio, axis: str, pixels: float) -> None:
    """Drag the ghost by an arrow of its tool, outwards or, with fewer than 0 pixels, inwards."""
    for far in (0.53, 0.45, 0.37, 0.3):
        at = studio.page.evaluate(f"openpendant.view.grab({axis!r}, {far})")
        studio.page.mouse.move(at["x"], at["y"])
        if studio.page.evaluate("openpendant.view.touched") == axis:
            break
    inner = studio.page.evaluate(f"openpendant.view.grab({axis!r}, 0)")
    way = np.array([at["x"] - inner["x"], at["y"] - inner["y"]])
    way *= pixels / np.linalg.norm(way)
    before = tcp(studio)
    studio.page.mouse.down()
    studio.page.mouse.move(at["x"] + way[0], at["y"] + way[1], steps=6)
    studio.page.mouse.up()
    studio.wait("openpendant.view.settled && !openpendant.view.dragging", "the end of the drag")
    assert np.linalg.norm(tcp(studio) - before) > 0.03


def test_from_an_empty_project_to_a_robot_that_runs(open_studio: OpenStudio, serving: Serving) -> None:
    studio = open_studio(1440, 900, url=serving.url)
    build(studio)
    teach(studio)
    write_the_program(studio)
    put_it_right(studio)
    run_it(studio)
    scrub_and_export(studio)
    reload_and_undo(studio)


def build(studio: Studio) -> None:
    studio.welcome()
    studio.find("new-project").click()
    studio.find("new-title").fill("Journey")
    studio.find("create").click()
    studio.wait_for_project()
    for kind, which, section in (
        ("robot", "robot-ur3e", "robots"),
        ("obstacle", "obstacle-table", "objects"),
        ("part", "part-box", "objects"),
    ):
        count = f"(openpendant.project.cell.{section} ?? []).length"
        before = studio.page.evaluate(count)
        studio.find(f"add-{kind}").click()
        studio.find(which).click()
        studio.wait(f"{count} > {before}", which)


def teach(studio: Studio) -> None:
    studio.press("Alt+2")
    studio.find("teach-x").wait_for()
    studio.wait("openpendant.view?.settled && openpendant.view.taught?.tcp", "the ghost")
    for name, axis, pixels in (("a", "Z", 25), ("b", "Y", 20), ("c", "Z", 12), ("d", "Y", -90)):
        drag_tool(studio, axis, pixels)
        studio.find("teach-name").fill(name)
        studio.find("teach-name").press("Enter")
        studio.wait(f"(openpendant.project.cell.points ?? []).some((one) => one.name === {name!r})", f"point {name}")
    for name in "abcd":
        studio.page.locator(f'[data-testid="reach-{name}"][data-reach="yes"]').wait_for()


def write_the_program(studio: Studio) -> None:
    studio.press("Alt+3")
    studio.press("Escape")
    studio.find("new-program").click()
    studio.find("add-first").click()
    studio.find("add-go-to").and_(studio.page.locator(":visible")).click()
    for count in (2, 3, 4):
        expect(studio.find("step")).to_have_count(count - 1)
        studio.find("add-step").click()
        studio.find("add-go-to").and_(studio.page.locator(":visible")).click()
    expect(studio.find("step")).to_have_count(4)
    expect(studio.find("step-words")).to_have_text([f"Go to {name} by joints" for name in "abcd"])
    checked(studio, "clear")


def put_it_right(studio: Studio) -> None:
    """Somebody else puts a post in the way; the page offers another way to get there."""
    q = {one["name"]: np.array(one["q"]) for one in studio.project("cell.points")}
    T_base_tool = robots.load("ur3e").arm().fk((q["c"] + q["d"]) / 2)
    base = studio.project("cell.robots[0].pose.xyz")
    middle = T_base_tool[:3, 3] + base
    post = {
        "name": "post",
        "shape": {"type": "box", "size": [0.02, 0.02, 0.06]},
        "pose": {"xyz": [float(value) for value in middle], "wxyz": [1.0, 0.0, 0.0, 0.0]},
    }
    with connect(studio.url, name="Bob").open(studio.project("id")) as other:
        other.edit_cell(Add(section="objects", item=post))
    checked(studio, "fails")
    failing = studio.find("program-failing")
    expect(failing).to_contain_text("Step 4 stops at")
    expect(failing).to_contain_text("post")
    name = failing.get_attribute("data-step")
    assert name is not None
    expect(step(studio, name)).to_have_attribute("data-mark", "fails")
    step(studio, name).get_by_test_id("step-alternative").first.click()
    checked(studio, "clear")
    expect(failing).to_be_hidden()


def run_it(studio: Studio) -> None:
    studio.press("Alt+4")
    studio.find("operate-start").click()
    wait(studio, f"{ROBOT}?.ready && !{ROBOT}.moving")
    assert studio.page.evaluate(f"{ROBOT}.how") == "virtual"
    studio.find("run-start").click()
    wait(studio, f"{RUN}.status === 'running' && {ROBOT}.moving")
    studio.find("run-pause").click()
    wait(studio, f"{RUN}.status === 'paused' && !{ROBOT}.moving")
    rest = studio.page.evaluate(JOINTS)
    studio.find("run-resume").click()
    wait(studio, f"{JOINTS}.some((q, i) => Math.abs(q - {rest}[i]) > 0.02)")
    studio.find("run-stop").click()
    wait(studio, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    # Step by step from where it was stopped.
    at = studio.project("openStep")
    studio.find("run-from").check()
    studio.find("run-step-once").click()
    wait(studio, f"{RUN}.status === 'paused' && {RUN}.step === {at!r} && !{ROBOT}.moving")
    studio.find("run-step-once").click()
    wait(studio, f"['paused', 'done'].includes({RUN}.status) && {RUN}.step !== {at!r}")
    studio.find("stop").first.click()
    wait(studio, f"['stopped', 'done'].includes({RUN}.status)")
    studio.find("operate-disconnect").click()
    wait(studio, "openpendant.project.operating.state === 'off'")


def scrub_and_export(studio: Studio) -> None:
    studio.press("Alt+3")
    chart = studio.find("timeline-chart")
    chart.wait_for()
    box = chart.bounding_box()
    assert box is not None
    before = studio.page.evaluate("openpendant.view.joints('ur3e')")
    studio.page.mouse.move(box["x"] + 120, box["y"] + 90)
    studio.page.mouse.down()
    studio.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 90, steps=5)
    studio.page.mouse.up()
    expect(studio.find("timeline-clock")).not_to_have_text("0.00 s")
    after = studio.page.evaluate("openpendant.view.joints('ur3e')")
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) > 0.01
    studio.press("Control+e")
    studio.find("export-form").locator('[data-value="urscript"]').click()
    expect(studio.find("export-preview")).to_contain_text("def")
    with studio.page.expect_download() as coming:
        studio.find("export-download").click()
    assert coming.value.path().read_text().count("movej") >= 4
    studio.press("Escape")


def reload_and_undo(studio: Studio) -> None:
    whole = "JSON.stringify([openpendant.project.cell, openpendant.project.programs])"
    before = studio.page.evaluate(whole)
    studio.page.reload()
    studio.wait_for_project()
    assert studio.page.evaluate(whole) == before
    studio.wait("openpendant.project.history.undo.length > 0", "something to undo")
    studio.press("Control+z")
    studio.wait(f"{whole} !== {before!r}", "the undo")
    studio.press("Alt+3")
    expect(studio.find("step")).to_have_count(4)
    checked(studio, "fails")
