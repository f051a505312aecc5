"""Edits of programs are commands with inverses."""

import pytest
from every_action import EVERYTHING
from hypothesis import given, settings
from hypothesis import strategies as st
from small_cells import BENCH, PICK, program

from openpendant.documents import Applied, Refused
from openpendant.errors import InputError
from openpendant.programs import (
    DuplicateStep,
    EditStep,
    EnableStep,
    Group,
    InsertStep,
    MoveStep,
    Place,
    Program,
    ProgramBatch,
    ProgramCommand,
    ProgramDocument,
    RemoveStep,
    ReplaceStep,
    SetOutput,
    SetProgram,
    Wait,
    all_steps,
    edit_program,
    find_step,
)

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
