"""The welcome page and the frame of the studio: projects, saves, people, undo, keys, languages, lost servers."""

import json
import re
import zipfile
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import expect
from serving import Serving
from studio import OpenStudio, Studio

from openpendant.robots import user_projects_folder


def test_a_demo_opens_as_a_project_of_its_own(open_studio: OpenStudio) -> None:
    studio = open_studio()
    project = studio.open_demo("pick_and_place")
    for testid in ("studio-left", "studio-right", "view", "modes", "people", "stop", "undo"):
        expect(studio.find(testid)).to_be_visible()
    expect(studio.find("project-title")).to_have_text("Pick and place")
    assert studio.page.evaluate("document.title") == "Pick and place · OpenPendant"
    assert studio.page.evaluate("openpendant.route") == f"#/projects/{project}"
    studio.page.go_back()
    expect(studio.find(f"project-{project}")).to_contain_text("Pick and place")


def test_a_rename_is_undone_redone_saved_and_kept(open_studio: OpenStudio) -> None:
    studio = open_studio()
    project = studio.open_demo("bench")
    before = studio.title
    studio.rename("Bench by the window")
    expect(studio.find("project-title")).to_have_text("Bench by the window")
    studio.find("undo").click()
    expect(studio.find("project-title")).to_have_text(before)
    studio.press("Control+Shift+z")
    expect(studio.find("project-title")).to_have_text("Bench by the window")
    expect(studio.find("save-state")).to_contain_text("saved")
    studio.wait("openpendant.project.saved === 'saved'", "the save")
    file = user_projects_folder() / project / "cell.json"
    assert json.loads(file.read_text())["title"] == "Bench by the window"
    studio.page.reload()
    studio.wait_for_project()
    expect(studio.find("project-title")).to_have_text("Bench by the window")
    studio.find("undo").click()
    expect(studio.find("project-title")).to_have_text(before)


def test_the_history_is_a_list_to_go_back_in(open_studio: OpenStudio) -> None:
    studio = open_studio()
    studio.open_demo("bench")
    before = studio.title
    for title in ("one", "two", "three"):
        studio.rename(title)
    studio.find("history").click()
    rows = studio.find("history-list").get_by_role("button")
    expect(rows).to_have_count(3)
    rows.nth(2).click()
    expect(studio.find("project-title")).to_have_text(before)
    expect(rows).to_have_count(3)
    rows.nth(1).click()
    expect(studio.find("project-title")).to_have_text("two")
    studio.press("Escape")
    expect(studio.find("history-list")).to_have_count(0)


def test_two_people_see_each_other_and_undo_only_their_own(open_studio: OpenStudio) -> None:
    ann = open_studio(name="Ann")
    project = ann.open_demo("pick_and_place")
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


def test_two_tabs_of_one_browser_are_two_seats_and_undo_their_own(open_studio: OpenStudio) -> None:
    one = open_studio(name="Ann")
    project = one.open_demo("bench")
    two = Studio(one.context, one.url, name="")
    two.open(project)
    one.wait("openpendant.project.people.length === 2", "the other tab")
    assert two.project("people") == ["Ann", "Ann"]
    before = one.title
    one.rename("In one tab")
    expect(two.find("project-title")).to_have_text("In one tab")
    expect(two.find("undo")).to_be_disabled()
    two.page.reload()
    two.wait_for_project()
    expect(two.find("undo")).to_be_disabled()
    one.page.reload()
    one.wait_for_project()
    one.find("undo").click()
    expect(two.find("project-title")).to_have_text(before)
    assert two.errors == []


def test_a_killed_server_comes_back_with_everything(open_studio: OpenStudio) -> None:
    serving = Serving()
    serving.start()
    try:
        studio = open_studio(url=serving.url)
        studio.open_demo("pick_and_place")
        studio.press("Alt+3")
        studio.rename("Before the end")
        serving.kill()
        expect(studio.find("lost")).to_be_visible()
        assert studio.project("mode") == "program"
        studio.press("F2")
        studio.find("title-field").fill("While it is away")
        studio.find("title-field").press("Enter")
        expect(studio.find("complaint")).to_contain_text("no link")
        serving.start()
        studio.wait("openpendant.project.link === 'open'", "the link")
        expect(studio.find("lost")).to_have_count(0)
        expect(studio.find("project-title")).to_have_text("Before the end")
        assert studio.project("mode") == "program"
        studio.find("undo").click()
        expect(studio.find("project-title")).to_have_text("Pick and place")
        studio.rename("After it")
    finally:
        serving.stop()
        # What the browser itself says about a server that is away.
        studio.errors[:] = [error for error in studio.errors if "ERR_CONNECTION_REFUSED" not in error]


