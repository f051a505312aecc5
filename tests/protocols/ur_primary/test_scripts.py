"""Scripts as clients upload them: where one program ends and the next begins."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant.protocols import ProtocolError
from openpendant.protocols.ur_primary import ScriptSplitter

NESTED = """def main():
  def inner(a, b):
    return a + b  # the end of it
  end
  thread watch():
    while True:
      sync()
    end
  end
  global ended = 1
  if ended == 1:
    textmsg("if def while end \\" end")
  elif ended == 2:
    rpc.end()
  else:
    halt
  end
  end_of_day = 2
end
"""
# Values that a client put after a comment: an expression goes on in the next line, two statements share one.
INJECTED = """def program():
  global offset = # register offset
0    global other = # another one
0    while (True): if other > 0: sync() end end
end
"""


def split(text: str, **options: int) -> list[str]:
    return ScriptSplitter(**options).feed(text.encode())


@pytest.mark.parametrize("program", [NESTED, INJECTED, "sec beep():\n  set_standard_digital_out(0, True)\nend\n"])
def test_a_program_is_given_whole(program: str):
    assert split(program) == [program]
    assert split(program + program) == [program, program]
    assert split(program.rstrip("\n")) == []


def test_loose_lines_are_programs_of_their_own():
    text = "# hello\n\n  movej([0,0,0,0,0,0])\r\nset_digital_out(1, True)  # on\n" + NESTED + "stopj(2)\n"
    assert split(text) == [
        "movej([0,0,0,0,0,0])\n",
        "set_digital_out(1, True)  # on\n",
        NESTED,
        "stopj(2)\n",
    ]


def test_words_that_only_look_like_blocks_open_nothing():
    assert split("define = 1\nsecond = 2\nend\nendless()\n") == ["define = 1\n", "second = 2\n", "end\n", "endless()\n"]


def test_one_line_programs():
    assert split('def a(): popup("x") end\nsec b(): end\n') == ['def a(): popup("x") end\n', "sec b(): end\n"]


def test_bytes_that_are_no_text_do_not_stop_the_stream():
    assert ScriptSplitter().feed(b'textmsg("\xff")\nhalt\n') == ['textmsg("�")\n', "halt\n"]


@pytest.mark.parametrize("text", ["def a():\n" + "  x = 1\n" * 100, "x" * 600, "def a():\n" + "y" * 600 + "\nend\n"])
def test_a_program_without_end_ends_the_stream(text: str):
    splitter = ScriptSplitter(max_size=500)
    assert splitter.feed(b"halt\n" + text.encode()) == ["halt\n"]
    assert splitter.fault == "a program of more than 500 characters"
    assert splitter.pending <= 500
    with pytest.raises(ProtocolError, match="500 characters"):
        splitter.feed(b"end\n")


lines = st.lists(
    st.sampled_from(
        ["def a():", "sec b():", "end", "if x:", "while x:", "thread t():", 'y = "end', "# end", "", "z()", "\r", "é"]
    ),
    max_size=20,
).map(lambda parts: "\n".join(parts).encode())


@given(st.one_of(lines, st.binary(max_size=200)), st.lists(st.integers(0, 300), max_size=8))
def test_programs_are_the_same_however_the_bytes_are_cut(data: bytes, places: list[int]):
    def programs(pieces: list[bytes]) -> tuple[list[str], str | None]:
        splitter = ScriptSplitter(max_size=60)
        out = []
        for piece in pieces:
            if splitter.fault is None:
                out += splitter.feed(piece)
            assert splitter.pending <= 120
        return out, splitter.fault

    edges = [0, *sorted(p % (len(data) + 1) for p in places), len(data)]
    assert programs([data[a:b] for a, b in itertools.pairwise(edges)]) == programs([data])
