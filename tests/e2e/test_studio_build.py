"""Build: a cell from nothing, its names, its numbers, groups, what keeps what, files, all with the keyboard too."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import trimesh
from playwright.sync_api import Browser
from serving import Serving
from studio import OpenStudio, Studio


@pytest.fixture(scope="module")
def page(browser: Browser, server: Serving) -> Iterator[Studio]:
    """One page for all tests: a new one takes seconds without a graphics card."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme="dark", locale="en-GB")
    yield Studio(context, server.url)
    context.close()


@pytest.fixture
def studio(page: Studio) -> Iterator[Studio]:
    """A studio with an empty project, which must not complain in its console."""
    page.errors.clear()
    page.make("Small cell")
    yield page
    assert page.errors == []


def names(studio: Studio, section: str) -> list[str]:
    return [one["name"] for one in studio.page.evaluate(f"openpendant.project.cell.{section} ?? []")]


def has(studio: Studio, section: str, name: str) -> None:
    studio.wait(f"(openpendant.project.cell.{section} ?? []).some((one) => one.name === {name!r})", name)


def gone(studio: Studio, section: str, name: str) -> None:
    studio.wait(f"!(openpendant.project.cell.{section} ?? []).some((one) => one.name === {name!r})", f"no {name}")


def selects(studio: Studio, *wanted: str) -> None:
    studio.wait(f"openpendant.project.selection.join() === {','.join(wanted)!r}", f"{wanted} selected")


def add(studio: Studio, kind: str, which: str = "") -> None:
    studio.find(f"add-{kind}").click()
    if which:
        studio.find(which).click()


def enter(studio: Studio, field: str, text: str) -> None:
    studio.find(field).fill(text)
    studio.find(field).press("Enter")


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
    enter(studio, "size-z", "350+50")
    studio.wait("openpendant.project.cell.objects[0].shape.size[2] === 0.4", "the table's height")
    enter(studio, "pose-x", "600")
    studio.wait("Math.abs(openpendant.project.cell.objects[0].pose.xyz[0] - 0.6) < 1e-9", "the table's place")
    # A part that is put into a frame stays where it is in the world.
    studio.find("tree-frame").click()
    enter(studio, "pose-y", "200")
    studio.wait("Math.abs(openpendant.project.cell.frames[0].pose.xyz[1] - 0.2) < 1e-9", "the frame's place")
    before = studio.page.evaluate("openpendant.project.cell.objects[1].pose.xyz")
    frame = studio.page.evaluate("openpendant.project.cell.frames[0].pose.xyz")
    studio.find("tree-part").click()
    studio.find("inspect-frame").select_option("frame")
    studio.wait("openpendant.project.cell.objects[1].frame === 'frame'", "another frame")
    after = studio.page.evaluate("openpendant.project.cell.objects[1].pose.xyz")
    assert [a + f for a, f in zip(after, frame, strict=True)] == pytest.approx(before)
    assert studio.findings() == []


def test_renaming_deleting_undoing(studio: Studio) -> None:
    add(studio, "frame")
    has(studio, "frames", "frame")
    add(studio, "part", "part-box")
    has(studio, "objects", "part")
    studio.find("inspect-frame").select_option("frame")
    studio.wait("openpendant.project.cell.objects[0].frame === 'frame'", "another frame")
    # Whoever refers to it follows a new name.
    studio.find("tree-frame").dblclick()
    enter(studio, "rename-field", "bench")
    has(studio, "frames", "bench")
    assert studio.page.evaluate("openpendant.project.cell.objects[0].frame") == "bench"
    # It stays while something needs it, and says what.
    studio.find("tree-bench").press("Delete")
    assert "part" in studio.find("kept").inner_text()
    assert names(studio, "frames") == ["bench"]
    studio.find("remove-along").click()
    gone(studio, "frames", "bench")
    assert names(studio, "objects") == []
    studio.press("Control+z")
    has(studio, "frames", "bench")
    assert names(studio, "objects") == ["part"]
    studio.wait("openpendant.project.history.redo.length > 0", "something to redo")
    studio.press("Control+Shift+z")
    gone(studio, "frames", "bench")


def test_a_value_that_cannot_be_is_told_beside_its_field(studio: Studio) -> None:
    add(studio, "obstacle", "obstacle-box")
    has(studio, "objects", "box")
    enter(studio, "size-x", "90000")
    studio.find("fault-shape/size").wait_for()
    assert studio.page.evaluate("openpendant.project.cell.objects[0].shape.size[0]") == 0.4
    studio.find("tree-box").press("F2")
    enter(studio, "rename-field", "world")
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


