"""The welcome page and the frame of the studio: projects, saves, people, undo, keys, languages, lost servers."""

import json
import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from itertools import cycle
from pathlib import Path

import pytest
from layout import fits, small_targets
from playwright.sync_api import Browser, expect
from serving import Serving
from studio import OpenStudio, Studio

from openpendant.user_folders import user_projects_folder


@pytest.fixture(scope="module")
def page(browser: Browser, server: Serving) -> Iterator[Studio]:
    """One page for all tests that need no memory of their own: a new one takes seconds without a graphics card."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme="dark", locale="en-GB")
    yield Studio(context, server.url)
    context.close()


@pytest.fixture
def studio(page: Studio) -> Iterator[Studio]:
    """A studio, which must not complain in its console."""
    page.errors.clear()
    yield page
    assert page.errors == []


def test_a_demo_becomes_a_project_that_is_changed_saved_and_come_back_to(studio: Studio) -> None:
    project = studio.open_demo("bench")
    for testid in ("studio-left", "studio-right", "view", "modes", "people", "stop", "undo"):
        expect(studio.find(testid)).to_be_visible()
    before = studio.title
    expect(studio.find("project-title")).to_have_text(before)
    assert studio.page.evaluate("document.title") == f"{before} · OpenPendant"
    assert studio.page.evaluate("openpendant.route") == f"#/projects/{project}"
    studio.rename("Bench by the window")
    studio.find("undo").click()
    expect(studio.find("project-title")).to_have_text(before)
    studio.press("Control+Shift+z")
    expect(studio.find("project-title")).to_have_text("Bench by the window")
    expect(studio.find("save-state")).to_contain_text("saved")
    studio.wait("openpendant.project.saved === 'saved'", "the save")
    file = user_projects_folder() / project / "cell.json"
    assert json.loads(file.read_text())["title"] == "Bench by the window"
    # Panels are sized and closed.
    studio.press("Alt+3")
    edge = studio.find("studio-bottom").get_by_role("separator").first
    edge.focus()
    for _ in range(3):
        edge.press("ArrowUp")
    studio.find("toggle-left").click()
    expect(studio.find("studio-left")).to_have_count(0)
    # Loaded again, it is as it was left: its title, its mode, its panels, and what can be undone.
    studio.page.reload()
    studio.wait_for_project()
    expect(studio.find("project-title")).to_have_text("Bench by the window")
    expect(studio.find("studio")).to_have_attribute("data-mode", "program")
    expect(studio.find("studio-left")).to_have_count(0)
    box = studio.find("studio-bottom").bounding_box()
    assert box is not None
    assert box["height"] == pytest.approx(248 + 3 * 16)
    studio.find("undo").click()
    expect(studio.find("project-title")).to_have_text(before)
    studio.find("toggle-left").click()
    # One step back is the page before, not a mode; one forward is the project, as it was left.
    studio.page.go_back()
    expect(studio.find(f"project-{project}")).to_contain_text(before)
    studio.page.go_forward()
    studio.wait_for_project()
    expect(studio.find("studio")).to_have_attribute("data-mode", "program")


def test_the_history_is_a_list_to_go_back_in(studio: Studio) -> None:
    studio.make("Before")
    for title in ("one", "two", "three"):
        studio.rename(title)
    studio.find("history").click()
    rows = studio.find("history-list").get_by_role("button")
    expect(rows).to_have_count(3)
    rows.nth(2).click()
    expect(studio.find("project-title")).to_have_text("Before")
    expect(rows).to_have_count(3)
    rows.nth(1).click()
    expect(studio.find("project-title")).to_have_text("two")
    studio.press("Escape")
    expect(studio.find("history-list")).to_have_count(0)


def test_people_see_each_other_and_every_tab_undoes_only_its_own(studio: Studio, open_studio: OpenStudio) -> None:
    ann = studio
    project = ann.make("Nobody's")
    bob = open_studio(name="Bob Miller")
    bob.open(project)
    ann.wait("openpendant.project.people.length === 2", "Bob")
    assert sorted(bob.project("people")) == ["Ann", "Bob Miller"]
    bob.press("Alt+3")
    ann.find("people").click()
    expect(ann.find("people-list")).to_contain_text("Bob Miller")
    expect(ann.find("people-list")).to_contain_text("Program")
    ann.rename("By Ann")
    expect(bob.find("project-title")).to_have_text("By Ann")
    expect(bob.find("undo")).to_be_disabled()
    bob.rename("By Bob")
    expect(ann.find("project-title")).to_have_text("By Bob")
    ann.press("Control+z")
    expect(ann.find("complaint")).to_be_visible()
    expect(ann.find("project-title")).to_have_text("By Bob")
    bob.find("people").click()
    bob.find("your-name").fill("Robert")
    bob.find("your-name").press("Enter")
    ann.wait("openpendant.project.people.includes('Robert')", "the new name")
    bob.press("Escape")
    bob.press("Control+z")
    expect(ann.find("project-title")).to_have_text("By Ann")
    bob.page.close()
    ann.wait("openpendant.project.people.length === 1", "Bob to have left")
    # Another tab of the same browser is another seat; both keep theirs when they are loaded again.
    tab = Studio(ann.context, ann.url, name="")
    tab.open(project)
    ann.wait("openpendant.project.people.length === 2", "the other tab")
    assert tab.project("people") == ["Ann", "Ann"]
    tab.page.reload()
    tab.wait_for_project()
    expect(tab.find("undo")).to_be_disabled()
    ann.page.reload()
    ann.wait_for_project()
    ann.find("undo").click()
    expect(tab.find("project-title")).to_have_text("Nobody's")
    assert tab.errors == []
    tab.page.close()


def test_a_killed_server_comes_back_with_everything(open_studio: OpenStudio) -> None:
    serving = Serving()
    serving.start()
    try:
        studio = open_studio(url=serving.url)
        studio.make("Small cell")
        studio.press("Alt+3")
        studio.rename("Before the end")
        serving.kill()
        expect(studio.find("lost")).to_be_visible()
        assert studio.project("mode") == "program"
        studio.press("F2")
        studio.find("title-field").fill("While it is away")
        studio.find("title-field").press("Enter")
        expect(studio.find("complaint")).to_contain_text("no connection")
        serving.start()
        studio.wait("openpendant.project.link === 'open'", "the link")
        expect(studio.find("lost")).to_have_count(0)
        expect(studio.find("project-title")).to_have_text("Before the end")
        assert studio.project("mode") == "program"
        studio.find("undo").click()
        expect(studio.find("project-title")).to_have_text("Small cell")
        studio.rename("After it")
    finally:
        serving.stop()
        # What the browser itself says about a server that is away.
        studio.errors[:] = [error for error in studio.errors if "ERR_CONNECTION_REFUSED" not in error]


def test_files_changed_outside_are_kept_or_taken(studio: Studio) -> None:
    project = studio.make("Before")
    file = user_projects_folder() / project / "cell.json"
    studio.rename("Mine")
    studio.wait("openpendant.project.saved === 'saved'", "the save")
    file.write_text(file.read_text().replace('"Mine"', '"Theirs"'))
    studio.find("save-trouble").click()
    studio.find("reload-theirs").click()
    expect(studio.find("project-title")).to_have_text("Theirs")
    file.write_text(file.read_text().replace('"Theirs"', '"Outside"'))
    studio.find("save-trouble").click()
    studio.find("keep-mine").click()
    expect(studio.find("save-state")).to_be_visible()
    assert '"Theirs"' in file.read_text()


def test_projects_are_copied_removed_brought_back_sent_and_taken(studio: Studio, tmp_path: Path) -> None:
    project = studio.make("To be sent")
    studio.wait("openpendant.project.saved === 'saved'", "the save")
    studio.settle()
    studio.find("project-menu").click()
    studio.find("close-project").click()
    row = studio.find(f"project-{project}")
    # It looks as it did when it was left.
    expect(row.get_by_test_id("picture")).to_have_js_property("naturalWidth", 256)
    with studio.page.expect_download() as download:
        row.get_by_test_id("download").click()
    archive = tmp_path / "project.zip"
    download.value.save_as(archive)
    with zipfile.ZipFile(archive) as files:
        assert json.loads(files.read("cell.json"))["title"] == "To be sent"
    row.get_by_test_id("duplicate").click()
    expect(studio.find("projects")).to_contain_text("To be sent copy")
    row.get_by_test_id("remove").click()
    expect(row).to_have_count(0)
    studio.find("notice-action").click()
    expect(row).to_be_visible()
    # What is no project is refused with a reason.
    wrong = BytesIO()
    with zipfile.ZipFile(wrong, "w") as files:
        files.writestr("../../evil.txt", "x")
    for name, data in (("no.zip", b"not a zip"), ("evil.zip", wrong.getvalue())):
        studio.find("import-file").set_input_files({"name": name, "mimeType": "application/zip", "buffer": data})
        expect(studio.find("notice")).to_be_visible()
        expect(studio.find("notice")).not_to_contain_text("Error")
        studio.find("notice").get_by_role("button", name="Close").click()
    # One with a fault is shown with it, in the list and by its address; and so is one that is not there.
    copy = user_projects_folder() / "broken"
    copy.mkdir()
    cell = json.loads((user_projects_folder() / project / "cell.json").read_text())
    (copy / "cell.json").write_text(json.dumps(cell | {"robots": [{"name": "arm", "model": "ur33"}]}))
    expect(studio.find("project-broken")).to_contain_text("ur33")
    for address, why in (("broken", "ur33"), ("nowhere", "nowhere")):
        studio.page.goto(f"{studio.url}/#/projects/{address}")
        expect(studio.find("project-failed")).to_contain_text(why)
    (copy / "cell.json").unlink()
    copy.rmdir()
    studio.welcome()
    studio.find("import-file").set_input_files(archive)
    studio.wait_for_project()
    assert studio.title == "To be sent"
    assert studio.project("id") != project
    studio.errors[:] = [error for error in studio.errors if "status of 4" not in error]


def test_the_keyboard_alone_opens_finds_runs_and_is_told_why_not(studio: Studio) -> None:
    studio.welcome()
    # Projects of other tests come first, each with stops of its own.
    for _ in range(400):
        if studio.page.evaluate("document.activeElement?.dataset.testid") == "demo-bench":
            break
        studio.press("Tab")
    else:
        raise AssertionError("no way to the demo by keyboard")
    studio.press("Enter")
    studio.wait_for_project()
    studio.press("Control+k")
    expect(studio.find("commands")).to_be_visible()
    expect(studio.find("commands").get_by_test_id("stop")).to_be_visible()
    studio.page.keyboard.type("gttea")
    studio.press("Enter")
    expect(studio.find("commands")).not_to_be_visible()
    expect(studio.find("studio")).to_have_attribute("data-mode", "teach")
    studio.press("Control+k")
    studio.page.keyboard.type("undo")
    expect(studio.find("commands")).to_contain_text("nothing to undo")
    studio.press("Enter")
    expect(studio.find("commands")).to_be_visible()
    studio.press("Escape")
    expect(studio.find("commands")).not_to_be_visible()
    studio.press("?")
    expect(studio.find("commands")).to_contain_text("Ctrl+Shift+Z")
    studio.press("Escape")
    for key, mode in (("Alt+1", "build"), ("Alt+4", "operate")):
        studio.press(key)
        expect(studio.find("studio")).to_have_attribute("data-mode", mode)
    # STOP says that there is nothing to stop, but it can be pressed: the server knows better than a page.
    expect(studio.find("stop")).to_have_attribute("title", re.compile("No robot is connected"))
    expect(studio.find("stop")).to_be_enabled()
    for key in ("Pause", "Shift+Escape"):
        studio.press("Control+k")
        expect(studio.find("commands")).to_be_visible()
        studio.press(key)
        expect(studio.find("notice")).to_contain_text("No robot is connected")
        studio.page.reload()
        studio.wait_for_project()
    studio.press("Control+k")
    studio.page.keyboard.type("all projects")
    studio.press("Enter")
    expect(studio.find("projects")).to_be_visible()
    studio.press("n")
    studio.page.keyboard.type("From the keyboard")
    studio.press("Enter")
    studio.wait_for_project()
    assert studio.title == "From the keyboard"


def test_the_tour_has_five_steps_and_comes_once(open_studio: OpenStudio) -> None:
    studio = open_studio(tour=True)
    project = studio.make("Small cell")
    for mode in ("build", "teach", "program", "operate", "build"):
        expect(studio.find("tour")).to_be_visible()
        expect(studio.find("studio")).to_have_attribute("data-mode", mode)
        studio.find("tour-next").click()
    expect(studio.find("tour")).to_have_count(0)
    studio.open(project)
    expect(studio.find("tour")).to_have_count(0)
    studio.press("Control+k")
    studio.page.keyboard.type("tour")
    studio.press("Enter")
    expect(studio.find("tour")).to_be_visible()
    studio.press("Escape")
    expect(studio.find("tour")).to_have_count(0)


def test_it_speaks_spanish_at_once_asks_for_a_name_once_and_remembers_both(open_studio: OpenStudio) -> None:
    studio = open_studio(locale="es-CO", name="")
    studio.welcome()
    expect(studio.find("new-project")).to_have_text("Nuevo proyecto vacío")
    studio.make("Small cell")
    expect(studio.find("modes")).to_contain_text("Construir")
    assert studio.page.evaluate("document.documentElement.lang") == "es"
    studio.find("ask-name").get_by_test_id("your-name").fill("Grace")
    studio.find("ask-name").get_by_test_id("your-name").press("Enter")
    studio.wait("openpendant.project.people.includes('Grace')", "the name")
    expect(studio.find("ask-name")).to_have_count(0)
    studio.find("project-menu").click()
    studio.find("language").select_option("en")
    expect(studio.find("modes")).to_contain_text("Build")
    studio.page.reload()
    studio.wait_for_project()
    expect(studio.find("modes")).to_contain_text("Build")
    studio.wait("openpendant.project.people.includes('Grace')", "the name")
    expect(studio.find("ask-name")).to_have_count(0)


def test_axe_finds_nothing_serious_and_it_fits_every_screen(studio: Studio) -> None:
    schemes = cycle(("light", "dark"))

    def look(where: str) -> None:
        """Fail where axe finds something; the colours of both themes are counted elsewhere, so one is enough here."""
        studio.page.emulate_media(color_scheme=next(schemes))
        assert studio.findings() == [], where

    studio.welcome()
    look("the first page")
    studio.make("Pick and place", "pick_and_place")
    for key in ("Alt+1", "Alt+2", "Alt+3", "Alt+4"):
        studio.press(key)
        look(key)
    for opener in ("project-menu", "history", "people"):
        studio.find(opener).click()
        look(opener)
        studio.press("Escape")
    studio.press("Control+k")
    look("the palette")
    studio.press("Escape")
    for width, height in ((1920, 1080), (820, 1180), (1280, 720)):
        studio.page.set_viewport_size({"width": width, "height": height})
        for key in ("Alt+1", "Alt+2", "Alt+3", "Alt+4"):
            studio.press(key)
            fits(studio, width)
    studio.page.emulate_media(color_scheme="dark")


def test_texts_are_as_large_as_a_person_wants_them(studio: Studio) -> None:
    studio.make("Small cell")
    usual = studio.find("project-title").bounding_box()
    studio.find("project-menu").click()
    studio.find("text-size").get_by_text("130").click()
    studio.press("Escape")
    larger = studio.find("project-title").bounding_box()
    assert usual is not None
    assert larger is not None
    assert larger["height"] == pytest.approx(1.3 * usual["height"], abs=1)
    for key in ("Alt+1", "Alt+2", "Alt+3", "Alt+4"):
        studio.press(key)
        fits(studio, 1280)
    studio.page.reload()
    studio.wait_for_project()
    assert studio.page.evaluate("document.documentElement.style.fontSize") == "130%"
    studio.press("Control+k")
    studio.page.keyboard.type("smaller text")
    studio.press("Enter")
    assert studio.page.evaluate("document.documentElement.style.fontSize") == "115%"
    studio.page.evaluate("localStorage.removeItem('openpendant.textSize')")
    studio.page.reload()
    studio.wait_for_project()


def test_fingers_find_what_they_press(open_studio: OpenStudio) -> None:
    studio = open_studio(800, 1280, touch=True)
    studio.make("Pick and place", "pick_and_place")
    seen: list[str] = []
    for mode in ("build", "teach", "program", "operate"):
        studio.find("modes").locator(f"[data-value={mode}]").tap()
        for panel in ("left", "right"):
            if studio.find(f"studio-{panel}").count() == 0:
                studio.find(f"toggle-{panel}").tap()
            studio.find(f"studio-{panel}").wait_for()
            seen += [f"{mode}, {panel}: {one}" for one in small_targets(studio)]
            studio.find(f"toggle-{panel}").tap()
    for opener in ("project-menu", "people", "palette"):
        studio.find(opener).tap()
        seen += [f"{opener}: {one}" for one in small_targets(studio)]
        studio.press("Escape")
    stop = studio.find("stop").bounding_box()
    assert stop is not None
    beside = studio.page.evaluate(
        "[...document.querySelectorAll('header .end button:not([data-testid=stop])')]"
        ".filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())"
        ".map(({ width, height }) => width * height)"
    )
    assert stop["width"] * stop["height"] > max(beside)
    studio.page.goto(f"{studio.url}/#/")
    studio.find("demo-bench").wait_for()
    seen += [f"first page: {one}" for one in small_targets(studio)]
    assert seen == [], "\n".join(seen)


def test_the_focus_is_never_lost(studio: Studio) -> None:
    """What has the focus goes away or is switched off by what it does; the next key still means something near it."""
    studio.make("Bench", "bench")

    def kept(after: str) -> None:
        studio.wait("document.activeElement !== document.body && !document.activeElement.disabled", after)

    studio.find("tree-puck 1").click()
    studio.press("Delete")
    studio.wait("openpendant.project.seq === 1", "the edit")
    kept("a thing was deleted in the tree")
    studio.find("undo").focus()
    studio.press("Enter")
    studio.wait("openpendant.project.seq === 2", "the undo")
    kept("the last edit was undone")
    studio.find("project-menu").focus()
    studio.press("Enter")
    studio.find("rename").press("Enter")
    kept("the name is asked for")
    studio.press("Escape")
    kept("the name was left")
    studio.press("Alt+2")
    studio.find("view-inset-close").focus()
    studio.press("Enter")
    kept("the tool view was closed")
    studio.find("teach-name").fill("here")
    studio.find("teach-point").focus()
    studio.press("Enter")
    studio.wait("openpendant.project.seq === 3", "the point")
    kept("a point was taught")
    studio.find("toggle-right").focus()
    studio.press("Enter")
    kept("a panel was closed")
    studio.press("Enter")
    studio.press("v")


def test_a_users_page_shows_tests_nothing(browser: Browser, server: Serving) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{server.url}/#/")
    page.get_by_test_id("demo-bench").wait_for()
    assert page.evaluate("'openpendant' in window") is False
    context.close()
