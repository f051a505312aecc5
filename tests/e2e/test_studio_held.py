"""What a person holds, in a real browser with a virtual UR3e: the robot goes to where a point is now, rests when the
finger slides off the button, when the page hangs and when it is gone, and a stop says what it did.
"""

import os
import re
import signal
from collections.abc import Iterator

import numpy as np
import pytest
from measured import AT_REST_RAD_S, check_rests, joints, speeds, tracked
from operating import (
    JOINTS,
    MOST_PRESSES,
    ROBOT,
    RUN,
    SLOW_MS,
    hold,
    hold_since,
    jog,
    newest_event,
    open_bench,
    operator,
    run,
    until,
    wait,
)
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import SELDOM, OpenStudio, Studio

from bad_link import BadLink, bad_link
from openpendant import load
from openpendant.client import connect
from openpendant.scene import SetField
from openpendant.virtual import VirtualControl

pytestmark = [pytest.mark.live, pytest.mark.timeout(240)]
# No sample steers an arm for longer than 0.3 s, and a jog rests within another 0.3 s.
HELD_S = 0.6
# Without its process a robot is moved on for as long as its watchdog lets it (0.15 s and 0.4 s), then it stops as its
# maker says (0.16 s) from where it is, at most 0.1 s behind its setpoints (docs/gate.md).
ALONE_S = 0.15 + 0.4 + 0.16 + 0.1
JOG_RAD_S, JOG_M_S = 0.8, 0.25
"""Of a jog at 100 %."""
SILENT_S = 1.5
"""After so much silence of whoever has control, a run is stopped."""
NOTICED_S = 0.4
"""Silence is looked for every 0.1 s; a server beside a page that is drawn is 0.2 s late, an arm 0.1 s behind."""
STOP_RAD, STOP_S = 0.25, 0.16
"""From full speed, by the stop limits (docs/gate.md)."""


JUST_MS, MOST_LATE_PRESSES = 300.0, 5
"""A button that moved less long ago is not pressed; and how many presses may come later than that before giving up."""
SLIDING = """(() => {
    globalThis.slidMs = null;
    const first = (event) => (globalThis.slidMs ??= performance.timeOrigin + event.timeStamp);
    addEventListener("pointermove", first, { capture: true, once: true });
})()"""
PUSHING = """(() => {
    const banner = document.createElement("p");
    banner.id = "pushes";
    banner.style.cssText = "height: 26px; margin: 0";
    addEventListener("pointerdown", (event) => (globalThis.pressedMs = event.timeStamp), { capture: true, once: true });
    document.querySelector("[data-testid=jog]").prepend(banner);
    globalThis.pushedMs = performance.now();
})()"""
COLOR_OF_STOP = """(() => {
    const one = document.createElement("i");
    one.style.color = "var(--stop)";
    document.body.append(one);
    const { color } = getComputedStyle(one);
    one.remove();
    return color;
})()"""
JUMPS = """
    globalThis.clockJump = 0;
    const now = performance.now.bind(performance), next = globalThis.requestAnimationFrame.bind(globalThis);
    performance.now = () => now() + clockJump;
    globalThis.requestAnimationFrame = (draw) => next((at) => draw(at + clockJump));
"""
"""A page's monotonic clock is the one of its frames."""


@pytest.fixture(scope="module")
def page(browser: Browser, serving: Serving) -> Iterator[Studio]:
    with open_bench(browser, serving.url) as studio:
        yield studio


@pytest.fixture
def ann(page: Studio) -> Iterator[Studio]:
    with operator(page):
        yield page


@pytest.fixture
def controller(ann: Studio) -> Iterator[VirtualControl]:
    """The virtual controller of the robot, asked without the server."""
    made = VirtualControl(ann.page.evaluate(f"{ROBOT}.address"))
    yield made
    made.disconnect()


