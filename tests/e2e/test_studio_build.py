"""Build: a cell from nothing, its names, its numbers, what keeps what, meshes, all with the keyboard too."""

import io
from pathlib import Path

import pytest
import trimesh
from studio import OpenStudio, Studio


@pytest.fixture
def studio(open_studio: OpenStudio) -> Studio:
    """A studio with an empty project."""
    studio = open_studio()
    studio.welcome()
    made = studio.page.evaluate(
        "fetch('/api/projects', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({title: 'Small cell'})}).then((answer) => answer.json())"
    )
    studio.open(made["id"])
    return studio


def names(studio: Studio, section: str) -> list[str]:
    return [one["name"] for one in studio.page.evaluate(f"openpendant.project.cell.{section} ?? []")]


def has(studio: Studio, section: str, name: str) -> None:
    studio.wait(f"(openpendant.project.cell.{section} ?? []).some((one) => one.name === {name!r})", name)


def gone(studio: Studio, section: str, name: str) -> None:
    studio.wait(f"!(openpendant.project.cell.{section} ?? []).some((one) => one.name === {name!r})", f"no {name}")


def selects(studio: Studio, name: str) -> None:
    studio.wait(f"openpendant.project.selection.join() === {name!r}", f"{name} selected")


def add(studio: Studio, kind: str, which: str = "") -> None:
    studio.find(f"add-{kind}").click()
    if which:
        studio.find(which).click()


def build(studio: Studio) -> None:
    """A robot, a table, a part and a frame."""
    add(studio, "robot", "robot-ur3e")
    has(studio, "robots", "ur3e")
    add(studio, "obstacle", "obstacle-table")
    has(studio, "objects", "table")
    add(studio, "part", "part-box")
    has(studio, "objects", "part")
    add(studio, "frame")
    has(studio, "frames", "frame")


def test_a_cell_is_built_from_nothing(studio: Studio) -> None:
    assert "Add a robot first" in studio.find("tree-panel").inner_text()
    build(studio)
    assert names(studio, "objects") == ["table", "part"]
    # What is new is selected, and its numbers are there.
    selects(studio, "frame")
    assert studio.find("inspect-name").input_value() == "frame"
    studio.find("tree-table").click()
    studio.find("size-z").fill("350+50")
    studio.find("size-z").press("Enter")
    studio.wait("openpendant.project.cell.objects[0].shape.size[2] === 0.4", "the table's height")
    studio.find("pose-x").fill("600")
    studio.find("pose-x").press("Enter")
    studio.wait("Math.abs(openpendant.project.cell.objects[0].pose.xyz[0] - 0.6) < 1e-9", "the table's place")
    assert studio.findings() == []


def test_a_part_put_into_a_frame_stays_where_it_is(studio: Studio) -> None:
    build(studio)
    studio.find("pose-y").fill("200")
    studio.find("pose-y").press("Enter")
    studio.wait("Math.abs(openpendant.project.cell.frames[0].pose.xyz[1] - 0.2) < 1e-9", "the frame's place")
    before = studio.page.evaluate("openpendant.project.cell.objects[1].pose.xyz")
    frame = studio.page.evaluate("openpendant.project.cell.frames[0].pose.xyz")
    studio.find("tree-part").click()
    studio.find("inspect-frame").select_option("frame")
    studio.wait("openpendant.project.cell.objects[1].frame === 'frame'", "another frame")
    after = studio.page.evaluate("openpendant.project.cell.objects[1].pose.xyz")
    assert [a + f for a, f in zip(after, frame, strict=True)] == pytest.approx(before)


def test_renaming_deleting_undoing(studio: Studio) -> None:
    build(studio)
    studio.find("tree-part").click()
    studio.find("inspect-frame").select_option("frame")
    studio.wait("openpendant.project.cell.objects[1].frame === 'frame'", "another frame")
    # Whoever refers to it follows a new name.
    studio.find("tree-frame").dblclick()
    studio.find("rename-field").fill("bench")
    studio.find("rename-field").press("Enter")
    has(studio, "frames", "bench")
    assert studio.page.evaluate("openpendant.project.cell.objects[1].frame") == "bench"
    # It stays while something needs it, and says what.
    studio.find("tree-bench").press("Delete")
    assert "part" in studio.find("kept").inner_text()
    assert names(studio, "frames") == ["bench"]
    studio.find("remove-along").click()
    gone(studio, "frames", "bench")
    assert names(studio, "objects") == ["table"]
    studio.press("Control+z")
    has(studio, "frames", "bench")
    assert names(studio, "objects") == ["table", "part"]
    studio.wait("openpendant.project.history.redo.length > 0", "something to redo")
    studio.press("Control+Shift+z")
    gone(studio, "frames", "bench")


