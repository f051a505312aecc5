"""Which robots get a maker's driver: those of our own catalogue, never one that was imported under such a name."""

from pathlib import Path

import pytest

from openpendant.errors import InputError
from openpendant.makers import find_maker
from openpendant.robots import import_urdf, load
from openpendant.runtime import CellRuntime
from openpendant.scene import Cell, CellRobot


def test_an_imported_robot_never_gets_a_makers_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "home"))
    text = load("ur3e").urdf(visuals=False).replace('name="ur3e"', 'name="ur5e"', 1)
    (tmp_path / "arm.urdf").write_text(text)
    assert import_urdf(tmp_path / "arm.urdf").name == "ur5e"
    cell = Cell(name="c", robots=(CellRobot(name="own", model="ur3e"), CellRobot(name="other", model="ur5e")))
    assert [find_maker(load(robot.model)) is not None for robot in cell.robots] == [True, False]
    with pytest.raises(InputError, match="there is no driver for a ur5e"):
        CellRuntime(cell, addresses={"other": "127.0.13.77"})
