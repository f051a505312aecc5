"""Wiring is data: a port belongs to its signal, wherever that stands in the list."""

import json

import numpy as np
import pytest
from cells import pose

from openpendant.errors import InputError
from openpendant.robots import port_rules
from openpendant.scene import (
    Add,
    Cell,
    CellDocument,
    CellRobot,
    CellSpace,
    CellTool,
    Remove,
    Rename,
    Reorder,
    Replace,
    Scene,
    SetField,
    Signal,
    SignalValue,
    ToolAction,
    decode_cell,
    edit,
    encode_cell,
    find_fault,
    spaces_of_arm,
)
from openpendant.scene.placement.spaces import find_space_fault

GRIP = ToolAction(outputs=(SignalValue(signal="grip"),), inputs=(SignalValue(signal="shut"),), time_s=0.4)


def wired() -> Cell:
    return Cell(
        name="wired",
        robots=(CellRobot(name="left", model="ur3e"), CellRobot(name="right", model="ur3e", pose=pose(1.0))),
        tools=(
            CellTool(
                name="hand",
                tcp=pose(0.0, 0.0, 0.1),
                close=GRIP,
                open=ToolAction(outputs=(SignalValue(signal="grip", value=False),)),
            ),
        ),
        signals=(
            Signal(name="grip", kind="out", robot="left", port="tool_out_0"),
            Signal(name="lamp", kind="out", robot="left", port="standard_out_0"),
            Signal(name="other lamp", kind="out", robot="right", port="standard_out_0"),
            Signal(name="shut", kind="in", robot="left", port="tool_in_0"),
            Signal(name="idea", kind="out"),
        ),
        spaces=(
            CellSpace(name="table top", kind="allowed", size=(2.0, 2.0, 1.0), frame="left", robots=("left", "right")),
            CellSpace(name="door", kind="forbidden", size=(0.2, 0.2, 2.0), robots=("right",)),
        ),
    )


def test_two_robots_have_ports_of_their_own_and_one_port_has_one_signal() -> None:
    cell = wired()
    assert find_fault(cell) is None
    assert decode_cell(encode_cell(cell)) == cell
    clash = Signal(name="late", kind="out", robot="left", port="standard_out_0")
    with pytest.raises(InputError, match="late/port: port standard_out_0 of left is already used by 'lamp'"):
        edit(cell, Add(section="signals", item=clash))
    half = edit(cell, SetField(name="idea", field="robot", value="right")).cell
    with pytest.raises(InputError, match="already used by 'other lamp'"):
        edit(half, SetField(name="idea", field="port", value="standard_out_0"))


def test_references_follow_and_hold() -> None:
    cell = wired()
    renamed = edit(edit(cell, Rename(name="grip", new_name="jaw")).cell, Rename(name="left", new_name="first")).cell
    assert renamed.tools[0].close is not None
    assert renamed.tools[0].close.outputs == (SignalValue(signal="jaw"),)
    assert {signal.robot for signal in renamed.signals} == {"first", "right", ""}
    assert renamed.spaces[0].frame == "first"
    assert renamed.spaces[0].robots == ("first", "right")
    with pytest.raises(InputError, match="'grip' cannot be removed: still needed by 'hand'"):
        edit(cell, Remove(name="grip"))
    with pytest.raises(InputError, match="hand/open/outputs/0/signal: no output named 'grip'"):
        edit(cell, Replace(name="grip", item=Signal(name="grip", kind="in", robot="left", port="tool_in_1")))
    done = edit(cell, Remove(name="right", with_dependents=True))
    assert [space.robots for space in done.cell.spaces] == [("left",)]
    assert next(one for one in done.cell.signals if one.name == "other lamp").port == ""
    assert edit(done.cell, done.inverse).cell == cell
    done = edit(cell, Remove(name="grip", with_dependents=True))
    assert (done.cell.tools[0].open, done.cell.tools[0].close) == (None, None)
    assert edit(done.cell, done.inverse).cell == cell


def test_another_model_of_a_robot_needs_ports_of_its_own() -> None:
    with pytest.raises(InputError, match="1 to 512"):
        edit(wired(), SetField(name="left", field="model", value="rx90l"))


def test_a_reordered_signal_keeps_its_port() -> None:
    document = CellDocument(wired())
    before = {signal.name: (signal.robot, signal.port) for signal in document.cell.signals}
    document.apply(Reorder(name="grip", index=2))
    document.apply(Reorder(name="idea", index=0))
    assert {signal.name: (signal.robot, signal.port) for signal in document.cell.signals} == before
    document.undo()
    document.undo()
    assert document.cell == wired()


