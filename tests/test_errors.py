"""Errors cross between processes with everything they carry."""

import pickle
from pathlib import Path

import pytest

from openpendant.errors import CellFileError, InputError, OpenPendantError, RobotFileError, UnknownNameError


@pytest.mark.parametrize(
    "error",
    [
        InputError("q is nan"),
        UnknownNameError("robot", "irb121", ["irb120", "ur3e"]),
        RobotFileError(Path("arm.urdf"), "link 'a': no mass", line=7),
        CellFileError(Path("cell.json"), "/objects/3", "no such robot"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_pickle(error: OpenPendantError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)
