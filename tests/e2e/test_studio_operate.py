"""Operate in a real browser: a virtual UR3e is run, paused, jogged and stopped; control goes from hand to hand; a robot
at an address is looked at, connected, and comes to rest when the server dies.
"""

import re
import time
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from operating import JOINTS, ROBOT, RUN, SLOW_MS, hold_until, run, sees, until, wait
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import SELDOM, OpenStudio, Studio

from openpendant.virtual import VirtualControl, VirtualHandle, start_virtual

pytestmark = pytest.mark.live

MAKERS_STOP_RAD_S2 = 35.0
"""A UR3 elbow comes to rest from 3.2 rad/s within 92 ms."""
ABANDONED_S = 1.2
"""A robot rests so long after its server has died: its lease ends after 0.8 s, then it stops."""
AT_REST_RAD_S = 0.003
"""Speeds are read with noise of 0.0005 rad/s (standard deviation); six times that is no chance."""
SENT = "openpendant.project.joints['ur3e/arm'].sent"
AWAY = "127.0.17.1"
HOME = (0.1, -1.6, 1.2, -1.2, -1.57, 0.2)


@pytest.fixture(scope="module")
def page(browser: Browser, serving: Serving) -> Iterator[Studio]:
    """One page for all tests, since loading it and starting robots takes long."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark", locale="en-GB")
    studio = Studio(context, serving.url, name="Ann", drawn=SELDOM)
    studio.open_demo("bench")
    studio.press("Alt+4")
    yield studio
    context.close()


@pytest.fixture
def ann(page: Studio) -> Iterator[Studio]:
    """A person in Operate whose robot is ready and at rest."""
    if page.project("operating")["state"] == "off":
        page.find("operate-start").click()
        expect(page.find("operate-starting")).to_be_visible()
    wait(page, f"{ROBOT}?.ready && !{ROBOT}.moving && openpendant.project.joints['ur3e/arm']")
    yield page
    page.press("Pause")
    assert page.errors == []


def test_the_robot_jogs_as_long_as_a_button_is_held(ann: Studio) -> None:
    ann.find("jog-what").get_by_text("Joints").click()
    before = ann.page.evaluate(JOINTS)
    hold_until(ann, "jog-j0+", lambda: sees(ann, f"{JOINTS}[0] - {before[0]} > 0.05"), "0.05 rad")
    ann.page.mouse.up()
    wait(ann, f"!{ROBOT}.moving")
    rest = ann.page.evaluate(JOINTS)
    assert rest[1:] == pytest.approx(before[1:], abs=0.01)
    hold_until(ann, "jog-j0-", lambda: sees(ann, f"{rest[0]} - {JOINTS}[0] > 0.03"), "0.03 rad back", key="Enter")
    ann.page.keyboard.up("Enter")
    wait(ann, f"!{ROBOT}.moving")
    expect(ann.find("log")).to_contain_text("Ann jogs ur3e")


def test_a_virtual_robot_is_run_paused_resumed_and_stopped_by_a_key(ann: Studio) -> None:
    expect(ann.find("operate-ready")).to_have_text("ready")
    expect(ann.find("operate-mode")).to_have_text("power on, brakes released")
    expect(ann.find("operate-pendant")).to_have_attribute("href", ann.page.evaluate(f"{ROBOT}.panel"))
    expect(ann.find("operate-chip")).to_contain_text("ur3e · virtual")
    expect(ann.find("live-pose")).to_contain_text("X")
    expect(ann.find("live-printed")).to_contain_text("p[")
    run(ann)
    wait(ann, "document.activeElement !== document.body")
    expect(ann.find("view-shown")).to_have_attribute("data-shown", "live")
    expect(ann.find("operate-holder")).to_have_text("You have control")
    wait(ann, f"{RUN}.step && openpendant.project.openStep === {RUN}.step")
    ann.find("run-pause").click()
    wait(ann, f"{RUN}.status === 'paused' && !{ROBOT}.moving")
    at = ann.page.evaluate(JOINTS)
    ann.find("run-resume").click()
    wait(ann, f"{JOINTS}.some((q, i) => Math.abs(q - {at}[i]) > 0.02)")
    ann.find("run-speed").focus()
    ann.press("Shift+ArrowLeft")
    wait(ann, f"{RUN}.speed === 0.5")
    ann.press("Pause")
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    expect(ann.find("run-status")).to_have_text("Stopped")
    for words in (
        "Ann runs Put the pucks into the bin",
        "Ann pauses the run",
        "Ann resumes the run",
        "Ann stops everything",
    ):
        expect(ann.find("log")).to_contain_text(words)
    expect(ann.find("log")).to_contain_text("Ann sets the speed to 50 %")
    ann.find("run-speed").focus()
    ann.press("Shift+ArrowRight")


def test_the_first_page_marks_what_runs_and_stops_it(ann: Studio, open_studio: OpenStudio) -> None:
    bob = open_studio(url=ann.url, name="Bob")
    bob.welcome()
    run(ann)
    row = bob.find(f"project-{ann.project('id')}")
    expect(row.get_by_test_id("running")).to_contain_text("ur3e")
    bob.find("stop").click()
    expect(bob.find("stop-result")).to_contain_text("ur3e at rest")
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")


def test_a_run_pauses_at_a_breakpoint_and_is_resumed_after_a_stop(ann: Studio) -> None:
    line = ann.page.locator('[data-testid="step"][data-step="s4"]')
    line.get_by_test_id("breakpoint").click()
    run(ann)
    wait(ann, f"{RUN}.status === 'paused' && {RUN}.step === 's4' && !{ROBOT}.moving")
    expect(ann.find("run-message")).to_have_text("Paused at a breakpoint.")
    ann.find("run-resume").click()
    wait(ann, f"{RUN}.status === 'running' && {RUN}.step === 's4' && {ROBOT}.moving")
    ann.press("Pause")
    wait(ann, f"{RUN}.status === 'stopped' && {RUN}.resumes_at === 's4' && !{ROBOT}.moving")
    at = ann.page.evaluate(JOINTS)
    expect(ann.find("run-resume-stopped")).to_have_text("Resume at step 2.2")
    ann.find("run-resume-stopped").click()
    # It goes on in that step, and does not pause at the breakpoint that it had passed.
    wait(ann, f"{RUN}.status === 'running' && {JOINTS}.some((q, i) => Math.abs(q - {at}[i]) > 0.01)")
    assert ann.page.evaluate(f"{RUN}.step") == "s4"
    wait(ann, "(openpendant.project.operating.parts ?? []).some(({ name, arm }) => name === 'puck 1' && arm !== '')")
    ann.press("Pause")
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    ann.find("reset-parts").click()
    wait(ann, "(openpendant.project.operating.parts ?? []).length === 0")
    expect(ann.find("reset-parts")).to_have_count(0)
    line.get_by_test_id("breakpoint").click()
    for words in ("Ann resumes Put the pucks into the bin where it was stopped", "Ann resets the parts"):
        expect(ann.find("log")).to_contain_text(words)


def test_parts_go_along_with_the_tool(ann: Studio) -> None:
    drawn = "openpendant.view.drawn('puck 1')"
    first = ann.page.evaluate(drawn)
    run(ann)
    wait(ann, "(openpendant.project.operating.parts ?? []).some(({ name, arm }) => name === 'puck 1' && arm !== '')")
    wait(ann, f"{drawn}[2] - {first[2]} > 0.05")
    wait(ann, "(openpendant.project.operating.parts ?? []).some(({ name, arm }) => name === 'puck 1' && arm === '')")
    ann.press("Pause")
    laid = ann.page.evaluate("openpendant.project.operating.parts.find(({ name }) => name === 'puck 1').pose.xyz")
    assert ann.page.evaluate(drawn) == pytest.approx(laid, abs=1e-6)
    # The document has not changed, so the other modes show the part where it begins.
    ann.press("Alt+1")
    assert ann.page.evaluate(drawn) == pytest.approx(first)
    ann.press("Alt+4")


def test_a_stop_works_in_a_dialog_and_by_space_only_in_the_view(ann: Studio) -> None:
    run(ann)
    ann.press("Control+k")
    expect(ann.find("commands")).to_be_visible()
    ann.press("Shift+Escape")
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    ann.press("Escape")
    run(ann)
    ann.find("log-filter").focus()
    ann.press(" ")
    assert sees(ann, f"{RUN}.status === 'running'")
    ann.find("cell-canvas").focus()
    ann.press(" ")
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")


@pytest.fixture
def controller(ann: Studio) -> Iterator[VirtualControl]:
    """The virtual controller of the robot that the page operates."""
    address = urlsplit(ann.page.evaluate(f"{ROBOT}.panel")).hostname
    assert address is not None
    control = VirtualControl(address)
    yield control
    control.disconnect()


def test_a_forced_output_switches_its_pin_and_no_other(ann: Studio, controller: VirtualControl) -> None:
    def pins() -> int:
        return int(controller.read("actual_digital_output_bits")["actual_digital_output_bits"])

    expect(ann.find("port-of-vacuum")).to_have_text("standard_out_0")
    switch = ann.page.locator("[data-testid=output][data-signal=vacuum]")
    others = pins() & ~1
    for _ in range(2):
        wanted = not pins() & 1
        switch.click()
        until(ann, lambda wanted=wanted: pins() == others | wanted, f"standard_out_0 to be {wanted}")
        expect(switch).to_have_attribute("aria-checked", str(wanted).lower(), timeout=SLOW_MS)
    expect(ann.find("log")).to_contain_text("Ann switches vacuum")


def test_an_input_of_the_controller_lights_its_lamp(ann: Studio, controller: VirtualControl) -> None:
    row = ann.page.locator("[data-testid=input][data-signal='part held']")
    expect(ann.find("port-of-part held")).to_have_text("standard_in_0")
    lit = re.compile(r"\bon\b")
    for value, word in ((True, "on"), (False, "off")):
        # Another input of the same controller is no concern of this lamp.
        controller.control("input", name="standard_digital_1", value=not value)
        controller.control("input", name="standard_digital_0", value=value)
        expect(row).to_have_attribute("data-value", str(value).lower(), timeout=SLOW_MS)
        expect(row.locator(".word")).to_have_text(word)
        if value:
            expect(row.locator(".lamp")).to_have_class(lit)
        else:
            expect(row.locator(".lamp")).not_to_have_class(lit)
    controller.control("input", name="standard_digital_1", value=False)


def test_the_power_and_the_brakes_are_the_controllers(ann: Studio) -> None:
    ann.find("operate-press-power_off").click()
    expect(ann.find("operate-mode")).to_have_text("no power", timeout=SLOW_MS)
    expect(ann.find("run-start")).to_be_disabled()
    expect(ann.find("run-blocked")).to_contain_text("ur3e is not ready")
    ann.find("operate-press-power_on").click()
    expect(ann.find("operate-mode")).to_have_text("power on, brakes engaged", timeout=SLOW_MS)
    ann.find("operate-press-brake_release").click()
    expect(ann.find("operate-ready")).to_have_text("ready", timeout=SLOW_MS)


def test_another_person_watches_asks_takes_over_and_the_robot_stops_when_they_leave(
    ann: Studio, open_studio: OpenStudio, serving: Serving
) -> None:
    bob = open_studio(1440, 900, url=serving.url, name="Bob")
    bob.page.set_default_navigation_timeout(SLOW_MS)
    bob.open(ann.project("id"))
    bob.press("Alt+4")
    run(ann)
    expect(bob.find("operate-holder")).to_have_text("Ann has control", timeout=SLOW_MS)
    moved = bob.page.evaluate(JOINTS)
    wait(bob, f"{JOINTS}.some((q, i) => q !== {moved}[i])")
    # Another name is the same person: nothing stops, control stays.
    ann.find("people").click()
    ann.find("your-name").fill("Anna")
    ann.find("your-name").press("Enter")
    ann.press("Escape")
    expect(bob.find("operate-holder")).to_have_text("Anna has control", timeout=SLOW_MS)
    assert sees(ann, f"{RUN}.status === 'running'")
    bob.find("control-ask").click()
    expect(ann.find("control-asked")).to_contain_text("Bob asks for control", timeout=SLOW_MS)
    # Whatever she looks at, Ann sees that.
    ann.press("Alt+1")
    expect(ann.find("control-request")).to_contain_text("Bob requests control of ur3e")
    ann.find("control-request-give").click()
    ann.press("Alt+4")
    expect(bob.find("operate-holder")).to_have_text("You have control", timeout=SLOW_MS)
    bob.press("Pause")
    wait(bob, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    expect(ann.find("run-blocked")).to_contain_text("Bob has control of ur3e")
    expect(ann.find("run-start")).to_be_disabled()
    run(bob)
    ann.find("control-take-over").click()
    # It would stop a run: that is asked first.
    expect(ann.find("control-asks-first")).to_contain_text("Bob is running")
    assert sees(ann, f"{RUN}.status === 'running'")
    ann.find("control-take-over-sure").click()
    expect(bob.find("control-lost")).to_contain_text("Anna took over control of ur3e")
    expect(bob.find("operate-holder")).to_have_text("Anna has control", timeout=SLOW_MS)
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    ann.find("control-give").click()
    expect(bob.find("operate-holder")).to_have_text("Nobody has control", timeout=SLOW_MS)
    run(bob)
    # Anybody may stop, and a person who goes leaves nothing moving.
    assert sees(ann, f"{RUN}.status === 'running'"), "it stopped while Bob was still there"
    bob.page.close()
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    expect(ann.find("operate-holder")).to_have_text("Nobody has control", timeout=SLOW_MS)
    for words in (
        "Bob asks for control of ur3e",
        "Anna gives control of ur3e to Bob",
        "Anna takes over control of ur3e from Bob; everything is stopped",
    ):
        expect(ann.find("log")).to_contain_text(words)
    # A page that closes is silent at once; its connection may end only after the silence was noticed.
    left = "Bob had control of ur3e and has left; everything is stopped|nothing received from Bob for 1.5 s"
    expect(ann.find("log")).to_contain_text(re.compile(left))


def test_axe_finds_nothing_serious_in_operate(ann: Studio) -> None:
    for scheme, width in (("dark", 1440), ("light", 1280)):
        ann.page.emulate_media(color_scheme=scheme)
        ann.page.set_viewport_size({"width": width, "height": 800})
        assert ann.findings() == [], scheme
        assert ann.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    ann.page.emulate_media(color_scheme="dark")
    ann.page.set_viewport_size({"width": 1440, "height": 900})


@pytest.fixture(scope="module")
def away(home: object) -> Iterator[VirtualHandle]:
    """A robot that is somebody else's: it lives on when the server dies."""
    with start_virtual("ur3e", AWAY, power="off", start_q=HOME) as robot:
        yield robot


