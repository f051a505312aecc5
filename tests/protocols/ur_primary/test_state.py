"""Robot states of the primary interface, byte for byte, and as third-party parsers read them."""

import struct
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from urx.ursecmon import ParserUtils

from openpendant.errors import InputError
from openpendant.protocols import ProtocolError
from openpendant.protocols.ur_primary import (
    ROBOT_STATE,
    STATE_PACKAGES,
    AdditionalInfo,
    CalibrationInfo,
    CartesianInfo,
    ConfigurationInfo,
    Euromap67,
    ForceModeInfo,
    JointData,
    KinematicsInfo,
    MasterboardInfo,
    MessageFramer,
    RobotModeInfo,
    SafetyInfo,
    SingularityInfo,
    StatePackage,
    ToolCommunicationInfo,
    ToolData,
    ToolModeInfo,
    UnknownPackage,
    decode_robot_state,
    encode_robot_state,
)

ZERO, HALF, ONE, TWO, THREE = "00" * 8, "3fe0000000000000", "3ff0000000000000", "4000000000000000", "4008000000000000"
FOUR, FIVE, SIX = "4010000000000000", "4014000000000000", "4018000000000000"
UP, DOWN = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), (6.0, 5.0, 4.0, 3.0, 2.0, 1.0)
UP_HEX, DOWN_HEX = ONE + TWO + THREE + FOUR + FIVE + SIX, SIX + FIVE + FOUR + THREE + TWO + ONE
FLAT = (0.5,) * 6

MODE = RobotModeInfo(
    timestamp_us=2_000_000,
    real_robot_connected=True,
    real_robot_enabled=True,
    power_on=True,
    emergency_stopped=False,
    protective_stopped=False,
    program_running=True,
    program_paused=False,
    robot_mode=7,
    control_mode=0,
    target_speed_fraction=1.0,
    speed_scaling=0.5,
    target_speed_fraction_limit=1.0,
)
JOINTS = JointData(UP, DOWN, FLAT, UP, FLAT, DOWN, (0.0,) * 6, (253,) * 6)
MASTERBOARD = MasterboardInfo(
    digital_input_bits=0x00010203,
    digital_output_bits=5,
    analog_input_range=(1, 0),
    analog_input=(1.0, 2.0),
    analog_output_domain=(0, 1),
    analog_output=(3.0, 4.0),
    temperature=0.5,
    robot_voltage_48v=48.0,
    robot_current=1.0,
    io_current=2.0,
    safety_mode=1,
    reduced_mode=0,
    reserved=9,
    operational_mode_selector=1,
    three_position_device=2,
    reserved_2=3,
)
MASTERBOARD_HEAD = f"00010203 00000005 01 00 {ONE}{TWO} 00 01 {THREE}{FOUR} 3f000000 42400000 3f800000 40000000 01 00"
# One joint: position, target, speed as doubles; current, voltage, two temperatures as floats; mode.
SINGLE = {1: "3f800000", 2: "40000000", 3: "40400000", 4: "40800000", 5: "40a00000", 6: "40c00000"}
DOUBLE = {1: ONE, 2: TWO, 3: THREE, 4: FOUR, 5: FIVE, 6: SIX}
JOINTS_HEX = "".join(
    f"{DOUBLE[i]} {DOUBLE[7 - i]} {HALF} {SINGLE[i]} 3f000000 {SINGLE[7 - i]} 00000000 fd" for i in range(1, 7)
)