def test_things_are_grouped_hidden_and_named_together(studio: Studio) -> None:
    build(studio)
    studio.find("tree-table").click()
    studio.find("tree-part").click(modifiers=["Control"])
    assert sorted(studio.project("selection")) == ["part", "table"]
    enter(studio, "inspect-margin", "20")
    studio.wait("openpendant.project.cell.objects.every(({ margin_m }) => margin_m === 0.02)", "both margins")
    # In a field, Ctrl+Z is the field's own.
    studio.press("Escape")
    studio.press("Control+z")
    studio.wait("openpendant.project.cell.objects.every(({ margin_m }) => !margin_m)", "no margins")
    studio.press("Control+g")
    enter(studio, "rename-field", "cart")
    studio.wait("openpendant.project.cell.objects.every(({ group }) => group === 'cart')", "a group")
    studio.find("tree-frame").click()
    studio.find("tree-folder:cart").click()
    selects(studio, "table", "part")
    studio.find("eye-folder:cart").click()
    studio.wait("openpendant.project.cell.objects.every(({ visible }) => visible === false)", "hidden things")
    studio.find("tree-frame").drag_to(studio.find("tree-folder:cart"))
    studio.wait("openpendant.project.cell.frames[0].group === 'cart'", "a frame in the group")
    assert studio.findings() == []
    studio.find("tree-folder:cart").focus()
    studio.press("ArrowLeft")
    studio.find("tree-table").wait_for(state="detached")
    studio.find("tree-search").fill("tab")
    studio.find("tree-table").click()
    studio.find("tree-search").fill("")
    studio.find("tree-folder:cart").focus()
    studio.press("ArrowRight")
    studio.find("tree-table").press("Control+Shift+g")
    studio.wait("!openpendant.project.cell.objects[0].group", "a table without a group")
    assert studio.page.evaluate("openpendant.project.cell.objects[1].group") == "cart"


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
    # glTF is in metres, whatever was chosen.
    plate = tmp_path / "plate.glb"
    plate.write_bytes(trimesh.creation.box((0.3, 0.2, 0.1)).export(file_type="glb"))
    studio.find("mesh-file").set_input_files(plate)
    studio.wait("openpendant.project.cell.objects.length === 2", "the second mesh")
    assert "300 mm × 100 mm × 200 mm" in studio.find("mesh-size").inner_text()


HOIST = """<robot name="hoist">
  <link name="foot"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <link name="mast"><visual><geometry><mesh filename="package://hoist/meshes/mast.stl"/></geometry></visual></link>
  <joint name="turn" type="revolute">
    <parent link="foot"/><child link="mast"/><axis xyz="0 0 1"/><origin xyz="0 0 0.3"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/>
  </joint>
</robot>
"""


HOOK = """
  <link name="hook"><visual><geometry><box size="0.3 0.06 0.06"/></geometry></visual></link>
  <joint name="lift" type="prismatic">
    <parent link="mast"/><child link="hook"/><axis xyz="0 0 1"/><origin xyz="0.2 0 0"/>
    <limit lower="-0.2" upper="0.2" velocity="0.1" effort="1"/>
  </joint>
</robot>
"""


def pack(file: Path, urdf: str) -> None:
    """Write a zip as the folder of a ROS package is packed."""
    mast = io.BytesIO()
    trimesh.creation.box((0.1, 0.1, 0.6)).export(mast, file_type="stl")
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("hoist/urdf/hoist.urdf", urdf)
        archive.writestr("hoist/meshes/mast.stl", mast.getvalue())


def test_a_robot_of_ones_own_comes_in_from_its_urdf(studio: Studio, tmp_path: Path) -> None:
    alone, hostile, packed = tmp_path / "hoist.urdf", tmp_path / "hostile.urdf", tmp_path / "hoist.zip"
    alone.write_text(HOIST)
    hostile.write_text(HOIST.replace("package://hoist/meshes/mast.stl", "file:///etc/mast.stl"))
    pack(packed, HOIST)
    studio.find("add-robot").click()
    studio.find("robot-from-file").click()
    # Refused with the reason: the browser tells of it in its console, too.
    for file, why in ((alone, "into one zip file"), (hostile, "points outside the imported files")):
        studio.find("mesh-file").set_input_files(file)
        studio.page.locator(f'[data-testid="robot-problem"]:has-text("{why}")').wait_for()
    assert "line 3" in studio.find("robot-problem").inner_text()
    studio.find("mesh-file").set_input_files(packed)
    has(studio, "robots", "hoist")
    studio.settle()
    assert len(studio.page.evaluate("openpendant.view.joints('hoist')")) == 1
    # The same again, with one axis more: the person chooses. What stands in the cell is the new one at once.
    pack(packed, HOIST.replace("</robot>", HOOK))
    studio.find("mesh-file").set_input_files(packed)
    studio.find("robot-replace").click()
    studio.wait("openpendant.view.joints('hoist').length === 2", "the new one")
    assert names(studio, "robots") == ["hoist"]
    studio.find("mesh-file").set_input_files(packed)
    studio.find("robot-keep").click()
    has(studio, "robots", "hoist_2")
    studio.find("add-robot").click()
    assert "imported" in studio.find("robot-hoist_2").inner_text()
    # It stays in the catalogue as long as it stands somewhere.
    for gone in (False, True):
        studio.find("remove-robot-hoist_2").click()
        studio.find("robot-remove").click()
        if gone:
            studio.find("robot-hoist_2").wait_for(state="detached")
            continue
        studio.page.locator('[data-testid="robot-going"]:has-text("is used in Small cell")').wait_for()
        studio.press("Control+z")
        studio.wait("openpendant.project.cell.robots.length === 1", "one robot")
    assert all("40" in error or "42" in error for error in studio.errors)
    studio.errors.clear()
    assert studio.findings() == []
    # It is taught like any other.
    studio.press("Alt+2")
    studio.find("teach-arm").select_option("hoist/arm")
    studio.wait("openpendant.view.taught?.robot === 'hoist'", "the other arm")
    studio.find("jog-joint-1-plus").click()
    studio.wait("openpendant.view.taught.q[0] > 0.05", "a turn")


def test_two_people_see_what_the_other_has_selected(studio: Studio, open_studio: OpenStudio) -> None:
    add(studio, "obstacle", "obstacle-table")
    has(studio, "objects", "table")
    other = open_studio(name="Ben")
    other.open(studio.project("id"))
    other.find("tree-table").click()
    studio.page.get_by_role("treeitem", name="table, Ben has this selected").wait_for()
