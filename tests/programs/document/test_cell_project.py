"""Cell and programs as one project: renames, calls, and files that others change."""

from pathlib import Path

import pytest
from every_action import EVERYTHING
from small_cells import BENCH, PICK, program

from openpendant.documents import Applied
from openpendant.errors import CellFileError, InputError, UnknownNameError
from openpendant.programs import (
    Call,
    CellProject,
    InsertStep,
    RemoveStep,
    decode_program,
    encode_program,
    find_program_fault,
    find_step,
    open_project,
    references_of,
    write_program,
)
from openpendant.scene import CellDocument, Remove, Rename, write_cell


def test_a_renamed_thing_keeps_its_place_in_the_programs(tmp_path: Path):
    other = program(name="other")
    project = CellProject(CellDocument(BENCH), {"everything": EVERYTHING, "other": other})
    project.apply(Rename(name="above", new_name="over"), "ann")
    project.apply(Rename(name="part here", new_name="part_here"), "ann")
    now = project.program("everything").program
    assert find_step(now, "t2")[1].to == "over"
    assert find_step(now, "t15")[1].condition == "part_here"
    assert "over" in references_of(now)
    assert find_program_fault(now, project.cell, ["everything", "other"]) is None
    with pytest.raises(InputError, match=r"'over' cannot be removed: still needed by step .* of everything"):
        project.apply(Remove(name="over"))
    project.save(tmp_path)
    again = open_project(tmp_path)
    assert again.all_programs() == {"everything": decode_program(encode_program(now)), "other": other}
    assert isinstance(project.undo("ann"), Applied)
    assert isinstance(project.undo("ann"), Applied)
    assert project.program("everything").program == EVERYTHING


def test_edits_from_before_a_rename_can_still_be_undone():
    project = CellProject(CellDocument(BENCH), {"pick": PICK})
    edited = project.program("pick")
    edited.apply(RemoveStep(id="t2"), "ann")
    project.apply(Rename(name="above", new_name="over"))
    assert isinstance(edited.undo("ann"), Applied)
    assert find_step(edited.program, "t2")[1].to == "over"


def test_programs_that_call_each_other_are_a_fault():
    ring = {"a": program(Call(program="b"), name="a"), "b": program(Call(program="a"), name="b")}
    with pytest.raises(InputError, match="in a cycle: a calls b calls a"):
        CellProject(CellDocument(BENCH), ring)
    project = CellProject(CellDocument(BENCH), {"b": program(name="b"), "a": program(Call(program="b"), name="a")})
    with pytest.raises(InputError, match="still called by 'a'"):
        project.remove_program("b")
    with pytest.raises(UnknownNameError):
        project.program("c")
    with pytest.raises(InputError, match="already a program"):
        project.add_program(program(name="a"))


def test_a_program_may_call_one_that_comes_later_by_name(tmp_path: Path):
    calls = {"a": "c", "b": "d", "c": "b"}
    programs = {name: program(Call(program=calls[name]), name=name) for name in calls} | {"d": program(name="d")}
    write_cell(tmp_path, BENCH)
    for one in programs.values():
        write_program(tmp_path, one, BENCH, programs)
    project = open_project(tmp_path)
    assert project.all_programs() == programs
    project.program("b").apply(RemoveStep(id="t1"))
    project.remove_program("d")
    with pytest.raises(InputError, match="no program named 'd'"):
        project.program("a").apply(InsertStep(action=Call(program="d")))


def test_a_file_changed_by_somebody_else_is_not_overwritten(tmp_path: Path):
    write_cell(tmp_path, BENCH)
    write_program(tmp_path, PICK, BENCH)
    project = open_project(tmp_path)
    project.program("pick").apply(RemoveStep(id="t10"))
    (tmp_path / "programs" / "pick.json").write_bytes(encode_program(PICK) + b" ")
    with pytest.raises(CellFileError, match="changed by somebody else"):
        project.save()
    project.save(overwrite=True)
    assert len(open_project(tmp_path).program("pick").program.steps) == 9
