"""Several people edit one project: patches, undo for each, edits that belong together."""

import random

import pytest

from openpendant.documents import Refused
from openpendant.errors import InputError
from openpendant.messages import Pose
from openpendant.programs import EditStep, GoTo, InsertStep, Program, RemoveStep, open_project
from openpendant.projects import (
    AddProgram,
    EditCell,
    EditGroup,
    EditProgram,
    Patch,
    RemoveProgram,
    SharedProject,
    apply_patch,
)
from openpendant.said import Said
from openpendant.scene import Add, CellPoint, Move, Remove, Rename, copy_demo

HERE = Pose(xyz=(0.3, 0.1, 0.4), wxyz=(0.0, 0.0, 1.0, 0.0))


@pytest.fixture
def shared(tmp_path):
    copy_demo("pick_and_place", tmp_path / "p")
    return SharedProject(open_project(tmp_path / "p"))


def teach(name: str) -> EditGroup:
    """A point and a step that goes there, as one edit."""
    return EditGroup(
        title=f"teach {name}",
        edits=(
            EditCell(command=Add(section="points", item=CellPoint(name=name, pose=HERE, frame="irb120"))),
            EditProgram(program="pallet_row", command=InsertStep(action=GoTo(to=name))),
        ),
    )


def test_a_copy_follows_every_patch(shared):
    copy = (shared.cell, shared.programs)
    patches = []
    shared.listen(patches.append)
    shared.apply(teach("here"), "ann")
    shared.apply(EditCell(command=Rename(name="here", new_name="there")), "bob")
    shared.apply(EditCell(command=Move(name="there", pose=HERE)), "bob")
    shared.undo("bob")
    shared.undo("bob")
    shared.apply(AddProgram(program={"name": "new", "robot": "irb120"}), "ann")
    shared.apply(RemoveProgram(name="new"), "ann")
    assert [patch.seq for patch in patches] == list(range(1, 8))
    for patch in patches:
        copy = apply_patch(*copy, patch)
    assert copy == (shared.cell, shared.programs)


def test_what_belongs_together_is_one_undo(shared):
    before = (shared.cell, shared.programs)
    shared.apply(teach("here"), "ann")
    assert shared.history("ann") == (("teach here",), ())
    assert isinstance(shared.undo("ann"), Patch)
    assert (shared.cell, shared.programs) == before
    assert isinstance(shared.redo("ann"), Patch)
    assert any(point.name == "here" for point in shared.cell.points)
    assert shared.history("ann") == (("teach here",), ())


def test_all_or_none_and_redo_survives_a_refused_edit(shared):
    shared.apply(EditCell(command=Rename(name="start", new_name="begin")), "ann")
    shared.undo("ann")
    before = (shared.cell, shared.programs)
    bad = EditGroup(edits=(teach("here"), EditProgram(program="pallet_row", command=RemoveStep(id="nowhere"))))
    with pytest.raises(InputError, match="nowhere"):
        shared.apply(bad, "ann")
    assert (shared.cell, shared.programs) == before
    assert isinstance(shared.redo("ann"), Patch)
    assert any(point.name == "begin" for point in shared.cell.points)


def test_undo_is_each_persons_own_and_refused_where_another_has_changed_the_same(shared):
    shared.apply(EditCell(command=Move(name="cube 1", pose=HERE)), "ann")
    shared.apply(EditProgram(program="pallet_row", command=EditStep(id="s1", field="speed", value="v200")), "bob")
    assert isinstance(shared.undo("ann"), Patch)
    assert shared.programs["pallet_row"].steps[0].speed == "v200"
    shared.redo("ann")
    shared.apply(EditCell(command=Move(name="cube 1", pose=Pose(xyz=(0.0, 0.0, 1.0), wxyz=HERE.wxyz))), "bob")
    refused = shared.undo("ann")
    assert isinstance(refused, Refused)
    assert "bob" in refused.reason
    assert isinstance(shared.undo("bob"), Patch)
    assert isinstance(shared.undo("ann"), Patch)


def test_a_removed_program_comes_back_with_its_own_history(shared):
    before = shared.programs["pallet_row"]
    shared.apply(EditProgram(program="pallet_row", command=RemoveStep(id="s7")), "ann")
    shared.apply(RemoveProgram(name="pallet_row"), "ann")
    assert "pallet_row" not in shared.programs
    assert isinstance(shared.undo("ann"), Patch)
    assert isinstance(shared.undo("ann"), Patch)
    assert shared.programs["pallet_row"] == before


def test_a_refused_undo_names_the_person_and_the_thing(tmp_path):
    copy_demo("pick_and_place", tmp_path / "p")
    shared = SharedProject(open_project(tmp_path / "p"), who={"1": "Ann", "2": "Bob"}.__getitem__)
    speed = EditStep(id="s1", field="speed", value="v200")
    shared.apply(EditProgram(program="pallet_row", command=speed), "1")
    shared.apply(EditProgram(program="pallet_row", command=EditStep(id="s1", field="zone", value="z5")), "2")
    refused = shared.undo("1")
    assert isinstance(refused, Refused)
    reason = "cannot undo edit step s1 of pallet_row: step s1 of pallet_row has since been changed by Bob"
    assert refused.reason == f"{reason} (edit step s1 of pallet_row)"
    assert isinstance(refused.reason, Said)
    assert shared.seq == 2


