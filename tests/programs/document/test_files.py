"""Programs as files: what is written reads back, and faults tell their place."""

import json
import pickle
from pathlib import Path

import jsonschema
import msgspec
import pytest
from every_action import EVERYTHING
from small_cells import BENCH, program

from openpendant.errors import CellFileError
from openpendant.programs import (
    Action,
    GoTo,
    all_steps,
    decode_program,
    encode_program,
    read_program,
    write_program,
)
from openpendant.said import Said
from openpendant.scene import write_cell
from openpendant.scene.demo_cells import FOLDER


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


def test_the_schema_takes_our_files_and_refuses_others():
    schema = json.loads((Path(__file__).parents[3] / "docs" / "schema" / "program.schema.json").read_text())
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
