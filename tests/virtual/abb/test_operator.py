"""The pendant of a virtual ABB controller: its buttons with their reasons, its orders, power off and on again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from abb_stand import free_port, make_controller

from openpendant.errors import InputError
from openpendant.robots import load
from openpendant.virtual.abb import AbbHost, AbbSetup, TaskSetup, build_controller
from openpendant.virtual.abb.operator import KEYS
from openpendant.virtual.wire import ClosedSockets

ADDRESS = "127.0.0.73"
ASKING = """MODULE MainModule
PROC main()
  VAR num n;
  TPReadFK n,"Go?","Yes","","","","No";
  TPWrite "key "\\Num:=n;
ENDPROC
ENDMODULE
"""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[AbbHost]:
    made = AbbHost(
        ADDRESS, lambda sockets: make_controller(tmp_path, sockets, ADDRESS), rws_port=free_port(ADDRESS), boot_s=0.1
    )
    yield made
    made.close()


def order(host: AbbHost, **what: Any) -> dict[str, Any]:
    return json.loads(host.operator.reply_to(json.dumps(what).encode()))


def press(host: AbbHost, button: str) -> str:
    """Press a button; return why it cannot be pressed."""
    return order(host, do="press", button=button).get("why", "")


def shown(host: AbbHost) -> dict[str, Any]:
    return order(host, do="state")["state"]


def steps(host: AbbHost, count: int) -> None:
    for _ in range(count):
        host.step()


def test_from_motors_off_to_a_running_program(host: AbbHost):
    assert shown(host)["next"] == "motors_on"
    assert press(host, "start") == "start cannot be pressed: The motors are off."
    host.brain.program.load("T_ROB1", ASKING, "m.mod", replace=True)
    assert press(host, "motors_on") == ""
    assert press(host, "start") == ""
    steps(host, 5)
    state = shown(host)
    assert (state["robot_mode"], state["program_state"], state["program"]) == (
        "motoron",
        "PLAYING",
        "T_ROB1/MainModule/main",
    )
    assert state["popup"]["text"] == "Go?"
    assert state["terminal"] == ["Go?", "1: Yes   5: No"]
    assert state["keys"] == [{"title": "Yes", "text": "1"}, {"title": "No", "text": "5"}]
    assert order(host, do="type", text="2")["why"] == "key 2; 1, 5 are allowed"
    assert order(host, do="type", text="5") == {"ok": True}
    steps(host, 5)
    assert "key 5" in shown(host)["terminal"]
    assert press(host, "stop") == ""
    assert press(host, "to_main") == ""
    steps(host, 1)
    assert [row["text"][:5] for row in shown(host)["messages"]][-4:] == ["10011", "10151", "10125", "10002"]


def test_emergency_stop_guard_and_mode(host: AbbHost):
    press(host, "motors_on")
    for pressed, released, word in (
        ("emergency_stop", "emergency_reset", "emergencystop"),
        ("open_guard", "close_guard", "guardstop"),
    ):
        assert press(host, pressed) == ""
        assert shown(host)["safety"] == word
        assert word in press(host, "motors_on")
        assert press(host, released) == ""
        assert shown(host)["robot_mode"] == "motoroff"
        assert press(host, "motors_on") == ""
    assert press(host, "manual") == ""
    assert shown(host)["robot_mode"] == "motoroff"
    assert not shown(host)["remote"]
    assert press(host, "grant") == "grant cannot be pressed: No client asks for access."
    host.rws.mastership.ask("somebody")
    assert "grant" in shown(host)["offered"]
    assert press(host, "grant") == ""
    assert host.rws.mastership.status("somebody") == "GRANTED"


def test_signals_and_speed(host: AbbHost):
    assert [row["name"] for row in shown(host)["outputs"]] == ["pinzaOutput0", "pinzaOutput1"]
    assert order(host, do="input", name="diReady", value=True) == {"ok": True}
    assert shown(host)["inputs"] == [{"name": "diReady", "label": "diReady", "on": True}]
    assert "unknown signal" in order(host, do="input", name="x", value=True)["why"]
    assert order(host, do="speed", fraction=0.25) == {"ok": True}
    assert host.brain.panel.speed_percent == 25.0
    assert "0 to 100" in order(host, do="speed", fraction=1.5)["why"]


def test_every_button_of_the_page_has_a_reason_or_can_be_pressed(host: AbbHost):
    layout = host.operator.layout
    # Keys of an operator's window are drawn where a question has them.
    assert {one.name for one in layout.buttons} | set(layout.stop or ()) | set(KEYS) == set(shown(host)["buttons"])
    assert set(host.operator.presses()) | {"switch_on"} == set(shown(host)["buttons"])


def test_power_off_and_on_again(host: AbbHost):
    press(host, "motors_on")
    before = host.brain
    order(host, do="fault", kind="power_off")
    steps(host, 2)
    assert shown(host)["mains"] == "off"
    assert press(host, "motors_on") == "the controller is switched off"
    assert press(host, "switch_on") == ""
    steps(host, 30)
    assert shown(host)["mains"] == "on"
    assert host.brain is not before
    assert shown(host)["robot_mode"] == "motoroff"


def test_only_arms_of_six_or_seven_axes(tmp_path: Path):
    with pytest.raises(InputError, match="irb120 and yumi are allowed"):
        build_controller(AbbSetup("robomap", ADDRESS, tmp_path, tmp_path), ClosedSockets())
    brain = build_controller(AbbSetup("irb120", ADDRESS, tmp_path, tmp_path), ClosedSockets())
    assert brain.units["ROB_1"].arm.plant.q.tolist() == load("irb120").posture().tolist()
    brain = build_controller(AbbSetup("yumi", ADDRESS, tmp_path, tmp_path), ClosedSockets())
    assert {name: unit.task for name, unit in brain.units.items()} == {"ROB_L": "T_ROB_L", "ROB_R": "T_ROB_R"}
    with pytest.raises(InputError, match="a task for each"):
        build_controller(
            AbbSetup("yumi", ADDRESS, tmp_path, tmp_path, tasks=(TaskSetup("T_ROB_L", "ROB_L"),)), ClosedSockets()
        )
    with pytest.raises(InputError, match="1 joints too many"):
        build_controller(AbbSetup("irb120", ADDRESS, tmp_path, tmp_path), ClosedSockets(), start_q=(0.0,) * 7)


def test_step_by_step(host: AbbHost):
    host.brain.program.load("T_ROB1", ASKING, "m.mod", replace=True)
    assert press(host, "step") == "step cannot be pressed: The motors are off."
    press(host, "motors_on")
    assert shown(host)["keys"] == []
    assert press(host, "step") == ""
    steps(host, 5)
    assert shown(host)["popup"]["text"] == "Go?"
    assert press(host, "step") == "step cannot be pressed: Programs are running."
    order(host, do="type", text="5")
    steps(host, 5)
    state = shown(host)
    assert (state["program_state"], state["line"], state["terminal"]) == ("STOPPED", 5, [])
    assert press(host, "step") == ""
    steps(host, 5)
    assert shown(host)["terminal"] == ["key 5"]
