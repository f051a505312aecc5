"""Operate in a real browser: a virtual UR3e is run, paused, jogged and stopped; control goes from hand to hand."""

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect
from serving import Serving
from studio import OpenStudio, Studio

PATIENCE_S = 180.0
SLOW_MS = 1000.0 * PATIENCE_S
ROBOT = "openpendant.project.operating.robots[0]"
RUN = "(openpendant.project.operating.run ?? {})"
JOINTS = "openpendant.project.joints['ur3e/arm'].measured"


def until(studio: Studio, ready: Callable[[], bool], what: str) -> None:
    """Wait for something; starting robots takes long where others are busy."""
    end = time.monotonic() + PATIENCE_S
    while not ready():
        assert time.monotonic() < end, f"waited in vain for {what}: {studio.project('operating')}"
        studio.page.wait_for_timeout(50)


def sees(studio: Studio, condition: str) -> bool:
    return bool(studio.page.evaluate(f"Boolean({condition})"))


def wait(studio: Studio, condition: str) -> None:
    until(studio, lambda: sees(studio, condition), condition)


@pytest.fixture(scope="module")
def serving(home: object) -> Iterator[Serving]:
    """A server of its own: its robots end with it."""
    serving = Serving()
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture(scope="module")
def project(serving: Serving, browser: object) -> list[str]:
    """The project that all tests share, since starting robots takes long; empty until the first has made it."""
    return []


@pytest.fixture
def ann(open_studio: OpenStudio, serving: Serving, project: list[str]) -> Studio:
    """A person in Operate whose robot is ready and at rest."""
    studio = open_studio(1440, 900, url=serving.url, name="Ann")
    if project:
        studio.open(project[0])
    else:
        project.append(studio.open_demo("bench"))
    studio.press("Alt+4")
    if studio.project("operating")["state"] == "off":
        studio.find("operate-start").click()
        expect(studio.find("operate-starting")).to_be_visible()
    wait(studio, f"{ROBOT}?.ready && !{ROBOT}.moving")
    return studio


def test_the_robot_jogs_as_long_as_a_button_is_held(ann: Studio) -> None:
    ann.find("jog-what").get_by_text("Joints").click()
    before = ann.page.evaluate(JOINTS)
    ann.find("jog-j0+").hover()
    ann.page.mouse.down()
    wait(ann, f"{JOINTS}[0] - {before[0]} > 0.05")
    ann.page.mouse.up()
    wait(ann, f"!{ROBOT}.moving")
    rest = ann.page.evaluate(JOINTS)
    assert rest[1:] == pytest.approx(before[1:], abs=0.01)
    ann.find("jog-j0-").focus()
    ann.page.keyboard.down("Enter")
    wait(ann, f"{rest[0]} - {JOINTS}[0] > 0.03")
    ann.page.keyboard.up("Enter")
    wait(ann, f"!{ROBOT}.moving")


def test_a_virtual_robot_is_started_run_paused_resumed_and_stopped_by_a_key(ann: Studio) -> None:
    expect(ann.find("operate-ready")).to_have_text("ready")
    expect(ann.find("operate-mode")).to_have_text("power on, brakes open")
    expect(ann.find("operate-pendant")).to_have_attribute("href", ann.page.evaluate(f"{ROBOT}.panel"))
    expect(ann.find("operate-chip")).to_contain_text("ur3e · virtual")
    ann.find("run-start").click()
    wait(ann, f"{RUN}.status === 'running' && {ROBOT}.moving")
    expect(ann.find("operate-holder")).to_have_text("You have control")
    wait(ann, f"{RUN}.step && openpendant.project.openStep === {RUN}.step")
    ann.find("run-pause").click()
    wait(ann, f"{RUN}.status === 'paused' && !{ROBOT}.moving")
    at = ann.page.evaluate(JOINTS)
    ann.find("run-resume").click()
    wait(ann, f"{JOINTS}.some((q, i) => Math.abs(q - {at}[i]) > 0.02)")
    ann.press("Pause")
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    expect(ann.find("run-status")).to_have_text("stopped")
    expect(ann.find("log")).to_contain_text("Ann runs fill_bin")