def test_an_address_is_looked_at_before_anything_is_connected(page: Studio, away: VirtualHandle) -> None:
    if page.project("operating")["state"] != "off":
        page.find("operate-disconnect").click()
        wait(page, "openpendant.project.operating.state === 'off'")
    found = page.find("operate-found")
    # Who does not look first is told just as plainly, and soon.
    page.find("operate-address").fill("127.0.17.200")
    page.find("operate-start").click()
    expect(page.find("operate-failed")).to_contain_text("no robot controller", timeout=SLOW_MS)
    for address, words in (
        ("127.0.17.200", "no robot controller replies"),
        ("no-such-robot.invalid", "host named no-such-robot.invalid"),
        (AWAY, "Its arm has no power (POWER_OFF)"),
    ):
        page.find("operate-address").fill(address)
        page.find("operate-probe").click()
        expect(found).to_contain_text(words, timeout=SLOW_MS)
    away.press("power_on")
    until(page, lambda: away.state()["robot_mode"] == "IDLE", "power")
    away.press("brake_release")
    until(page, lambda: away.state()["robot_mode"] == "RUNNING", "brakes")
    page.find("operate-probe").click()
    expect(found).to_contain_text("Ready to connect", timeout=SLOW_MS)


def test_a_robot_at_an_address_comes_to_rest_when_the_server_dies_and_all_comes_back(
    page: Studio, away: VirtualHandle, serving: Serving
) -> None:
    page.find("operate-start").click()
    wait(page, f"{ROBOT}?.ready && openpendant.project.joints['ur3e/arm']")
    # The twin stands where the robot does, and nothing was sent that it would have to jump to.
    assert page.page.evaluate(JOINTS) == pytest.approx(HOME, abs=0.01)
    assert page.page.evaluate(SENT) is None
    assert page.page.evaluate("openpendant.view.joints('ur3e')") == pytest.approx(HOME, abs=0.01)
    expect(page.find("operate-chip")).to_contain_text("real")
    expect(page.find("run-reduced")).to_be_checked()
    page.rename("Before the end")
    # An edit is saved a second later; one that only the journal has could be undone after the restart.
    page.wait("openpendant.project.saved !== 'saved'", "the edit")
    page.wait("openpendant.project.saved === 'saved'", "the save")
    run(page)
    until(page, lambda: max(map(abs, away.read("actual_qd")["actual_qd"])) > 0.1, "speed")
    serving.kill()
    speeds = falling(away)
    assert speeds[-1][0] - speeds[0][0] < ABANDONED_S, speeds
    # It brakes: no joint is slowed harder than in a stop of the maker, the controller sees nothing wrong, and power and
    # brakes stay as they were.
    assert all(abs(b - a) < MAKERS_STOP_RAD_S2 * (then - now) + 0.2 for (now, a), (then, b) in pairwise(speeds)), speeds
    assert away.state()["safety"] == "NORMAL"
    assert away.state()["robot_mode"] == "RUNNING"
    expect(page.find("operate-lost")).to_be_visible()
    expect(page.find("lost")).to_be_visible()
    serving.start()
    page.wait("openpendant.project.link === 'open'", "the link")
    expect(page.find("operate-interrupted")).to_contain_text("while fill_bin was running", timeout=SLOW_MS)
    assert page.find("operate-address").input_value() == AWAY
    assert page.title == "Before the end"
    # What was saved before is not undone after: the button says so instead of failing.
    expect(page.find("undo")).to_be_disabled()
    page.rename("After it")
    page.errors[:] = [error for error in page.errors if "ERR_CONNECTION_REFUSED" not in error]
    assert page.errors == []


def falling(robot: VirtualHandle) -> list[tuple[float, float]]:
    """Return the controller's times (s) and the greatest joint speed (rad/s) at them, until it rests for 0.2 s."""
    speeds: list[tuple[float, float]] = []
    end, moved = time.monotonic() + 30.0, 0
    while not speeds or speeds[-1][0] - speeds[moved][0] < 0.2:
        assert time.monotonic() < end, f"the robot goes on: {speeds[-5:]}"
        read = robot.read("timestamp", "actual_qd")
        speeds.append((read["timestamp"], max(map(abs, read["actual_qd"]))))
        if speeds[-1][1] > AT_REST_RAD_S:
            moved = len(speeds) - 1
    return speeds[: moved + 1]
