"""Programs as documents: files, edits with inverses, references that follow."""

import json
import pickle
from pathlib import Path

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_cells import BENCH, PICK, at, program

from openpendant.documents import Applied, Refused
from openpendant.errors import CellFileError, InputError, UnknownNameError
from openpendant.programs import (
    Action,
    Call,
    CellProject,
    Comment,
    DuplicateStep,
    EditStep,
    EnableStep,
    GoTo,
    Group,
    If,
    InlinePoint,
    InsertStep,
    MoveAxis,
    MoveStep,
    Offset,
    PickPart,
    Place,
    PlacePart,
    Program,
    ProgramBatch,
    ProgramCommand,
    ProgramDocument,
    RemoveStep,
    Repeat,
    ReplaceStep,
    SetOutput,
    SetProgram,
    SetVariable,
    SpeedOverride,
    Tool,
    Wait,
    WaitInput,
    While,
    all_steps,
    decode_program,
    edit_program,
    encode_program,
    find_program_fault,
    find_step,
    open_project,
    print_program,
    read_program,
    references_of,
    sentence,
    write_program,
)
from openpendant.said import Said
from openpendant.scene import CellDocument, Remove, Rename, write_cell
from openpendant.scene.demo_cells import FOLDER

EVERYTHING = program(
    Wait(seconds=1.5),
    GoTo(to="above", zone="z10"),
    GoTo(to=InlinePoint(pose=at(0.3, 0.0, 0.2, (0.0, 0.0, 1.0, 0.0)), frame="tray"), how="line", speed="30%"),
    GoTo(to="beside", via="above", how="arc", speed="120 mm/s 90 °/s", zone="12 mm"),
    MoveAxis(q=(0.0, 0.1, 0.2, 0.0, 0.5, 0.0), speed="50%", zone="z50"),
    Tool(state="open"),
    SetOutput(signal="lamp"),
    WaitInput(signal="part here", value=False, timeout_s=5.0),
    SpeedOverride(percent=60.0),
    SetVariable(name="row", value="row + 1"),
    Comment(text="Now the pallet."),
    Group(title="Row", steps=(GoTo(id="inner", to="above", offset=Offset(by=("row * 0.05", 0.0, 0.01), axes="tool")),)),
    Repeat(times=3, steps=(Wait(id="pause", seconds=0.1),)),
    While(condition="row < 3 and not ready", steps=(SetVariable(id="count", name="row", value=9.0),)),
    If(condition="'part here'", steps=(Tool(id="yes", state="close"),), otherwise=(Tool(id="no", state="open"),)),
    Call(program="other", enabled=False),
    PickPart(part="cube", opening_m=0.03),
    PlacePart(
        part="", at="above", offset=Offset(by=("row * 0.05", 0.0, 0.0)), along="+z", retreat_m=0.05, slowly="20%"
    ),
    variables={"row": 0.0},
    name="everything",
)


def test_every_action_is_one_sentence():
    lines = [sentence(step) for _, step in all_steps(EVERYTHING)]
    assert all(line.endswith(".") and "\n" not in line for line in lines)
    assert lines[1] == "Go to above by joints at 200 mm/s and round the corner by up to 10 mm."
    assert lines[3] == (
        "Go to beside on an arc through above at 120 mm/s and 90 °/s and round the corner by up to 12 mm."
    )
    assert lines[7] == "Wait until part here is off, at most 5 s."
    assert "moved (row * 0.05) m along x and 10 mm along z of the tool" in lines[12]
    assert lines[-2] == "Pick cube: approach by 100 mm, retreat by 100 mm."
    assert lines[-1] == (
        "Place what it holds at above, moved (row * 0.05) m along x: approach by 100 mm, retreat by 50 mm."
    )
    printed = print_program(EVERYTHING)
    assert "16  (Run the program other.)" in printed
    assert "  12.1  Go to above" in printed
    assert print_program(program()) == "The program is empty."


