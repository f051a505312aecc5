"""DashboardClient of ur_rtde, unmodified, on a virtual UR3e: every call."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from dashboard_client import DashboardClient
from ur_talk import Talk
from waiting import wait_until

from openpendant.virtual.launch import VirtualHandle, start_virtual

PROGRAM = """BeforeStart:
  write_output_integer_register(0, 0)
RobotProgram:
  Loop:
    write_output_integer_register(0, 7)
    sync()
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    (folder / "round.urp").write_text(PROGRAM)
    return folder


@pytest.fixture(scope="module")
def robot(programs: Path) -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", "127.0.11.10", programs=programs) as robot:
        yield robot


@pytest.fixture
def dashboard(robot: VirtualHandle) -> Iterator[DashboardClient]:
    dashboard = DashboardClient(robot.address)
    dashboard.connect()
    yield dashboard
    dashboard.disconnect()


def wait_for_mode(dashboard: DashboardClient, mode: str) -> None:
    wait_until(lambda: dashboard.robotmode() == f"Robotmode: {mode}", mode)


def test_facts(dashboard: DashboardClient):
    assert dashboard.isConnected()
    assert re.fullmatch(r"5\.\d+\.\d+\.\d+", dashboard.polyscopeVersion())
    assert dashboard.getRobotModel().startswith("UR3")
    assert re.fullmatch(r"20\d+", dashboard.getSerialNumber())
    assert dashboard.isInRemoteControl()
    assert dashboard.safetymode() == "Safetymode: NORMAL"
    assert dashboard.safetystatus() == "Safetystatus: NORMAL"
    assert dashboard.robotmode() == "Robotmode: RUNNING"


def test_power_off_and_on_and_brakes(dashboard: DashboardClient):
    dashboard.powerOff()
    wait_for_mode(dashboard, "POWER_OFF")
    dashboard.powerOn()
    wait_for_mode(dashboard, "IDLE")
    dashboard.brakeRelease()
    wait_for_mode(dashboard, "RUNNING")


def test_a_program_is_loaded_played_paused_and_stopped(robot: VirtualHandle, dashboard: DashboardClient):
    dashboard.loadURP("round.urp")
    assert dashboard.getLoadedProgram().endswith("round.urp")
    assert "round.urp" in dashboard.programState()
    assert dashboard.programState().startswith("STOPPED")
    assert not dashboard.running()
    # The client waits for "True"; controllers say "true" and the name.
    assert not dashboard.isProgramSaved()
    dashboard.send("isProgramSaved\n")
    assert dashboard.receive() == "true round.urp"
    dashboard.play()
    wait_until(dashboard.running, "the program to run")
    wait_until(lambda: robot.read("output_int_register_0")["output_int_register_0"] == 7, "the register")
    assert dashboard.programState().startswith("PLAYING")
    dashboard.pause()
    wait_until(lambda: dashboard.programState().startswith("PAUSED"), "the pause")
    dashboard.play()
    wait_until(lambda: dashboard.programState().startswith("PLAYING"), "the program to go on")
    dashboard.stop()
    wait_until(lambda: dashboard.programState().startswith("STOPPED"), "the end")


def test_a_program_that_is_not_there_is_refused(dashboard: DashboardClient):
    with pytest.raises(RuntimeError, match="not_there"):
        dashboard.loadURP("not_there.urp")


def test_popups_are_shown_and_closed(robot: VirtualHandle, dashboard: DashboardClient):
    dashboard.popup("Look here")
    wait_until(lambda: robot.state()["popup"] is not None, "the window")
    assert robot.state()["popup"]["text"] == "Look here"
    dashboard.closePopup()
    wait_until(lambda: robot.state()["popup"] is None, "the window to close")
    dashboard.closeSafetyPopup()


def test_log_messages_are_kept(robot: VirtualHandle, dashboard: DashboardClient):
    dashboard.addToLog("from the dashboard")
    wait_until(lambda: "from the dashboard" in [one["text"] for one in robot.state()["messages"]], "the line")


def test_a_protective_stop_is_unlocked(robot: VirtualHandle, dashboard: DashboardClient):
    robot.control("protective_stop")
    wait_until(lambda: dashboard.safetystatus() == "Safetystatus: PROTECTIVE_STOP", "the stop")
    wait_until(lambda: unlocked(dashboard), "the release")
    assert dashboard.safetymode() == "Safetymode: NORMAL"


def unlocked(dashboard: DashboardClient) -> bool:
    dashboard.send("unlock protective stop\n")
    return dashboard.receive() == "Protective stop releasing"


def test_unlocking_by_its_own_call(robot: VirtualHandle, dashboard: DashboardClient):
    robot.control("protective_stop")
    wait_until(lambda: dashboard.safetystatus() == "Safetystatus: PROTECTIVE_STOP", "the stop")

    refusals: list[str] = []

    def released() -> bool:
        try:
            dashboard.unlockProtectiveStop()
        except RuntimeError as error:
            refusals.append(str(error))
            return False
        return True

    wait_until(released, "the release")
    assert all("Cannot unlock" in one for one in refusals)


def test_safety_is_restarted(dashboard: DashboardClient):
    dashboard.restartSafety()
    wait_for_mode(dashboard, "POWER_OFF")
    dashboard.brakeRelease()
    wait_for_mode(dashboard, "RUNNING")


def test_what_it_does_not_know_it_says(dashboard: DashboardClient):
    dashboard.send("dance\n")
    assert dashboard.receive() == "could not understand: 'dance'"


def test_quit_closes(robot: VirtualHandle):
    own = DashboardClient(robot.address)
    own.connect()
    own.quit()
    own.disconnect()
    with Talk(robot.address, 29999) as talk:
        assert talk.line() == "Connected: Universal Robots Dashboard Server"
        assert talk.ask("quit") == "Disconnected"
        assert talk.some() == b""


def test_two_clients_at_once(robot: VirtualHandle, dashboard: DashboardClient):
    second = DashboardClient(robot.address)
    second.connect()
    assert second.robotmode() == dashboard.robotmode()
    second.disconnect()


def test_shutdown_switches_the_box_off(robot: VirtualHandle):
    own = DashboardClient(robot.address)
    own.connect()
    own.shutdown()
    own.disconnect()
    wait_until(lambda: robot.state()["mains"] == "off", "the box to be off")
    robot.press("switch_on")
    wait_until(lambda: robot.state()["mains"] == "on", "the box to be on again")
