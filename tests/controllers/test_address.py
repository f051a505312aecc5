"""Addresses as people write them: taken apart in one place, and refused with what is allowed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.controllers import Address, parse_address
from openpendant.errors import InputError


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.10", Address("host", "192.168.1.10")),
        ("  robot.local ", Address("host", "robot.local")),
        ("fe80::1", Address("host", "fe80::1")),
        ("[fe80::1]", Address("host", "fe80::1")),
        ("tcp:host:23", Address("tcp", "host", 23)),
        ("tcp:[::1]:23", Address("tcp", "::1", 23)),
        ("udp:host:1999", Address("udp", "host", 1999)),
        ("serial:/dev/ttyUSB0", Address("serial", device="/dev/ttyUSB0")),
        ("serial:/dev/ttyUSB0?baud=115200", Address("serial", device="/dev/ttyUSB0", baud=115200)),
    ],
)
def test_an_address_is_taken_apart_and_written_again(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "tcp:host", "tcp:host:", "tcp::23", "tcp:host:0", "tcp:host:65536", "udp:host:x", "http://host", "host:23",
        "a b", "-host", "serial:", "serial:/dev/x?speed=9600", "serial:/dev/x?baud=", "serial:/dev/x?baud=0", "[::1",
    ],
)  # fmt: skip
def test_what_is_none_is_answered_with_what_is_allowed(text: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_address(text)
    assert refused.value.code == "connect.address_form"
    for example in ("192.168.1.10", "tcp:", "udp:", "serial:/dev/ttyUSB0?baud=9600"):
        assert example in str(refused.value)


@pytest.mark.parametrize("text", ["", " ", "x" * 254, "a\nb"])
def test_what_cannot_be_one_says_how_long_it_is(text: str) -> None:
    with pytest.raises(InputError, match="1 to 253"):
        parse_address(text)


def test_a_controller_says_by_which_ways_it_is_reached() -> None:
    assert parse_address("host", ("host",)).host == "host"
    with pytest.raises(InputError, match=r"allowed: tcp:192\.168\.1\.10:23, serial:"):
        parse_address("host", ("tcp", "serial"))


@given(st.text(max_size=300))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = parse_address(text)
    except InputError:
        return
    assert parse_address(str(address)) == address