@pytest.fixture(scope="module")
def jumper(page: Studio, browser: Browser, serving: Serving) -> Iterator[Studio]:
    """A page whose clock can be made to jump."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark", locale="en-GB")
    context.add_init_script(JUMPS)
    studio = Studio(context, serving.url, name="Cid", drawn=SELDOM)
    studio.open(page.project("id"))
    yield studio
    context.close()


def free_control(serving: Serving, project: str) -> None:
    """Have nobody in control: whoever takes it leaves at once."""
    with connect(serving.url).open(project) as opened:
        opened.robots.take_control("ur3e", take_over=True)


@pytest.fixture
def jumping(ann: Studio, jumper: Studio, serving: Serving) -> Iterator[Studio]:
    """The same, about to jog joints at 30 %; nobody has control afterwards."""
    free_control(serving, ann.project("id"))
    jumper.press("Alt+4")
    wait(jumper, f"{ROBOT}?.holder === ''")
    wait(jumper, f"{ROBOT}?.ready && !{ROBOT}?.moving && openpendant.project.joints['ur3e/arm']")
    jumper.find("jog-what").get_by_text("Joints").click()
    jumper.find("jog-speed").get_by_text("30 %").click()
    yield jumper
    free_control(serving, ann.project("id"))
    wait(ann, f"{ROBOT}?.holder === ''")


def test_a_pointer_that_slides_off_a_button_has_let_go(ann: Studio, controller: VirtualControl) -> None:
    """Counted from when the browser got the move, which a busy machine may bring it late."""
    ann.find("jog-speed").get_by_text("30 %").click()
    button = ann.find("jog-Z+")
    jog(ann, "jog-Z+")
    box = button.bounding_box()
    assert box is not None
    ann.page.evaluate(SLIDING)
    with tracked(ann.page.evaluate(f"{ROBOT}.address")) as track:
        ann.page.mouse.move(box["x"] - 300, box["y"])
        slid_s = float(ann.page.evaluate("slidMs")) / 1000.0
        until(ann, lambda: track.lasts_until(slid_s + 1.0), "a second of the arm")
    check_rests(track.speeds_since(slid_s), HELD_S)
    z_mm = [1000.0 * load("ur3e").arm().fk(track.joints_at(slid_s + after_s))[2, 3] for after_s in (0.0, 1.0)]
    assert 0.0 < z_mm[1] - z_mm[0] < 0.3 * 1000.0 * JOG_M_S * HELD_S
    wait(ann, f"!{ROBOT}?.moving")
    expect(button).to_have_attribute("aria-pressed", "false")
    # Sliding back does not take hold again.
    button.hover()
    ann.page.wait_for_timeout(300)
    expect(button).to_have_attribute("aria-pressed", "false")
    assert not ann.page.evaluate(f"{ROBOT}?.moving")
    ann.page.mouse.up()


def test_a_button_that_has_just_moved_is_not_pressed(ann: Studio, controller: VirtualControl) -> None:
    """A banner above the buttons pushes another one under the pointer: that one must not move the robot."""
    jog(ann, "jog-X+")
    ann.page.mouse.up()
    wait(ann, f"!{ROBOT}?.moving")
    button = ann.find("jog-Y+")
    button.hover()
    for _ in range(MOST_LATE_PRESSES):
        before, place = joints(controller), button.bounding_box()
        ann.page.evaluate(PUSHING)
        ann.page.mouse.down()
        if float(ann.page.evaluate("pressedMs - pushedMs")) < JUST_MS:
            break
        # A press that the browser got later than this is not one on a button that has just moved.
        ann.page.mouse.up()
        ann.page.evaluate("document.getElementById('pushes').remove()")
        wait(ann, f"!{ROBOT}?.moving")
        ann.page.wait_for_timeout(2.0 * JUST_MS)
    else:
        raise AssertionError(f"{MOST_LATE_PRESSES} presses all came more than {JUST_MS} ms late")
    assert ann.find("jog-X+").bounding_box() == place
    expect(ann.find("jog-moved")).to_have_text("The buttons had just moved. Press again.")
    ann.page.wait_for_timeout(1000)
    ann.page.mouse.up()
    ann.page.evaluate("document.getElementById('pushes').remove()")
    assert np.abs(joints(controller) - before).max() < 1e-3


def test_a_jog_that_cannot_keep_its_direction_stops_and_says_so(ann: Studio, controller: VirtualControl) -> None:
    def place() -> np.ndarray:
        return load("ur3e").arm().fk(joints(controller))[:3, 3]

    ann.find("jog-frame").get_by_text("base").click()
    before, barred = place(), ann.find("jog-barred")
    for _ in range(MOST_PRESSES):
        number = newest_event(ann)
        hold(ann, "jog-Z+")
        expect(barred).to_have_text(re.compile("[a-z]"), timeout=SLOW_MS)
        if "cannot go further in this direction" in barred.inner_text():
            break
        # A page that has drawn a picture late is held (its sample was too old): a person presses once more.
        ann.page.mouse.up()
        wait(ann, f"!{ROBOT}?.moving")
        hold_since(ann, number)
    expect(barred).to_contain_text("cannot go further in this direction")
    wait(ann, f"!{ROBOT}?.moving")
    after = place()
    assert after[2] - before[2] > 0.05
    assert np.linalg.norm(after[:2] - before[:2]) < 0.01
    # It stays at rest while the button is still held.
    ann.page.wait_for_timeout(500)
    assert np.linalg.norm(place() - after) < 0.0005
    ann.page.mouse.up()
    jog(ann, "jog-Z-")
    expect(ann.find("jog-barred")).to_have_count(0)
    ann.page.wait_for_timeout(1500)
    ann.page.mouse.up()
    wait(ann, f"!{ROBOT}?.moving")


def freeze(studio: Studio, seconds: float) -> None:
    """Have the page do nothing but count for a while; returns at once."""
    studio.page.evaluate(
        f"setTimeout(() => {{ const end = performance.now() + {1000 * seconds}; while (performance.now() < end); }}, 0)"
    )


def test_a_frozen_page_has_let_go(ann: Studio, controller: VirtualControl) -> None:
    ann.find("jog-what").get_by_text("Joints").click()
    ann.find("jog-speed").get_by_text("30 %").click()
    jog(ann, "jog-j0+")
    freeze(ann, 2.5)
    before = joints(controller)
    check_rests(speeds(controller, 2.0), HELD_S)
    assert np.abs(joints(controller) - before).max() < 0.3 * JOG_RAD_S * HELD_S
    ann.page.mouse.up()
    ann.find("jog-what").get_by_text("Tool").click()


def test_a_run_ends_when_its_page_freezes(ann: Studio, controller: VirtualControl) -> None:
    run(ann)
    freeze(ann, 5.0)
    speeds(controller, SILENT_S + NOTICED_S)
    before = joints(controller)
    check_rests(speeds(controller, 2.5), STOP_S)
    assert np.abs(joints(controller) - before).max() < STOP_RAD
    wait(ann, f"{RUN}.status === 'stopped'")
    expect(ann.find("missed")).to_contain_text("Nobody was watching")
    ann.find("missed").get_by_role("button").click()
    # Where it was stopped by chance, as with the tool in the bin, no program is clear: up and out.
    hold(ann, "jog-Z+")
    ann.page.wait_for_timeout(1500)
    ann.page.mouse.up()
    wait(ann, f"!{ROBOT}?.moving")


def test_a_stop_says_what_it_did_to_each_robot(ann: Studio) -> None:
    run(ann)
    ann.press("Pause")
    expect(ann.find("stop-result")).to_contain_text(re.compile(r"ur3e at rest after \d+ ms, \d+ mm"), timeout=SLOW_MS)
    expect(ann.find("stop-alert")).to_be_empty()
    assert ann.findings() == []


def test_a_stop_while_the_server_is_suspended_is_heard_and_told(
    ann: Studio, controller: VirtualControl, serving: Serving
) -> None:
    """The page's own line to the stop service; less than the 0.8 s after which the robot would rest by itself."""
    run(ann)
    os.kill(serving.pid, signal.SIGSTOP)
    try:
        ann.press("Pause")
        check_rests(speeds(controller, 1.5), 0.7)
        expect(ann.find("stop-result")).to_contain_text(re.compile(r"ur3e at rest after \d+ ms"), timeout=5000)
        told = re.search(r"after (\d+) ms", ann.find("stop-result").inner_text())
        assert told is not None
        assert int(told.group(1)) <= 700
        expect(ann.find("stop-alert")).to_be_empty()
    finally:
        os.kill(serving.pid, signal.SIGCONT)
    wait(ann, f"{RUN}.status === 'stopped'")