def test_a_file_reads_back_alike_and_always_looks_the_same(tmp_path: Path):
    write_cell(tmp_path, BENCH)
    text = write_program(tmp_path, EVERYTHING, BENCH)
    (tmp_path / "programs" / "other.json").write_bytes(encode_program(program(name="other")))
    back = read_program(tmp_path, "everything", BENCH)
    assert back == decode_program(text)
    assert encode_program(back) == text
    assert pickle.loads(pickle.dumps(back)) == back
    # One line for each short step, so that git shows what changed.
    assert b'    {"do": "wait", "id": "t1", "seconds": 1.5},\n' in text


@pytest.mark.parametrize(
    ("change", "pointer", "says"),
    [
        ({"steps": [{"do": "wait", "id": "a", "seconds": "x"}]}, "/steps/0/seconds", 'found "x"'),
        ({"steps": [{"do": "wiat", "id": "a"}]}, "/steps/0/do", "unknown action"),
        ({"steps": [{"do": "wait", "id": "a", "secs": 1}]}, "/steps/0/secs", "Did you mean seconds"),
        ({"steps": [{"do": "wait", "id": "a"}]}, "/steps/0/seconds", "is missing"),
        ({"stepz": []}, "/stepz", "Did you mean steps"),
        ({"format": 7}, "/format", "newer"),
        ({"name": "else"}, "/name", "does not match the file"),
        ({"robot": "ab"}, "/robot", "Did you mean abb"),
        ({"arm": "left"}, "/arm", "no arm named"),
        ({"steps": [{"do": "go to", "id": "a", "to": "abve"}]}, "/steps/0/to", "Did you mean above"),
        ({"steps": [{"do": "go to", "id": "a", "to": "above", "speed": "fast"}]}, "/steps/0/speed", "invalid speed"),
        ({"steps": [{"do": "go to", "id": "a", "to": "above", "zone": "700 mm"}]}, "/steps/0/zone", "500 mm"),
        ({"steps": [{"do": "go to", "id": "a", "to": "above", "how": "arc"}]}, "/steps/0/via", "needs a via point"),
        ({"steps": [{"do": "move axis", "id": "a", "q": [0, 90, 0, 0, 0, 0]}]}, "/steps/0/q/1", "looks like degrees"),
        ({"steps": [{"do": "move axis", "id": "a", "q": [0, 0]}]}, "/steps/0/q", "has 6"),
        ({"steps": [{"do": "set output", "id": "a", "signal": "ready"}]}, "/steps/0/signal", "no output named"),
        ({"steps": [{"do": "if", "id": "a", "condition": "lamp <"}]}, "/steps/0/condition", "invalid expression"),
        ({"steps": [{"do": "call", "id": "a", "program": "gone"}]}, "/steps/0/program", "no program named"),
        ({"steps": [{"do": "wait", "id": "a", "seconds": 1}] * 2}, "/steps/1/id", "ids must be unique"),
        ({"variables": {"ready": 1}}, "/variables/ready", "name of a signal"),
        ({"variables": {"two words": 1}}, "/variables/two words", "invalid variable name"),
    ],
)
def test_a_bad_file_says_where_and_what(tmp_path: Path, change: dict[str, object], pointer: str, says: str):
    values = {"format": 1, "name": "bad", "robot": "abb", "steps": []} | change
    (tmp_path / "programs").mkdir()
    path = tmp_path / "programs" / "bad.json"
    path.write_bytes(msgspec.json.encode(values))
    with pytest.raises(CellFileError) as caught:
        read_program(tmp_path, "bad", BENCH)
    assert caught.value.path == path
    assert caught.value.pointer == pointer
    assert says in str(caught.value)
    assert isinstance(caught.value.fault, Said), "another language needs its code"


def test_nothing_is_written_where_a_program_has_a_fault(tmp_path: Path):
    with pytest.raises(CellFileError, match="no point named 'nowhere'"):
        write_program(tmp_path, program(GoTo(to="nowhere")), BENCH)
    assert not list(tmp_path.iterdir())


