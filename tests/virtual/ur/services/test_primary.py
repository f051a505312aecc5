"""What the maker's library sends to the script ports and hears on the primary one, over sockets, step by step."""

import contextlib
import socket
from collections.abc import Callable, Iterator

import pytest
from ur_brain import make_brain

from openpendant.protocols.rtde import ProtocolVersionRequest, SetupOutputsRequest
from openpendant.protocols.ur_primary import (
    ErrorCodeMessage,
    KeyMessage,
    MessageFramer,
    MessageSource,
    ReportLevel,
    RobotModeInfo,
    RuntimeExceptionMessage,
    SafetyModeMessage,
    decode_robot_message,
    decode_robot_state,
)
from openpendant.virtual.ur import (
    ErrorCode,
    Key,
    RobotMode,
    RuntimeException,
    SafetyMode,
    SafetyModeChange,
    UrController,
)
from openpendant.virtual.ur.host import PRIMARY_PORT, REALTIME_PORT, RTDE_PORT, SECONDARY_PORT, UrHost
from openpendant.virtual.ur.services.primary import encode
from openpendant.virtual.ur.versions import parse_version

ADDRESS = "127.0.12.45"
MOST_STEPS = 5_000


@pytest.fixture
def host() -> Iterator[UrHost]:
    made = UrHost(ADDRESS, lambda sockets: make_brain(sockets=sockets))
    yield made
    made.close()


class Client:
    """Reads whole messages from a port while the controller is stepped by hand."""

    def __init__(self, host: UrHost, port: int = PRIMARY_PORT) -> None:
        self.host = host
        self._socket = socket.create_connection((ADDRESS, port))
        self._socket.settimeout(0.0)
        self._framer = MessageFramer()
        self.told: list[object] = []
        self.state: tuple[object, ...] = ()

    def send(self, text: str) -> None:
        self._socket.sendall(text.encode())

    def step(self) -> None:
        self.host.step()
        try:
            data = self._socket.recv(1 << 16)
        except BlockingIOError:
            return
        for kind, payload in self._framer.feed(data):
            if kind == 20:
                self.told.append(decode_robot_message(payload))
            else:
                self.state = tuple(decode_robot_state(payload))

    def until(self, there: Callable[[], bool]) -> None:
        for _ in range(MOST_STEPS):
            if there():
                return
            self.step()
        raise AssertionError(f"not within {MOST_STEPS} steps; told {self.told}")

    def told_of(self, kind: type) -> list[object]:
        return [one for one in self.told if isinstance(one, kind)]

    @property
    def keys(self) -> list[KeyMessage]:
        return [one for one in self.told if isinstance(one, KeyMessage)]

    @property
    def mode(self) -> RobotModeInfo:
        return next(one for one in self.state if isinstance(one, RobotModeInfo))

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def client(host: UrHost) -> Iterator[Client]:
    client = Client(host)
    client.until(lambda: bool(client.state))
    yield client
    client.close()


@pytest.mark.parametrize("port", [PRIMARY_PORT, SECONDARY_PORT, REALTIME_PORT])
def test_every_script_port_takes_plain_commands(host: UrHost, port: int):
    brain = host.brain
    with socket.create_connection((ADDRESS, port)) as sock:
        sock.settimeout(0.0)
        for command, mode in (
            ("power off", RobotMode.POWER_OFF),
            ("power on", RobotMode.IDLE),
            ("  Set  robotmode run", RobotMode.RUNNING),
        ):
            sock.sendall(f"{command}\n".encode())
            for _ in range(500):
                host.step()
                # Who leaves what comes unread is cut off.
                with contextlib.suppress(BlockingIOError):
                    sock.recv(1 << 16)
            assert brain.read("robot_mode") == mode
    assert not [one for one in brain.messages() if isinstance(one, RuntimeException)]


