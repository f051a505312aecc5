"""The dashboard server's words: every command of the e-Series, and the answers clients compare."""

import itertools
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.protocols import ProtocolError
from openpendant.protocols.dashboard import Command, LineSplitter, Verb, parse_command, replies

WITHOUT_ARGUMENT = """
play|stop|pause|quit|shutdown|running|robotmode|get loaded program|close popup|isProgramSaved|programState|
PolyscopeVersion|version|get operational mode|clear operational mode|power on|power off|brake release|safetymode|
safetystatus|unlock protective stop|close safety popup|restart safety|get serial number|get robot model|
is in remote control
"""


@pytest.mark.parametrize("line", [word.strip() for word in WITHOUT_ARGUMENT.split("|")])
def test_commands_of_words_alone(line: str):
    assert parse_command(line) == Command(Verb(line), "", line)
    assert parse_command(f"  {line.upper()} \r").verb is Verb(line)
    assert parse_command(line.replace(" ", "  ")).verb is Verb(line)
    assert parse_command(line + " now").verb is Verb.UNKNOWN
    assert parse_command("un" + line).verb is Verb.UNKNOWN


@pytest.mark.parametrize(
    ("line", "verb", "argument"),
    [
        ("load /programs/a b.urp", Verb.LOAD, "/programs/a b.urp"),
        ("load installation default.installation", Verb.LOAD_INSTALLATION, "default.installation"),
        ("LOAD  Installation.urp", Verb.LOAD, "Installation.urp"),
        ("popup Put the  part in", Verb.POPUP, "Put the  part in"),
        ("popup", Verb.POPUP, ""),
        ("addToLog hello", Verb.ADD_TO_LOG, "hello"),
        ("set operational mode manual", Verb.SET_OPERATIONAL_MODE, "manual"),
        ("generate flight report system", Verb.GENERATE_FLIGHT_REPORT, "system"),
        ("generate support file .", Verb.GENERATE_SUPPORT_FILE, "."),
    ],
)
def test_commands_with_an_argument(line: str, verb: Verb, argument: str):
    assert parse_command(line) == Command(verb, argument, line)


def test_every_verb_is_parsed_from_its_own_spelling():
    for verb in Verb:
        assert parse_command(verb.value).verb is verb


@pytest.mark.parametrize("line", ["", "   ", "fly", "powersave", "loadx.urp", "set operational", "\x00"])
def test_other_lines_are_unknown(line: str):
    command = parse_command(line)
    assert command.verb is Verb.UNKNOWN
    assert replies.not_understood(command.line) == f"could not understand: '{line.strip()}'"


# Patterns that clients hold against the answers (ur_rtde, the maker's own client library).
EXPECTED = [
    (replies.GREETING, "Connected: Universal Robots Dashboard Server"),
    (replies.loading_program("x.urp"), r"(?:Loading program: ).*(?:x\.urp).*"),
    (replies.loading_installation("d.installation"), r"(?:Loading installation: ).*(?:d\.installation).*"),
    (replies.file_not_found("x.urp"), "File not found: x.urp"),
    (replies.error_loading("x.urp"), "Error while loading program: x.urp"),
    (replies.failed_installation("x"), "Failed to load installation: x"),
    (replies.STARTING_PROGRAM, "Starting program"),
    (replies.failed("play"), "Failed to execute: play"),
    (replies.STOPPED, "Stopped"),
    (replies.PAUSING_PROGRAM, "Pausing program"),
    (replies.program_running(running=True), "(?:Program running: ).*true"),
    (replies.program_running(running=False), "(?:Program running: ).*false"),
    (replies.robot_mode("RUNNING"), "(?:Robotmode: ).*RUNNING"),
    (replies.safety_mode("NORMAL"), "(?:Safetymode: ).*NORMAL"),
    (replies.safety_status("NORMAL"), "(?:Safetystatus: ).*NORMAL"),
    (replies.POWERING_ON, "(?:Powering on)(?:.*)"),
    (replies.POWERING_OFF, "(?:Powering off)(?:.*)"),
    (replies.BRAKE_RELEASING, "(?:Brake releasing)(?:.*)"),
    (replies.PROTECTIVE_STOP_RELEASING, "(?:Protective stop releasing)"),
    (replies.UNLOCK_TOO_EARLY, "Cannot unlock protective stop until 5s after occurrence.*"),
    (replies.CLOSING_SAFETY_POPUP, "(?:closing safety popup)"),
    (replies.CLOSING_POPUP, "(?:closing popup)"),
    (replies.SHOWING_POPUP, "(?:showing popup)"),
    (replies.RESTARTING_SAFETY, "(?:Restarting safety)"),
    (replies.loaded_program("/programs/a.urp"), "(?:Loaded program: )(?:.*)"),
    (replies.loaded_program(""), "No program loaded"),
    (replies.program_saved(saved=True, name="a.urp"), "(?:true)(?:.*)a.urp"),
    (replies.program_state("STOPPED", "a.urp"), "(?:STOPPED)(?:.*)a.urp"),
    (replies.program_state("STOPPED", ""), "STOPPED"),
    (replies.polyscope_version("5.11.5.1010327", "Nov 02 2021"), r"(?:URSoftware ).*\d+\.\d+\.\d+\.\d+.*"),
    (replies.operational_mode_set("MANUAL"), "(?:Operational mode ).*MANUAL.*(?: is set)"),
    (replies.failed_operational_mode("X"), "Failed setting operational mode: X"),
    (replies.CLEARED_OPERATIONAL_MODE, "(?:No longer controlling the operational mode.).*"),
    (replies.LOG_SAVED, "Log saved to disk"),
    (replies.ADDED_LOG_MESSAGE, "(?:Added log message)"),
    (replies.NO_LOG_MESSAGE, "No log message to add"),
    (replies.flight_report("1"), "(?:Flight Report generated with id:)(?:.*)"),
    (replies.support_file("/a.zip"), "(?:Completed successfully:)(?:.*)"),
    (replies.SHUTTING_DOWN, "(?:Shutting down)"),
    (replies.DISCONNECTED, "Disconnected"),
]


