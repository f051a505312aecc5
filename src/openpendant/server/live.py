"""The websocket: questions in, answers out, one task per client.

A client that stops reading holds up its own task alone. Every question is answered, in order;
while an answer waits to be read, no further question is taken from the client's socket.
"""

import asyncio
import logging
from typing import Any, get_args

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from openpendant.errors import OpenPendantError
from openpendant.messages import PROTOCOL, Failed, Greeting, KinematicsReply, KinematicsRequest, speak_plainly
from openpendant.said import Said, join, say

from .access import Bucket
from .kinematics_replies import Solving
from .replies import shorten

MAX_MESSAGE = 64 * 1024
"""Longest question in bytes; a longer one ends the connection."""
TOO_BIG = 1009

log = logging.getLogger("openpendant.server")
decoder: msgspec.json.Decoder[KinematicsRequest] = msgspec.json.Decoder(KinematicsRequest)
encoder = msgspec.json.Encoder(enc_hook=speak_plainly)


class Numbered(msgspec.Struct):
    """Just the number of a question, to answer one that is otherwise not well-formed."""

    id: int | None = None


class Typed(msgspec.Struct):
    """Just the type of a question."""

    type: Any = None


id_decoder = msgspec.json.Decoder(Numbered)
type_decoder = msgspec.json.Decoder(Typed)
TYPES = tuple(str(one.__struct_config__.tag) for one in get_args(KinematicsRequest))


async def serve_live(socket: WebSocket, solving: Solving, bucket: Bucket | None = None) -> None:
    """Answer the questions of one client until it leaves; no faster than `bucket` lets it ask."""
    await socket.accept()
    try:
        await socket.send_text(encoder.encode(Greeting(protocol=PROTOCOL)).decode())
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if bucket is not None:
                while (wait := bucket.spend()) > 0.0:
                    await asyncio.sleep(wait)
            text = message.get("text")
            if text is None:
                reply: KinematicsReply = Failed(id=None, message=say("request.binary_question"))
            elif (size := len(text.encode())) > MAX_MESSAGE:
                await socket.close(TOO_BIG, f"a message of {size} bytes; at most {MAX_MESSAGE} are allowed")
                return
            else:
                reply = await reply_to_text(text, solving)
            await socket.send_text(encoder.encode(reply).decode())
            # Neither receive nor send need give way when both are ready: let the others have their turn.
            await asyncio.sleep(0)
    except WebSocketDisconnect:
        return


async def reply_to_text(text: str, solving: Solving) -> KinematicsReply:
    """Return the answer to one question; whatever is wrong with it becomes a `Failed`."""
    try:
        request = decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        return Failed(id=read_id(text), message=shorten(explain(text, error)))
    try:
        return await solving.reply(request)
    except OpenPendantError as error:
        return Failed(id=request.id, message=shorten(error.said))
    except Exception:
        log.exception("could not answer %s", type(request).__name__)
        return Failed(id=request.id, message=say("server.own_error"))


def read_id(text: str) -> int | None:
    """Return the number of a question that is otherwise not well-formed, where it can be read."""
    try:
        return id_decoder.decode(text).id
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def read_type(text: str) -> object:
    """Return the type of a question that is otherwise not well-formed; None where it cannot be read."""
    try:
        return type_decoder.decode(text).type
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def explain(text: str, error: Exception) -> Said:
    """Return what is wrong with a message, and for its type what is allowed."""
    if isinstance(error, RecursionError):
        return say("request.no_question", why=say("request.deep"))
    kind = read_type(text)
    if kind is not None and kind not in TYPES:
        allowed = join([say("thing.named", name=one) for one in TYPES], "list.and")
        return say("request.unknown_question", type=str(kind)[:80], allowed=allowed)
    return say("request.no_question", why=str(error))