def test_a_program_is_told_to_stop(client: Client):
    client.send('def talking():\n  while True:\n    textmsg("still running")\n    sleep(1.0)\n  end\nend\n\n')
    client.until(lambda: client.mode.program_running)
    client.send("stop program\n")
    client.until(lambda: not client.mode.program_running and not client.mode.program_paused)
    assert [one.title for one in client.keys] == ["PROGRAM_XXX_STARTED", "PROGRAM_XXX_STOPPED"]
    client.send("stop program\n")
    for _ in range(20):
        client.step()
    assert not client.told_of(RuntimeExceptionMessage)


def test_a_protective_stop_is_told_with_its_code_and_level_and_unlocked(client: Client):
    client.send("protective_stop()\n")
    client.until(lambda: client.mode.protective_stopped)
    errors = client.told_of(ErrorCodeMessage)
    assert [(one.code, one.argument, one.level) for one in errors if isinstance(one, ErrorCodeMessage)] == [
        (209, 0, ReportLevel.WARNING)
    ]
    client.send("set unlock protective stop\n")
    client.until(lambda: not client.mode.protective_stopped)
    modes = [one.safety_mode for one in client.told_of(SafetyModeMessage) if isinstance(one, SafetyModeMessage)]
    assert modes == [SafetyMode.PROTECTIVE_STOP, SafetyMode.NORMAL]
    client.told.clear()
    client.send("def after():\n  movej([0, -1.3, 1.6, -1.9, -1.57, 0])\nend\n")
    client.until(lambda: ("PROGRAM_XXX_STOPPED", "after") in [(one.title, one.text) for one in client.keys])
    assert not client.told_of(ErrorCodeMessage)
    assert not client.told_of(RuntimeExceptionMessage)


def test_a_protective_stop_is_cleared_over_the_dashboard(client: Client):
    """Right after the arm was switched off and told to release its brakes, as the library's own suite does."""
    brain = client.host.brain
    assert brain.dashboard("power off") == "Powering off"
    client.until(lambda: brain.dashboard("robotmode") == "Robotmode: POWER_OFF")
    assert brain.dashboard("brake release") == "Brake releasing"
    for _ in range(150):
        client.step()
    client.send("protective_stop()\n")
    client.until(lambda: brain.dashboard("safetystatus") == "Safetystatus: PROTECTIVE_STOP")
    for _ in range(2500):
        client.step()
    assert brain.dashboard("unlock protective stop") == "Protective stop releasing"
    assert brain.dashboard("robotmode") == "Robotmode: RUNNING"
    assert brain.dashboard("safetymode") == "Safetymode: NORMAL"
    assert brain.dashboard("close safety popup") == "closing safety popup"


def test_a_name_that_means_nothing_is_told_as_controllers_do(client: Client):
    client.send("def illegal():\n  calldoesntexist()\nend\n")
    client.until(lambda: bool(client.told_of(RuntimeExceptionMessage)))
    (told,) = client.told_of(RuntimeExceptionMessage)
    assert isinstance(told, RuntimeExceptionMessage)
    assert (told.line, told.column, told.text) == (2, 3, "compile_error_name_not_found:calldoesntexist:")


def test_a_pose_out_of_reach_ends_a_program_or_stops_the_arm(client: Client):
    client.send("movej(p[0, 0, 0, 0, 0, 0])\n")
    client.until(lambda: bool(client.told_of(RuntimeExceptionMessage)))
    client.send("movel(p[0, 0, 0, 0, 0, 0])\n")
    client.until(lambda: bool(client.told_of(ErrorCodeMessage)))
    client.until(lambda: client.mode.protective_stopped)
    client.send("set unlock protective stop\n")
    client.until(lambda: not client.mode.protective_stopped)


def test_a_program_for_an_arm_that_is_off_is_refused(client: Client):
    client.send("power off\n")
    client.until(lambda: client.mode.robot_mode == RobotMode.POWER_OFF)
    client.told.clear()
    client.send('textmsg("running")\n')
    client.until(lambda: bool(client.told_of(ErrorCodeMessage)))
    assert not client.keys