@pytest.mark.parametrize(("reply", "pattern"), EXPECTED)
def test_answers_are_what_clients_wait_for(reply: str, pattern: str):
    assert re.fullmatch(pattern, reply)
    assert replies.encode_reply(reply) == reply.encode() + b"\n"


def test_an_answer_is_one_line():
    assert replies.encode_reply(replies.not_understood("a\r\nb\nc")) == b"could not understand: 'a b c'\n"


def test_a_command_is_made_for_the_wire():
    assert Command.of(Verb.LOAD, "a.urp").encode() == b"load a.urp\n"
    assert Command.of(Verb.POWER_ON).encode() == b"power on\n"
    assert Command.of(Verb.POPUP, "a\npower off").encode() == b"popup a power off\n"


@pytest.mark.parametrize("verb", [Verb.LOAD, Verb.POPUP, Verb.ADD_TO_LOG, Verb.SET_OPERATIONAL_MODE])
@given(argument=st.text(st.characters(codec="utf-8"), min_size=1, max_size=40))
@example(argument="a\npower off")
def test_what_a_client_makes_the_server_reads(verb: Verb, argument: str):
    command = Command.of(verb, argument)
    (line,) = LineSplitter().feed(command.encode())
    parsed = parse_command(line)
    if parsed.verb is Verb.LOAD_INSTALLATION:
        assert argument.lower().split()[0] == "installation"
    else:
        assert parsed == Command(verb, " ".join(argument.splitlines()).strip(), line.strip())


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=6))
def test_lines_are_the_same_however_the_bytes_are_cut(data: bytes, places: list[int]):
    def lines(pieces: list[bytes]) -> tuple[list[str], str | None]:
        splitter = LineSplitter(max_size=50)
        out = []
        for piece in pieces:
            if splitter.fault is None:
                out += splitter.feed(piece)
            assert splitter.pending <= 50
        return out, splitter.fault

    edges = [0, *sorted(p % (len(data) + 1) for p in places), len(data)]
    whole = lines([data])
    assert lines([data[a:b] for a, b in itertools.pairwise(edges)]) == whole
    for line in whole[0]:
        assert "\n" not in line
        parse_command(line)


def test_an_endless_line_ends_the_stream():
    splitter = LineSplitter(max_size=10)
    assert splitter.feed(b"stop\r\n" + b"x" * 11) == ["stop"]
    assert splitter.fault == "a line of more than 10 bytes"
    with pytest.raises(ProtocolError, match="more than 10 bytes"):
        splitter.feed(b"\n")
    with pytest.raises(InputError, match="at least 1"):
        LineSplitter(max_size=0)
