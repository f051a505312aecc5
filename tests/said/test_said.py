"""A sentence is a string with a code: it reads as ever, crosses processes and wires, and never breaks an encoder."""

import pickle

import msgspec
import numpy as np
import pytest

from openpendant.errors import ControllerError, InputError, TakenNameError, UnknownNameError
from openpendant.messages import Problem, SaidMessage, bus, decode_said, encode_said, speak_plainly
from openpendant.said import Said, how_word, join, say

HELD = say("control.held_by", name=say("who.somebody"), robot="ur3e")


def test_it_is_the_english_sentence() -> None:
    assert HELD == "somebody has control of ur3e; ask for it, or take over"
    assert type(str(HELD)) is str
    assert type(f"{HELD}!") is str
    assert (HELD.code, HELD.values["robot"]) == ("control.held_by", "ur3e")


def test_values_are_what_every_codec_knows() -> None:
    said = say("process.silent", silent_s=np.float64(0.254))
    assert said == "nothing received from its process for 0.25 s"
    assert type(said.values["silent_s"]) is float


def test_several_become_one() -> None:
    assert join([], "list.comma") == ""
    assert join(["a"], "list.comma") == "a"
    found = join([HELD, "b", "c"], "list.semicolon")
    assert found == f"{HELD}; b; c"
    assert isinstance(found, Said)
    assert found.values["first"] == HELD


@pytest.mark.parametrize(
    "error",
    [
        InputError(HELD),
        ControllerError("in its own words"),
        UnknownNameError("robot in this cell", "ur3", ["ur3e"]),
        UnknownNameError("flavour", "x", []),
        TakenNameError("ur3e", HELD),
    ],
)
def test_an_error_carries_its_code_to_another_process(error: InputError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.code, dict(back.values)) == (str(error), error.code, dict(error.values))


def test_an_error_without_a_code_only_has_its_message() -> None:
    error = ControllerError("in its own words")
    assert (error.said, error.code, error.values) == ("in its own words", "", {})


def test_a_message_has_the_english_and_the_code_beside_it() -> None:
    problem = Problem(message=HELD)
    assert type(problem.message) is str
    assert problem.said == encode_said(HELD)
    back = msgspec.json.decode(msgspec.json.encode(problem), type=Problem)
    assert back == problem
    again = decode_said(back.message, back.said)
    assert isinstance(again, Said)
    assert (again, again.code, again.values["name"].code) == (HELD, HELD.code, "who.somebody")  # type: ignore[union-attr]


def test_a_replaced_reason_brings_its_code() -> None:
    denied = bus.Denied(reason="plain", kind="state")
    assert denied.said is None
    assert msgspec.structs.replace(denied, reason=HELD).said == encode_said(HELD)


def test_a_sentence_in_a_place_without_a_code_is_written_as_english() -> None:
    encode = msgspec.json.Encoder(enc_hook=speak_plainly).encode
    assert encode({"label": HELD}) == encode({"label": str(HELD)})
    with pytest.raises(NotImplementedError):
        encode({"label": object()})


def test_what_is_said_inside_keeps_its_english() -> None:
    found = encode_said(HELD)
    assert isinstance(found, SaidMessage)
    inside = found.values["name"]
    assert isinstance(inside, SaidMessage)
    assert (inside.code, inside.text) == ("who.somebody", "somebody")


def test_a_word_that_nobody_knows_stays_as_it_is() -> None:
    assert how_word("along the path") == "along the path"
    assert isinstance(how_word("along the path"), Said)
    assert how_word("sideways") == "sideways"
    assert not isinstance(how_word("sideways"), Said)