def test_a_program_that_somebody_has_changed_or_removed_does_not_go_unseen(shared):
    shared.apply(AddProgram(program={"name": "new", "robot": "irb120"}), "ann")
    insert = EditProgram(program="new", command=InsertStep(action=GoTo(to="start")))
    shared.apply(insert, "bob")
    refused = shared.undo("ann")
    assert isinstance(refused, Refused)
    assert "program 'new' has since been changed by bob (insert step of new)" in refused.reason
    shared.apply(RemoveProgram(name="new"), "ann")
    refused = shared.undo("bob")
    assert isinstance(refused, Refused)
    assert "has since been removed or renamed by ann (remove program new)" in refused.reason
    assert isinstance(shared.undo("ann"), Patch)
    assert isinstance(shared.undo("bob"), Patch)
    assert shared.programs["new"].steps == ()


def test_what_was_taken_out_before_a_rename_comes_back_under_the_new_name(shared):
    step = next(one for one in shared.programs["pallet_row"].steps if getattr(one, "to", "") == "start")
    shared.apply(EditProgram(program="pallet_row", command=RemoveStep(id=step.id)), "ann")
    shared.apply(EditCell(command=Rename(name="start", new_name="begin")), "bob")
    assert isinstance(shared.undo("ann"), Patch)
    back = next(one for one in shared.programs["pallet_row"].steps if one.id == step.id)
    assert back.to == "begin"
    assert isinstance(shared.undo("bob"), Patch)
    assert shared.programs["pallet_row"].steps[0].to == "start"


def test_titles_of_patches_have_codes(shared):
    done = shared.apply(EditCell(command=Move(name="cube 1", pose=HERE)), "ann")
    assert (done.title, done.said.code) == ("move cube 1", "title.move")
    back = shared.undo("ann")
    assert (back.title, back.said.values["edit"].code) == ("undo move cube 1", "title.move")


def test_nothing_can_be_removed_that_a_program_needs(shared):
    with pytest.raises(InputError, match="pallet_row"):
        shared.apply(EditCell(command=Remove(name="start")), "ann")
    assert shared.seq == 0


@pytest.mark.parametrize("seed", range(6))
def test_any_number_of_edits_can_be_taken_back(shared, seed):
    rng = random.Random(seed)
    begin = (shared.cell, shared.programs)
    made = 0
    for number in range(25):
        match rng.randrange(5):
            case 0:
                edit = teach(f"p{number}")
            case 1:
                name = rng.choice([point.name for point in shared.cell.points])
                edit = EditCell(command=Rename(name=name, new_name=f"r{number}"))
            case 2:
                step = rng.choice(shared.programs["sort_cubes"].steps)
                edit = EditProgram(program="sort_cubes", command=RemoveStep(id=step.id))
            case 3:
                edit = AddProgram(program=Program(name=f"n{number}", robot="irb120"))
            case _:
                spare = [name for name in shared.programs if name.startswith("n")]
                edit = RemoveProgram(name=rng.choice(spare)) if spare else teach(f"q{number}")
        shared.apply(edit, "ann")
        made += 1
    end = (shared.cell, shared.programs)
    for _ in range(made):
        assert isinstance(shared.undo("ann"), Patch)
    assert (shared.cell, shared.programs) == begin
    for _ in range(made):
        assert isinstance(shared.redo("ann"), Patch)
    assert (shared.cell, shared.programs) == end


def test_an_edit_of_somebody_else_does_not_block_older_undos(shared):
    shared.apply(EditCell(command=Move(name="cube 2", pose=HERE)), "ann")
    shared.apply(EditCell(command=Move(name="cube 1", pose=HERE)), "ann")
    shared.apply(EditCell(command=Remove(name="cube 1", with_dependents=True)), "bob")
    undone = shared.undo("ann")
    assert isinstance(undone, Patch)
    assert undone.title == "undo move cube 2"
    reason = "cannot undo move cube 1: 'cube 1' has since been removed or renamed by bob (remove cube 1)"
    assert undone.skipped == (reason,)
    assert [one.code for one in undone.skipped_said] == ["edit.cannot_undo_that"]
    assert shared.history("ann") == ((), ("move cube 2",))


def test_a_robot_goes_together_with_its_programs_and_comes_back_with_them(shared):
    before = (shared.cell, shared.programs)
    robot = shared.cell.robots[0].name
    callers_first = sorted(shared.programs, key=lambda name: -len(shared.programs[name].steps))
    edits = [RemoveProgram(name=name) for name in callers_first if shared.programs[name].robot == robot]
    gone = EditCell(command=Remove(name=robot, with_dependents=True))
    shared.apply(EditGroup(edits=(*edits, gone), title="remove robot"), "ann")
    assert robot not in [one.name for one in shared.cell.robots]
    assert isinstance(shared.undo("ann"), Patch)
    assert (shared.cell, shared.programs) == before
