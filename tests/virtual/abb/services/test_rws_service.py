"""Robot Web Services of the virtual controller, asked by abb-robot-client, which knows nothing of us."""

import queue
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import numpy as np
import pytest
import requests
from abb_robot_client.rws import RWS, ABBException, SubscriptionResourcePriority, SubscriptionResourceRequest
from abb_robot_client.rws import SubscriptionResourceType as Kind
from abb_stand import READY, running_host
from waiting import wait_until

from openpendant.robots import load
from openpendant.virtual.abb import AbbHost

ADDRESS = "127.0.0.71"
MODULE = b"""MODULE MainModule
  PERS num count:=0;
  PERS tooldata grip:=[TRUE,[[0,0,100],[1,0,0,0]],[1,[0,0,50],[1,0,0,0],0,0,0]];
  PROC main()
    count:=count+1;
    SetDO pinzaOutput0,1;
    MoveAbsJ [[30,10,20,0,60,0],[9E9,9E9,9E9,9E9,9E9,9E9]],v500,fine,tool0;
    ErrWrite\\I,"Arm","there";
  ENDPROC
ENDMODULE
"""


@pytest.fixture(scope="module")
def host() -> Iterator[AbbHost]:
    with running_host(ADDRESS) as made:
        yield made


@pytest.fixture
def rws(host: AbbHost) -> Iterator[RWS]:
    client = RWS(f"http://{ADDRESS}:{host.rws_port}")
    client.upload_file("HOME:/MainModule.mod", MODULE)
    client._do_post("rw/rapid/tasks/T_ROB1?action=loadmod", {"modulepath": "HOME:/MainModule.mod", "replace": "true"})
    yield client
    client.stop()
    host.brain.panel.set_mode("AUTO")
    client.close()


def test_the_controller_as_it_comes_up(rws: RWS):
    assert rws.get_ramdisk_path() == "RAMDISK:"
    assert rws.get_operation_mode() == "AUTO"
    assert rws.get_execution_state().ctrlexecstate == "stopped"
    (task,) = rws.get_tasks().values()
    assert (task.name, task.type_, task.taskstate, task.active, task.motiontask) == (
        "T_ROB1",
        "norm",
        "linked",
        True,
        True,
    )
    log = rws.read_event_log()
    assert [one.seqnum for one in log] == sorted((one.seqnum for one in log), reverse=True)
    assert (log[-1].code, log[-1].msgtype) == (10010, 1)


def test_where_the_arm_is(rws: RWS):
    robot = load("irb120")
    assert rws.get_jointtarget().robax == pytest.approx(np.degrees(READY), abs=0.01)
    found = rws.get_robtarget()
    T = robot.arm().fk(READY)
    assert found.trans == pytest.approx(1000.0 * T[:3, 3], abs=0.05)
    assert found.robconf == pytest.approx([0, 0, 0, 0])
    with_tool = rws.get_robtarget(tool="grip")
    assert with_tool.trans == pytest.approx(1000.0 * (T @ [0, 0, 0.1, 1])[:3], abs=0.05)


def test_speed_and_signals(rws: RWS):
    rws.set_speedratio(40)
    assert rws.get_speedratio() == 40.0
    rws.set_speedratio(100)
    with pytest.raises(ABBException, match="0 to 100"):
        rws.set_speedratio(101)
    rws.set_digital_io("diReady", 1)
    assert rws.get_digital_io("diReady") == 1
    rws.set_digital_io("diReady", 0)
    rws.set_analog_io("aoGlue", 2.5)
    assert rws.get_analog_io("aoGlue") == 2.5
    with pytest.raises(ABBException, match="unknown signal"):
        rws.get_digital_io("nothing")


def test_data_and_files(rws: RWS):
    rws.set_rapid_variable_num("count", 7)
    assert rws.get_rapid_variable_num("count") == 7.0
    assert {one["name"] for one in rws.get_rapid_variables()} == {"count", "grip"}
    with pytest.raises(ABBException, match="not a value of the type"):
        rws.set_rapid_variable("count", '"seven"')
    rws.upload_file("RAMDISK:/a.bin", bytes(range(256)))
    assert rws.read_file("RAMDISK:/a.bin") == bytes(range(256))
    assert rws.list_files("RAMDISK:") == ["a.bin"]
    rws.delete_file("RAMDISK:/a.bin")
    assert rws.list_files("RAMDISK:") == []
    for path in ("HOME:/" + "x" * 300, "HOME:/MainModule.mod/x", "NOWHERE:/x"):
        with pytest.raises(Exception, match=r"Forbidden|Not Found"):
            rws.upload_file(path, b"x")
    rws.set_rapid_variable("grip", "[TRUE,[[0,0,100],[2,0,0,0]],[1,[0,0,50],[1,0,0,0],0,0,0]]")
    with pytest.raises(ABBException, match="orientation of length 2"):
        rws.get_robtarget(tool="grip")
    with pytest.raises(Exception, match="File not found"):
        rws.read_file("HOME:/../../a.bin")


