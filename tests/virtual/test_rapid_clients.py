"""The clients of earlier systems, on sockets: against the RAPID that serves them, and against what never answers."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from abb_motion_program_exec.abb_motion_program_exec_client import MotionProgram, MotionProgramExecClient
from abb_motion_program_exec.commands.rapid_types import fine, jointtarget, v500, z10
from abb_stand import READY, SIGNALS, free_port
from motion_program_bench import motion_program_controller
from waiting import wait_until

from openpendant.compat import VrArmClient, VrArmStream
from openpendant.errors import InputError, LinkError
from openpendant.protocols import ProtocolError
from openpendant.protocols.abb_text import TargetPose
from openpendant.rapid_modules import rapid_set
from openpendant.virtual.abb import AbbHost, AbbSetup, TaskSetup, build_controller

ARM = "127.0.0.81"
NO_AXES = [9e9] * 6
TASKS = (TaskSetup("T_ROB1", "ROB_1"), TaskSetup("T_VR_SERVER"), TaskSetup("T_VR_STREAM"))


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VrArmClient]:
    folder = tmp_path_factory.mktemp("arm")
    setup = AbbSetup("irb120", ARM, folder, folder, SIGNALS, tasks=TASKS)
    host = AbbHost(ARM, lambda sockets: build_controller(setup, sockets, start_q=READY), rws_port=free_port(ARM))
    for file in rapid_set("vr_arm").files:
        host.brain.program.load(file.task, file.text, file.path.name, replace=True)
    host.brain.panel.set_motors(on=True)
    host.brain.start("forever")
    ended = threading.Event()
    thread = threading.Thread(target=host.run, args=(ended.is_set,))
    thread.start()
    try:
        wait_until(lambda: any("5000" in line for line in host.brain.terminal.lines), "the robot to serve")
        yield VrArmClient(ARM)
    finally:
        ended.set()
        thread.join()


def test_the_client_checks_moves_and_sees_the_joints(arm: VrArmClient):
    assert arm.check_joints(READY_DEG) == pytest.approx(READY_DEG)
    assert arm.check_pose(TargetPose(2000.0, 0.0, 300.0, 180.0, 0.0, 180.0)) is None
    assert arm.move_to_joints([200, 0, 0, 0, 0, 0]) is False
    with VrArmStream() as stream:
        # Longer than the 20 bytes that the earlier client read.
        assert arm.move_to_joints([-12.0, -11.0, -13.0, -14.0, -15.0, -16.0], speed="high") is True
        seen = stream.receive(1.0)
    assert seen is not None
    assert arm.check_joints([-100.0, -50.0, -60.0, -110.0, -55.0, -116.0]) == (-100, -50, -60, -110, -55, -116)
    assert arm.set_tool(opened=True)
    assert arm.pause()
    assert arm.resume()


READY_DEG = (0.0, 10.0, 20.0, 0.0, 60.0, 0.0)


@contextmanager
def server(reply: bytes, *, closes: bool, gap_s: float = 0.0) -> Iterator[int]:
    """A robot that answers every client with the same bytes, one by one, and closes or does not."""
    door = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def serve() -> None:
        link, _ = door.accept()
        with link:
            link.recv(100)
            with suppress(OSError):
                for byte in reply:
                    link.sendall(bytes([byte]))
                    ended.wait(gap_s)
            if not closes:
                ended.wait(5.0)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield int(door.getsockname()[1])
    finally:
        ended.set()
        thread.join()
        door.close()


@pytest.mark.parametrize(("reply", "gap_s"), [(b"", 0.0), (b"succ", 0.0), (b"1;2;3;4;5;6" * 9, 0.05)])
def test_a_robot_that_does_not_end_its_reply_costs_a_time_limit(reply: bytes, gap_s: float):
    with server(reply, closes=False, gap_s=gap_s) as port:
        began = time.monotonic()
        with pytest.raises(LinkError, match=r"no reply to AC\[.* within 0.2 s"):
            VrArmClient(port=port, timeout_s=0.2).check_joints(READY_DEG)
        assert time.monotonic() - began < 1.0


@pytest.mark.parametrize("reply", [b"whatever", b"1;2;3", b"success", b"1;2;3;4;5;6" * 40])
def test_a_reply_that_is_none_is_refused(reply: bytes):
    with server(reply, closes=True) as port, pytest.raises(ProtocolError):
        VrArmClient(port=port).check_joints(READY_DEG)


def test_a_reply_in_pieces_is_read_to_its_end():
    with server(b"-165;-110;-110;-160;-120;-400", closes=True, gap_s=0.005) as port:
        assert VrArmClient(port=port).check_joints(READY_DEG) == (-165.0, -110.0, -110.0, -160.0, -120.0, -400.0)


def test_nobody_there_and_nothing_said():
    port = free_port("127.0.0.1")
    with pytest.raises(LinkError, match="refused"):
        VrArmClient(port=port).pause()
    with server(b"", closes=True) as port, pytest.raises(LinkError, match="without a reply to pause"):
        VrArmClient(port=port).pause()


def test_values_that_are_not_allowed():
    with pytest.raises(InputError, match="an arm has 6"):
        VrArmClient().check_joints([1.0])
    with pytest.raises(InputError, match="low, medium, high"):
        VrArmClient().move_to_joints(READY_DEG, speed="fast")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="time limit"):
        VrArmClient(timeout_s=0.0)


@contextmanager
def motion_program_host(address: str, model: str) -> Iterator[MotionProgramExecClient]:
    """Run a controller with the modules of motion programs in a thread; yield a client that knows nothing of us."""
    with TemporaryDirectory() as folder:
        host = AbbHost(
            address,
            lambda sockets: motion_program_controller(Path(folder), model, sockets=sockets),
            rws_port=free_port(address),
        )
        ended = threading.Event()
        thread = threading.Thread(target=host.run, args=(ended.is_set,))
        thread.start()
        try:
            yield MotionProgramExecClient(f"http://{address}:{host.rws_port}")
        finally:
            ended.set()
            thread.join()


def test_a_motion_program_and_its_log_file_by_the_client_that_wrote_it():
    with motion_program_host("127.0.0.82", "irb120") as client:
        program = MotionProgram()
        program.MoveAbsJ(jointtarget([5.0, 12.0, 18.0, 0.0, 60.0, 0.0], NO_AXES), v500, z10)
        program.MoveAbsJ(jointtarget([10.0, 10.0, 20.0, 0.0, 60.0, 0.0], NO_AXES), v500, fine)
        log = client.execute_motion_program(program)
        assert log.column_headers == ["timestamp", "cmdnum", *(f"J{number}" for number in range(1, 7))]
        assert log.data[-1, 2:] == pytest.approx([10.0, 10.0, 20.0, 0.0, 60.0, 0.0], abs=0.05)
        assert log.data[-1, 1] == client.get_current_cmdnum() == client.get_queued_cmdnum() == 2.0
        # The client has deleted the log file.
        assert not [one for one in client.abb_client.list_files("RAMDISK:") if one.startswith("log-")]
        # And what fails, it raises with our words.
        program.MoveAbsJ(jointtarget([0.0] * 6, NO_AXES), v500, fine)
        program._commands[-1].command_opcode = 77
        with pytest.raises(Exception, match="command or value is not known T_ROB1 command 3"):
            client.execute_motion_program(program)


def test_both_arms_of_a_yumi_by_the_client_that_wrote_it():
    with motion_program_host("127.0.0.83", "yumi") as client:
        programs = []
        for sign in (-1.0, 1.0):
            one = MotionProgram()
            one.SyncMoveOn()
            for turn in (5.0, 10.0):
                axis_7 = [sign * 135.0, *NO_AXES[1:]]
                one.MoveAbsJ(jointtarget([-sign * turn, -130.0, 30.0, 0.0, 40.0 + turn, 0.0], axis_7), v500, fine)
            one.SyncMoveOff()
            programs.append(one)
        log = client.execute_multimove_motion_program(programs)
        assert log.column_headers[-1] == "J7_2"
        assert log.data[-1, 2:9] == pytest.approx([10.0, -130.0, 30.0, 0.0, 50.0, 0.0, -135.0], abs=0.1)
        assert log.data[-1, 9:] == pytest.approx([-10.0, -130.0, 30.0, 0.0, 50.0, 0.0, 135.0], abs=0.1)
