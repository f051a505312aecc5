"""What robots do by themselves, as Operate shows it: windows of a controller, protective stops, fingers, runs without
end, joints that do not follow.
"""

from collections.abc import Iterator

import pytest
from operating import RUN, SLOW_MS, until, wait
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import SELDOM, Studio

from openpendant import connect
from openpendant.messages import Pose
from openpendant.programs import MoveAxis, Program
from openpendant.scene import Add, CellRobot
from openpendant.virtual import VirtualControl, start_virtual

pytestmark = pytest.mark.live

UR = "openpendant.project.operating.robots.find(({ name }) => name === 'ur3e')"
IRB = "openpendant.project.operating.robots.find(({ name }) => name === 'irb')"
SOFT = "127.0.18.1"
START_Q = (0.0, -1.4, 1.75, -1.92, -1.57, 0.0)
WINDOW = 'def ask():\n popup("Put a puck on the bench", title="Part", blocking=True)\nend\n'


def wave() -> Program:
    """Return a program of two moves from side to side."""

    def turned(step: str, by_rad: float) -> MoveAxis:
        return MoveAxis(id=step, q=(by_rad, *START_Q[1:]), speed="v300")

    return Program(name="wave", robot="ur3e", steps=(turned("w1", 0.35), turned("w2", -0.35)))


@pytest.fixture(scope="module")
def studio(browser: Browser, serving: Serving) -> Iterator[Studio]:
    """The bench with an IRB 120 beside it, in Operate."""
    made = connect(serving.url).create("Two robots", "bench")
    with connect(serving.url).open(made) as project:
        beside = Pose(xyz=(0.0, 2.0, 0.0), wxyz=(1.0, 0.0, 0.0, 0.0))
        project.edit_cell(Add(section="robots", item=CellRobot(name="irb", model="irb120", pose=beside)))
        project.add_program(wave())
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark", locale="en-GB")
    studio = Studio(context, serving.url, name="Ann", drawn=SELDOM)
    studio.open(made)
    studio.press("Alt+4")
    yield studio
    assert studio.errors == []
    context.close()


def choose(studio: Studio, robot: str) -> None:
    studio.page.locator(f'[data-testid="operate-robot"][data-robot="{robot}"] h3 button').click()


def test_a_controllers_window_a_protective_stop_fingers_and_a_run_without_end(studio: Studio) -> None:
    studio.find("operate-address").nth(1).fill("kinematic")
    studio.find("operate-start").click()
    wait(studio, f"{UR}?.ready && {IRB}?.ready && openpendant.project.joints['ur3e/arm']")
    robot = VirtualControl(studio.page.evaluate(f"{UR}.address"))
    log = studio.find("log")

    choose(studio, "irb")
    studio.find("tool-close").click()
    wait(studio, f"{IRB}.openings.arm < 0.001")
    studio.find("tool-open").click()
    wait(studio, f"{IRB}.openings.arm > 0.02")
    expect(log).to_contain_text("Ann moves the tool to 25.0 mm")
    choose(studio, "ur3e")

    # A window that the controller shows by itself is answered here, since nobody stands at a virtual pendant.
    robot.control("script", text=WINDOW)
    expect(studio.find("run-popup")).to_contain_text("Part: Put a puck on the bench.", timeout=SLOW_MS)
    studio.find("popup-continue").click()
    expect(studio.find("run-popup")).not_to_be_visible(timeout=SLOW_MS)
    until(studio, lambda: robot.state()["popup"] is None, "the window to close")
    wait(studio, f"{UR}.ready")

    studio.find("run-program").select_option("wave")
    studio.find("run-loop").check()
    studio.find("run-start").click()
    begun: list[str] = []

    def again() -> bool:
        run = studio.page.evaluate(RUN)
        assert run.get("status", "checking") in ("checking", "ready", "running"), run
        if run.get("step") and run["step"] != (begun or [""])[-1]:
            begun.append(run["step"])
        return len(begun) >= 3

    until(studio, again, "the second round")
    robot.control("protective_stop", reason="something was hit")
    why = studio.find("operate-why").first
    expect(why).to_have_text("The robot's safety status is protective stop.", timeout=SLOW_MS)
    wait(studio, f"{RUN}.status === 'failed' && !{UR}.moving")
    expect(studio.find("run-start")).to_be_disabled()
    expect(log).to_contain_text("protective stop")
    expect(log).to_contain_text("something was hit")
    until(studio, lambda: robot.state()["buttons"]["unlock"] is None, "unlocking")
    studio.find("operate-press-unlock").click()
    wait(studio, f"{UR}.ready")
    expect(studio.find("run-start")).to_be_enabled()
    robot.disconnect()


def test_joints_that_do_not_follow_are_shown(studio: Studio) -> None:
    if studio.project("operating")["state"] != "off":
        studio.find("operate-disconnect").click()
        wait(studio, "openpendant.project.operating.state === 'off'")
    with start_virtual("ur3e", SOFT, start_q=START_Q, options=("--elastic", "4")):
        studio.find("operate-address").first.fill(SOFT)
        studio.find("operate-address").nth(1).fill("kinematic")
        studio.find("operate-start").click()
        wait(studio, f"{UR}?.ready && openpendant.project.joints['ur3e/arm']")
        expect(studio.find("live-apart")).not_to_be_visible()
        # Whoever has control lifts the limit of a robot with an address, and is asked first.
        expect(studio.find("run-reduced")).to_be_disabled()
        studio.find("control-take").first.click()
        studio.find("limit-lift").first.click()
        studio.find("limit-yes").click()
        wait(studio, f"!{UR}.reduced")
        studio.find("run-program").select_option("wave")
        studio.find("run-reduced").uncheck()
        studio.find("run-loop").check()
        studio.find("run-start").click()
        # Softer joints, or faster moves, are a protective stop: the controller watches them, too.
        expect(studio.find("live-apart")).to_contain_text("away from its setpoint", timeout=SLOW_MS)
        studio.press("Pause")
        wait(studio, f"!{UR}.moving")
        studio.find("operate-disconnect").click()
        wait(studio, "openpendant.project.operating.state === 'off'")