def test_a_robot_that_a_stop_does_not_reach_is_told_in_red(
    ann: Studio, controller: VirtualControl, serving: Serving
) -> None:
    ann.find("jog-what").get_by_text("Joints").click()
    jog(ann, "jog-j0+")
    pid = serving.robot_pid()
    os.kill(pid, signal.SIGSTOP)
    try:
        ann.press("Pause")
        check_rests(speeds(controller, ALONE_S + 0.5), ALONE_S)
        expect(ann.find("stop-alert")).to_contain_text("ur3e NOT reached", timeout=8000)
        expect(ann.find("stop-result")).to_be_empty()
        red = ann.find("stop-alert").locator("p").evaluate("(one) => getComputedStyle(one).color")
        stop = ann.page.evaluate(COLOR_OF_STOP)
        assert red == stop
    finally:
        os.kill(pid, signal.SIGCONT)
        ann.page.mouse.up()
    wait(ann, f"{ROBOT}?.ready && !{ROBOT}?.moving")
    ann.find("jog-what").get_by_text("Tool").click()


def test_a_jog_rests_when_the_process_of_its_robot_is_killed(
    ann: Studio, controller: VirtualControl, serving: Serving
) -> None:
    ann.find("jog-what").get_by_text("Joints").click()
    ann.find("jog-speed").get_by_text("30 %").click()
    jog(ann, "jog-j0-")
    pid = serving.robot_pid()
    before = joints(controller)
    os.kill(pid, signal.SIGKILL)
    check_rests(speeds(controller, ALONE_S + 0.5), ALONE_S)
    after = joints(controller)
    assert np.abs(after - before).max() < 0.3 * JOG_RAD_S * ALONE_S
    # Its process comes again; the button that is still held moves nothing.
    wait(ann, f"{ROBOT}?.ready")
    assert serving.robot_pid() != pid
    assert np.abs(joints(controller) - after).max() < 0.001
    ann.page.mouse.up()
    ann.find("jog-what").get_by_text("Tool").click()


