"""Replies: messages as HTTP responses, and errors as one sentence for the person."""

import msgspec
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from openpendant.errors import CellFileError, InputError, RobotFileError, TakenNameError, UnknownNameError
from openpendant.messages import Problem, speak_plainly
from openpendant.said import say

LONGEST_MESSAGE = 500


def reply_json(value: object, *, status: int = 200) -> Response:
    """Return a response with `value` (a message, or a list of them) as JSON."""
    headers = {"cache-control": "no-store"}
    return Response(
        msgspec.json.encode(value, enc_hook=speak_plainly),
        status_code=status,
        media_type="application/json",
        headers=headers,
    )


def shorten(text: str) -> str:
    """Cut a sentence that repeats a huge value of the client's, so that it stays a sentence."""
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}…"


def add_error_replies(app: FastAPI) -> None:
    """Make every expected error of `app` a `Problem`: 404 for an unknown name, 422 for a value not allowed."""

    async def reply(request: Request, error: Exception) -> Response:
        match error:
            case UnknownNameError():
                status, message = 404, error.said
            case TakenNameError():
                status, message = 409, error.said
            case InputError() | RobotFileError() | CellFileError():
                status, message = 422, error.said
            case RequestValidationError():
                status, message = 422, "; ".join(f"{one['loc'][-1]}: {one['msg']}" for one in error.errors())
            case HTTPException(status_code=404):
                status, message = 404, say("request.nothing_here", path=request.url.path)
            case HTTPException(status_code=405):
                status, message = 405, say("request.method", method=request.method, path=request.url.path)
            case HTTPException():
                status, message = error.status_code, str(error.detail)
            case _:
                raise error
        return reply_json(Problem(message=shorten(message)), status=status)

    for kind in (InputError, RobotFileError, CellFileError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, reply)
