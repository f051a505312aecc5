"""Whatever a file contains, reading it ends in a model or in an error that names the file."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openpendant.errors import RobotFileError
from openpendant.robots import load
from openpendant.robots.urdf_import.arm_finder import find_arms
from openpendant.robots.urdf_import.conversion import facts_from_urdf
from openpendant.robots.urdf_import.parser import parse_urdf
from openpendant.robots.validation import find_fault

GOOD = load("irb120").urdf("meshes/")
LINES = GOOD.splitlines()
PIECES = [
    "<link/>",
    "<joint/>",
    "</robot>",
    "<robot>",
    '"',
    "&amp;",
    "&x;",
    "nan",
    "1e999",
    "-",
    "",
    "\0",
    "é",
    "<![CDATA[",
]


def read(path: Path) -> None:
    fault: RobotFileError | None = None
    facts = None
    try:
        model = parse_urdf(path)
        facts = facts_from_urdf("fuzz", model, find_arms(model), path, set())
    except RobotFileError as error:
        fault = error
    assert (facts is not None and find_fault(facts) is None) or (fault is not None and fault.path == path)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    cut=st.tuples(st.integers(0, len(GOOD)), st.integers(0, 60)),
    piece=st.sampled_from(PIECES),
)
def test_damaged_text(tmp_path: Path, cut: tuple[int, int], piece: str) -> None:
    start, length = cut
    path = tmp_path / "robot.urdf"
    path.write_text(GOOD[:start] + piece + GOOD[start + length :], encoding="utf-8")
    read(path)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    moves=st.lists(st.tuples(st.integers(2, len(LINES) - 2), st.integers(2, len(LINES) - 2)), min_size=1, max_size=3)
)
def test_lines_in_wrong_places(tmp_path: Path, moves: list[tuple[int, int]]) -> None:
    lines = list(LINES)
    for source, target in moves:
        lines[target] = lines[source]
    path = tmp_path / "robot.urdf"
    path.write_text("\n".join(lines), encoding="utf-8")
    read(path)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(content=st.binary(max_size=300))
def test_any_bytes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "robot.urdf"
    path.write_bytes(content)
    read(path)


def test_a_robot_of_endless_links_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="a">{"".join(f"<link name={chr(34)}l{i}{chr(34)}/>" for i in range(2001))}</robot>')
    with pytest.raises(RobotFileError, match="at most 2000"):
        parse_urdf(path)