GOLDEN = [
    (MODE, f"0000002f 00 00000000001e8480 01 01 01 00 00 01 00 07 00 {ONE} {HALF} {ONE} 00"),
    (JOINTS, f"000000fb 01 {JOINTS_HEX}"),
    (
        ToolData((1, 0), (1.0, 2.0), 48.0, 24, 0.5, 1.0, 253),
        f"00000025 02 01 00 {ONE} {TWO} 42400000 18 3f000000 3f800000 fd",
    ),
    (MASTERBOARD, f"0000004b 03 {MASTERBOARD_HEAD} 00 00000009 01 02 03"),
    (
        replace(MASTERBOARD, euromap67=Euromap67(1, 2, 24.0, 0.5)),
        f"0000005b 03 {MASTERBOARD_HEAD} 01 00000001 00000002 41c00000 3f000000 00000009 01 02 03",
    ),
    (CartesianInfo(UP, DOWN), f"00000065 04 {UP_HEX} {DOWN_HEX}"),
    (
        KinematicsInfo((0, 1, 2, 3, 4, 0xFFFFFFFF), UP, DOWN, UP, DOWN, 2),
        f"000000e1 05 00000000 00000001 00000002 00000003 00000004 ffffffff {(UP_HEX + DOWN_HEX) * 2} 00000002",
    ),
    (
        ConfigurationInfo(UP, DOWN, DOWN, UP, 1.0, 2.0, 3.0, 4.0, 5.0, UP, DOWN, UP, DOWN, 6, 4, 3, 2),
        (
            f"000001bd 06 {ONE}{SIX}{TWO}{FIVE}{THREE}{FOUR}{FOUR}{THREE}{FIVE}{TWO}{SIX}{ONE}"
            f"{SIX}{ONE}{FIVE}{TWO}{FOUR}{THREE}{THREE}{FOUR}{TWO}{FIVE}{ONE}{SIX}"
            f"{ONE}{TWO}{THREE}{FOUR}{FIVE} {(UP_HEX + DOWN_HEX) * 2} 00000006 00000004 00000003 00000002"
        ),
    ),
    (ForceModeInfo(UP, 0.5), f"0000003d 07 {UP_HEX} {HALF}"),
    (AdditionalInfo(1, freedrive_enabled=True, io_freedrive_enabled=False, reserved=5), "00000009 08 01 01 00 05"),
    (CalibrationInfo(DOWN), f"00000035 09 {DOWN_HEX}"),
    (
        SafetyInfo(0xDEADBEEF, 1, 2, (1.0, 2.0, 3.0), 0.5),
        f"0000002b 0a deadbeef 01 02 {ONE}{TWO}{THREE} {HALF}",
    ),
    (
        ToolCommunicationInfo(
            enabled=True, baud_rate=115200, parity=0, stop_bits=1, rx_idle_chars=0.5, tx_idle_chars=2
        ),
        "0000001a 0b 01 0001c200 00000000 00000001 3f000000 40000000",
    ),
    (ToolModeInfo(0, (1, 2)), "00000008 0c 00 01 02"),
    (SingularityInfo(1, 2), "00000007 0d 01 02"),
]
STATE = encode_robot_state(package for package, _ in GOLDEN if getattr(package, "euromap67", None) is None)


@pytest.mark.parametrize(("package", "golden"), GOLDEN, ids=lambda value: type(value).__name__)
def test_a_sub_package_has_these_bytes(package: StatePackage, golden: str):
    raw = bytes.fromhex(golden)
    assert package.encode() == raw
    assert type(package).decode(raw[5:]) == package


def test_every_sub_package_has_its_golden_bytes():
    assert {type(package) for package, _ in GOLDEN} == set(STATE_PACKAGES.values())
    assert set(STATE_PACKAGES) == set(range(14))


def test_a_state_is_its_sub_packages_behind_one_header():
    raw = encode_robot_state([MODE, AdditionalInfo(0, freedrive_enabled=True, io_freedrive_enabled=False)])
    assert raw.hex() == "0000003d10" + MODE.encode().hex() + "000000090800010000"
    ((kind, payload),) = MessageFramer().feed(raw)
    assert kind == ROBOT_STATE
    assert [type(package) for package in decode_robot_state(payload)] == [RobotModeInfo, AdditionalInfo]


def test_unknown_and_longer_sub_packages_of_newer_software_are_taken():
    newer = bytes.fromhex("0000000b 08 01 00 00 00 ffff") + UnknownPackage(77, b"abc").encode()
    assert decode_robot_state(newer) == (
        AdditionalInfo(1, freedrive_enabled=False, io_freedrive_enabled=False),
        UnknownPackage(77, b"abc"),
    )


