"""`openpendant robots show`."""

import pytest
from verbs import said

import openpendant as op

pytestmark = pytest.mark.usefixtures("wide")


@pytest.mark.parametrize("name", op.names())
def test_show(capsys: pytest.CaptureFixture[str], name: str) -> None:
    text = said(capsys, "robots", "show", name)
    robot = op.load(name)
    assert robot.title in text
    assert "Where the numbers come from" in text
    joints = [joint for arm in robot.facts.arms for joint in arm.joints]
    joints += [] if robot.facts.platform is None else robot.facts.platform.joints
    assert joints
    assert all(joint in text for joint in joints)