def test_a_program_runs_and_tells_of_itself(rws: RWS, host: AbbHost):
    rws.set_rapid_variable_num("count", 0)
    rws.set_digital_io("pinzaOutput0", 0)
    with pytest.raises(ABBException, match="motors"):
        rws.start("once")
    rws.set_controller_state("motoron")
    assert rws.get_controller_state() == "motoron"
    rws.resetpp()
    rws.start("once")
    with pytest.raises(ABBException, match="running"):
        rws.start("once")
    wait_until(lambda: rws.get_execution_state().ctrlexecstate == "stopped", "the end of the program", 30.0)
    assert rws.get_rapid_variable_num("count") == 1.0
    assert rws.get_digital_io("pinzaOutput0") == 1
    assert rws.get_jointtarget().robax == pytest.approx([30, 10, 20, 0, 60, 0], abs=0.02)
    codes = [one.code for one in rws.read_event_log()]
    assert codes[:4] == [10125, 80003, 10151, 10002]
    assert rws.read_event_log()[1].args == ["Arm", "there"]


def test_subscriptions(rws: RWS, host: AbbHost):
    heard: queue.Queue[Any] = queue.Queue()
    wanted = [
        SubscriptionResourceRequest(kind, SubscriptionResourcePriority.Medium)
        for kind in (Kind.ControllerState, Kind.OperationalMode, Kind.ExecutionState, Kind.Elog)
    ]
    wanted.append(SubscriptionResourceRequest(Kind.Signal, SubscriptionResourcePriority.High, "diReady"))
    wanted.append(SubscriptionResourceRequest(Kind.PersVar, SubscriptionResourcePriority.High, "count"))
    subscription = rws.subscribe(wanted, heard.put)
    try:
        assert type(heard.get(timeout=30.0)).__name__ == "ControllerState"
        rws.set_digital_io("diReady", 1)
        rws.set_rapid_variable_num("count", 55)
        seen: list[tuple[str, str]] = []

        def heard_all() -> bool:
            while not heard.empty():
                event = heard.get()
                seen.append((type(event).__name__, str(event[-2 if type(event).__name__ == "VariableValue" else -1])))
            return ("Signal", "1") in seen and ("VariableValue", "55") in seen

        wait_until(heard_all, "the events", 30.0)
    finally:
        subscription.close()
        rws.set_digital_io("diReady", 0)


def test_mastership_and_manual_mode(rws: RWS, host: AbbHost):
    other = RWS(f"http://{ADDRESS}:{host.rws_port}")
    rws._do_post("rw/mastership/rapid?action=request")
    with pytest.raises(ABBException, match="another client") as refused:
        other.set_rapid_variable_num("count", 1)
    assert refused.value.code == -1073414146
    rws._do_post("rw/mastership/rapid?action=release")
    other.set_rapid_variable_num("count", 1)
    host.brain.panel.set_mode("MANR")
    with pytest.raises(ABBException, match="manual mode"):
        other.set_rapid_variable_num("count", 2)
    other._do_post("users/rmmp", {"privilege": "modify"})
    assert other._do_get("users/rmmp/poll")["_embedded"]["_state"][0]["status"] == "PENDING"
    host.rws.mastership.decide(grant=True)
    other.set_rapid_variable_num("count", 2)
    assert other.get_rapid_variable_num("count") == 2.0
    other.close()


def test_queues(rws: RWS):
    assert rws.try_create_ipc_queue("q")
    assert not rws.try_create_ipc_queue("q")
    rws.send_ipc_message("q", "hello", "me")
    (message,) = rws.read_ipc_message("q")
    assert (message.data, message.queue_name) == ("hello", "me")
    assert rws.read_ipc_message("q") == []


@pytest.mark.parametrize("ask", [requests.get, requests.post, requests.put, requests.delete])
def test_nobody_comes_in_without_a_password(host: AbbHost, ask: Callable[..., Any]):
    url = f"http://{ADDRESS}:{host.rws_port}/rw/panel/ctrlstate"
    refused = ask(url, timeout=10)
    assert refused.status_code == HTTPStatus.UNAUTHORIZED
    assert refused.headers["WWW-Authenticate"].startswith("Digest ")
    wrong = ask(url, auth=requests.auth.HTTPDigestAuth("Default User", "wrong"), timeout=10)
    assert wrong.status_code == HTTPStatus.UNAUTHORIZED