@pytest.mark.parametrize(
    ("convention", "kind", "port", "valid"),
    [
        ("ur", "out", "standard_out_7", True),
        ("ur", "out", "configurable_out_7", True),
        ("ur", "in", "tool_in_1", True),
        ("ur", "out", "standard_out_8", False),
        ("ur", "out", "tool_out_2", False),
        ("ur", "in", "standard_out_0", False),
        ("ur", "out", "doGrip", False),
        ("abb", "out", "doGrip", True),
        ("abb", "out", "2grip", False),
        ("abb", "out", "do grip", False),
        ("abb", "out", "EndProc", False),
        ("abb", "out", "a" * 33, False),
        ("vplus", "in", "1004", True),
        ("vplus", "out", "8", True),
        ("vplus", "out", "2001", True),
        ("vplus", "out", "1004", False),
        ("vplus", "in", "4", False),
        ("vplus", "in", "1004a", False),
        ("plain", "out", "channel 3/b", True),
        ("plain", "out", " ", False),
        ("somebody new", "in", "X12", True),
    ],
)
def test_ports_are_in_the_words_of_the_maker(convention: str, kind: str, port: str, valid: bool) -> None:
    rules = port_rules(convention)
    assert kind in ("in", "out")
    assert rules.valid(kind, port) == valid
    assert (rules.fault(kind, port) == "") == valid


def old(model: str, count: int) -> bytes:
    """Return a cell of format 1 with so many outputs and one input."""
    signals = [{"name": f"out {number}", "kind": "out"} for number in range(count)]
    signals.insert(1, {"name": "ready", "kind": "in"})
    robots = [{"name": "arm", "model": model}, {"name": "second", "model": model}]
    return json.dumps({"format": 1, "name": "old", "robots": robots, "signals": signals}).encode()


@pytest.mark.parametrize(
    ("model", "ports"),
    [
        ("ur3e", {"out 0": "standard_out_0", "out 7": "standard_out_7", "out 8": "configurable_out_0",
                  "out 15": "configurable_out_7", "out 17": "tool_out_1", "ready": "standard_in_0", "out 18": ""}),
        ("irb120", {"out 0": "out_0", "out 18": "out_18", "ready": "ready"}),
        ("rx90l", {"out 0": "1", "out 8": "9", "ready": "1001"}),
    ],
)  # fmt: skip
def test_an_old_file_keeps_its_wiring_written_out(model: str, ports: dict[str, str]) -> None:
    cell = decode_cell(old(model, 19))
    assert cell.format == 2
    found = {signal.name: signal for signal in cell.signals}
    for name, port in ports.items():
        assert (found[name].robot, found[name].port) == (("arm", port) if port else ("", ""))
    assert decode_cell(encode_cell(cell)) == cell


def test_old_names_that_are_alike_get_ports_that_differ() -> None:
    names = ["grip left", "Grip-Left", "endproc", "1st"]
    signals = [{"name": name, "kind": "out"} for name in names]
    cell = {"format": 1, "name": "old", "robots": [{"name": "a", "model": "irb120"}], "signals": signals}
    found = decode_cell(json.dumps(cell).encode())
    assert [signal.port for signal in found.signals] == ["grip_left", "Grip_Left_2", "endproc_2", "p1st"]


def test_spaces_are_told_in_the_base_of_an_arm() -> None:
    scene = Scene(wired())
    assert [box.name for box in spaces_of_arm(scene, "left")] == ["table top"]
    boxes = spaces_of_arm(scene, "right")
    assert [box.name for box in boxes] == ["table top", "door"]
    placed = scene.arm("right")
    for world, top, door in [
        ((0.0, 0.0, 0.1), True, True),
        ((0.99, 0.0, 0.4), True, False),
        ((1.2, 0, 0), False, False),
    ]:
        p = (np.linalg.inv(placed.T_world_base) @ [*world, 1.0])[:3]
        assert [bool(box.contains(p)) for box in boxes] == [top, door]


def test_a_line_leaves_allowed_and_enters_forbidden_spaces() -> None:
    cell = Cell(
        name="c",
        robots=(CellRobot(name="arm", model="ur3e"),),
        spaces=(
            CellSpace(name="a", kind="allowed", size=(1.0, 1.0, 1.0)),
            CellSpace(name="b", kind="allowed", size=(1.0, 1.0, 1.0), pose=pose(0.9)),
            CellSpace(name="post", kind="forbidden", size=(0.001, 0.2, 2.0), pose=pose(0.25, 0.4)),
        ),
    )
    scene = Scene(cell)
    T = np.linalg.inv(scene.arm("arm").T_world_base)
    boxes = spaces_of_arm(scene, "arm")

    def fault(*points: tuple[float, float, float]) -> tuple[str, int, float] | None:
        found = find_space_fault(boxes, [(T @ [*p, 1.0])[:3] for p in points])
        return None if found is None else (found.space, found.index, round(found.fraction, 6))

    assert fault((-0.4, 0.0, 0.0), (1.3, 0.0, 0.0)) is None  # through both allowed spaces
    assert fault((-0.4, 0.0, 0.0), (0.6, 0.0, 0.0), (1.6, 0.0, 0.0)) == ("", 1, 0.8)
    assert fault((0.0, 0.4, 0.0), (0.5, 0.4, 0.0)) == ("post", 0, 0.499)  # thinner than any sampling
    assert fault((0.0, 0.4, 0.0), (0.0, 0.7, 0.0)) == ("", 0, round(1 / 3, 6))
    assert fault((0.0, 0.6, 0.0)) == ("", 0, 0.0)
    assert fault((0.25, 0.4, 0.0)) == ("post", 0, 0.0)
    assert fault((0.0, 0.0, 0.0)) is None