def test_a_value_that_cannot_be_is_told_beside_its_field(studio: Studio) -> None:
    add(studio, "obstacle", "obstacle-box")
    has(studio, "objects", "box")
    studio.find("size-x").fill("90000")
    studio.find("size-x").press("Enter")
    studio.find("fault-shape/size").wait_for()
    assert studio.page.evaluate("openpendant.project.cell.objects[0].shape.size[0]") == 0.4
    studio.find("tree-box").press("F2")
    studio.find("rename-field").fill("world")
    studio.find("rename-field").press("Enter")
    studio.find("tree-fault").wait_for()
    assert names(studio, "objects") == ["box"]


def test_the_keyboard_alone(studio: Studio) -> None:
    build(studio)
    studio.find("tree-search").focus()
    studio.press("ArrowDown")
    studio.press("ArrowDown")
    selects(studio, "ur3e")
    for _ in range(2):
        studio.press("ArrowDown")
    selects(studio, "part")
    studio.press("Control+d")
    selects(studio, "part 2")
    studio.press("Control+c")
    studio.press("Control+v")
    selects(studio, "part 3")
    # The focus has gone along.
    studio.press("F2")
    studio.find("rename-field").fill("cube")
    studio.press("Enter")
    has(studio, "objects", "cube")
    studio.press("l")
    studio.find("tree-cube").press("h")
    studio.press("Shift+F10")
    studio.find("tree-menu").wait_for()
    assert studio.findings() == []
    studio.press("Escape")
    assert studio.find("tree-menu").count() == 0


def test_several_at_once(studio: Studio) -> None:
    build(studio)
    studio.find("tree-table").click()
    studio.find("tree-part").click(modifiers=["Control"])
    assert sorted(studio.project("selection")) == ["part", "table"]
    studio.find("inspect-margin").fill("20")
    studio.find("inspect-margin").press("Enter")
    studio.wait("openpendant.project.cell.objects.every(({ margin_m }) => margin_m === 0.02)", "both margins")
    # In a field, Ctrl+Z is the field's own.
    studio.press("Escape")
    studio.press("Control+z")
    studio.wait("openpendant.project.cell.objects.every(({ margin_m }) => !margin_m)", "no margins")
    studio.find("eye-table").click(force=True)
    studio.wait("openpendant.project.cell.objects[0].visible === false", "a hidden table")


def test_a_mesh_in_the_wrong_unit_is_told(studio: Studio, tmp_path: Path) -> None:
    # A plate of 30 mm whose file is taken as metres.
    data = io.BytesIO()
    trimesh.creation.box((30.0, 20.0, 2.0)).export(data, file_type="stl")
    file = tmp_path / "base plate.stl"
    file.write_bytes(data.getvalue())
    studio.find("add-mesh").click()
    studio.find("mesh-units").locator("[data-value=m]").click()
    studio.find("mesh-file").set_input_files(file)
    studio.find("mesh-wrong").wait_for()
    studio.find("mesh-rescale").click()
    studio.wait("openpendant.project.cell.objects?.[0]?.shape?.scale === 0.001", "millimetres")
    assert names(studio, "objects") == ["base plate"]
    assert "30 mm" in studio.find("mesh-size").inner_text()
    assert studio.find("mesh-wrong").count() == 0


def test_two_people_see_what_the_other_has_selected(studio: Studio, open_studio: OpenStudio) -> None:
    build(studio)
    other = open_studio(name="Ben")
    other.open(studio.project("id"))
    other.find("tree-table").click()
    studio.page.get_by_role("treeitem", name="table, Ben has this selected").wait_for()