IDS = [step.id for _, step in all_steps(EVERYTHING)]
PLACES = st.builds(
    Place,
    parent=st.sampled_from(["", "t12", "t13", "t14", "t15"]),
    slot=st.just("steps"),
    index=st.integers(0, 2) | st.none(),
)
COMMANDS = st.one_of(
    st.builds(
        InsertStep, action=st.sampled_from([Wait(seconds=2.0), Group(title="g", steps=(Wait(seconds=1.0),))]), at=PLACES
    ),
    st.builds(RemoveStep, id=st.sampled_from(IDS)),
    st.builds(MoveStep, id=st.sampled_from(IDS), to=PLACES),
    st.builds(DuplicateStep, id=st.sampled_from(IDS)),
    st.builds(EnableStep, id=st.sampled_from(IDS), enabled=st.booleans()),
    st.builds(EditStep, id=st.just("t1"), field=st.just("seconds"), value=st.floats(0, 100)),
    st.builds(ReplaceStep, id=st.sampled_from(IDS), action=st.just(Wait(seconds=3.0))),
    st.builds(SetProgram, field=st.just("title"), value=st.text(max_size=5)),
)


@settings(max_examples=150)
@given(st.lists(COMMANDS, max_size=8))
def test_every_edit_can_be_taken_back(commands: list[ProgramCommand]):
    before = EVERYTHING
    made: list[tuple[Program, ProgramCommand]] = []
    for command in commands:
        try:
            done = edit_program(before, command)
        except InputError:
            continue
        made.append((before, done.inverse))
        before = done.program
        ids = [step.id for _, step in all_steps(before)]
        assert len(ids) == len(set(ids))
    for expected, inverse in reversed(made):
        before = edit_program(before, inverse).program
        assert before == expected


def document(start: Program = PICK) -> ProgramDocument:
    return ProgramDocument(start, lambda: BENCH)


def test_undo_is_for_each_author_and_refused_where_others_have_changed_the_step():
    edited = document()
    edited.apply(EditStep(id="t2", field="speed", value="v300"), "ann")
    edited.apply(EditStep(id="t3", field="speed", value="v50"), "bob")
    assert isinstance(edited.undo("ann"), Applied)
    assert find_step(edited.program, "t2")[1].speed == "v500"
    assert isinstance(edited.redo("ann"), Applied)
    edited.apply(EditStep(id="t2", field="zone", value="z5"), "bob")
    refused = edited.undo("ann")
    assert isinstance(refused, Refused)
    assert "bob" in refused.reason


def test_an_edit_that_would_leave_a_fault_changes_nothing():
    edited = document()
    for command in (
        EditStep(id="t2", field="to", value="nowhere"),
        EditStep(id="t2", field="speeed", value="v5"),
        InsertStep(action=SetOutput(signal="horn")),
        MoveStep(id="t2", to=Place("t2")),
        RemoveStep(id="t99"),
        ProgramBatch(commands=(RemoveStep(id="t1"), RemoveStep(id="t1"))),
    ):
        with pytest.raises(InputError):
            edited.apply(command)
    assert edited.program == PICK
    assert edited.version == 0


def test_new_tool_steps_alternate():
    edited = ProgramDocument(program(), lambda: BENCH)
    states = []
    for _ in range(4):
        added = edited.apply(InsertStep(action={"do": "tool"})).id
        states.append(find_step(edited.program, added)[1].state)
    assert states == ["open", "close", "open", "close"]
    first = edited.apply(InsertStep(action={"do": "tool"}, at=Place(index=1))).id
    assert find_step(edited.program, first)[1].state == "close"


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
    with pytest.raises(InputError, match="'over' cannot be removed: program everything/steps/1/to"):
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


def test_the_schema_takes_our_files_and_refuses_others():
    schema = json.loads((Path(__file__).parents[2] / "docs" / "schema" / "program.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(json.loads(encode_program(EVERYTHING)))
    for path in sorted(FOLDER.glob("*/programs/*.json")):
        validator.validate(json.loads(path.read_text()))
    wrong = json.loads(encode_program(EVERYTHING))
    wrong["steps"][0]["secs"] = 1
    assert not validator.is_valid(wrong)


def actions_of(kind: type[Action]) -> list[Action]:
    return [step for _, step in all_steps(EVERYTHING) if isinstance(step, kind)]


def test_every_kind_of_action_is_here():
    from typing import get_args

    assert all(actions_of(kind) for kind in get_args(Action))
