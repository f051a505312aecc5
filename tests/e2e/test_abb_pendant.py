"""The page of a virtual ABB controller: a program's question is answered with its keys, in a real browser."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from openpendant.virtual.abb import AbbHost, AbbSetup, build_controller
from openpendant.virtual.launch import PANEL_PORT

ADDRESS = "127.0.16.5"
PATIENCE_MS = 120_000
"""Nobody drives these controllers: their pages are drawn behind robots in real time."""
ASKING = """MODULE MainModule
PROC main()
  VAR num n;
  TPReadFK n,"Go?","Yes","","","","No";
  TPWrite "key "\\Num:=n;
  TPReadNum n,"How many?";
  TPWrite "number "\\Num:=n;
  Stop;
ENDPROC
ENDMODULE
"""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[AbbHost]:
    (tmp_path / "ask.mod").write_text(ASKING)
    setup = AbbSetup("irb120", ADDRESS, home=tmp_path, ramdisk=tmp_path)
    made = AbbHost(ADDRESS, lambda sockets: build_controller(setup, sockets), rws_port=8080)
    made.brain.program.load("T_ROB1", ASKING, "m.mod", replace=True)
    ended = threading.Event()
    thread = threading.Thread(target=made.run, args=(ended.is_set,))
    thread.start()
    yield made
    ended.set()
    thread.join()


def test_questions_of_programs_are_answered_with_keys(browser: Browser, host: AbbHost):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"http://{ADDRESS}:{PANEL_PORT}")
    page.get_by_test_id("motors_on").click()
    page.get_by_test_id("start").click()
    keys, terminal = page.get_by_role("group", name="Keys of the terminal"), page.get_by_test_id("terminal")
    expect(keys.get_by_role("button")).to_have_text(["Yes", "No"], timeout=PATIENCE_MS)
    page.get_by_test_id("key-5").click()
    expect(terminal).to_contain_text("key 5", timeout=PATIENCE_MS)
    expect(terminal).to_contain_text("How many?")
    expect(keys).to_be_hidden()
    pad = page.get_by_role("group", name="Keypad")
    for key in ("−", "3", "⌫", "1", ".", "5"):
        pad.get_by_test_id(f"pad-{key}").click()
    expect(page.get_by_test_id("line")).to_have_value("-1.5")
    page.get_by_test_id("line").press("Enter")
    expect(terminal).to_contain_text("number -1.5", timeout=PATIENCE_MS)
    expect(pad).to_be_hidden()
    # Questions belong to the terminal: nothing covers the page.
    page.get_by_test_id("manual_full").click()
    expect(page.get_by_test_id("auto")).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_test_id("auto").click()
    page.get_by_test_id("programs").select_option("ask.mod", timeout=PATIENCE_MS)
    page.get_by_test_id("load").click()
    expect(page.get_by_test_id("joints")).to_contain_text("Axis 6")
    context.close()
