"""The record of ABB: which robots it drives, what it makes of a virtual controller's pendant, its driver."""

import json
from pathlib import Path
from typing import Any

import pytest

from openpendant.errors import InputError
from openpendant.makers import DriverArm, DriverSetup, Maker, export_as, export_forms, find_maker, maker_of_virtual
from openpendant.motion import joint_limits
from openpendant.programs import MoveAxis, Program
from openpendant.robots import import_urdf, load
from openpendant.scene import Cell, CellRobot, load_demo
from openpendant.testing import NullModem, VirtualTime
from openpendant.virtual.abb import AbbHost, AbbSetup, TaskSetup, build_controller, tasks_of

pytestmark = pytest.mark.virtual_time
ASKING = """MODULE m
PROC main()
  VAR num n;
  TPReadFK n,"Go?","Yes","","","","No";
  TPReadNum n,"How many?";
ENDPROC
ENDMODULE
"""


def maker() -> Maker:
    found = find_maker(load("irb120"))
    assert found is not None
    return found


def host_of(model: str, folder: Path, address: str) -> AbbHost:
    tasks = (*tasks_of(load(model)), TaskSetup("T_OPENPENDANT"))
    setup = AbbSetup(model, address, folder, folder, tasks=tasks)
    return AbbHost(address, lambda sockets: build_controller(setup, sockets), in_process=True)


def shown(host: AbbHost) -> dict[str, Any]:
    host.step()
    return json.loads(host.operator.reply_to(b'{"do":"state"}'))["state"]


def press(host: AbbHost, button: str) -> None:
    assert json.loads(host.operator.reply_to(json.dumps({"do": "press", "button": button}).encode()))["ok"]


def test_it_drives_its_arms_by_their_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    abb = maker()
    assert abb.name == "ABB"
    assert find_maker(load("yumi")) is abb is maker_of_virtual("yumi")
    assert [abb.virtual_model(load(name)) for name in ("irb120", "yumi", "ur3e", "rx90l")] == ["irb120", "yumi", "", ""]
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "home"))
    (tmp_path / "arm.urdf").write_text(load("irb120").urdf(visuals=False).replace('name="irb120"', 'name="own"', 1))
    import_urdf(tmp_path / "arm.urdf")
    assert find_maker(load("own")) is None
    with pytest.raises(InputError, match=r"allowed: 192\.168\.1\.10, tcp:"):
        abb.parse_address("serial:/dev/ttyUSB0")


def test_its_language_is_the_first_of_the_exports() -> None:
    cell = Cell(name="desk", robots=(CellRobot(name="arm", model="irb120"),))
    nod = Program(name="nod", robot="arm", steps=(MoveAxis(id="a", q=(0.1, 0.2, 0.3, 0.0, 0.5, 0.0), speed="50%"),))
    assert export_forms(cell, nod)[0] == "rapid"
    (text,) = export_as("rapid", cell, nod)
    assert "MoveAbsJ" in text.text


def test_a_cell_becomes_options_of_its_virtual_controller() -> None:
    virtual = maker().virtual
    assert virtual is not None
    given = virtual.options_in_cell(load_demo("two_arms").cell, "yumi", None, "127.0.0.33")
    assert given["egm"] == "127.0.0.33"
    assert given["signals"].split(",")[:2] == ["diPartsReady:DI=1", "doAssembled:DO=0"]
    assert [one.partition("=")[0] for one in given["tools"].split(";")] == ["ROB_L/left_gripper", "ROB_R/right_gripper"]
    assert set(given) <= {one.name for one in virtual.options}


def test_the_buttons_that_matter_now(tmp_path: Path) -> None:
    abb, host = maker(), host_of("irb120", tmp_path, "pair")

    def buttons(*, moving: bool = False) -> list[tuple[str, str]]:
        return [(one.name, one.why) for one in abb.buttons(shown(host), moving)]

    assert buttons() == [("motors_on", "")]
    press(host, "motors_on")
    assert buttons() == [("motors_off", "")]
    assert buttons(moving=True) == []
    press(host, "manual")
    assert buttons() == [("auto", ""), ("motors_on", "")]
    host.rws.mastership.ask("somebody")
    assert [name for name, _ in buttons()] == ["grant", "deny", "auto", "motors_on"]
    press(host, "deny")
    press(host, "auto")
    for pressed, released in (("emergency_stop", "emergency_reset"), ("open_guard", "close_guard")):
        press(host, pressed)
        assert buttons() == [(released, "")]
        press(host, released)
    host.close()


def test_the_window_of_a_question_has_its_keys(tmp_path: Path) -> None:
    abb, host = maker(), host_of("irb120", tmp_path, "pair")
    assert abb.window(shown(host)) is None
    host.brain.program.load("T_ROB1", ASKING, "m.mod", replace=True)
    press(host, "motors_on")
    press(host, "start")
    for _ in range(3):
        host.step()
    window = abb.window(shown(host))
    assert window is not None
    assert (window.text, [(one.name, one.title) for one in window.buttons]) == (
        "Go?",
        [("key_1", "Yes"), ("key_5", "No")],
    )
    press(host, "key_5")
    for _ in range(3):
        host.step()
    window = abb.window(shown(host))
    assert window is not None
    assert (window.text, window.buttons) == ("How many?", ())
    assert shown(host)["keypad"]
    host.close()


@pytest.mark.parametrize(("model", "arms"), [("irb120", ("arm",)), ("yumi", ("left", "right"))])
def test_its_driver_takes_control_of_a_controller(tmp_path: Path, model: str, arms: tuple[str, ...]) -> None:
    robot, host, clock = load(model), host_of(model, tmp_path, "127.0.0.99"), VirtualTime()
    abb = maker()
    host.brain.panel.set_motors(on=True)
    driven = tuple(DriverArm(arm, joint_limits(robot, arm)) for arm in arms)
    setup = DriverSetup(abb.parse_address("127.0.0.99"), robot, driven, dialler=NullModem(host, clock))
    driver = abb.make_driver(setup)
    driver.connect()
    try:
        assert driver.state.can_move
        assert (driver.capabilities.arms, driver.capabilities.servo) == (arms, True)
        for arm in arms:
            assert driver.state.q[arm] == pytest.approx(robot.posture(arm=arm), abs=1e-3)
    finally:
        driver.close()
        host.close()
