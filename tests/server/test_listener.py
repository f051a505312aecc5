"""Which sockets the server takes, and what it says where it cannot."""

import socket

import pytest

from openpendant.errors import InputError
from openpendant.server import listen
from openpendant.server import listener as listening


def test_any_free_port() -> None:
    with listen(port=0) as bound:
        host, port = bound.getsockname()
        assert host == "127.0.0.1"
        assert port > 0


def test_a_taken_port_is_named_with_the_way_out() -> None:
    with listen(port=0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=rf"port {port} is in use on 127.0.0.1; .* --port 0"):
            listen(port=port)


def test_without_a_wish_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen(port=0) as taken:
        usual = taken.getsockname()[1]
        monkeypatch.setattr(listening, "DEFAULT_PORT", usual)
        with listen() as bound:
            assert usual < bound.getsockname()[1]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.10", "example.org", ""])
def test_only_loopback_is_allowed(host: str) -> None:
    with pytest.raises(InputError, match=r"has no sign-in; allowed: 127.0.0.1, ::1 and localhost"):
        listen(host, 0)


@pytest.mark.parametrize("port", [-1, 65536])
def test_ports_are_sixteen_bits(port: int) -> None:
    with pytest.raises(InputError, match=f"port {port} is not allowed; ports are 0 to 65535"):
        listen(port=port)


def test_an_address_that_is_not_ours_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(InputError, match=r"cannot listen on 127.0.0.1 port 80: Permission denied"):
        listen(port=80)
