"""Edits are commands with inverses; every author undoes their own."""

import msgspec
import pytest
from cells import box, cells, pose
from hypothesis import given, settings
from hypothesis import strategies as st

from openpendant.documents import Applied, Refused
from openpendant.errors import InputError, UnknownNameError
from openpendant.scene import (
    Add,
    Batch,
    BoxShape,
    Cell,
    CellDocument,
    CellFrame,
    CellObject,
    CellPoint,
    CellRobot,
    CellTool,
    Command,
    Move,
    Remove,
    Rename,
    Reorder,
    Replace,
    SetField,
    Signal,
    edit,
    encode_cell,
    find_fault,
    find_item,
    who_refers,
)
from openpendant.scene.document.cell import SECTIONS


def small() -> Cell:
    return Cell(
        name="small",
        robots=(CellRobot(name="arm", model="ur3e", tools={"arm": "cup"}),),
        tools=(CellTool(name="cup", tcp=pose(0, 0, 0.1)),),
        frames=(CellFrame(name="bench"), CellFrame(name="corner", parent="bench")),
        objects=(box("table", (1, 1, 0.1), pose(), frame="bench"), box("part", (0.1, 0.1, 0.1), pose(0, 0, 1))),
        points=(CellPoint(name="here", pose=pose(), frame="corner", robot="arm"),),
        signals=(Signal(name="lamp", kind="out"),),
    )


@st.composite
def commands(draw: st.DrawFn, cell: Cell) -> Command:
    names = [item.name for section in SECTIONS for item in getattr(cell, section)]
    name = draw(st.sampled_from(names))
    at = pose(draw(st.floats(-5, 5)), 0.5, 0.25, draw(st.floats(-3, 3)))
    section, _, item = find_item(cell, name)
    return draw(
        st.sampled_from(
            [
                Add(section="objects", item=box("new thing", (0.1, 0.2, 0.3), at, frame=cell.frames[0].name), index=0),
                Add(section="frames", item={"name": "new frame", "parent": cell.frames[-1].name}),
                Remove(name=name, with_dependents=True),
                Rename(name=name, new_name="another name"),
                Replace(name=name, item=item),
                Reorder(name=name, index=len(getattr(cell, section)) - 1),
                SetField(name="", field="notes", value="noted"),
                SetField(name=cell.frames[0].name, field="pose/xyz/1", value=1.5),
                SetField(name=cell.robots[0].name, field="tools/arm", value=None),
                Move(name=cell.frames[0].name, pose=at),
                Batch(commands=(Rename(name=name, new_name="first"), Rename(name="first", new_name="second"))),
            ]
        )
    )


@given(cells(), st.data())
@settings(max_examples=60)
def test_every_inverse_takes_back_exactly(cell: Cell, data: st.DataObject) -> None:
    now, inverses = cell, list[Command]()
    for _ in range(data.draw(st.integers(1, 6))):
        if not (now.robots and now.frames):
            break
        try:
            done = edit(now, data.draw(commands(now)))
        except InputError:
            continue
        assert find_fault(done.cell) is None
        inverses.append(done.inverse)
        now = done.cell
    for inverse in reversed(inverses):
        now = edit(now, inverse).cell
    assert encode_cell(now) == encode_cell(cell)


@given(cells(), st.data())
@settings(max_examples=30)
def test_commands_travel(cell: Cell, data: st.DataObject) -> None:
    command = data.draw(commands(cell))
    arrived = msgspec.json.decode(msgspec.json.encode(command), type=Command)
    try:
        here = edit(cell, command)
    except InputError:
        return
    assert edit(cell, arrived).cell == here.cell


def test_renaming_keeps_references() -> None:
    cell = edit(small(), Rename(name="bench", new_name="desk")).cell
    assert cell.frames[1].parent == "desk"
    assert cell.objects[0].frame == "desk"
    cell = edit(cell, Rename(name="cup", new_name="sucker")).cell
    assert cell.robots[0].tools == {"arm": "sucker"}
    cell = edit(cell, Rename(name="arm", new_name="helper")).cell
    assert cell.points[0].robot == "helper"
    assert find_fault(cell) is None


