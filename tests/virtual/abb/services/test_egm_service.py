"""Guided motion and programs' sockets of the virtual controller over real ones, by clients that know nothing of us."""

import socket
from collections.abc import Iterator

import numpy as np
import pytest
from abb_robot_client.egm import EGM
from abb_robot_client.rws import RWS
from abb_stand import READY, running_host
from waiting import wait_until

from openpendant.virtual.abb import AbbHost

ADDRESS = "127.0.0.72"
GUIDED = b"""MODULE MainModule
  VAR egmident id;
  CONST egm_minmax near:=[-0.2,0.2];
  PROC main()
    EGMGetId id;
    EGMSetupUC ROB_1,id,"default","UCdevice"\\Joint\\CommTimeout:=2;
    EGMActJoint id\\Tool:=tool0\\J1:=near\\MaxSpeedDeviation:=40;
    EGMRunJoint id,EGM_STOP_HOLD\\J1\\CondTime:=0.2\\RampInTime:=0.1;
    EGMReset id;
  ENDPROC
ENDMODULE
"""
SERVER = b"""MODULE MainModule
  VAR socketdev server;
  VAR socketdev client;
  VAR string message;
  VAR rawbytes data;
  VAR jointtarget joints;
  PROC main()
    SocketCreate server;
    SocketBind server,"127.0.0.72",%d;
    SocketListen server;
    SocketAccept server,client\\Time:=WAIT_MAX;
    SocketReceive client\\RawData:=data\\Time:=WAIT_MAX;
    UnpackRawBytes data,1,message\\ASCII:=RawBytesLen(data);
    IF StrPart(message,1,2)="AC" THEN
      IF StrToVal("["+StrPart(message,3,StrLen(message)-2)+",[9E9,9E9,9E9,9E9,9E9,9E9]]",joints) THEN
        SocketSend client\\Str:=NumToStr(joints.robax.rax_1,0);
      ELSE
        SocketSend client\\Str:="error";
      ENDIF
    ENDIF
    SocketClose client;
    SocketClose server;
  ERROR
    TRYNEXT;
  ENDPROC
ENDMODULE
"""


@pytest.fixture(scope="module")
def egm() -> Iterator[EGM]:
    client = EGM(port=0)
    yield client
    client.close()


@pytest.fixture(scope="module")
def host(egm: EGM) -> Iterator[AbbHost]:
    with running_host(ADDRESS, ("127.0.0.1", egm.socket.getsockname()[1])) as made:
        yield made


def start(host: AbbHost, text: bytes, cycle: str) -> RWS:
    rws = RWS(f"http://{ADDRESS}:{host.rws_port}")
    rws.upload_file("HOME:/MainModule.mod", text)
    rws._do_post("rw/rapid/tasks/T_ROB1?action=loadmod", {"modulepath": "HOME:/MainModule.mod", "replace": "true"})
    rws.set_controller_state("motoron")
    rws.resetpp()
    rws.start(cycle)
    return rws


def test_another_client_leads_the_joints(host: AbbHost, egm: EGM):
    rws = start(host, GUIDED, "once")
    came, state = egm.receive_from_robot(timeout=20)
    assert came
    assert state.joint_angles == pytest.approx(np.degrees(READY), abs=0.05)
    assert state.rapid_running
    assert state.motors_on
    place, turn = state.cartesian
    assert np.linalg.norm(turn) == pytest.approx(1.0)
    assert place == pytest.approx(1000.0 * host.brain.units["ROB_1"].arm.model.arm.fk(READY)[:3, 3], abs=0.1)
    goal = np.degrees(READY) + np.array([12.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    def arrived() -> bool:
        came, _ = egm.receive_from_robot(timeout=0.1)
        if came:
            egm.send_to_robot(goal)
        return bool(rws.get_execution_state().ctrlexecstate == "stopped")

    wait_until(arrived, "the end of the program", 40.0)
    assert rws.get_jointtarget().robax == pytest.approx(goal, abs=0.25)
    assert not [one for one in rws.read_event_log() if one.msgtype == 3]
    rws.close()


def test_a_server_in_rapid_serves_one_connection_a_cycle(host: AbbHost):
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port = int(probe.getsockname()[1])
    rws = start(host, SERVER % port, "forever")

    def ask(text: bytes) -> bytes:
        def connects() -> bool:
            try:
                link.append(socket.create_connection((ADDRESS, port), timeout=20.0))
            except ConnectionRefusedError:
                return False
            return True

        link: list[socket.socket] = []
        wait_until(connects, "the server", 30.0)
        with link[0] as one:
            one.sendall(text)
            reply = b""
            while piece := one.recv(100):
                reply += piece
            return reply

    assert ask(b"AC[101.4,52,-9,1,45,6]") == b"101"
    assert ask(b"AC[nonsense") == b"error"
    assert ask(b"AC[-7.6,0,0,0,0,0]") == b"-8"
    rws.stop()
    assert rws.get_execution_state().ctrlexecstate == "stopped"
    rws.close()
