"""V+: closed blocks, short names, and arcs that it can say."""

import re

import msgspec
import pytest
from exported import GOLDEN, VPLUS

from openpendant.errors import InputError
from openpendant.programs import (
    GoTo,
    Offset,
    Program,
    Repeat,
    SetVariable,
    While,
)
from openpendant.programs.export import export_vplus

ROW = Offset(by=("row * 0.02", 0.0, 0.0))
START, ARC = GoTo(id="l", to="b", how="line"), GoTo(id="arc", to="c", via="b2", how="arc")


@pytest.mark.parametrize(
    "steps",
    [
        (msgspec.structs.replace(START, offset=ROW), msgspec.structs.replace(ARC, offset=ROW)),
        (msgspec.structs.replace(START, offset=ROW), ARC),
        (ARC, GoTo(id="back", to="b", how="line", offset=Offset(by=(0.01, 0.0, 0.0)))),
    ],
    ids=["all points move", "the start moves", "the first start is another one"],
)
def test_vplus_refuses_an_arc_that_changes_from_pass_to_pass(steps: tuple[GoTo, ...]):
    loop = While(id="w", condition="row < 3", steps=(*steps, SetVariable(id="sv", name="row", value="row + 1")))
    whole = Program(name="arcs", robot="rx", variables={"row": 0.0}, steps=(GoTo(id="first", to="b", how="line"), loop))
    with pytest.raises(InputError, match=r"step arc of arcs cannot be exported: its arc is not the same"):
        export_vplus(VPLUS, whole)


def test_vplus_writes_an_arc_that_is_the_same_in_every_pass():
    same = (msgspec.structs.replace(START, offset=ROW), msgspec.structs.replace(ARC, offset=ROW))
    loop = Repeat(id="r", times=3, steps=same)
    (text,) = export_vplus(VPLUS, Program(name="arcs", robot="rx", variables={"row": 1.0}, steps=(loop,)))
    assert text.text.count("; arc to c") == 1
    assert text.text.count("MOVES TRANS(") > 3


@pytest.mark.parametrize("name", sorted(str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*.pg")))
def test_vplus_blocks_are_closed_and_names_are_short(name: str):
    depth = 0
    for line in (GOLDEN / name).read_text().splitlines():
        words = line.strip().split(";")[0].strip()
        depth += bool(re.match(r"(FOR|WHILE|IF)\b", words)) - (words == "END")
        assert depth >= 0
    assert depth == 0
    assert all(len(one) <= 15 for one in re.findall(r"SET #?([\w.]+) =", (GOLDEN / name).read_text()))
