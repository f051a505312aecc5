"""Replies of the dashboard server: the texts that clients compare."""

import re

import pytest

from openpendant.protocols.dashboard import replies

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
