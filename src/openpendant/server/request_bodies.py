"""Bodies of requests: read up to a size, as bytes or as a message."""

from typing import TypeVar

import msgspec
from starlette.requests import Request

from openpendant.errors import InputError
from openpendant.said import say

LARGEST_BODY = 64 * 1024
LARGEST_UPLOAD = 64 * 1024 * 1024
T = TypeVar("T")


async def read_body(request: Request, most: int) -> bytes:
    """Return the body of a request; raises InputError where it is too large."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise InputError(say("request.body_large", most=most))
        parts.append(part)
    return b"".join(parts)


async def read_json(request: Request, kind: type[T]) -> T:
    """Return the body of a request as a message; raises InputError where it is none."""
    data = await read_body(request, LARGEST_BODY)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(say("request.body", why=str(error))) from None