def test_files_changed_outside_are_kept_or_taken(open_studio: OpenStudio) -> None:
    studio = open_studio()
    project = studio.open_demo("bench")
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


def test_projects_are_copied_removed_brought_back_sent_and_taken(open_studio: OpenStudio, tmp_path: Path) -> None:
    studio = open_studio()
    project = studio.open_demo("two_arms")
    studio.rename("To be sent")
    studio.find("project-menu").click()
    studio.find("close-project").click()
    row = studio.find(f"project-{project}")
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
    studio.find("import-file").set_input_files(archive)
    studio.wait_for_project()
    assert studio.title == "To be sent"
    assert studio.project("id") != project


def test_what_is_no_project_is_refused_with_a_reason(open_studio: OpenStudio) -> None:
    studio = open_studio()
    studio.welcome()
    wrong = BytesIO()
    with zipfile.ZipFile(wrong, "w") as files:
        files.writestr("../../evil.txt", "x")
    for name, data in (("no.zip", b"not a zip"), ("evil.zip", wrong.getvalue())):
        studio.find("import-file").set_input_files({"name": name, "mimeType": "application/zip", "buffer": data})
        expect(studio.find("notice")).to_be_visible()
        expect(studio.find("notice")).not_to_contain_text("Error")
        studio.find("notice").get_by_role("button", name="Close").click()
    studio.page.goto(f"{studio.url}/#/projects/nowhere")
    expect(studio.find("project-failed")).to_contain_text("nowhere")
    studio.errors[:] = [error for error in studio.errors if "status of 4" not in error]


def test_a_project_with_a_fault_is_shown_with_it(open_studio: OpenStudio) -> None:
    studio = open_studio()
    project = studio.open_demo("bench")
    studio.wait("openpendant.project.saved === 'saved'", "the save")
    studio.welcome()
    copy = user_projects_folder() / "broken"
    copy.mkdir(exist_ok=True)
    text = (user_projects_folder() / project / "cell.json").read_text()
    (copy / "cell.json").write_text(text.replace('"ur3e"', '"ur33"'))
    expect(studio.find("project-broken")).to_contain_text("ur33", timeout=20_000)
    studio.page.goto(f"{studio.url}/#/projects/broken")
    expect(studio.find("project-failed")).to_contain_text("ur33")
    studio.page.goto("about:blank")
    (copy / "cell.json").unlink()
    copy.rmdir()


def test_the_palette_finds_runs_and_says_why_not(open_studio: OpenStudio) -> None:
    studio = open_studio()
    studio.open_demo("bench")
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


def test_stop_says_where_there_is_nothing_to_stop(open_studio: OpenStudio) -> None:
    studio = open_studio()
    studio.open_demo("bench")
    # It says so, but it can be pressed: the server knows better than a page.
    expect(studio.find("stop")).to_have_attribute("title", re.compile("No robot is connected"))
    expect(studio.find("stop")).to_be_enabled()
    for key in ("Pause", "Shift+Escape"):
        studio.press("Control+k")
        expect(studio.find("commands")).to_be_visible()
        studio.press(key)
        expect(studio.find("notice")).to_contain_text("No robot is connected")
        studio.page.reload()
        studio.wait_for_project()


def test_the_tour_has_five_steps_and_comes_once(open_studio: OpenStudio) -> None:
    studio = open_studio(tour=True)
    project = studio.open_demo("bench")
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


def test_who_has_no_name_is_asked_once(open_studio: OpenStudio) -> None:
    studio = open_studio(name="")
    project = studio.open_demo("bench")
    studio.find("ask-name").get_by_test_id("your-name").fill("Grace")
    studio.find("ask-name").get_by_test_id("your-name").press("Enter")
    studio.wait("openpendant.project.people.includes('Grace')", "the name")
    expect(studio.find("ask-name")).to_have_count(0)
    studio.open(project)
    studio.wait("openpendant.project.people.includes('Grace')", "the name")
    expect(studio.find("ask-name")).to_have_count(0)


