"""The pendant of a virtual controller as a page: what a person does there, in a real browser."""

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as WaitedTooLong

from openpendant.virtual import VirtualHandle, start_virtual

PATIENCE_MS = 120_000
"""Nobody drives these controllers: their pages are drawn behind robots in real time."""
PLUGIN = Path(__file__).parents[1] / "makers" / "plugin"
HOME = (0.0, -1.6, 1.2, -1.2, -1.57, 0.0)
PROGRAM = """BeforeStart:
  popup("Start the other side, then continue", title="Hello", blocking=True)
RobotProgram:
  Loop:
    sync()
"""


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualHandle]:
    folder = tmp_path_factory.mktemp("programs")
    (folder / "round.urp").write_text(PROGRAM)
    with start_virtual("ur3e", "127.0.16.1", power="off", programs=folder, start_q=HOME) as robot:
        yield robot


@pytest.fixture
def page(browser: Browser, robot: VirtualHandle) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1180, "height": 820}, color_scheme="dark")
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_default_timeout(PATIENCE_MS)
    page.goto(robot.panel_url)
    page.get_by_test_id("joints").locator("tr").first.wait_for()
    yield page
    assert errors == []
    context.close()


def button(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def shows(page: Page, chip: str, word: str) -> None:
    expect(page.locator(f"#chip-{chip} span")).to_have_text(word, timeout=PATIENCE_MS)


def wait(page: Page, condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_MS / 1e3
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        page.wait_for_timeout(20)


def make_running(page: Page) -> None:
    if page.locator("#chip-robot span").inner_text() != "running":
        button(page, "Initialise").click()
    shows(page, "robot", "running")


def test_from_off_to_running_and_back(page: Page):
    shows(page, "robot", "power off")
    shows(page, "safety", "normal")
    shows(page, "control", "remote")
    button(page, "Power on").click()
    shows(page, "robot", "brakes closed")
    button(page, "Initialise").click()
    shows(page, "robot", "running")
    button(page, "Power off").click()
    shows(page, "robot", "power off")


def test_disabled_buttons_say_why(page: Page):
    play = button(page, "Play")
    expect(play).to_have_attribute("aria-disabled", "true", timeout=PATIENCE_MS)
    play.focus()
    expect(page.locator("#hint")).to_have_text(re.compile("first"))
    page.get_by_test_id("estop").focus()
    expect(page.locator("#hint")).to_be_empty()
    play.click(force=True)
    expect(page.locator("#hint")).to_have_text(re.compile("first"))


def test_a_program_is_loaded_its_window_answered_paused_and_stopped(page: Page, robot: VirtualHandle):
    make_running(page)
    page.get_by_test_id("programs").select_option("round.urp")
    page.get_by_test_id("load").click()
    expect(page.locator("#program-name")).to_have_text("round.urp")
    button(page, "Play").click()
    window = page.get_by_role("alertdialog")
    expect(window).to_contain_text("Start the other side, then continue")
    expect(page.get_by_test_id("popup-continue")).to_be_focused()
    page.keyboard.press("Enter")
    expect(window).to_be_hidden()
    shows(page, "program", "playing")
    button(page, "Pause").click()
    shows(page, "program", "paused")
    button(page, "Play").click()
    shows(page, "program", "playing")
    button(page, "Stop").click()
    shows(page, "program", "stopped")


def test_the_emergency_stop_is_in_reach_of_an_open_window(page: Page, robot: VirtualHandle):
    make_running(page)
    robot.control("script", text='def ask():\n  popup("Go on?", blocking=True)\nend\n')
    expect(page.get_by_role("alertdialog")).to_be_visible()
    stop = page.get_by_test_id("estop")
    stop.click()
    shows(page, "safety", "robot emergency stop")
    expect(stop).to_have_attribute("aria-pressed", "true")
    expect(stop).to_contain_text("Pull out to reset")
    expect(page.get_by_role("alertdialog")).to_be_hidden()
    expect(button(page, "Power on")).to_have_attribute("aria-disabled", "true")
    stop.click()
    shows(page, "safety", "normal")
    expect(stop).to_have_attribute("aria-pressed", "false")
    make_running(page)


def test_a_protective_stop_is_unlocked(page: Page):
    make_running(page)
    page.locator("summary").click()
    button(page, "Protective stop").click()
    shows(page, "safety", "protective stop")
    unlock = button(page, "Unlock protective stop")
    expect(unlock).to_be_visible()
    expect(page.get_by_test_id("messages")).to_contain_text("Protective Stop")

    def released() -> bool:
        # Unlocking too early is refused, as on a real controller; once it has worked, the button is gone.
        with suppress(WaitedTooLong):
            unlock.press("Enter", timeout=500)
        return page.locator("#chip-safety span").inner_text() == "normal"

    wait(page, released, "the release")


def test_freedrive_while_a_key_is_held(page: Page, robot: VirtualHandle):
    make_running(page)
    hold = page.get_by_test_id("freedrive")
    hold.focus()
    page.keyboard.down(" ")
    expect(hold).to_have_attribute("aria-pressed", "true")
    page.keyboard.up(" ")
    expect(hold).to_have_attribute("aria-pressed", "false")
    before = robot.read("actual_TCP_pose")["actual_TCP_pose"]
    push = page.get_by_role("button", name="+Y")
    push.focus()
    page.keyboard.down(" ")
    expect(hold).to_have_attribute("aria-pressed", "true")
    wait(page, lambda: robot.read("actual_TCP_pose")["actual_TCP_pose"][1] - before[1] > 0.01, "the arm to give way")
    page.keyboard.up(" ")
    assert robot.read("actual_TCP_pose")["actual_TCP_pose"][1] - before[1] > 0.01


def test_speed_signals_and_faults(page: Page, robot: VirtualHandle):
    page.get_by_test_id("speed").fill("40")
    expect(page.locator("#speed-out")).to_have_text("40 %")
    wait(page, lambda: robot.state()["speed_slider"] == 0.4, "the slider")
    page.get_by_role("button", name="Digital input 2").click()
    expect(page.get_by_role("button", name="Digital input 2")).to_have_attribute("aria-pressed", "true")
    page.locator("summary").click()
    button(page, "Delay 20 to 30 ms").click()
    expect(page.locator("#chip-link")).to_contain_text("delay")
    button(page, "End all faults").click()
    expect(page.locator("#chip-link")).to_be_hidden()


def test_shut_down_and_switch_on(page: Page):
    page.locator("summary").click()
    button(page, "Shut down").click()
    shows(page, "robot", "switched off")
    button(page, "Switch on").click()
    shows(page, "robot", "power off")


def test_every_control_is_reached_by_tab(page: Page):
    reached: set[str] = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.innerText"))
    assert {"estop", "Power on", "Play", "speed", "freedrive", "+X"} <= reached


def test_a_page_of_another_origin_is_refused(page: Page, robot: VirtualHandle):
    refused = page.request.post(
        f"{robot.panel_url}do", data='{"do":"press","button":"power_on"}', headers={"Origin": "http://evil.example"}
    )
    assert refused.status == 403
    plain = page.request.post(f"{robot.panel_url}do", data="{}", headers={"Content-Type": "text/plain"})
    assert plain.status == 415


def test_a_lost_controller_is_told(browser: Browser, tmp_path: Path):
    with start_virtual("ur3e", "127.0.16.2") as own:
        context = browser.new_context()
        page = context.new_page()
        page.goto(own.panel_url)
        page.get_by_test_id("joints").locator("tr").first.wait_for()
        own.kill()
        expect(page.get_by_role("alert")).to_contain_text("does not answer", timeout=PATIENCE_MS)
        context.close()


def test_the_page_of_another_maker_has_what_its_controller_has(browser: Browser):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGIN), *filter(None, [os.environ.get("PYTHONPATH")])]))
        crane = start_virtual("crane", "127.0.16.3")
    with crane:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(crane.panel_url)
        rows = page.get_by_test_id("joints").locator("tr")
        expect(rows).to_have_count(2, timeout=PATIENCE_MS)
        expect(page.get_by_role("columnheader")).to_have_text(["Joint", "", "Position °", "Target °", "Speed °/s"])
        for gone in ("estop", "speed", "freedrive", "load"):
            expect(page.get_by_test_id(gone)).to_be_hidden()
        shows(page, "robot", "on")
        line = page.get_by_test_id("line")
        line.fill("go 0.5 0.6 0.5")
        line.press("Enter")
        expect(rows.first).to_contain_text("28.65", timeout=PATIENCE_MS)
        expect(page.get_by_test_id("terminal")).to_have_text("> go 0.5 0.6 0.5\nok")
        line.fill("say is the yard free?")
        line.press("Enter")
        window = page.get_by_role("alertdialog")
        expect(window).to_contain_text("is the yard free?")
        page.keyboard.press("Enter")
        expect(window).to_be_hidden()
        page.get_by_role("button", name="Digital input limit").click()
        wait(page, lambda: crane.state()["inputs"][0]["on"], "the limit switch")
        button(page, "Motors off").click()
        shows(page, "robot", "off")
        context.close()