GOLDEN = [
    (
        ErrorCode(500, 209, 0, 1, "hit"),
        "00000026 14 00000000000f4240 07 06 000000d1 00000000 00000002 00000000 00000000 686974",
    ),
    (
        ErrorCode(500, 100, 7, 0, ""),
        "00000023 14 00000000000f4240 07 06 00000064 00000007 00000001 00000000 00000000",
    ),
    (
        ErrorCode(500, 191, 3, 2, ""),
        "00000023 14 00000000000f4240 07 06 000000bf 00000003 00000003 00000000 00000000",
    ),
    (
        ErrorCode(500, 192, 0, 3, ""),
        "00000023 14 00000000000f4240 07 06 000000c0 00000000 00000004 00000000 00000000",
    ),
    (
        SafetyModeChange(500, 0, 0, SafetyMode.PROTECTIVE_STOP),
        "00000020 14 00000000000f4240 65 05 00000000 00000000 03 00000000 00000000",
    ),
    (
        RuntimeException(500, 2, 3, "words", "name:f:"),
        "0000001e 14 00000000000f4240 fd 0a 00000002 00000003 6e616d653a663a",
    ),
    (
        RuntimeException(500, 2, 1, "words"),
        "0000001c 14 00000000000f4240 fd 0a 00000002 00000001 776f726473",
    ),
    (
        Key(500, 0, 0, "PROGRAM_XXX_STOPPED", "f"),
        "0000002c 14 00000000000f4240 fd 07 00000000 00000000 13 50524f4752414d5f5858585f53544f50504544 66",
    ),
]


@pytest.mark.parametrize(("message", "golden"), GOLDEN)
def test_messages_byte_for_byte(message: ErrorCode | SafetyModeChange | RuntimeException | Key, golden: str):
    assert encode(message).encode() == bytes.fromhex(golden)


@pytest.mark.parametrize(
    ("cause", "code", "level"),
    [
        (UrController.trigger_protective_stop, 0, ReportLevel.WARNING),
        (UrController.trigger_violation, 191, ReportLevel.VIOLATION),
        (UrController.trigger_fault, 192, ReportLevel.FAULT),
    ],
)
def test_how_bad_a_report_is(cause: Callable[[UrController, str], None], code: int, level: ReportLevel):
    brain = make_brain()
    cause(brain, "a test")
    (told,) = [encode(one) for one in brain.messages() if isinstance(one, ErrorCode)]
    assert isinstance(told, ErrorCodeMessage)
    assert (told.source, told.code, told.level) == (MessageSource.CONTROLLER, code, level)


def test_an_arm_tells_every_mode_it_comes_to():
    brain = make_brain(power=False)
    brain.dashboard("brake release")
    for _ in range(400):
        brain.tick()
    told = [one for one in brain.messages() if isinstance(one, ErrorCode)]
    assert [(one.title, one.level) for one in told] == [("C100A2", 0), ("C100A4", 0), ("C100A5", 0), ("C100A7", 0)]


@pytest.mark.parametrize(("version", "type_name"), [("5.22", b"NOT_FOUND"), ("5.23", b"VECTOR6D")])
def test_a_variable_of_a_later_version_is_not_found(version: str, type_name: bytes):
    host = UrHost(ADDRESS, lambda sockets: make_brain(sockets=sockets, version=parse_version(version)))
    try:
        with socket.create_connection((ADDRESS, RTDE_PORT)) as sock:
            sock.settimeout(0.0)
            sock.sendall(ProtocolVersionRequest(2).encode())
            sock.sendall(SetupOutputsRequest(("timestamp", "actual_current_as_torque"), 500.0).encode())
            told = b""
            for _ in range(50):
                host.step()
                with contextlib.suppress(BlockingIOError):
                    told += sock.recv(4096)
    finally:
        host.close()
    assert told.endswith(b"DOUBLE," + type_name)