def test_it_speaks_spanish_at_once_and_remembers(open_studio: OpenStudio) -> None:
    studio = open_studio(locale="es-CO")
    studio.welcome()
    expect(studio.find("new-project")).to_have_text("Nuevo proyecto vacío")
    studio.find("demo-bench").click()
    studio.wait_for_project()
    expect(studio.find("modes")).to_contain_text("Construir")
    assert studio.page.evaluate("document.documentElement.lang") == "es"
    studio.find("project-menu").click()
    studio.find("language").select_option("en")
    expect(studio.find("modes")).to_contain_text("Build")
    studio.page.reload()
    studio.wait_for_project()
    expect(studio.find("modes")).to_contain_text("Build")


def test_panels_are_sized_closed_and_remembered(open_studio: OpenStudio) -> None:
    studio = open_studio()
    studio.open_demo("bench")
    studio.press("Alt+3")
    bottom = studio.find("studio-bottom")
    edge = bottom.get_by_role("separator").first
    edge.focus()
    for _ in range(3):
        edge.press("ArrowUp")
    studio.find("toggle-left").click()
    expect(studio.find("studio-left")).to_have_count(0)
    studio.page.reload()
    studio.wait_for_project()
    expect(studio.find("studio-left")).to_have_count(0)
    studio.press("Alt+3")
    box = bottom.bounding_box()
    assert box is not None
    assert box["height"] == pytest.approx(248 + 3 * 16)


def test_the_welcome_page_works_with_the_keyboard_alone(open_studio: OpenStudio) -> None:
    studio = open_studio()
    studio.welcome()
    for _ in range(30):
        if studio.page.evaluate("document.activeElement?.dataset.testid") == "demo-pick_and_place":
            break
        studio.press("Tab")
    studio.press("Enter")
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


def test_axe_finds_nothing_serious(open_studio: OpenStudio) -> None:
    studio = open_studio()
    studio.welcome()
    nothing_serious(studio, "the first page")
    studio.open_demo("pick_and_place")
    for key in ("Alt+1", "Alt+2", "Alt+3", "Alt+4"):
        studio.press(key)
        nothing_serious(studio, key)
    for opener in ("project-menu", "history", "people"):
        studio.find(opener).click()
        nothing_serious(studio, opener)
        studio.press("Escape")
    studio.press("Control+k")
    nothing_serious(studio, "the palette")


def nothing_serious(studio: Studio, where: str) -> None:
    """Fail where axe finds something in one of the themes."""
    for scheme in ("light", "dark"):
        studio.page.emulate_media(color_scheme=scheme)
        assert studio.findings() == [], f"{where}, {scheme}"


@pytest.mark.parametrize(("sizes", "touch"), [(((1280, 720), (1920, 1080)), False), (((820, 1180),), True)])
def test_it_fits(open_studio: OpenStudio, sizes: tuple[tuple[int, int], ...], touch: bool) -> None:
    studio = open_studio(*sizes[0], touch=touch)
    studio.open_demo("pick_and_place")
    for width, height in sizes:
        studio.page.set_viewport_size({"width": width, "height": height})
        for key in ("Alt+1", "Alt+2", "Alt+3", "Alt+4"):
            studio.press(key)
            fits(studio, width)


def fits(studio: Studio, width: int) -> None:
    """Fail where something of the top bar is outside of the page or under something else."""
    assert studio.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    boxes = []
    for testid in ("project-menu", "modes", "undo", "people", "palette", "stop"):
        box = studio.find(testid).bounding_box()
        assert box is not None, testid
        assert box["x"] >= 0, testid
        assert box["x"] + box["width"] <= width, f"{testid} is outside of the page"
        boxes.append((testid, box))
    for (one, a), (other, b) in combinations(boxes, 2):
        beside = a["x"] + a["width"] <= b["x"] + 0.5 or b["x"] + b["width"] <= a["x"] + 0.5
        above = a["y"] + a["height"] <= b["y"] + 0.5 or b["y"] + b["height"] <= a["y"] + 0.5
        assert beside or above, f"{one} and {other} cover each other"
