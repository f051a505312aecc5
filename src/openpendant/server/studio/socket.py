"""serve_project: the websocket of one client of a project; what it says in, what happens out."""

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import replace

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from openpendant.errors import InputError, OpenPendantError
from openpendant.messages import PROTOCOL
from openpendant.messages.operation import Intend, Pong, Present, Stop
from openpendant.messages.project import (
    Edit,
    FromClient,
    Hello,
    Introduce,
    Look,
    NearestRequest,
    Redo,
    Refusal,
    Reload,
    Resync,
    Save,
    SimulationRequest,
    Undo,
    Watch,
)
from openpendant.origins import host_of
from openpendant.said import say
from openpendant.server.access import MESSAGES, Access, Bucket, Caller, allows, caller_of, need_of_message, why_not
from openpendant.server.replies import shorten
from openpendant.server.sockets import socket_of

from .audit_trail import AuditTrail
from .client_line import ClientLine
from .nearest_replies import reply_nearest
from .open_projects import Rooms
from .operator_replies import reply_to_operator
from .project_room import Client, ProjectRoom, encode
from .simulation_replies import reply_simulation

REFUSED, NOT_FOUND, TOO_BIG, FULL = 1008, 4004, 1009, 1013
LONGEST_MESSAGE = 4 * 1024 * 1024
LONGEST_REQUEST = 256 * 1024
"""Of those who may not edit, and of every message but an edit."""
LONGEST_STOP = 1024
LONGEST_NAME = 60
MOST_CLIENTS = 200
BYTES_A_TOKEN = 16 * 1024
"""A long message counts as several."""
MOST_UNHEARD = 500
"""Messages in a row that came too fast, until a client is sent away."""

log = logging.getLogger("openpendant.server")
decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)


class _MessageNumber(msgspec.Struct):
    """Just the number of a message, to answer one that is otherwise not well-formed."""

    id: int | None = None


numbered = msgspec.json.Decoder(_MessageNumber)


async def serve_project(socket: WebSocket, rooms: Rooms, project: str, access: Access) -> None:
    """Serve one client until it leaves."""
    caller = caller_of(socket.scope)
    await socket.accept()
    try:
        room = await rooms.enter(project)
    except OpenPendantError as error:
        await socket.close(NOT_FOUND, shorten(str(error))[:120])
        return
    client: Client | None = None
    ledger: AuditTrail | None = None
    sending: asyncio.Task[None] | None = None
    longest = LONGEST_MESSAGE if allows(caller.role, MESSAGES[Edit]) else LONGEST_REQUEST
    reader = _Reader(socket, None if caller.local else access.messages(), longest)
    try:
        hello = await reader.read()
        if not isinstance(hello, Hello) or not _fits(hello):
            await socket.close(REFUSED, "the first message is a hello, with client and name of 1 to 60 characters")
            return
        if not 1 <= hello.protocol <= PROTOCOL:
            why = say("server.other_protocol", page=str(hello.protocol)[:12], server=PROTOCOL)
            await socket.send_text(encode(Refusal(id=None, message=why)).decode())
            await socket.close(REFUSED, str(why))
            return
        if len(room.clients) >= MOST_CLIENTS:
            await socket.close(FULL, f"{MOST_CLIENTS} have this project open; that is the most allowed")
            return
        if not room.claim(hello.client, caller.session, access.sessions):
            await socket.close(REFUSED, "this client is somebody else")
            return
        # Over the network people are known by the name that they were paired with.
        name = hello.name if caller.local else caller.name
        ledger = AuditTrail(access.audit, replace(caller, name=name), project)
        host = host_of(f"//{socket.headers.get('host', '')}")
        url = rooms.stops.url(host, project, hello.client, name, lan=not caller.local)
        line = ClientLine(hello.protocol, socket_of(socket.scope))
        client = room.enter(hello.client, name, line, url)
        client.on_message = ledger.note_reply
        sending = asyncio.get_running_loop().create_task(_send(socket, room, client))
        while True:
            message = await reader.read()
            if isinstance(message, Refusal):
                client.send(message)
            elif message is None:
                return
            elif (why := why_forbidden(message, caller)) is not None:
                client.send(Refusal(id=getattr(message, "id", None), message=why))
            else:
                if isinstance(message, Stop):
                    room.asks_stop(message.press)
                ledger.note_request(message)
                _act(room, client, message, rooms)
                ledger.introduce(client.name)
            await asyncio.sleep(0)
    except WebSocketDisconnect:
        return
    finally:
        if sending is not None:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        if client is not None:
            lost = room.leave(client)
            if ledger is not None:
                for robot in lost:
                    ledger.note("control lost", robot=robot, why="left")
                ledger.close()
        rooms.close_if_empty(project)


