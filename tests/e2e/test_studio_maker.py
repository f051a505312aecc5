"""A maker from its own package in a real browser: a crane of which OpenPendant knows nothing, operated like any."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from operating import ROBOT, RUN, SLOW_MS, hold_until, sees, wait
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import SELDOM, Studio

from openpendant import connect
from openpendant.programs import Comment, MoveAxis, Program, SetOutput
from openpendant.scene import Add, CellRobot, Signal
from openpendant.virtual import VirtualHandle, start_virtual

pytestmark = pytest.mark.live

PLUGIN = Path(__file__).parents[1] / "makers" / "plugin"
SLOW = "127.0.22.1"
JOINTS = "openpendant.project.joints['crane/arm'].measured"
LIFT = Program(
    name="lift",
    robot="crane",
    steps=(
        MoveAxis(id="up", q=(0.3, 0.6), speed="50%"),
        SetOutput(id="on", signal="lamp"),
        MoveAxis(id="back", q=(0.0, 0.4), speed="50%"),
    ),
)
ASKS = Program(name="asks", robot="crane", steps=(Comment(id="ask", text="Is the hook free?"), *LIFT.steps))
LONG = Program(name="long", robot="crane", steps=(MoveAxis(id="far", q=(2.5, 0.6), speed="10%"),))


@pytest.fixture(scope="module")
def studio(browser: Browser, home: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A yard with a crane, in Operate."""
    own = tmp_path_factory.mktemp("yard")
    shutil.copytree(PLUGIN / "toy_crane" / "robot", own / "data" / "robots")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENPENDANT_HOME", str(own))
        patch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGIN), *filter(None, [os.environ.get("PYTHONPATH")])]))
        serving = Serving()
        serving.start()
        made = connect(serving.url).create("Yard")
        with connect(serving.url).open(made) as project:
            project.edit_cell(Add(section="robots", item=CellRobot(name="crane", model="crane")))
            project.edit_cell(Add(section="signals", item=Signal(name="lamp", kind="out", robot="crane", port="lamp")))
            for program in (LIFT, ASKS, LONG):
                project.add_program(program)
        context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark", locale="en-GB")
        studio = Studio(context, serving.url, name="Ann", drawn=SELDOM)
        studio.open(made)
        studio.press("Alt+4")
        yield studio
        assert studio.errors == []
        context.close()
        serving.stop()


@pytest.fixture
def slow(studio: Studio) -> Iterator[VirtualHandle]:
    with start_virtual("crane", SLOW) as handle:
        handle.fault("slow")
        yield handle


def choose(studio: Studio, program: str, how: str = "") -> None:
    studio.find("run-program").select_option(program)
    if how:
        studio.find("run-how").get_by_text(how).click()


def test_a_crane_is_switched_on_jogged_run_uploaded_and_stopped(studio: Studio) -> None:
    studio.find("operate-start").click()
    wait(studio, f"{ROBOT}?.ready && openpendant.project.joints['crane/arm']")
    expect(studio.find("operate-chip")).to_contain_text("crane · virtual")

    # Its buttons are its own, in its maker's words.
    studio.find("operate-press-motors_off").click()
    wait(studio, f"!{ROBOT}.ready")
    expect(studio.find("operate-mode")).to_have_text("no power")
    expect(studio.find("operate-press-motors_off")).to_be_disabled()
    expect(studio.find("operate-press-motors_off")).to_have_attribute("title", "The motors are off.")
    studio.find("operate-press-motors_on").click()
    wait(studio, f"{ROBOT}.ready")
    expect(studio.find("log")).to_contain_text("Ann presses “Motors on” at crane")

    # Where its key stands is told.
    expect(studio.find("operate-operating")).to_have_text("automatic")
    for told in ("manual", "automatic"):
        studio.find("operate-press-turn_key").click()
        expect(studio.find("operate-operating")).to_have_text(told, timeout=SLOW_MS)

    studio.find("jog-what").get_by_text("Joints").click()
    hold_until(studio, "jog-j0+", lambda: sees(studio, f"{JOINTS}[0] > 0.05"), "0.05 rad")
    studio.page.mouse.up()
    wait(studio, f"!{ROBOT}.moving")

    choose(studio, "lift", "Streamed")
    studio.find("run-start").click()
    wait(studio, f"{RUN}.status === 'done' || {RUN}.status === 'failed'")
    assert studio.page.evaluate(RUN)["status"] == "done", studio.page.evaluate(RUN)

    # The controller asks, and is answered here.
    choose(studio, "asks", "Uploaded")
    studio.find("run-start").click()
    expect(studio.find("run-popup")).to_contain_text("Is the hook free?", timeout=SLOW_MS)
    studio.find("popup-answer").click()
    expect(studio.find("run-popup")).not_to_be_visible(timeout=SLOW_MS)
    wait(studio, f"{RUN}.status === 'done' || {RUN}.status === 'failed'")
    assert studio.page.evaluate(RUN)["status"] == "done", studio.page.evaluate(RUN)

    choose(studio, "long")
    studio.find("run-start").click()
    wait(studio, f"{RUN}.status === 'running' && {ROBOT}.moving")
    studio.press("Pause")
    wait(studio, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    assert studio.page.evaluate(f"{JOINTS}[0]") < 2.0
    studio.find("operate-disconnect").click()
    wait(studio, "openpendant.project.operating.state === 'off'")


def test_without_setpoints_the_page_offers_neither_jog_nor_streaming_and_says_why(
    studio: Studio, slow: VirtualHandle
) -> None:
    address = studio.find("operate-address")
    address.fill("serial:/dev/ttyUSB0")
    studio.find("operate-probe").click()
    expect(studio.page.get_by_text("allowed: 192.168.1.10")).to_be_visible(timeout=SLOW_MS)
    address.fill(slow.address)
    studio.find("operate-probe").click()
    expect(studio.find("operate-found")).to_contain_text("is a crane; it runs programs only", timeout=SLOW_MS)
    studio.find("operate-start").click()
    wait(studio, f"{ROBOT}?.ready && openpendant.project.joints['crane/arm']")
    expect(studio.find("jog-no-servo")).to_contain_text("accepts no setpoints")
    expect(studio.find("jog-j0+")).not_to_be_visible()
    expect(studio.find("run-no-servo")).to_contain_text("uploaded")
    expect(studio.find("run-how")).not_to_be_visible()

    # It has an address, so it counts as real: what it needs is pressed at the robot.
    slow.press("motors_off")
    expect(studio.find("operate-at-robot")).to_contain_text("at its own pendant", timeout=SLOW_MS)
    expect(studio.find("operate-press-motors_on")).not_to_be_visible()
    slow.press("motors_on")
    expect(studio.find("operate-at-robot")).not_to_be_visible(timeout=SLOW_MS)
    wait(studio, f"{ROBOT}.ready")

    choose(studio, "lift")
    studio.find("run-start").click()
    wait(studio, f"{RUN}.status === 'done' || {RUN}.status === 'failed'")
    assert studio.page.evaluate(RUN)["status"] == "done", studio.page.evaluate(RUN)
    assert studio.page.evaluate(RUN)["mode"] == "uploaded"
    studio.find("operate-disconnect").click()
    wait(studio, "openpendant.project.operating.state === 'off'")
