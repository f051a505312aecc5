"""Hold to go there: the robot goes where a point's numbers say now, whatever joints it was taught with."""

from collections.abc import Iterator

import numpy as np
import pytest
from measured import tool_z_mm
from operating import ROBOT, SLOW_MS, hold, hold_until, is_held, open_bench, operator, wait
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import Studio

from openpendant.client import connect
from openpendant.messages import Pose
from openpendant.scene import Add, CellFrame, CellPoint
from openpendant.virtual import VirtualControl

pytestmark = [pytest.mark.live, pytest.mark.timeout(240)]
POINT = "openpendant.project.cell.points.find(({ name }) => name === 'taught here')"


@pytest.fixture(scope="module")
def page(browser: Browser, serving: Serving) -> Iterator[Studio]:
    with open_bench(browser, serving.url) as studio:
        yield studio


@pytest.fixture
def ann(page: Studio) -> Iterator[Studio]:
    with operator(page):
        yield page


def restart_by_hold(ann: Studio, point: str) -> None:
    """Hold a button after the cell was edited: robots restart first, and who holds it has to press it again."""
    ann.find("jog-point").select_option(point)
    hold(ann, "jog-goto")
    wait(ann, "openpendant.project.operating.state === 'starting'")
    wait(ann, f"{ROBOT}?.ready && openpendant.project.joints['ur3e/arm']")
    expect(ann.find("jog-goto")).to_have_attribute("aria-pressed", "false")
    ann.page.mouse.up()


def heights_mm(ann: Studio, *points: str) -> list[float]:
    """Hold "Hold to go there" until the robot rests at each point; return how high its controller says that it is."""
    controller = VirtualControl(ann.page.evaluate(f"{ROBOT}.address"))
    found: list[float] = []
    for point in points:
        ann.find("jog-point").select_option(point)
        ann.find("jog-speed").get_by_text("100 %").click()
        began = tool_z_mm(controller)
        places: list[float] = []

        def rests_there(places: list[float] = places, began: float = began) -> bool:
            ann.page.wait_for_timeout(300)
            places.append(tool_z_mm(controller))
            if not is_held(ann, "jog-goto"):
                places.clear()
            # Held, and at rest for 1.5 s: not between a press and the motion that it begins.
            return len(places) > 5 and np.ptp(places[-6:]) < 0.05 and abs(places[-1] - began) > 10.0

        hold_until(ann, "jog-goto", rests_there, f"the robot rests at {point}")
        found.append(tool_z_mm(controller))
        ann.page.mouse.up()
        wait(ann, f"{ROBOT}?.ready && !{ROBOT}?.moving")
    controller.disconnect()
    return found


def test_go_there_reaches_a_point_where_its_numbers_say(ann: Studio) -> None:
    ann.press("Alt+2")
    ann.find("teach-z").wait_for()
    ann.find("go-start").click()
    wait(ann, "openpendant.view.settled && openpendant.view.taught?.tcp")
    ann.find("teach-name").fill("taught here")
    ann.find("teach-point").click()
    wait(ann, f"{POINT}?.q")
    was = ann.page.evaluate(f"{POINT}.pose.xyz")

    # 50 mm lower than taught: the numbers are the place.
    ann.press("Alt+1")
    ann.find("tree-taught here").click()
    expect(ann.find("taught-elsewhere")).not_to_be_visible()
    ann.find("pose-z").fill(f"{1000 * was[2] - 50:.3f}")
    ann.find("pose-z").press("Enter")
    wait(ann, f"Math.abs({POINT}.pose.xyz[2] - {was[2]} + 0.05) < 1e-6")
    expect(ann.find("taught-elsewhere")).to_contain_text("Taught 50.00 mm away", timeout=SLOW_MS)
    ann.press("Alt+2")
    ghost = ann.page.evaluate("openpendant.view.taught.tcp.xyz[2]")
    ann.find("go-taught here").click()
    wait(ann, f"Math.abs(openpendant.view.taught.tcp.xyz[2] - {ghost} + 0.05) < 1e-5")

    # The robot itself, to the same place.
    ann.press("Alt+4")
    restart_by_hold(ann, "taught here")
    lower, start = heights_mm(ann, "taught here", "start")
    assert start - lower == pytest.approx(50.0, abs=0.5)


def test_go_there_reaches_a_point_whose_frame_has_moved(ann: Studio, serving: Serving) -> None:
    ann.press("Alt+2")
    ann.find("go-start").click()
    wait(ann, "openpendant.view.settled && openpendant.view.taught?.tcp")
    ghost, q = ann.page.evaluate("[openpendant.view.taught.tcp.xyz[2], openpendant.view.taught.q]")
    with connect(serving.url).open(ann.project("id")) as project:
        start = next(one for one in project.cell.points if one.name == "start")
        plate = CellFrame(name="plate", pose=Pose(xyz=(0.1, 0.2, 0.3), wxyz=(1.0, 0.0, 0.0, 0.0)), parent=start.frame)
        x, y, z = np.array(start.pose.xyz) - plate.pose.xyz
        there = Pose(xyz=(float(x), float(y), float(z)), wxyz=start.pose.wxyz)
        project.edit_cell(Add(section="frames", item=plate))
        taught = CellPoint(name="on plate", pose=there, frame="plate", robot="ur3e", q=tuple(q))
        project.edit_cell(Add(section="points", item=taught))
    # The frame goes 40 mm down, and with it the point; the joints that it was taught with stay what they are.
    ann.press("Alt+1")
    ann.find("tree-plate").click()
    ann.find("pose-z").fill("260")
    ann.find("pose-z").press("Enter")
    wait(
        ann, "Math.abs(openpendant.project.cell.frames.find(({ name }) => name === 'plate').pose.xyz[2] - 0.26) < 1e-6"
    )
    ann.press("Alt+2")
    ann.find("go-on plate").click()
    wait(ann, f"Math.abs(openpendant.view.taught.tcp.xyz[2] - {ghost} + 0.04) < 1e-5")
    ann.press("Alt+4")
    restart_by_hold(ann, "on plate")
    lower, high = heights_mm(ann, "on plate", "start")
    assert high - lower == pytest.approx(40.0, abs=0.5)
