"""The ports of a virtual UR3e: order, limits, garbage, slow readers, faults. It answers and lives on."""

import json
import random
import struct
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from ur_talk import RtdeTalk, Talk
from waiting import wait_until

from openpendant.errors import ControllerError, LinkError, OpenPendantError
from openpendant.protocols.rtde import StartReplied, StateReceived, TextReceived
from openpendant.protocols.ur_primary import (
    MessageFramer,
    ProgramTextMessage,
    RuntimeExceptionMessage,
    VersionMessage,
    decode_real_time,
    decode_robot_message,
    decode_robot_state,
)
from openpendant.virtual.launch import VirtualControl, VirtualHandle, start_virtual

PORTS = (29999, 30001, 30002, 30003, 30004, 29990, 29980)
HOME = (0.0, -1.6, 1.2, -1.2, -1.57, 0.0)


@pytest.fixture(scope="module")
def robot() -> Iterator[VirtualHandle]:
    with start_virtual("ur3e", "127.0.10.1", start_q=HOME) as robot:
        yield robot


def register(robot: VirtualHandle, name: str) -> float:
    return float(robot.read(name)[name])


def messages_of(talk: Talk, wanted: Callable[[object], bool]) -> object:
    """Return the first robot message of the primary port that is wanted."""
    framer = MessageFramer()
    while True:
        for kind, payload in framer.feed(talk.some()):
            if kind == 20 and wanted(message := decode_robot_message(payload)):
                return message


