"""Persistent data of a controller's programs: the text that is loaded last, and what is left after a restart."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from abb_stand import AbbBench, free_port, make_controller

from openpendant.virtual.abb import AbbHost, ControllerRefusal
from openpendant.virtual.abb.files import MEMORY

ADDRESS = "127.0.0.74"
TOOL = "PERS tooldata grip:=[TRUE,[[0,0,{z}],[1,0,0,0]],[1,[0,0,50],[1,0,0,0],0,0,0]];"


def module(data: str, body: str = "", name: str = "MainModule") -> str:
    return f"MODULE {name}\n{data}\nPROC main()\n{body}\nENDPROC\nENDMODULE"


def test_an_edited_tool_counts_when_its_module_is_loaded_again(tmp_path: Path):
    bench = AbbBench(tmp_path)
    bench.load(module(TOOL.format(z=100)))
    assert bench.read("grip").startswith("[TRUE,[[0,0,100]")
    bench.load(module(TOOL.format(z=140)))
    assert bench.read("grip").startswith("[TRUE,[[0,0,140]")
    bench.run("", TOOL.format(z=150))
    assert bench.read("grip").startswith("[TRUE,[[0,0,150]")


def test_modules_that_are_not_loaded_again_keep_their_values(tmp_path: Path):
    bench = AbbBench(tmp_path)
    bench.load(module("PERS num count:=0;", "count:=count+1;"))
    bench.load("MODULE other\nPERS num far:=1;\nLOCAL PERS num near:=1;\nENDMODULE")
    for name in (("far",), ("other", "near"), ("count",)):
        bench.brain.program.write(("T_ROB1", *name), "7")
    bench.load(module("PERS num count:=3;", "count:=count+1;"))
    assert [bench.read(name) for name in ("count", "far")] == ["3", "7"]
    assert bench.brain.program.read(("T_ROB1", "other", "near")) == "7"
    bench.brain.reset_pointers()
    assert bench.read("far") == "7"
    bench.brain.program.unload("T_ROB1", "other")
    bench.load("MODULE other\nPERS num far:=2;\nENDMODULE")
    assert bench.read("far") == "2"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[AbbHost]:
    made = made_host(tmp_path)
    yield made
    made.close()


def made_host(folder: Path) -> AbbHost:
    def make(sockets: object) -> object:
        return make_controller(folder, sockets, ADDRESS)  # type: ignore[arg-type]

    return AbbHost(ADDRESS, make, rws_port=free_port(ADDRESS), boot_s=0.1)  # type: ignore[arg-type]


def order(host: AbbHost, **what: object) -> None:
    host.operator.reply_to(json.dumps(what).encode())


RICH = 'PERS robtarget p:=[[1,2,3],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]; PERS string s{2}:=["a","b"];'
CHANGED = "[[1.23456789,2,3],[1,0,0,0],[0,-1,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]"


def test_power_off_and_on_keeps_modules_and_persistents(host: AbbHost):
    host.brain.program.load("T_ROB1", module(RICH + "VAR num v:=5; TASK PERS bool b:=FALSE;"), "m.mod", replace=True)
    program = host.brain.program
    for name, value in (("p", CHANGED), ("s", '["x","y"]'), ("b", "TRUE"), ("v", "6")):
        program.write(("T_ROB1", name), value)
    before = [program.value(("T_ROB1", name)) for name in ("p", "s", "b")]
    order(host, do="fault", kind="power_off")
    host.step()
    order(host, do="press", button="switch_on")
    for _ in range(30):
        host.step()
    after = host.brain.program
    assert after is not program
    assert after.linked
    assert [after.value(("T_ROB1", name)) for name in ("p", "s", "b")] == before
    assert after.read(("T_ROB1", "v")) == "5"


def test_a_process_with_the_same_home_goes_on(tmp_path: Path):
    first = made_host(tmp_path)
    first.brain.program.load("T_ROB1", module("PERS num count:=0;"), "m.mod", replace=True)
    first.brain.program.write(("T_ROB1", "count"), "41")
    first.close()
    second = made_host(tmp_path)
    try:
        assert second.brain.program.read(("T_ROB1", "count")) == "41"
        assert second.brain.files.list("HOME:") == ()
        for path in (f"HOME:/{MEMORY}", f"$HOME/./{MEMORY}"):
            with pytest.raises(ControllerRefusal, match="belongs to the controller"):
                second.brain.files.read(path)
    finally:
        second.close()


@pytest.mark.parametrize("wrong", ['"seven"', "[1]", "true", "null", "1e999", '{"a": 1}'])
def test_kept_values_of_another_type_do_not_count(tmp_path: Path, wrong: str):
    (tmp_path / "home").mkdir()
    text = json.dumps(module("PERS num count:=3;"))
    (tmp_path / "home" / MEMORY).write_text(
        f'{{"modules": {{"T_ROB1": [{{"file": "m.mod", "text": {text}}}]}}, "persistents": {{"count": {wrong}}}}}'
    )
    bench = AbbBench(tmp_path)
    assert bench.brain.program.linked
    # JSON has no infinity: such a file cannot be read at all.
    if wrong == "1e999":
        assert "count" not in str(bench.brain.program.persistents("T_ROB1"))
    else:
        assert bench.read("count") == "3"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"modules": 1, "persistents": {}}'])
def test_a_memory_that_cannot_be_read_is_none(tmp_path: Path, text: str):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / MEMORY).write_text(text)
    assert AbbBench(tmp_path).brain.program.linked


def test_a_module_of_the_memory_with_faults_is_left_out(tmp_path: Path):
    (tmp_path / "home").mkdir()
    modules = [
        {"file": "a.mod", "text": "MODULE a PROC"},
        {"file": "b.mod", "text": module("PERS num n:=1;", name="b")},
    ]
    (tmp_path / "home" / MEMORY).write_text(json.dumps({"modules": {"T_ROB1": modules}, "persistents": {"n": 2}}))
    bench = AbbBench(tmp_path)
    assert bench.read("n") == "2"
    assert len(bench.errors) == 1
