"""cell.json: what is written is read back, and what cannot be used is told with file, place and value."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from cells import cells, pose
from hypothesis import given, settings

from openpendant.errors import CellFileError, InputError
from openpendant.said import Said
from openpendant.scene import (
    Cell,
    CellDocument,
    CellObject,
    SetField,
    SphereShape,
    decode_cell,
    encode_cell,
    load_cell,
    read_cell,
    write_cell,
)
from openpendant.scene.document import migration

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads((ROOT / "docs" / "schema" / "cell.schema.json").read_text())


@given(cells())
@settings(max_examples=40)
def test_every_cell_survives_its_file(cell: Cell) -> None:
    text = encode_cell(cell)
    back = decode_cell(text)
    assert back == cell
    assert encode_cell(back) == text
    jsonschema.validate(json.loads(text), SCHEMA)


@given(cells())
@settings(max_examples=10)
def test_equal_cells_are_equal_texts_also_where_defaults_are_spelt_out(cell: Cell) -> None:
    spelt_out = json.loads(encode_cell(cell))
    for item in spelt_out.get("objects", ()):
        item.setdefault("opacity", 1.0)
        item.setdefault("frame", "world")
        item.setdefault("visible", True)
    assert encode_cell(decode_cell(json.dumps(spelt_out).encode())) == encode_cell(cell)


def test_a_file_is_laid_out_for_people(tmp_path: Path) -> None:
    ball = CellObject(name="ball", shape=SphereShape(radius=0.1), pose=pose(1, 2, 3), margin_m=0.02, color="#ff0000")
    write_cell(tmp_path, Cell(name="small", objects=(ball,)))
    assert (tmp_path / "cell.json").read_text() == (
        '{\n  "format": 2,\n  "name": "small",\n  "objects": [\n    {\n      "name": "ball",\n'
        '      "shape": {"type": "sphere", "radius": 0.1},\n'
        '      "pose": {"xyz": [1.0, 2.0, 3.0], "wxyz": [1.0, 0.0, 0.0, 0.0]},\n'
        '      "margin_m": 0.02,\n      "color": "#ff0000"\n    }\n  ]\n}\n'
    )


GOOD = {
    "format": 2,
    "name": "cell",
    "robots": [{"name": "arm", "model": "ur3e", "tools": {"arm": "cup"}, "joints": {"arm": [0, 0, 0, 0, 0, 0]}}],
    "tools": [{"name": "cup", "tcp": {"xyz": [0, 0, 0.1], "wxyz": [1, 0, 0, 0]}, "mass_kg": 0.3}],
    "frames": [{"name": "bench"}, {"name": "corner", "parent": "bench"}],
    "objects": [
        {"name": "table", "shape": {"type": "box", "size": [1, 1, 0.1]}, "frame": "bench"},
        {"name": "part", "shape": {"type": "mesh", "file": "part.stl"}},
    ],
    "points": [{"name": "here", "pose": {"xyz": [0, 0, 0], "wxyz": [1, 0, 0, 0]}, "robot": "arm"}],
    "signals": [
        {"name": "lamp", "kind": "out"},
        {"name": "valve", "kind": "out", "robot": "arm", "port": "tool_out_0"},
        {"name": "shut", "kind": "in", "robot": "arm", "port": "standard_in_3"},
    ],
    "spaces": [{"name": "fence", "kind": "allowed", "size": [2, 2, 1], "frame": "bench", "robots": ["arm"]}],
}
CLOSE = {"outputs": [{"signal": "valve"}], "inputs": [{"signal": "shut"}]}


def changed(pointer: str, value: object) -> bytes:
    cell = json.loads(json.dumps(GOOD))
    *steps, last = pointer.split("/")[1:]
    at = cell
    for step in steps:
        at = at[int(step)] if isinstance(at, list) else at[step]
    if isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return json.dumps(cell).encode()


@pytest.mark.parametrize(
    ("pointer", "value", "told"),
    [
        ("/nam", "x", "unknown field. Did you mean name?"),
        ("/objects/0/colour", "#000000", "unknown field. Did you mean color?"),
        ("/objects/0/shape/sizes", [1], "unknown field"),
        ("/objects/0/shape/size", [1, 2], 'of length 3; found [1,2]'),
        ("/objects/0/shape/size/1", "wide", 'Expected `float`, got `str`; found "wide"'),
        ("/objects/0/shape/size/2", 500, "it looks like millimetres: write 0.5"),
        ("/objects/0/shape/size/2", -0.1, "-0.1 m is out of range"),
        ("/objects/0/shape/size/2", 0, "0 m is out of range"),
        ("/objects/0/shape/type", "ball", "found \"ball\""),
        ("/objects/0/pose", {"xyz": [0, 0, 300], "wxyz": [1, 0, 0, 0]}, "it looks like millimetres: write 0.3"),
        ("/objects/0/pose", {"xyz": [0, 0, 0], "wxyz": [1, 0, 0, 0.1]}, "norm 1.0049876"),
        ("/objects/0/margin_m", 20, "looks like millimetres: write 0.02"),
        ("/objects/0/color", "red", "'#rrggbb'"),
        ("/objects/0/opacity", 2, "use 0"),
        ("/objects/0/frame", "bensh", "no frame named 'bensh' in this cell. Did you mean bench?"),
        ("/objects/1/name", "table", "is also the name of /objects/0"),
        ("/objects/1/name", "world", "the frame that contains everything"),
        ("/objects/1/name", " a", "invalid name"),
        ("/objects/1/shape/file", "../part.stl", "inside the cell's folder"),
        ("/objects/1/shape/file", "part.step", "supported:"),
        ("/objects/1/shape/scale", 0, "invalid scale"),
        ("/robots/0/model", "ur3", "no robot named 'ur3' in the catalogue. Did you mean ur3e?"),
        ("/robots/0/joints/arm", [0, 0, 0], "3 joints; arm 'arm' of ur3e has 6"),
        ("/robots/0/joints/arm/1", 90, "it looks like degrees: write 1.5708"),
        ("/robots/0/joints/left", [0], "no arm named 'left'"),
        ("/robots/0/tools/arm", "cap", "no tool named 'cap' in this cell. Did you mean cup?"),
        ("/tools/0/catalogue", "gripper", "does not fit arm"),
        ("/tools/0/mass_kg", 3000, "it looks like grams: write 3"),
        ("/tools/0/mass_kg", -1, "-1 kg"),
        ("/frames/0/parent", "corner", "contains itself: bench in corner in bench"),
        ("/points/0/robot", "Arm", "no robot named 'Arm' in this cell"),
        ("/points/0/q", [0, 0, 0, 9, 0, 0], "Wrist 1 is at 9 rad"),
        ("/signals/0/kind", "both", "Invalid enum value 'both'"),
        ("/signals/1/robot", "Arm", "no robot named 'Arm' in this cell"),
        ("/signals/1/robot", "", "port 'tool_out_0' has no robot"),
        ("/signals/1/port", "tool_out_2", "use standard_out_0 to 7, configurable_out_0 to 7, tool_out_0 or tool_out_1"),
        ("/signals/1/port", "standard_in_0", "'standard_in_0' is not a digital output of this robot"),
        ("/signals/0", {"name": "a", "kind": "out", "robot": "arm", "port": "tool_out_0"}, "already used by 'a'"),
        ("/tools/0/close", {"outputs": []}, "no outputs listed"),
        ("/tools/0/close", CLOSE | {"outputs": [{"signal": "vale"}]}, "no output named 'vale' in this cell"),
        ("/tools/0/close", CLOSE | {"inputs": [{"signal": "valve"}]}, "no input named 'valve'"),
        ("/tools/0/close", CLOSE | {"outputs": [{"signal": "valve"}] * 2}, "'valve' is listed twice"),
        ("/tools/0/close", CLOSE | {"time_s": 300}, "300 s is out of range; allowed: 0 to 60"),
        ("/tools/0/close", CLOSE | {"timeout_s": 0}, "allow time for the inputs"),
        ("/spaces/0/kind", "open", "Invalid enum value 'open'"),
        ("/spaces/0/size/0", 2000, "it looks like millimetres: write 2"),
        ("/spaces/0/frame", "bensh", "no frame named 'bensh'"),
        ("/spaces/0/robots/0", "other", "no robot named 'other'"),
        ("/spaces/0/robots", ["arm", "arm"], "'arm' is listed twice"),
        ("/format", 9, "newer than this version"),
        ("/format", 0, "unknown format 0; known: 2"),
        ("/name", "", "needs a name"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_file_place_and_value(pointer: str, value: object, told: str) -> None:
    assert decode_cell(json.dumps(GOOD).encode()).name == "cell"
    with pytest.raises(CellFileError) as caught:
        decode_cell(changed(pointer, value), "here/cell.json")
    assert told in str(caught.value)
    assert str(caught.value).startswith("here/cell.json: ")
    assert isinstance(caught.value.fault, Said), "another language needs its code"
    assert caught.value.code == "file.fault_at"
    elsewhere = {"/tools/0/catalogue": "/robots/0/tools/arm", "/signals/0": "/signals/1/port"}
    where = elsewhere.get(pointer, pointer)
    assert caught.value.pointer.startswith(where) or where.startswith(caught.value.pointer), caught.value.pointer


def test_a_missing_field_and_broken_json_are_told() -> None:
    with pytest.raises(CellFileError, match=r"cell.json: /name: is missing"):
        decode_cell(b'{"format": 2}')
    with pytest.raises(CellFileError, match=r"/format: is missing"):
        decode_cell(b'{"name": "x"}')
    with pytest.raises(CellFileError, match=r"is not valid JSON: .* at line 3, column 1"):
        decode_cell(b'{\n  "format": 2,\n}')
    with pytest.raises(CellFileError, match="is not valid JSON"):
        decode_cell(b'{"format": 2, "name": "\xff"}')
    with pytest.raises(CellFileError, match="cannot be read: No such file"):
        load_cell("/nowhere/at/all")


@given(cells(), cells())
@settings(max_examples=30)
def test_bytes_of_a_cut_file_raise_nothing_else(cell: Cell, other: Cell) -> None:
    text = encode_cell(cell)
    for cut in (1, len(text) // 3, len(text) // 2, len(text) - 3):
        for data in (text[:cut], text[:cut] + encode_cell(other)[cut:]):
            with contextlib.suppress(CellFileError):
                assert isinstance(decode_cell(data), Cell)


def test_numbers_that_are_none_never_reach_the_disk(tmp_path: Path) -> None:
    cell = Cell(name="x", objects=(CellObject(name="a", shape=SphereShape(radius=float("nan"))),))
    with pytest.raises(CellFileError, match="/objects/0/shape/radius: nan m is out of range"):
        write_cell(tmp_path, cell)
    with pytest.raises(InputError, match="/objects/0/shape/radius"):
        CellDocument(cell)
    assert list(tmp_path.iterdir()) == []


def test_an_older_format_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_zero(values: dict[str, object]) -> dict[str, object]:
        return {"name": values["called"]}

    monkeypatch.setitem(migration.MIGRATIONS, 0, from_zero)
    monkeypatch.setitem(migration.MIGRATIONS, 1, lambda values: values)
    assert decode_cell(b'{"format": 0, "called": "old"}') == Cell(name="old")


def test_what_is_on_disk_is_noticed_when_somebody_changes_it(tmp_path: Path) -> None:
    document = CellDocument(Cell(name="mine"))
    with pytest.raises(InputError, match="no folder yet"):
        document.save()
    document.save(tmp_path)
    assert document.is_saved
    document.apply(SetField(name="", field="title", value="new"))
    assert not document.is_saved
    write_cell(tmp_path, Cell(name="theirs"))
    assert document.changed_outside()
    with pytest.raises(CellFileError, match="changed by somebody else"):
        document.save()
    document.save(overwrite=True)
    assert read_cell(tmp_path).title == "new"
    assert document.is_saved
    assert not document.changed_outside()


WRITER = """
import sys
from pathlib import Path
from openpendant.messages import Pose
from openpendant.scene import BoxShape, Cell, CellObject, write_cell