class TestRtde:
    def test_time_counts_ticks(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            talk.outputs(["timestamp"])
            assert talk.start()
            stamps = [talk.state()[0] for _ in range(200)]
        assert all(now - before == pytest.approx(0.002, abs=1e-9) for before, now in pairwise(stamps))

    @pytest.mark.parametrize(("hz", "period"), [(25.0, 0.04), (125.0, 0.008), (500.0, 0.002)])
    def test_every_client_has_its_own_rate(self, robot: VirtualHandle, hz: float, period: float):
        with RtdeTalk(robot.address) as talk:
            talk.outputs(["timestamp"], hz)
            talk.start()
            stamps = [talk.state()[0] for _ in range(5)]
        assert [b - a for a, b in pairwise(stamps)] == pytest.approx([period] * 4, abs=1e-9)

    def test_start_before_recipes_is_refused(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            assert not talk.start()
            talk.outputs(["timestamp"])
            assert talk.start()

    def test_the_answer_to_start_comes_before_the_first_data(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            talk.outputs(["timestamp"])
            talk.session.start()
            talk.send(talk.session.take_outbox())
            data = talk.some()
            while len(data) < 4 + 12:
                data += talk.some()
        assert data[2:4] == b"S\x01"
        assert data[4 + 2 : 4 + 3] == b"U"

    def test_unknown_names_are_named(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            talk.session.set_up_outputs(["actual_q", "actual_happiness"])
            assert talk.refused().faults == {"actual_happiness": "NOT_FOUND"}

    def test_an_input_has_one_writer_and_becomes_free(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as first, RtdeTalk(robot.address) as second:
            first.inputs(["input_int_register_30"])
            second.session.set_up_inputs(["input_int_register_30"])
            assert second.refused().faults == {"input_int_register_30": "IN_USE"}
            first.close()

            def agreed() -> bool:
                with RtdeTalk(robot.address) as third:
                    third.session.set_up_inputs(["input_int_register_30"])
                    third.send(third.session.take_outbox())
                    return b"INT32" in third.some()

            wait_until(agreed, "the register to be free")

    def test_inputs_reach_the_registers(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            recipe = talk.inputs(["input_double_register_31", "input_int_register_31"])
            talk.start()
            talk.write(recipe, 2.5, -7)
            wait_until(lambda: register(robot, "input_double_register_31") == 2.5, "the double")
            assert register(robot, "input_int_register_31") == -7

    def test_oversize_lists_and_bad_rates_are_refused(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            talk.session.set_up_outputs(["timestamp"] * 300)
            talk.refused()
            for hz in (0.0, 501.0, float("nan"), -3.0):
                talk.session.set_up_outputs(["timestamp"], hz)
                talk.refused()
            talk.outputs(["timestamp"])
            assert talk.start()

    def test_data_of_a_recipe_that_is_not_there_is_answered_in_words(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            talk.outputs(["timestamp"])
            talk.start()
            talk.send(struct.pack(">HBBd", 12, ord("U"), 9, 1.0))
            assert "9" in talk.next(TextReceived).message.text
            assert talk.next(StateReceived)

    def test_pause_and_start_again(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            talk.outputs(["timestamp"])
            talk.start()
            talk.state()
            talk.session.pause()
            talk.session.start()
            assert talk.next(StartReplied).accepted
            assert talk.state()


class TestScripts:
    def test_a_program_runs_and_tells(self, robot: VirtualHandle):
        with Talk(robot.address, 30001) as talk:
            talk.send(b'def hello():\n  textmsg("good ", "day")\n  write_output_integer_register(5, 42)\nend\n')
            said = messages_of(talk, lambda one: isinstance(one, ProgramTextMessage))
        assert isinstance(said, ProgramTextMessage)
        assert said.text == "good day"
        wait_until(lambda: register(robot, "output_int_register_5") == 42, "the register")

    @pytest.mark.parametrize("port", [30001, 30002, 30003])
    def test_every_script_port_runs_loose_lines(self, robot: VirtualHandle, port: int):
        with Talk(robot.address, port) as talk:
            talk.some()
            talk.send(b"write_output_integer_register(6, %d)\n" % port)
            wait_until(lambda: register(robot, "output_int_register_6") == port, "the register")

    def test_a_syntax_error_is_told_with_its_line(self, robot: VirtualHandle):
        with Talk(robot.address, 30001) as talk:
            talk.send(b"def wrong():\n  a = 1\n  b = (2 + \n  c = 3\nend\n")
            told = messages_of(talk, lambda one: isinstance(one, RuntimeExceptionMessage))
        assert isinstance(told, RuntimeExceptionMessage)
        assert told.line in (3, 4)
        assert robot.state()["program_state"] == "STOPPED"

    def test_a_runtime_error_is_told_with_its_line(self, robot: VirtualHandle):
        with Talk(robot.address, 30001) as talk:
            talk.send(b"def wrong():\n  a = [1, 2]\n  b = a[5]\nend\n")
            told = messages_of(talk, lambda one: isinstance(one, RuntimeExceptionMessage))
        assert isinstance(told, RuntimeExceptionMessage)
        assert told.line == 3

    def test_an_endless_loop_does_not_hold_up_the_controller(self, robot: VirtualHandle):
        with Talk(robot.address, 30002) as talk, RtdeTalk(robot.address) as rtde:
            rtde.outputs(["timestamp"])
            rtde.start()
            talk.send(b"def busy():\n  i = 0\n  while True:\n    i = i + 1\n  end\nend\n")
            stamps = [rtde.state()[0] for _ in range(300)]
            assert stamps[-1] - stamps[0] == pytest.approx(0.598, abs=1e-6)
            talk.send(b"def calm():\n  sync()\nend\n")
            wait_until(lambda: robot.state()["program_state"] == "STOPPED", "the end of the loop")

    def test_secondary_programs_do_not_interrupt(self, robot: VirtualHandle):
        with Talk(robot.address, 30002) as talk:
            talk.send(b"def long():\n  while True:\n    sync()\n  end\nend\n")
            wait_until(lambda: robot.state()["program_state"] == "PLAYING", "the program")
            talk.send(b"sec beside():\n  set_standard_digital_out(7, True)\nend\n")
            wait_until(lambda: robot.state()["digital_out"] & 0x80, "the output")
            assert robot.state()["program_state"] == "PLAYING"
            talk.send(b"sec beside():\n  set_standard_digital_out(7, False)\nend\n")
        robot.press("stop")
        wait_until(lambda: robot.state()["program_state"] == "STOPPED", "the stop")

    def test_a_popup_waits_for_its_confirmation(self, robot: VirtualHandle):
        with Talk(robot.address, 30002) as talk:
            talk.send(
                b'def ask():\n  popup("Ready?", title="Question", blocking=True)\n'
                b"  write_output_integer_register(7, 9)\nend\n"
            )
            wait_until(lambda: robot.state()["popup"] is not None, "the window")
            assert robot.state()["popup"]["title"] == "Question"
            assert register(robot, "output_int_register_7") == 0
            robot.press("continue")
            wait_until(lambda: register(robot, "output_int_register_7") == 9, "the program to go on")

    def test_a_popup_can_end_the_program(self, robot: VirtualHandle):
        robot.control("script", text='def ask():\n  popup("Go on?", blocking=True)\n  sleep(100)\nend\n')
        wait_until(lambda: robot.state()["popup"] is not None, "the window")
        robot.press("stop_popup")
        wait_until(lambda: robot.state()["program_state"] == "STOPPED", "the end")


class TestStates:
    @pytest.mark.parametrize("port", [30001, 30002])
    def test_version_first_then_states(self, robot: VirtualHandle, port: int):
        framer, found = MessageFramer(), []
        with Talk(robot.address, port) as talk:
            while len(found) < 4:
                found += framer.feed(talk.some())
        first = decode_robot_message(found[0][1])
        assert isinstance(first, VersionMessage)
        assert (first.project, first.major) == ("URControl", 5)
        states = [decode_robot_state(payload) for kind, payload in found if kind == 16]
        assert {type(one).__name__ for one in states[0]} >= {"KinematicsInfo", "ConfigurationInfo", "JointData"}
        for state in states:
            joints = next(one for one in state if type(one).__name__ == "JointData")
            assert joints.q_target == pytest.approx(HOME)

    def test_the_real_time_port_sends_every_tick(self, robot: VirtualHandle):
        data = b""
        with Talk(robot.address, 30003) as talk:
            while len(data) < 1220 * 10:
                data += talk.some()
        packets = [decode_real_time(data[1220 * i : 1220 * (i + 1)]) for i in range(10)]
        times = [float(one["time"]) for one in packets]  # pyright: ignore[reportArgumentType]
        assert [b - a for a, b in pairwise(times)] == pytest.approx([0.002] * 9, abs=1e-9)
        assert packets[0]["q_target"] == pytest.approx(HOME)
        assert packets[0]["robot_mode"] == 7.0


class TestGarbage:
    @pytest.mark.parametrize("port", PORTS)
    def test_garbage_is_survived(self, robot: VirtualHandle, port: int):
        rng = random.Random(port)
        for size in (1, 3, 100, 5_000, 70_000):
            with Talk(robot.address, port) as talk:
                try:
                    talk.send(rng.randbytes(size))
                    talk.send(b"\n" + rng.randbytes(size) + b"\r\n\r\n")
                except ConnectionError:
                    continue
        assert robot.state()["robot_mode"] == "RUNNING"
        with RtdeTalk(robot.address) as talk:
            talk.outputs(["timestamp"])
            assert talk.start()
            assert talk.state()

    def test_a_stream_that_cannot_be_followed_is_closed(self, robot: VirtualHandle):
        with Talk(robot.address, 30004) as talk:
            talk.send(b"\x00\x01V")
            assert talk.ended()

    def test_an_endless_line_is_cut_off(self, robot: VirtualHandle):
        with Talk(robot.address, 29999) as talk:
            assert talk.line().startswith("Connected")
            try:
                for _ in range(64):
                    talk.send(b"x" * 65536)
            except ConnectionError:
                pass
            assert talk.ended()

    def test_dashboard_lines_in_pieces_and_in_one_go(self, robot: VirtualHandle):
        with Talk(robot.address, 29999) as talk:
            talk.line()
            for byte in b"robotmode":
                talk.send(bytes((byte,)))
            assert talk.ask("") == "Robotmode: RUNNING"
            talk.send(b"running\r\nsafetymode\nnonsense\n")
            assert [talk.line() for _ in range(3)] == [
                "Program running: false",
                "Safetymode: NORMAL",
                "could not understand: 'nonsense'",
            ]

    def test_control_orders_are_checked(self, robot: VirtualHandle):
        with Talk(robot.address, 29990) as talk:
            for order in ("nonsense", "{}", '{"do":"dance"}', '{"do":"press","button":"self_destruct"}', "[1]", "null"):
                reply = json.loads(talk.ask(order))
                assert not reply["ok"]
                assert reply["why"]
            assert json.loads(talk.ask('{"do":"state"}'))["ok"]
        with pytest.raises(ControllerError, match="known"):
            robot.fault("earthquake")
        with pytest.raises(ControllerError, match="no_such"):
            robot.read("no_such_variable")
        with pytest.raises(ControllerError):
            robot.control("input", name="flux_capacitor", value=True)
        with pytest.raises(ControllerError):
            robot.control("speed", fraction=7.0)


class TestFaults:
    def test_a_client_that_does_not_read_is_dropped(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as lazy, RtdeTalk(robot.address) as busy:
            lazy.outputs(["actual_q"] * 200)
            lazy.start()
            busy.outputs(["timestamp"])
            busy.start()
            stamps = [busy.state()[0] for _ in range(1500)]
            assert lazy.ended()
        assert stamps[-1] - stamps[0] == pytest.approx(2.998, abs=1e-6)

    def test_silence_delays_and_loses_nothing(self, robot: VirtualHandle):
        with RtdeTalk(robot.address) as talk:
            talk.outputs(["timestamp"])
            talk.start()
            talk.state()
            robot.fault("silence", seconds=0.2)
            stamps = [talk.state()[0] for _ in range(200)]
        assert all(b - a == pytest.approx(0.002, abs=1e-9) for a, b in pairwise(stamps))

    def test_a_frozen_controller_does_not_live_on(self, robot: VirtualHandle):
        before = robot.state()["time_s"]
        robot.fault("freeze", seconds=30)
        frozen = robot.state()["time_s"]
        assert robot.state()["time_s"] == robot.state()["time_s"]
        assert frozen - before < 1.0
        robot.fault("clear")
        wait_until(lambda: robot.state()["time_s"] > frozen, "time to go on")

    def test_delayed_answers_come(self, robot: VirtualHandle):
        robot.fault("delay", ms=30, jitter_ms=10)
        with Talk(robot.address, 29999) as talk:
            talk.line()
            assert talk.ask("robotmode") == "Robotmode: RUNNING"
        assert robot.state()["faults"] == ["delay"]
        robot.fault("clear")
        assert robot.state()["faults"] == []

    def test_a_corrupt_byte_is_sent_once(self, robot: VirtualHandle):
        with Talk(robot.address, 29999) as talk:
            talk.line()
            robot.fault("corrupt", count=1, ports=[29999])
            talk.send(b"robotmode\nrobotmode\n")
            wrong = talk.some()
            while len(wrong) < 2 * len(b"Robotmode: RUNNING\n"):
                wrong += talk.some()
        assert sum(a != b for a, b in zip(wrong, b"Robotmode: RUNNING\n" * 2, strict=True)) == 1

    def test_drop_resets_and_refuses_for_a_while(self, robot: VirtualHandle):
        with Talk(robot.address, 29999) as talk:
            talk.line()
            robot.fault("drop", seconds=0.2)
            assert talk.ended()

        def answered() -> bool:
            try:
                with Talk(robot.address, 29999) as again:
                    return again.line().startswith("Connected")
            except (ConnectionError, AssertionError):
                return False

        wait_until(answered, "new connections")

    def test_a_reboot_forgets(self, robot: VirtualHandle):
        robot.control("script", text="write_output_integer_register(9, 5)\n")
        wait_until(lambda: register(robot, "output_int_register_9") == 5, "the register")
        before = robot.state()["time_s"]
        with Talk(robot.address, 29999) as talk:
            talk.line()
            robot.fault("reboot", seconds=0.2)
            assert talk.ended()
        assert robot.state()["mains"] == "booting"
        with pytest.raises(ConnectionRefusedError):
            Talk(robot.address, 29999)
        with pytest.raises(ControllerError, match="booting"):
            robot.press("power_on")
        wait_until(lambda: robot.state()["mains"] == "on", "the boot")
        assert robot.state()["time_s"] < before
        assert register(robot, "output_int_register_9") == 0
        assert robot.state()["robot_mode"] == "RUNNING"

    def test_a_power_cut_lasts_until_it_is_switched_on(self, robot: VirtualHandle):
        robot.fault("power_off")
        assert robot.state()["mains"] == "off"
        assert robot.state()["buttons"]["switch_on"] is None
        with pytest.raises(ConnectionRefusedError):
            Talk(robot.address, 30004)
        robot.press("switch_on")
        wait_until(lambda: robot.state()["mains"] == "on", "the boot")
        with Talk(robot.address, 29999) as talk:
            assert talk.line().startswith("Connected")


class TestProcess:
    def test_an_address_in_use_is_told(self, robot: VirtualHandle):
        with pytest.raises(OpenPendantError, match="is in use"):
            start_virtual("ur3e", robot.address)

    @pytest.mark.parametrize(
        ("words", "why"),
        [
            ({"model": "ur99"}, "ur99"),
            ({"bind": "8.8.8.8"}, "refused"),
            ({"bind": "nowhere"}, "not an address"),
            ({"power": "half"}, "on or off"),
            ({"program": "/no/such.urp"}, "no such file"),
            ({"calibration": "/no/such.json"}, "calibration"),
            ({"start_q": (0.0, 1.0)}, "6|six"),
        ],
        ids=lambda one: str(one),
    )
    def test_bad_setups_end_with_a_reason(self, words: dict[str, str], why: str):
        with pytest.raises(OpenPendantError, match=why):
            start_virtual(**{"model": "ur3e", "bind": "127.0.10.9", **words})  # pyright: ignore[reportArgumentType]

    def test_it_ends_with_whoever_started_it(self):
        robot = start_virtual("ur5e", "127.0.10.2")
        assert robot.state()["model"] == "ur5e"
        assert robot.process.stdin is not None
        robot.process.stdin.close()
        robot.process.wait(20.0)
        with pytest.raises(LinkError):
            robot.state()
        robot.close()

    def test_nobody_there_is_told(self):
        with pytest.raises(LinkError, match=r"127\.0\.10\.250"):
            VirtualControl("127.0.10.250")

    def test_pace_is_reported(self, robot: VirtualHandle):
        pace = robot.control("pace")["pace"]
        assert pace["ticks"] > 0
        assert 0.0 <= pace["late_p50_us"] <= pace["late_p99_us"] <= pace["late_max_us"]
