"""Commands of the dashboard server: every one of the e-Series is parsed as it is written."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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
