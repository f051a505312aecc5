"""reply_to_operator: what people do with running robots; each question is answered when it is done, others continue."""

import asyncio
import logging

from openpendant.errors import OpenPendantError
from openpendant.messages.operation import Engage, FromOperator, Intend, Pong, Present
from openpendant.messages.project import Done, Refusal
from openpendant.said import say

from .project_room import Client, ProjectRoom
from .stop_control import StopMark

log = logging.getLogger("openpendant.server")
_tasks: set[asyncio.Task[None]] = set()


def reply_to_operator(room: ProjectRoom, client: Client, message: FromOperator) -> None:
    """Do what is asked for, and answer; other messages do not wait for it, a stop least of all."""
    if isinstance(message, Engage):
        client.line.press()
    task = asyncio.get_running_loop().create_task(_reply(room, client, message, room.operation.mark()))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def _reply(room: ProjectRoom, client: Client, message: FromOperator, mark: StopMark) -> None:
    if isinstance(message, Intend | Pong | Present):
        return  # Never answered.
    try:
        reply = await room.operation.act(client.id, message, mark)
    except OpenPendantError as error:
        client.send(Refusal(id=message.id, message=error.said))
    except Exception:
        log.exception("could not do %s", type(message).__name__)
        client.send(Refusal(id=message.id, message=say("server.own_error")))
    else:
        client.send(Done(id=message.id, seq=room.open.shared.seq) if reply is None else reply)
