"""Websockets over TLS open, talk and close again and again; none of them hangs."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve

from openpendant.client.socket import ClientSocket
from openpendant.errors import LinkError
from openpendant.server import CERTIFICATES, Lan


@contextmanager
def echoing(folder: Path) -> Iterator[tuple[str, ssl.SSLContext]]:
    """A server over TLS that sends back what it is sent, without our limits on how often somebody comes."""
    lan = Lan(folder / CERTIFICATES, 0, address="127.0.0.1")
    loop, ports = asyncio.new_event_loop(), asyncio.Queue[int]()
    over = asyncio.Event()

    async def echo(socket: ServerConnection) -> None:
        async for text in socket:
            await socket.send(text)

    async def main() -> None:
        async with serve(echo, "127.0.0.1", 0, ssl=lan.context) as server:
            ports.put_nowait(next(iter(server.sockets)).getsockname()[1])
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(main(),))
    thread.start()
    port = asyncio.run_coroutine_threadsafe(ports.get(), loop).result(10.0)
    try:
        yield f"wss://127.0.0.1:{port}/", ssl.create_default_context(cafile=str(lan.authority.file))
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


def open_often(folder: Path, times: int) -> None:
    with echoing(folder) as (address, context):
        for number in range(times):
            heard: list[str | bytes] = []
            ended: list[str] = []
            came = threading.Event()

            def hear(text: str | bytes, heard: list[str | bytes] = heard, came: threading.Event = came) -> None:
                heard.append(text)
                came.set()

            socket = ClientSocket(address, hear, ended.append, ssl_context=context, within_s=20.0)
            socket.send(f"{number}")
            assert came.wait(20.0), f"no answer to the {number}th"
            socket.close()
            assert heard == [f"{number}"]
            assert len(ended) == 1, "the end is reported once"
            with pytest.raises(LinkError, match="closed"):
                socket.send("too late")


def test_a_hundred_open_talk_and_close(tmp_path: Path) -> None:
    open_often(tmp_path, 100)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_three_thousand_open_talk_and_close(tmp_path: Path) -> None:
    open_often(tmp_path, 3000)
