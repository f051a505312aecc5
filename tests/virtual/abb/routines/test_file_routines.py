"""Bytes of files, the calendar and datagrams in programs of the virtual controller."""

import socket
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from abb_stand import AbbBench

from openpendant.virtual.wire import NetworkSockets

RAW = 'VAR iodev f; VAR rawbytes r; VAR num n; PERS num got{6}:=[0,0,0,0,0,0]; PERS string text{3}:=["","",""];'


@pytest.fixture
def bench(tmp_path: Path) -> AbbBench:
    return AbbBench(tmp_path)


def test_numbers_are_bytes_of_a_file(bench: AbbBench, tmp_path: Path):
    bench.run(
        'Open "HOME:/a.bin",f\\Write\\Bin; WriteBin f,bytes,3; WriteStrBin f,"h\\E9"; Close f;'
        'Open "HOME:/a.bin",f\\Read\\Bin; FOR i FROM 1 TO 6 DO got{i}:=ReadBin(f); ENDFOR Close f;',
        RAW + "VAR num bytes{4}:=[255,0,10,7];",
    )
    assert bench.errors == []
    assert (tmp_path / "home" / "a.bin").read_bytes() == b"\xff\x00\nh\xe9"
    assert bench.read("got") == "[255,0,10,104,233,-1]"


@pytest.mark.parametrize(("numbers", "count"), [("[256,0]", "1"), ("[-1,0]", "1"), ("[1.5,0]", "1"), ("[1,2]", "3")])
def test_only_bytes_are_written(bench: AbbBench, numbers: str, count: str):
    bench.run(
        f'Open "HOME:/a.bin",f\\Write\\Bin; WriteBin f,bytes,{count};'
        " ERROR IF ERRNO=ERR_ARGVALERR THEN got{1}:=1; TRYNEXT; ENDIF",
        RAW + f"VAR num bytes{{2}}:={numbers};",
    )
    assert bench.read("got") == "[1,0,0,0,0,0]"


def test_text_is_read_by_characters_and_again_after_rewind(bench: AbbBench, tmp_path: Path):
    (tmp_path / "home" / "a.txt").write_bytes(b"abc\ndefgh")
    bench.run(
        'Open "HOME:/a.txt",f\\Read; text{1}:=ReadStrBin(f,5); text{2}:=ReadStrBin(f,80); text{3}:=ReadStrBin(f,1);'
        "Rewind f; got{1}:=ReadBin(f); got{2}:=StrLen(text{1}); got{3}:=StrLen(text{2}); Rewind f; first:=ReadStr(f);",
        RAW + 'PERS string first:="";',
    )
    assert bench.errors == []
    assert bench.brain.program.value(("T_ROB1", "text")) == ["abc\nd", "efgh", "EOF"]
    assert bench.read("got") == "[97,5,4,0,0,0]"
    assert bench.read("first") == '"abc"'


def test_raw_bytes_go_to_a_file_and_come_back(bench: AbbBench, tmp_path: Path):
    bench.run(
        "PackRawBytes 3.5,r,1\\Float4; PackRawBytes 513,r,5\\IntX:=UINT; PackRawBytes 9,r,7\\Hex1;"
        'Open "HOME:/a.bin",f\\Write\\Bin; WriteRawBytes f,r; WriteRawBytes f,r\\NoOfBytes:=2; Close f;'
        "ClearRawBytes r;"
        'Open "HOME:/a.bin",f\\Read\\Bin; ReadRawBytes f,r; got{1}:=RawBytesLen(r); UnpackRawBytes r,1,n\\Float4;'
        "got{2}:=n; UnpackRawBytes r,5,n\\IntX:=UINT; got{3}:=n; ReadRawBytes f,r;"
        "ERROR IF ERRNO=ERR_RANYBIN_EOF THEN got{4}:=1; TRYNEXT; ENDIF",
        RAW,
    )
    assert bench.errors == []
    written = b"\x00\x00\x60\x40\x01\x02\x09"
    assert (tmp_path / "home" / "a.bin").read_bytes() == written + written[:2]
    assert bench.read("got") == "[9,3.5,513,1,0,0]"


def test_a_large_file_is_read_in_pieces(bench: AbbBench, tmp_path: Path):
    (tmp_path / "home" / "a.bin").write_bytes(bytes(2500))
    bench.run(
        'Open "HOME:/a.bin",f\\Read\\Bin; FOR i FROM 1 TO 6 DO ReadRawBytes f,r; got{i}:=RawBytesLen(r); ENDFOR'
        " ERROR IF ERRNO=ERR_RANYBIN_EOF THEN RETURN; ENDIF",
        RAW,
    )
    assert bench.read("got") == "[1024,1024,452,0,0,0]"


def test_the_calendar_goes_with_the_clock(bench: AbbBench):
    bench.brain.came_up = datetime(2024, 2, 28, 23, 59, 58)
    bench.run(
        "WaitTime 3; text{1}:=CDate(); text{2}:=CTime(); got{1}:=GetTime(\\WDay); got{2}:=GetTime(\\Hour);"
        "got{3}:=GetTime(\\Min); got{4}:=GetTime(\\Sec);",
        RAW,
    )
    assert bench.errors == []
    # A Thursday in a leap year.
    now = datetime(2024, 2, 29, 0, 0, 1)
    assert bench.brain.now() - now < timedelta(seconds=1)
    assert bench.brain.program.value(("T_ROB1", "text"))[:2] == ["2024-02-29", "00:00:01"]
    assert bench.read("got") == "[4,0,0,1,0,0]"