@pytest.mark.parametrize("jump_s", [-5.0, 5.0])
def test_a_page_whose_clock_jumps_has_let_go(
    ann: Studio, controller: VirtualControl, jumping: Studio, jump_s: float
) -> None:
    """A computer that slept, or a browser that was taken to another: its samples have another time from then on."""
    button = "jog-j0+" if jump_s < 0.0 else "jog-j0-"
    jog(jumping, button)
    while speeds(controller, 0.6)[-1][1] < 0.1:
        # A page that has much to do may lose hold by itself: then the button is pressed again.
        jumping.page.mouse.up()
        jog(jumping, button)
    before = joints(controller)
    jumping.page.evaluate(f"clockJump += {1000.0 * jump_s}")
    check_rests(speeds(controller, 1.5), HELD_S)
    after = joints(controller)
    assert 1e-3 < np.abs(after - before).max() < 0.3 * JOG_RAD_S * HELD_S
    jumping.page.mouse.up()
    check_rests(speeds(controller, 0.8), 0.0)


def begin_with_a_restart(studio: Studio, serving: Serving) -> None:
    """Have the cell edited, and run: the robots are restarted first."""
    with connect(serving.url).open(studio.project("id")) as project:
        puck = next(one for one in project.cell.objects if one.name == "puck 2")
        x, y, z = puck.pose.xyz
        project.edit_cell(SetField(name="puck 2", field="pose/xyz", value=(x + 0.001, y, z)))
    wait(studio, "openpendant.project.operating.stale")
    studio.find("run-start").click()
    wait(studio, "openpendant.project.operating.state === 'starting'")


