"""Client and controller of RTDE wired to each other, without a socket between."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.protocols.rtde import (
    DEFAULT_VERSION,
    VARIABLES,
    ClientEvent,
    ClientSession,
    Closed,
    Event,
    InputRegistry,
    InputsAgreed,
    InputsReceived,
    InputsSetUp,
    MessageLevel,
    OutputsAgreed,
    OutputsSetUp,
    Paused,
    PauseReplied,
    ProtocolReplied,
    RecipeRefused,
    ServerSession,
    Started,
    StartReplied,
    StateReceived,
    TextMessage,
    TextReceived,
    Variable,
    VersionReceived,
)


class NullModem:
    """Two ends and the wire between; bytes cross in pieces of `piece`."""

    def __init__(self, registry: InputRegistry | None = None, piece: int = 1 << 16) -> None:
        self.client = ClientSession()
        self.server = ServerSession(registry if registry is not None else InputRegistry())
        self.piece = piece

    def cross(self) -> tuple[list[Event], list[ClientEvent]]:
        asked: list[Event] = []
        told: list[ClientEvent] = []
        for piece in self._pieces(self.client.take_outbox()):
            asked += self.server.feed(piece)
        for piece in self._pieces(self.server.take_outbox()):
            told += self.client.feed(piece)
        return asked, told

    def _pieces(self, data: bytes) -> list[bytes]:
        return [data[i : i + self.piece] for i in range(0, len(data), self.piece)]


def talking(protocol: int = 2, registry: InputRegistry | None = None, piece: int = 1 << 16) -> NullModem:
    modem = NullModem(registry, piece)
    modem.client.request_protocol(protocol)
    modem.client.request_version()
    assert modem.cross() == ([], [ProtocolReplied(protocol, accepted=True), VersionReceived(DEFAULT_VERSION)])
    return modem


def numbers(variable: Variable) -> st.SearchStrategy:
    one = {
        "?": st.booleans(),
        "B": st.integers(0, 0xFF),
        "I": st.integers(0, 0xFFFF_FFFF),
        "Q": st.integers(0, 0xFFFF_FFFF_FFFF_FFFF),
        "i": st.integers(-(1 << 31), (1 << 31) - 1),
        "d": st.floats(allow_nan=False),
    }[variable.type.code]
    return one if variable.type.count == 1 else st.tuples(*[one] * variable.type.count)


def filled(variables: list[Variable]) -> st.SearchStrategy:
    return st.tuples(st.just(variables), st.tuples(*map(numbers, variables)))


readable = st.lists(st.sampled_from([v for v in VARIABLES.values() if v.readable]), min_size=1, max_size=40)
writable = st.lists(st.sampled_from([v for v in VARIABLES.values() if v.writable]), min_size=1, max_size=40)


@given(readable.flatmap(filled), st.sampled_from([1, 2]), st.integers(1, 50))
def test_every_value_arrives_as_it_left(sent, protocol: int, piece: int):
    variables, values = sent
    modem = talking(protocol, piece=piece)
    modem.client.set_up_outputs([v.name for v in variables], 250.0)
    modem.client.start()
    (set_up, started), (agreed, answered) = modem.cross()
    assert isinstance(set_up, OutputsSetUp)
    assert isinstance(agreed, OutputsAgreed)
    assert (started, answered) == (Started(), StartReplied(accepted=True))
    assert set_up.recipe.types == agreed.recipe.types == tuple(v.type for v in variables)
    assert set_up.frequency_hz == (250.0 if protocol == 2 else 125.0)

    package = modem.server.data_package(set_up.recipe.flatten(values))
    told = [event for i in range(0, len(package), piece) for event in modem.client.feed(package[i : i + piece])]
    (received,) = told
    assert isinstance(received, StateReceived)
    assert received.recipe.group(received.flat) == values


@given(writable.flatmap(filled), st.sampled_from([1, 2]))
def test_every_input_arrives_as_it_left(sent, protocol: int):
    variables, values = sent
    modem = talking(protocol)
    modem.client.set_up_inputs(v.name for v in variables)
    (set_up,), (agreed,) = modem.cross()
    assert isinstance(set_up, InputsSetUp)
    assert isinstance(agreed, InputsAgreed)
    modem.client.write(agreed.recipe, values)
    assert modem.cross() == ([InputsReceived(set_up.recipe, values)], [])


def test_nan_crosses():
    modem = talking()
    modem.client.set_up_inputs(["speed_slider_fraction"])
    _, (agreed,) = modem.cross()
    modem.client.write(agreed.recipe, [math.nan])
    ((received,), _) = modem.cross()
    assert math.isnan(received.values[0])


def test_a_refused_recipe_names_its_faults():
    registry = InputRegistry()
    first, second = talking(registry=registry), talking(registry=registry)
    first.client.set_up_inputs(["input_int_register_0"])
    first.cross()
    second.client.set_up_inputs(["input_int_register_0", "nonsense", "input_int_register_1"])
    second.client.set_up_outputs(["actual_q", "nonsense"])
    asked, (inputs, outputs) = second.cross()
    assert asked == []
    assert isinstance(inputs, RecipeRefused)
    assert inputs.faults == {"input_int_register_0": "IN_USE", "nonsense": "NOT_FOUND"}
    assert isinstance(outputs, RecipeRefused)
    assert outputs.faults == {"nonsense": "NOT_FOUND"}


@pytest.mark.parametrize("protocol", [1, 2])
def test_a_refusal_of_the_whole_list_has_words(protocol: int):
    modem = talking(protocol)
    modem.client.set_up_outputs(["x" * 3000])
    modem.client.pause()
    asked, (refused, said, paused) = modem.cross()
    assert refused == RecipeRefused(("x" * 3000,), ())
    assert isinstance(said, TextReceived)
    assert "at most 2048" in said.message.text
    assert (asked, paused) == ([Paused()], PauseReplied(accepted=True))


def test_a_client_checks_what_it_writes():
    modem = talking()
    modem.client.set_up_inputs(["input_int_register_0"])
    _, (agreed,) = modem.cross()
    with pytest.raises(InputError, match="input_int_register_0"):
        modem.client.write(agreed.recipe, [0.5])
    assert modem.client.take_outbox() == b""


@pytest.mark.parametrize(
    "nonsense",
    [
        bytes.fromhex("0002 53"),
        bytes.fromhex("0003 5a"),
        bytes.fromhex("0004 56 01"),
        bytes.fromhex("000a 49 01 55494e543332"),
        bytes.fromhex("000c 55 07 0000000000000000"),
        bytes.fromhex("0005 53 0101"),
    ],
    ids=["size", "type", "unasked version", "unasked recipe", "unknown recipe", "long answer"],
)
def test_a_client_ends_a_conversation_that_makes_no_sense(nonsense: bytes):
    modem = talking()
    message = TextMessage("bye", "RTDE", MessageLevel.INFO)
    said, closed = modem.client.feed(message.encode() + nonsense)
    assert said == TextReceived(message)
    assert isinstance(closed, Closed)
    assert modem.client.feed(message.encode()) == []