# Datagrams


@pytest.fixture
def peer() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(("127.0.0.1", 0))
        made.settimeout(30.0)
        yield made


@pytest.fixture
def talking(tmp_path: Path) -> Iterator[AbbBench]:
    sockets = NetworkSockets("127.0.0.1")
    yield AbbBench(tmp_path, sockets)
    sockets.close_all()


UDP = (
    'VAR socketdev s; VAR rawbytes r; PERS string came:=""; PERS string from:=""; PERS num port:=0; PERS num length:=0;'
    "PERS num status:=-1; PERS num wrong:=0;"
)


def test_a_program_asks_by_datagrams_and_is_answered(talking: AbbBench, peer: socket.socket):
    port = peer.getsockname()[1]
    talking.main(
        f'SocketCreate s\\UDP; SocketSendTo s,"127.0.0.1",{port}\\Str:="hello"; status:=SocketGetStatus(s);'
        "SocketReceiveFrom s\\Str:=came\\NoRecBytes:=length,from,port\\Time:=50; PackRawBytes 1,r,1\\Hex1;"
        "PackRawBytes 2,r,2\\Hex1; SocketSendTo s,from,port\\RawData:=r; SocketClose s;",
        UDP,
    )
    talking.start()
    talking.brain.tick()
    data, program = peer.recvfrom(100)
    assert data == b"hello"
    assert talking.read("status") == "3"
    peer.sendto(b"x" * 100, program)
    talking.tick_until(lambda: not talking.brain.program.running)
    assert talking.errors == []
    assert peer.recvfrom(100) == (b"\x01\x02", program)
    assert talking.brain.program.value(("T_ROB1", "came")) == "x" * 80
    assert (talking.read("length"), talking.read("from"), talking.read("port")) == ("80", '"127.0.0.1"', str(port))


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ('SocketCreate s\\UDP; SocketSendTo s,"8.8.8.8",53\\Str:="x";', "ERR_SOCK_NET_UNREACH"),
        ('SocketCreate s\\UDP; SocketSendTo s,"example.com",53\\Str:="x";', "ERR_SOCK_NET_UNREACH"),
        ('SocketCreate s\\UDP; SocketSendTo s,"127.0.0.1",0\\Str:="x";', "ERR_SOCK_ADDR_INVALID"),
        ('SocketCreate s; SocketSendTo s,"127.0.0.1",9\\Str:="x";', "ERR_SOCK_UNSPEC"),
        ("SocketCreate s\\UDP; SocketReceiveFrom s\\Str:=came,from,port\\Time:=1;", "ERR_SOCK_NOT_BOUND"),
        (
            'SocketCreate s\\UDP; SocketBind s,"127.0.0.1",0; SocketReceiveFrom s\\Str:=came,from,port\\Time:=1;',
            "ERR_SOCK_TIMEOUT",
        ),
        ('SocketCreate s\\UDP; SocketBind s,"127.0.0.1",0; SocketListen s;', "ERR_SOCK_UNSPEC"),
        ('SocketCreate s\\UDP; SocketConnect s,"127.0.0.1",9;', "ERR_SOCK_UNSPEC"),
        ('SocketSendTo s,"127.0.0.1",9\\Str:="x";', "ERR_SOCK_CLOSED"),
    ],
)
def test_what_datagrams_cannot_do(talking: AbbBench, body: str, error: str):
    talking.run(f"{body} ERROR IF ERRNO={error} THEN wrong:=1; ENDIF SocketClose s; RETURN;", UDP)
    assert talking.errors == []
    assert talking.read("wrong") == "1"


def test_a_port_that_is_taken_cannot_be_bound(talking: AbbBench, peer: socket.socket):
    body = f'SocketCreate s\\UDP; SocketBind s,"127.0.0.1",{peer.getsockname()[1]};'
    talking.run(f"{body} ERROR IF ERRNO=ERR_SOCK_ADDR_INUSE THEN wrong:=1; ENDIF RETURN;", UDP)
    assert talking.read("wrong") == "1"


def test_raw_bytes_go_over_a_connection(talking: AbbBench):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(30.0)
        talking.main(
            f'SocketCreate s; SocketConnect s,"127.0.0.1",{server.getsockname()[1]}; PackRawBytes 7,r,1\\Hex1;'
            "SocketSend s\\RawData:=r; SocketReceive s\\Str:=came\\Time:=50; SocketClose s;",
            UDP,
        )
        talking.start()
        talking.brain.tick()
        client, _ = server.accept()
        with client:
            client.settimeout(30.0)
            client.sendall(b"yes")
            sockets = talking.sockets
            assert sockets is not None

            def done() -> bool:
                sockets.poll()  # type: ignore[attr-defined]
                return not talking.brain.program.running

            talking.tick_until(done)
            assert client.recv(10) == b"\x07"
    assert talking.errors == []
    assert talking.read("came") == '"yes"'
