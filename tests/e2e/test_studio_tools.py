"""Tools of the library, and picks: a cell from nothing that picks and places without a taught point."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect
from serving import Serving
from studio import Studio

from openpendant import connect
from openpendant.scene import Add

expect.set_options(timeout=60_000)
LEVEL = [1.0, 0.0, 0.0, 0.0]
BLOCK = {
    "name": "block",
    "shape": {"type": "box", "size": [0.08, 0.04, 0.03]},
    "pose": {"xyz": [0.3, 0.0, 0.215], "wxyz": LEVEL},
    "graspable": True,
}
TABLE = {
    "name": "table",
    "shape": {"type": "box", "size": [0.3, 0.6, 0.2]},
    "pose": {"xyz": [0.4, 0.0, 0.1], "wxyz": LEVEL},
}
ROBOT = {"name": "ur3e", "model": "ur3e", "pose": {"xyz": [0.0, 0.0, 0.2], "wxyz": LEVEL}}


@pytest.fixture(scope="module")
def page(browser: Browser, server: Serving) -> Iterator[Studio]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light", locale="en-GB")
    yield Studio(context, server.url)
    context.close()


@pytest.fixture
def studio(page: Studio) -> Iterator[Studio]:
    """A UR3e at a table with a block, in Build."""
    client = connect(page.url)
    name = client.create("tools")
    with client.open(name) as project:
        for section, item in (("robots", ROBOT), ("objects", TABLE), ("objects", BLOCK)):
            project.edit_cell(Add(section=section, item=item))
    page.open(name)
    page.wait(f"openpendant.project?.id === {name!r}", "the new project")
    page.press("Alt+1")
    yield page
    assert page.errors == []


def step(studio: Studio, kind: str) -> Locator:
    return studio.page.locator(f'[data-testid="step"]:has-text("{kind}")')


def test_a_gripper_from_the_library_picks_a_block(studio: Studio) -> None:
    studio.find("add-tool").click()
    studio.find("tool-parallel_small").click()
    studio.wait("openpendant.project.cell.robots[0].tools?.arm === 'gripper'", "the gripper on the only arm")
    signal = studio.page.evaluate("openpendant.project.cell.signals[0]")
    assert (signal["robot"], signal["port"]) == ("ur3e", "standard_out_0")
    expect(studio.find("tool-mount")).to_contain_text("On ur3e")
    studio.press("Alt+3")
    studio.find("new-program").click()
    studio.find("add-first").click()
    studio.find("add-pick").and_(studio.page.locator(":visible")).click()
    studio.find("add-step").first.click()
    studio.find("add-place").and_(studio.page.locator(":visible")).click()
    clear = studio.page.locator('[data-testid="program-summary"][data-state="clear"]')
    clear.wait_for(timeout=180_000)
    expect(step(studio, "Pick")).to_contain_text("Pick block")
    expect(step(studio, "Place")).to_contain_text("Place block")
    studio.find("offset-add").click()
    studio.find("offset-1").fill("120")
    studio.find("offset-1").press("Enter")
    expect(step(studio, "Place")).to_contain_text("+120 mm y")
    step(studio, "Pick").click()
    studio.find("step-opening").fill("40")
    studio.find("step-opening").press("Enter")
    clear.wait_for(timeout=180_000)
    assert studio.findings() == []
    # As plain steps it is the same program; the fingers then touch what they grip.
    expand = studio.find("step-expand")
    expect(expand).to_be_enabled(timeout=180_000)
    expand.click()
    studio.wait("openpendant.project.programs.program_1.steps[0].do === 'group'", "a group of plain steps")
    assert studio.page.evaluate("openpendant.project.programs.program_1.steps[0].steps.length") == 5
    studio.press("Control+z")
    studio.wait("openpendant.project.programs.program_1.steps[0].do === 'pick'", "the pick again")


def test_measures_mounting_and_a_part_as_a_tool(studio: Studio) -> None:
    studio.find("add-tool").click()
    studio.find("measures-cup").click()
    studio.find("measure-length_m").fill("120")
    studio.find("measure-length_m").press("Enter")
    studio.find("tool-add").click()
    studio.wait("openpendant.project.cell.tools?.[0]?.tcp.xyz[2] === 0.12", "the cup to measure")
    studio.find("tree-block").click()
    studio.find("make-tool").click()
    studio.wait("openpendant.project.cell.robots[0].tools.arm === 'block'", "the block on the arm")
    assert studio.page.evaluate("openpendant.project.cell.tools.length") == 2
    studio.find("tree-suction cup").click()
    studio.find("mount-on").click()
    studio.wait("openpendant.project.cell.robots[0].tools.arm === 'suction cup'", "the cup on the arm again")
    # A drag in the tree does the same.
    studio.page.drag_and_drop('[data-key="block"]', '[data-key="ur3e"]')
    studio.wait("openpendant.project.cell.robots[0].tools.arm === 'block'", "the block on the arm by a drag")
    # Its body can be edited.
    studio.find("tree-block").click()
    studio.find("parts-0-shape-size-2").fill("60")
    studio.find("parts-0-shape-size-2").press("Enter")
    studio.wait(
        "openpendant.project.cell.tools.find(({ name }) => name === 'block').parts[0].shape.size[2] === 0.06",
        "a longer body",
    )
    assert studio.findings() == []
