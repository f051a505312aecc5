"""Every dashboard command: what it does and what it answers, word for word."""

from pathlib import Path

import pytest
from ur_brain import make_brain, start, tick, until

from openpendant.virtual.ur import RobotMode, RuntimeState, Text, UrController

TREE = """BeforeStart:
  x := 0
RobotProgram:
  sleep(0.1)
  x := x + 1
"""


@pytest.fixture
def brain(tmp_path: Path) -> UrController:
    (tmp_path / "work.urp").write_text(TREE)
    (tmp_path / "bad.urp").write_text("RobotProgram:\n  movej(\n")
    (tmp_path / "plain.script").write_text("def plain():\n  sleep(5)\nend\n")
    (tmp_path / "default.installation").write_text("")
    return make_brain(programs=tmp_path)


def test_what_it_is(brain: UrController):
    assert brain.dashboard("PolyscopeVersion") == "URSoftware 5.11.5.1010327 (Jan 17 2022)"
    assert brain.dashboard("version") == "5.11.5.1010327"
    assert brain.dashboard("get robot model") == "UR3"
    assert make_brain(model="ur5e").dashboard("get robot model") == "UR5"
    assert brain.dashboard("get serial number").isdigit()
    assert brain.dashboard("is in remote control") == "true"
    brain.set_remote_control(on=False)
    assert brain.dashboard("is in remote control") == "false"


def test_loading_and_running_a_tree(brain: UrController):
    assert brain.dashboard("get loaded program") == "No program loaded"
    assert brain.dashboard("play") == "Failed to execute: play"
    assert brain.dashboard("load work.urp") == "Loading program: work.urp"
    assert brain.dashboard("get loaded program") == "Loaded program: /programs/work.urp"
    assert brain.dashboard("programState") == "STOPPED work.urp"
    assert brain.dashboard("isProgramSaved") == "true work.urp"
    assert brain.dashboard("running") == "Program running: false"
    assert brain.dashboard("play") == "Starting program"
    assert brain.dashboard("programState") == "PLAYING work.urp"
    assert brain.dashboard("running") == "Program running: true"
    tick(brain, 200)
    assert brain.dashboard("pause") == "Pausing program"
    tick(brain, 2)
    assert brain.dashboard("programState") == "PAUSED work.urp"
    assert brain.dashboard("play") == "Starting program"
    tick(brain, 2)
    assert brain.dashboard("programState") == "PLAYING work.urp"
    assert brain.dashboard("stop") == "Stopped"
    assert brain.dashboard("programState") == "STOPPED work.urp"
    assert brain.dashboard("stop") == "Stopped"


def test_scripts_load_too_and_a_new_load_stops_the_old_program(brain: UrController):
    assert brain.dashboard("load /programs/plain.script") == "Loading program: /programs/plain.script"
    brain.play()
    tick(brain, 5)
    assert brain.dashboard("load work.urp") == "Loading program: work.urp"
    assert brain.read("runtime_state") == RuntimeState.STOPPED


def test_what_cannot_be_loaded(brain: UrController, tmp_path: Path):
    assert brain.dashboard("load nothing.urp") == "File not found: nothing.urp"
    assert brain.dashboard("load ../../etc/passwd") == "File not found: ../../etc/passwd"
    assert brain.dashboard("load bad.urp") == "Error while loading program: bad.urp"
    assert any("bad.urp" in message.text for message in brain.messages() if isinstance(message, Text))
    (tmp_path / "packed.urp").write_bytes(b"\x1f\x8b\x08\x00")
    assert brain.dashboard("load packed.urp") == "Error while loading program: packed.urp"
    assert "packed" in str(brain.load_program("packed.urp"))
    assert "programs end in" in str(brain.load_program("default.installation"))
    assert brain.dashboard("load installation default.installation") == "Loading installation: default.installation"
    assert brain.dashboard("load installation none.installation") == "File not found: none.installation"
    assert brain.dashboard("load installation plain.script") == "Failed to load installation: plain.script"
    assert make_brain().dashboard("load work.urp") == "File not found: work.urp"


def test_popups_and_log(brain: UrController):
    assert brain.dashboard("popup Look here") == "showing popup"
    assert brain.popup is not None
    assert (brain.popup.text, brain.popup.blocking) == ("Look here", False)
    assert brain.dashboard("close popup") == "closing popup"
    assert brain.popup is None
    assert brain.dashboard("close popup") == "closing popup"
    assert brain.dashboard("addToLog hello there") == "Added log message"
    assert brain.dashboard("addToLog") == "No log message to add"
    assert [m.text for m in brain.messages() if isinstance(m, Text)] == ["hello there"]
    assert brain.dashboard("close safety popup") == "closing safety popup"


def test_operational_mode(brain: UrController):
    assert brain.dashboard("get operational mode") == "NONE"
    assert brain.dashboard("set operational mode manual") == "Operational mode MANUAL is set"
    assert brain.dashboard("get operational mode") == "MANUAL"
    assert brain.dashboard("set operational mode automatic") == "Operational mode AUTOMATIC is set"
    assert brain.dashboard("set operational mode sideways") == "Failed setting operational mode: sideways"
    assert brain.dashboard("clear operational mode").startswith("No longer controlling the operational mode.")
    assert brain.dashboard("get operational mode") == "NONE"


def test_modes_and_safety(brain: UrController):
    assert brain.dashboard("robotmode") == "Robotmode: RUNNING"
    assert brain.dashboard("safetymode") == "Safetymode: NORMAL"
    assert brain.dashboard("safetystatus") == "Safetystatus: NORMAL"
    assert brain.dashboard("unlock protective stop") == "Protective stop releasing"
    assert brain.dashboard("power off") == "Powering off"
    until(brain, lambda: brain.read("robot_mode") == RobotMode.POWER_OFF)
    assert brain.dashboard("robotmode") == "Robotmode: POWER_OFF"
    assert brain.dashboard("power on") == "Powering on"
    until(brain, lambda: brain.read("robot_mode") == RobotMode.IDLE)
    assert brain.dashboard("brake release") == "Brake releasing"
    until(brain, lambda: brain.read("robot_mode") == RobotMode.RUNNING)


def test_reports_quit_and_nonsense(brain: UrController):
    assert brain.dashboard("generate flight report controller").startswith("Flight Report generated with id: ")
    assert brain.dashboard("generate support file /programs").startswith("Completed successfully: /programs/")
    assert brain.dashboard("saveLog") == "Log saved to disk"
    assert brain.dashboard("quit") == "Disconnected"
    assert brain.dashboard("make coffee") == "could not understand: 'make coffee'"
    assert brain.dashboard("") == "could not understand: ''"


def test_shutdown_stops_everything(brain: UrController):
    start(brain, "movej([1, -1, 1, -1, -1, 0])")
    tick(brain, 100)
    assert not brain.shut_down
    assert brain.dashboard("shutdown") == "Shutting down"
    assert brain.shut_down
    assert brain.read("robot_mode") == RobotMode.POWER_OFF
    tick(brain, 1)
    assert brain.read("runtime_state") == RuntimeState.STOPPED