def test_a_stop_while_robots_start_says_that_the_run_was_cancelled(ann: Studio, serving: Serving) -> None:
    begin_with_a_restart(ann, serving)
    ann.press("Pause")
    expect(ann.find("stop-result")).to_contain_text("was cancelled before it started", timeout=SLOW_MS)
    wait(ann, f"{ROBOT}?.ready && {RUN}.status === 'stopped' && openpendant.project.joints['ur3e/arm']")
    before = ann.page.evaluate(JOINTS)
    ann.page.wait_for_timeout(1500)
    assert ann.page.evaluate(JOINTS) == pytest.approx(before, abs=1e-3)


def test_nothing_runs_when_the_page_goes_while_robots_start(
    ann: Studio, open_studio: OpenStudio, serving: Serving
) -> None:
    watcher = open_studio(800, 600, url=serving.url, name="Wes")
    watcher.open(ann.project("id"))
    begin_with_a_restart(ann, serving)
    # What it shows before it has heard of the restart is of the robots as they were.
    wait(watcher, "openpendant.project.operating.state === 'starting'")
    ann.page.goto("about:blank")
    wait(watcher, f"!openpendant.project.operating.stale && {ROBOT}?.ready && openpendant.project.joints['ur3e/arm']")
    before = watcher.page.evaluate(JOINTS)
    for _ in range(30):
        watcher.page.wait_for_timeout(100)
        assert not watcher.page.evaluate(f"{ROBOT}?.moving")
    assert watcher.page.evaluate(JOINTS) == pytest.approx(before, abs=1e-3)
    assert watcher.page.evaluate(f"{RUN}.status") in ("stopped", "failed")
    ann.open(watcher.project("id"))


@pytest.fixture(scope="module")
def stalling(page: Studio, browser: Browser, serving: Serving) -> Iterator[tuple[Studio, BadLink]]:
    """A page behind a link that can be made to stall."""
    with bad_link(serving.url) as link:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark", locale="en-GB")
        # Its errors do not count: the link leads to the server alone, not to its stop service.
        bob = Studio(context, link.url, name="Bob", drawn=SELDOM)
        bob.open(page.project("id"))
        yield bob, link
        context.close()


@pytest.mark.parametrize("stall_s", [0.2, 0.5, 2.0])
def test_what_a_stalled_link_brings_late_moves_nothing(
    ann: Studio,
    controller: VirtualControl,
    stalling: tuple[Studio, BadLink],
    serving: Serving,
    stall_s: float,
) -> None:
    """All that was sent meanwhile comes in a burst, when the person has long let go."""
    bob, link = stalling
    free_control(serving, ann.project("id"))
    bob.press("Alt+4")
    wait(bob, f"{ROBOT}?.ready && {ROBOT}.holder === '' && openpendant.project.joints['ur3e/arm']")
    bob.find("jog-what").get_by_text("Joints").click()
    bob.find("jog-speed").get_by_text("30 %").click()
    jog(bob, "jog-j0-")
    bob.page.wait_for_timeout(300)
    link.flowing.clear()
    bob.page.wait_for_timeout(1000.0 * stall_s)
    bob.page.mouse.up()
    if stall_s < HELD_S / 2:
        # The arm may still move; that the person has let go comes last.
        before = joints(controller)
        link.flowing.set()
        check_rests(speeds(controller, 1.5), HELD_S)
        assert np.abs(joints(controller) - before).max() < 0.3 * JOG_RAD_S * HELD_S
        return
    bob.page.wait_for_timeout(max(0.0, 1000.0 * (HELD_S - stall_s)))
    before = joints(controller)
    link.flowing.set()
    assert max(speed for _, speed in speeds(controller, 1.0)) < AT_REST_RAD_S
    assert np.abs(joints(controller) - before).max() < 0.001
