"""Faults of documents: an exact place, a code, and values that another language needs."""

import msgspec
import pytest

from openpendant.documents import find_syntax_fault, find_type_fault, find_value_fault
from openpendant.programs import Program
from openpendant.said import Said
from openpendant.scene import Cell


def fault_of(values: object, kind: type):
    """Return what is wrong with plain values, read as a file is."""
    data = msgspec.json.encode(values)
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(data, type=kind)
    return find_type_fault(data, kind, caught.value)


STEP = {"do": "wait", "id": "a", "seconds": 1.0}
GROUP = {"do": "group", "id": "g", "steps": [STEP, {**STEP, "seconds": "long"}]}
ROBOT = {"name": "r", "model": "ur3e"}
BOX = {"name": "a", "shape": {"type": "box", "size": [1, 1, 1]}}


@pytest.mark.parametrize(
    ("kind", "change", "pointer", "code"),
    [
        (Program, {"steps": [STEP, GROUP]}, "/steps/1/steps/1/seconds", "fault.found"),
        (Program, {"steps": [STEP, {"do": "wiat"}]}, "/steps/1/do", "fault.found"),
        (Program, {"steps": [{**STEP, "secs": 1}]}, "/steps/0/secs", "fault.no_such_field"),
        (Program, {"steps": [{"do": "wait"}]}, "/steps/0/seconds", "fault.missing"),
        (Program, {"variables": {"row": 1, "column": "two"}}, "/variables/column", "fault.found"),
        (Cell, {"objects": [BOX, {**BOX, "shape": {"type": "ball"}}]}, "/objects/1/shape/type", "fault.found"),
        (Cell, {"objects": [{**BOX, "shape": {"type": "box", "sizes": []}}]}, "/objects/0/shape/sizes",
         "fault.no_such_field"),
        (Cell, {"robots": [{**ROBOT, "joints": {"arm": [0, "x"]}}]}, "/robots/0/joints/arm/1", "fault.found"),
        (Cell, {"signals": [{"name": "s", "kind": "both"}]}, "/signals/0/kind", "fault.found"),
    ],
)  # fmt: skip
def test_a_value_of_another_type_has_an_exact_place_and_a_code(
    kind: type, change: dict[str, object], pointer: str, code: str
) -> None:
    head = {"name": "x", "robot": "r"} if kind is Program else {"name": "x"}
    fault = fault_of({"format": 2 if kind is Cell else 1, **head, **change}, kind)
    assert fault.pointer == pointer
    assert isinstance(fault.message, Said)
    assert fault.message.code == code


def test_what_is_known_is_told() -> None:
    fault = fault_of({"format": 1, "name": "x", "robot": "r", "steps": [{"do": "wiat"}]}, Program)
    assert "unknown action; known: call, comment" in fault.message
    fault = fault_of({"format": 2, "name": "x", "signals": [{"name": "s", "kind": "both"}]}, Cell)
    assert fault.message == "Invalid enum value 'both'; known: in, out; found \"both\""


def test_values_are_read_as_files_are() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert({"name": "x", "objects": [{"name": 7}]}, type=Cell)
    fault = find_value_fault({"name": "x", "objects": [{"name": 7}]}, Cell, caught.value)
    assert (fault.pointer, fault.message) == ("/objects/0/name", "Expected `str`, got `int`; found 7")


def test_broken_json_has_line_and_column() -> None:
    data = b'{\n  "format": 2,\n}'
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(data)
    fault = find_syntax_fault(data, caught.value)
    assert isinstance(fault.message, Said)
    assert (fault.message.values["line"], fault.message.values["column"]) == (3, 1)
    assert fault.in_file("cell.json").code == "file.fault"