def _fits(hello: Hello) -> bool:
    return _is_name(hello.client) and _is_name(hello.name)


def _is_name(text: str) -> bool:
    return 0 < len(text.strip()) <= LONGEST_NAME and text.isprintable()


def why_forbidden(message: FromClient, caller: Caller) -> str | None:
    """Return why somebody may not say this, or None where they may; the table is `access.MESSAGES`."""
    need = need_of_message(message)
    if isinstance(message, Introduce) and not caller.local:
        return say("access.known_as", name=caller.name)
    return None if allows(caller.role, need) else why_not(caller.role, need, f"“{_tag(message)}”")


def _tag(message: FromClient) -> str:
    return str(type(message).__struct_config__.tag)


class _Reader:
    """Reads the messages of one client, no faster than it may speak."""

    def __init__(self, socket: WebSocket, bucket: Bucket | None, longest: int) -> None:
        self._socket = socket
        self._bucket = bucket
        self._longest = longest
        self._unheard = 0

    async def read(self) -> FromClient | Refusal | None:
        """Return the next message; None where the client has gone or is sent away."""
        received = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            return None
        text = received.get("text")
        size = len(text if text is not None else received.get("bytes") or b"")
        if size > self._longest:
            await self._socket.close(TOO_BIG, f"a message of {size} characters; at most {self._longest} are allowed")
            return None
        too_fast = self._bucket is not None and self._bucket.spend(1.0 + size / BYTES_A_TOKEN) > 0.0
        # A stop is obeyed beyond the rate limit; it is short, so nothing long is read for its sake.
        message = None if too_fast and size > LONGEST_STOP else _parse(text)
        if message is not None and size > LONGEST_REQUEST and not isinstance(message, Edit | Refusal):
            number = getattr(message, "id", None)
            message = Refusal(id=number, message=say("request.long", size=size, most=LONGEST_REQUEST))
        if not too_fast or isinstance(message, Stop):
            self._unheard = 0
            return message
        self._unheard += 1
        if self._unheard > MOST_UNHEARD:
            await self._socket.close(REFUSED, "too many messages")
            return None
        return Refusal(id=getattr(message, "id", None), message=say("request.too_fast"))


def _parse(text: str | None) -> FromClient | Refusal:
    """Return a message, or why it is none."""
    if text is None:
        return Refusal(id=None, message=say("request.binary"))
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        number = None
        with suppress(msgspec.DecodeError, RecursionError, ValueError):
            number = numbered.decode(text).id
        return Refusal(id=number, message=shorten(say("request.no_message", why=str(error))))


def _act(room: ProjectRoom, client: Client, message: FromClient, rooms: Rooms) -> None:
    """Handle a request of a client; errors are sent to it and do not close the connection."""
    match message:
        case Hello():
            client.send(Refusal(id=None, message=say("request.hello_twice")))
        case Introduce(name=name):
            if _is_name(name):
                room.introduce(client, name)
            else:
                client.send(Refusal(id=None, message=say("request.name", most=LONGEST_NAME)))
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
            room.send_project(client)
        case Look():
            room.note_presence(client, message)
        case Watch(programs=programs):
            room.watch(client, programs[:50])
        case SimulationRequest():
            reply_simulation(room, client, message, rooms.pool)
        case NearestRequest():
            reply_nearest(room, client, message, rooms.nearness)
        case Intend():
            room.intend(client, message)
        case Present():
            room.present(client, message)
        case Pong(number=number, stamp_ns=stamp_ns):
            client.line.pong(number, stamp_ns, time.monotonic_ns())
        case _:
            reply_to_operator(room, client, message)


async def _send(socket: WebSocket, room: ProjectRoom, client: Client) -> None:
    """Send what waits for a client; one that reads slowly holds up this task alone."""
    outbox, renewed = client.outbox, False
    while True:
        texts, newest = await outbox.drain()
        if outbox.behind and renewed:
            outbox.close("what belongs to the whole project is too long to be sent")
        if outbox.closing:
            await socket.close(TOO_BIG, shorten(outbox.closing)[:120])
            return
        if outbox.behind:
            renewed = True
            room.send_project(client)
            # Taking what is there does not give way: let the others have their turn.
            await asyncio.sleep(0)
            continue
        renewed = False
        for text in texts:
            try:
                await socket.send_text(room.project_message(client) if text is None else text)
            except InputError as error:
                await socket.close(TOO_BIG, shorten(error.said)[:120])
                return
        for data in newest:
            await socket.send_bytes(data)