def cell(n):
    return Cell(name=f"turn{n}", objects=tuple(
        CellObject(name=f"o{i}", shape=BoxShape(size=(0.1, 0.1, n + 1.0))) for i in range(300)))

cells = [cell(n) for n in range(2)]
write_cell(Path(sys.argv[1]), cells[0])
print("go", flush=True)
n = 0
while True:
    n = 1 - n
    write_cell(Path(sys.argv[1]), cells[n])
"""


def test_saving_survives_kill_9(tmp_path: Path) -> None:
    """Killed again and again in the midst of saving, the file is always whole: one of the two cells."""
    names: set[str] = set()
    for round_ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"go\n"
        for _ in range(40 + 17 * round_):
            cell = read_cell(tmp_path)
            names.add(cell.name)
            assert {item.shape for item in cell.objects} == {cell.objects[0].shape}
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert read_cell(tmp_path).name in {"turn0", "turn1"}
    assert names == {"turn0", "turn1"}
    for left in tmp_path.glob(".cell.json.*.tmp"):
        os.utime(left, (0, 0))
    write_cell(tmp_path, Cell(name="after"))
    assert [path.name for path in tmp_path.iterdir()] == ["cell.json"]


def test_the_schema_in_the_docs_is_fresh() -> None:
    answer = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "generate_schema.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")


def test_the_schema_refuses_what_the_reader_refuses() -> None:
    for pointer, value in (("/nam", "x"), ("/objects/0/shape/size", [1, 2]), ("/format", 1)):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(json.loads(changed(pointer, value)), SCHEMA)


def test_errors_cross_between_processes() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(CellFileError("a/cell.json", "/name", "is missing")))
    assert str(error) == "a/cell.json: /name: is missing"