def test_a_stop_works_in_a_dialog_and_by_space_only_in_the_view(ann: Studio) -> None:
    ann.find("run-start").click()
    wait(ann, f"{RUN}.status === 'running' && {ROBOT}.moving")
    ann.press("Control+k")
    expect(ann.find("commands")).to_be_visible()
    ann.press("Shift+Escape")
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    ann.press("Escape")
    ann.find("run-start").click()
    wait(ann, f"{RUN}.status === 'running' && {ROBOT}.moving")
    ann.find("log-filter").focus()
    ann.press(" ")
    assert sees(ann, f"{RUN}.status === 'running'")
    ann.find("cell-canvas").focus()
    ann.press(" ")
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")


def test_outputs_are_switched_by_name(ann: Studio) -> None:
    switch = ann.page.locator("[data-testid=output][data-signal=vacuum]")
    before = switch.get_attribute("aria-checked")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false" if before == "true" else "true", timeout=SLOW_MS)


def test_another_person_watches_asks_takes_over_and_the_robot_stops_when_they_leave(
    ann: Studio, open_studio: OpenStudio, serving: Serving, project: list[str]
) -> None:
    ann.find("run-start").click()
    wait(ann, f"{RUN}.status === 'running' && {ROBOT}.moving")
    bob = open_studio(1440, 900, url=serving.url, name="Bob")
    bob.page.set_default_navigation_timeout(SLOW_MS)
    bob.open(project[0])
    bob.press("Alt+4")
    expect(bob.find("operate-holder")).to_have_text("Ann has control", timeout=SLOW_MS)
    moved = bob.page.evaluate(JOINTS)
    wait(bob, f"{JOINTS}.some((q, i) => q !== {moved}[i])")
    bob.find("control-ask").click()
    expect(ann.find("control-asked")).to_contain_text("Bob asks for control", timeout=SLOW_MS)
    bob.find("control-take-over").click()
    expect(bob.find("operate-holder")).to_have_text("You have control", timeout=SLOW_MS)
    expect(ann.find("operate-holder")).to_have_text("Bob has control", timeout=SLOW_MS)
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    expect(ann.find("run-blocked")).to_contain_text("Bob has control of ur3e")
    expect(ann.find("run-start")).to_be_disabled()
    bob.find("run-start").click()
    wait(ann, f"{RUN}.status === 'running' && {ROBOT}.moving")
    # Anybody may stop, and a person who goes leaves nothing moving.
    bob.page.close()
    wait(ann, f"{RUN}.status === 'stopped' && !{ROBOT}.moving")
    expect(ann.find("operate-holder")).to_have_text("Nobody has control", timeout=SLOW_MS)
    expect(ann.find("log")).to_contain_text("whoever had control has left")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_in_operate(
    ann: Studio, open_studio: OpenStudio, serving: Serving, project: list[str], scheme: str
) -> None:
    studio = open_studio(1280, 720, url=serving.url, name="Cid", scheme=scheme)
    studio.open(project[0])
    studio.press("Alt+4")
    wait(studio, ROBOT)
    assert studio.findings() == []
    assert studio.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_real_robot_that_does_not_answer_is_said_in_words(ann: Studio) -> None:
    ann.find("operate-disconnect").click()
    wait(ann, "openpendant.project.operating.state === 'off'")
    ann.find("operate-address").fill("127.0.0.251")
    ann.find("operate-start").click()
    wait(ann, "['failed', 'on'].includes(openpendant.project.operating.state)")
    if ann.project("operating")["state"] == "failed":
        expect(ann.find("operate-failed")).to_contain_text("127.0.0.251")
    else:
        expect(ann.find("operate-why")).to_be_visible()
        expect(ann.find("operate-ready")).to_have_text("no contact")