@pytest.mark.parametrize("raw", ["00", "00000004 00", "000000ff 08 00000000", "00000007 08 0000"])
def test_sub_packages_that_do_not_add_up_break_the_protocol(raw: str):
    with pytest.raises(ProtocolError):
        decode_robot_state(bytes.fromhex(raw))


def test_values_that_do_not_fit_are_named():
    with pytest.raises(InputError, match="RobotModeInfo"):
        replace(MODE, robot_mode=256).encode()
    with pytest.raises(InputError, match="JointData"):
        replace(JOINTS, mode=(253,) * 5).encode()
    with pytest.raises(InputError, match="ToolData"):
        ToolData((1, 0), (1.0, 2.0), 1e39, 24, 0.5, 1.0, 253).encode()


def test_urx_reads_the_state():
    """urx knows the layouts of 3.2, which later software only extends; of the mode package it reads the head."""
    parser = ParserUtils()
    assert parser.find_first_packet(STATE + b"\x00") == (STATE, b"\x00")
    parser.version = (3, 2)
    read = parser.parse(STATE)
    assert read["SecondaryClientData"] == {"size": len(STATE), "type": 16}
    mode = read["RobotModeData"]
    assert mode["timestamp"] == MODE.timestamp_us
    assert (mode["isRobotConnected"], mode["isRealRobotEnabled"], mode["isPowerOnRobot"]) == (True, True, True)
    assert (mode["isEmergencyStopped"], mode["isSecurityStopped"]) == (False, False)
    assert (mode["isProgramRunning"], mode["isProgramPaused"], mode["robotMode"]) == (True, False, 7)
    joints = read["JointData"]
    for name, values in {"q_actual": UP, "q_target": DOWN, "qd_actual": FLAT, "I_actual": UP, "T_motor": DOWN}.items():
        assert tuple(joints[f"{name}{i}"] for i in range(6)) == values, name
    assert joints["jointMode5"] == 253
    pose = read["CartesianInfo"]
    assert tuple(pose[name] for name in ("X", "Y", "Z", "Rx", "Ry", "Rz")) == UP
    assert tuple(pose[f"tcpOffset{name}"] for name in ("X", "Y", "Z", "Rx", "Ry", "Rz")) == DOWN
    board = read["MasterBoardData"]
    assert (board["digitalInputBits"], board["digitalOutputBits"]) == (0x10203, 5)
    assert (board["analogInput0"], board["analogInput1"]) == (1.0, 2.0)
    assert (board["analogOutput0"], board["analogOutput1"]) == (3.0, 4.0)
    assert (board["robotVoltage48V"], board["robotCurrent"], board["masterIOCurrent"]) == (48.0, 1.0, 2.0)
    tool = read["ToolData"]
    assert (tool["toolVoltage48V"], tool["toolOutputVoltage"], tool["toolMode"]) == (48.0, 24, 253)
    force = read["ForceModeData"]
    assert (force["x"], force["rz"], force["robotDexterity"]) == (1.0, 6.0, 0.5)
    assert read["AdditionalInfo"]["teachButtonPressed"] is True


@given(st.binary(max_size=200))
def test_noise_decodes_or_breaks_the_protocol(payload: bytes):
    for decode in (decode_robot_state, *(package.decode for package in STATE_PACKAGES.values())):
        try:
            decode(payload)
        except ProtocolError:
            continue


@given(st.integers(5, len(STATE) - 1), st.integers(0, 255))
def test_a_state_with_a_wrong_byte_decodes_or_breaks_the_protocol(place: int, value: int):
    raw = bytearray(STATE)
    raw[place] = value
    try:
        packages = decode_robot_state(bytes(raw[5:]))
    except ProtocolError:
        return
    assert 1 <= len(packages) <= len(STATE_PACKAGES)


@given(st.lists(st.floats(width=64), min_size=12, max_size=12))
def test_numbers_come_back(numbers: list[float]):
    info = CartesianInfo(tuple(numbers[:6]), tuple(numbers[6:]))
    assert struct.pack(">12d", *numbers) == info.encode()[5:]
    back = CartesianInfo.decode(info.encode()[5:])
    assert back.encode() == info.encode()
