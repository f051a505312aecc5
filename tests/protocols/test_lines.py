"""Lines of text on a stream: the same however the bytes are cut, and never without end."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.errors import InputError
from openpendant.protocols import ProtocolError
from openpendant.protocols.dashboard import LineSplitter, parse_command


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