def test_what_is_needed_is_not_removed() -> None:
    assert who_refers(small(), "bench") == ("corner", "table")
    with pytest.raises(InputError, match="'bench' cannot be removed: still needed by 'corner', 'table'"):
        edit(small(), Remove(name="bench"))
    done = edit(small(), Remove(name="bench", with_dependents=True))
    assert [frame.name for frame in done.cell.frames] == []
    assert [item.name for item in done.cell.objects] == ["part"]
    assert done.cell.points == ()
    assert edit(done.cell, done.inverse).cell == small()
    without = edit(small(), Remove(name="cup", with_dependents=True))
    assert without.cell.robots[0].tools == {"arm": None}
    assert edit(without.cell, without.inverse).cell == small()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (Add(section="objects", item=box("table", (1, 1, 1), pose())), "already the name of one of the objects"),
        (Add(section="objects", item=box("world", (1, 1, 1), pose())), "the frame that contains everything"),
        (Add(section="objects", item=CellFrame(name="f")), "a CellFrame does not belong in objects"),
        (Add(section="objects", item={"name": "x"}), "not a valid CellObject"),
        (Add(section="objects", item=box("x", (1, 1, 1), pose(), frame="nix")), "x/frame: no frame named 'nix'"),
        (Add(section="objects", item=box("x", (1, 1, 1), pose()), index=7), "index 7 of objects"),
        (Remove(name="nobody"), "no thing in this cell named 'nobody'"),
        (Rename(name="table", new_name="part"), "already the name"),
        (Rename(name="table", new_name=""), "invalid name"),
        (Replace(name="table", item=box("desk", (1, 1, 1), pose())), "rename it instead"),
        (Move(name="lamp", pose=pose()), "no pose"),
        (Move(name="table", pose=pose(x=900.0)), "table/pose/xyz/0: 900 m is out of range"),
        (Move(name="table", pose=pose(x=float("nan"))), "table/pose/xyz/0"),
        (Reorder(name="table", index=5), "index 5 of objects"),
        (SetField(name="table", field="colour", value="#000000"), "Did you mean color?"),
        (SetField(name="table", field="name", value="x"), "rename it"),
        (SetField(name="table", field="shape/size/7", value=1.0), "no index '7' in a list of 3"),
        (SetField(name="table", field="shape/size/0", value=-1.0), "table/shape/size/0: -1 m"),
        (SetField(name="table", field="color/deep", value=1), "has no fields"),
        (SetField(name="", field="robots", value=[]), "field 'robots' of a cell cannot be set"),
        (SetField(name="", field="name", value=" "), "not empty"),
        (SetField(name="bench", field="parent", value="corner"), "contains itself"),
        (SetField(name="cup", field="catalogue", value="torch"), "arm/tools/arm: the body 'torch' of tool 'cup'"),
        (Batch(commands=(Rename(name="table", new_name="desk"), Remove(name="table"))), "Did you mean|no thing"),
    ],
)
def test_a_bad_command_changes_nothing(command: Command, told: str) -> None:
    document = CellDocument(small())
    with pytest.raises(InputError, match=told) as caught:
        document.apply(command, "ann")
    assert caught.value.code, "another language needs its code"
    assert document.cell == small()
    assert document.version == 0
    assert not document.can_undo("ann")


def test_set_field_reaches_inside() -> None:
    cell = edit(small(), SetField(name="table", field="shape/size/2", value=0.25)).cell
    assert cell.objects[0].shape == BoxShape(size=(1.0, 1.0, 0.25))
    cell = edit(cell, SetField(name="arm", field="joints/arm", value=[0, 0, 0, 0, 0, 1])).cell
    assert cell.robots[0].joints == {"arm": (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)}
    with pytest.raises(UnknownNameError):
        edit(cell, SetField(name="ghost", field="pose", value=None))


def test_undo_is_per_author() -> None:
    document = CellDocument(small())
    document.apply(Move(name="table", pose=pose(1.0)), "ann")
    document.apply(Move(name="part", pose=pose(2.0)), "bob")
    assert document.undo("ann") == Applied(Move(name="table", pose=pose()))
    assert document.cell.objects[0].pose == pose()
    assert document.cell.objects[1].pose == pose(2.0)
    assert document.redo("ann") == Applied(Move(name="table", pose=pose(1.0)))
    assert document.undo("ann")
    assert document.undo("bob") == Applied(Move(name="part", pose=pose(0, 0, 1)))
    assert document.cell == small()
    assert document.version == 6
    assert document.undo("ann") == Refused("there is nothing to undo")
    assert document.redo("carl") == Refused("there is nothing to redo")


def test_undo_of_what_somebody_has_changed_since_is_refused_with_the_reason() -> None:
    document = CellDocument(small())
    document.apply(Move(name="table", pose=pose(1.0)), "ann")
    document.apply(SetField(name="table", field="color", value="#112233"), "bob")
    refused = document.undo("ann")
    assert refused == Refused("cannot undo move table: 'table' has since been changed by bob (set color of table)")
    assert document.can_undo("ann")
    assert document.undo("bob") == Applied(SetField(name="table", field="color", value="#b9bec6"))
    assert isinstance(document.undo("ann"), Applied)
    assert document.cell == small()


def test_undo_of_an_addition_that_somebody_needs_is_refused() -> None:
    document = CellDocument(small())
    document.apply(Add(section="frames", item=CellFrame(name="shelf")), "ann")
    document.apply(SetField(name="part", field="frame", value="shelf"), "bob")
    assert document.undo("ann") == Refused("cannot undo add shelf: 'shelf' cannot be removed: still needed by 'part'")
    document.apply(Rename(name="shelf", new_name="board"), "bob")
    refused = document.undo("ann")
    assert isinstance(refused, Refused)
    assert "has since been removed or renamed by bob (rename shelf to board)" in refused.reason


def test_an_edit_ends_what_could_be_redone() -> None:
    document = CellDocument(small())
    document.apply(SetField(name="", field="title", value="one"), "ann")
    document.undo("ann")
    document.apply(SetField(name="", field="title", value="two"), "ann")
    assert not document.can_redo("ann")
    assert document.cell.title == "two"


def test_ten_thousand_things() -> None:
    things = tuple(CellObject(name=f"o{i}", shape=BoxShape(size=(0.1, 0.1, 0.1))) for i in range(10_000))
    document = CellDocument(Cell(name="many", objects=things))
    document.apply(Move(name="o9999", pose=pose(1.0)))
    assert isinstance(document.undo(), Applied)
    assert len(encode_cell(document.cell).splitlines()) == 10_000 + 6
