"""talk_project: the websocket of one client of a project; what it says in, what happens out."""

import asyncio
import logging
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from openpendant.errors import OpenPendantError
from openpendant.projects.operate import Intend
from openpendant.projects.talk import (
    AskNearest,
    AskRecording,
    Edit,
    FromClient,
    Hello,
    Look,
    Redo,
    Refusal,
    Reload,
    Resync,
    Save,
    Undo,
    Watch,
)
from openpendant.server.replies import shorten

from .nearness import answer_nearest
from .operating import answer_operator
from .recording import answer_recording
from .room import Client, ProjectRoom
from .rooms import Rooms

__all__ = ["LONGEST_MESSAGE", "talk_project"]

REFUSED, NOT_FOUND, TOO_BIG = 1008, 4004, 1009
LONGEST_MESSAGE = 4 * 1024 * 1024
LONGEST_NAME = 60

log = logging.getLogger("openpendant.server")
decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)


class _Numbered(msgspec.Struct):
    """Just the number of a message, to answer one that is otherwise not well-formed."""

    id: int | None = None


numbered = msgspec.json.Decoder(_Numbered)


async def talk_project(socket: WebSocket, rooms: Rooms, project: str) -> None:
    """Serve one client until it leaves."""
    await socket.accept()
    try:
        room = rooms.enter(project)
    except OpenPendantError as error:
        await socket.close(NOT_FOUND, shorten(str(error))[:120])
        return
    client: Client | None = None
    sending: asyncio.Task[None] | None = None
    try:
        hello = await _read(socket)
        if not isinstance(hello, Hello) or not _fits(hello):
            await socket.close(REFUSED, "the first message is a hello, with client and name of 1 to 60 characters")
            return
        client = room.enter(hello.client, hello.name)
        sending = asyncio.get_running_loop().create_task(_send(socket, room, client))
        while True:
            message = await _read(socket)
            if isinstance(message, Refusal):
                client.send(message)
            elif message is None:
                return
            else:
                _act(room, client, message, rooms)
            await asyncio.sleep(0)
    except WebSocketDisconnect:
        return
    finally:
        if sending is not None:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        if client is not None:
            room.leave(client)
        rooms.left(project)


def _fits(hello: Hello) -> bool:
    return all(0 < len(text) <= LONGEST_NAME and text.isprintable() for text in (hello.client, hello.name.strip()))


async def _read(socket: WebSocket) -> FromClient | Refusal | None:
    """Return the next message; None where the client has gone or is sent away."""
    received = await socket.receive()
    if received["type"] == "websocket.disconnect":
        return None
    text = received.get("text")
    if text is None:
        return Refusal(id=None, message="a binary message; messages are JSON text")
    if len(text) > LONGEST_MESSAGE:
        await socket.close(TOO_BIG, f"a message of {len(text)} characters; at most {LONGEST_MESSAGE} are allowed")
        return None
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        number = None
        with suppress(msgspec.DecodeError, RecursionError, ValueError):
            number = numbered.decode(text).id
        return Refusal(id=number, message=shorten(f"not a message: {error}"))


def _act(room: ProjectRoom, client: Client, message: FromClient, rooms: Rooms) -> None:
    """Do what a client asks for; whatever goes wrong is told to it, and ends nothing."""
    match message:
        case Hello():
            client.send(Refusal(id=None, message="hello was said already"))
        case Edit(id=number, edit=edit):
            room.edit(client, number, edit)
        case Undo(id=number):
            room.undo(client, number)
        case Redo(id=number):
            room.redo(client, number)
        case Save(id=number, overwrite=overwrite):
            room.save(client, number, overwrite=overwrite)
        case Reload(id=number):
            room.reload(client, number)
        case Resync():
            room.send_whole(client)
        case Look():
            room.look(client, message)
        case Watch(programs=programs):
            room.watch(client, programs[:50])
        case AskRecording():
            answer_recording(room, client, message, rooms.pool)
        case AskNearest():
            answer_nearest(room, client, message)
        case Intend():
            room.operation.intend(client.id, message)
        case _:
            answer_operator(room, client, message)


async def _send(socket: WebSocket, room: ProjectRoom, client: Client) -> None:
    """Send what waits for a client; one that reads slowly holds up this task alone."""
    while True:
        texts, newest = await client.outbox.take()
        if client.outbox.behind:
            room.send_whole(client)
            continue
        for text in texts:
            await socket.send_text(text)
        for data in newest:
            await socket.send_bytes(data)
