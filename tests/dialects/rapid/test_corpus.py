"""RAPID as found in real files: every module of the corpus parses, prints, checks clean, and does what it says."""

import re
from pathlib import Path

import pytest
from rapid_running import Bench

from openpendant.dialects.rapid import check_texts, parse_data, parse_module, write_module
from openpendant.dialects.rapid.text_functions import value_like

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.mod"))
GOLDEN = sorted((Path(__file__).parents[2] / "programs" / "golden").rglob("*.mod"))
BOTH = [path for path in GOLDEN if path.stem in ("assemble", "assemble_left")]
"""Of the two tasks of one job."""
EXPECTS = re.compile(r"! expects (\w+) = (.*)")


def read(path: Path) -> str:
    return path.read_bytes().decode()


def test_the_corpus_is_large():
    assert len(CORPUS) >= 40
    assert len(GOLDEN) >= 5


@pytest.mark.parametrize("path", [*CORPUS, *GOLDEN], ids=lambda path: path.stem)
def test_print_of_parse_is_a_fixed_point(path: Path):
    module = parse_module(read(path), path.name)
    text = write_module(module)
    again = parse_module(text, path.name)
    assert again == module
    assert write_module(again) == text


@pytest.mark.parametrize("path", [*CORPUS, *GOLDEN], ids=lambda path: path.stem)
def test_nothing_is_wrong(path: Path):
    assert check_texts({path.name: read(path)}) == []


@pytest.mark.parametrize("path", [p for p in CORPUS if EXPECTS.match(read(p))], ids=lambda path: path.stem)
def test_it_does_what_it_says(path: Path):
    text = read(path)
    name, wanted = EXPECTS.match(text).groups()  # type: ignore[union-attr]
    bench = Bench()
    machine = bench.run(bench.machine(text))
    assert (machine.state, machine.report) == ("finished", None)
    got = machine.read("T_ROB1", name)
    assert got == value_like(parse_data(wanted), got)


@pytest.mark.parametrize("path", [p for p in GOLDEN if p not in BOTH], ids=lambda path: path.stem)
def test_exports_run(path: Path):
    bench = Bench(willing=True)
    machine = bench.run(bench.machine(read(path)), most=300)
    assert machine.report is None
    assert bench.moves


def test_an_export_for_two_tasks_runs():
    bench = Bench(willing=True)
    texts = dict(zip(("T_ROB_R", "T_ROB_L"), map(read, BOTH), strict=True))
    machine = bench.run(bench.machine(tasks=texts), most=600)
    assert machine.report is None
    assert bench.moves
