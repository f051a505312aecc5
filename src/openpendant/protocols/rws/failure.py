"""RwsFailure: why a controller refuses a request, as status of HTTP and return code of RobotWare."""

import json
from http import HTTPStatus

from openpendant.errors import OpenPendantError
from openpendant.protocols.error import ProtocolError

from .documents import JSON, XHTML, write_page, written

NOT_MASTER = -1073414146
"""Somebody writes without being allowed to (Application manual Robot Web Services, "RobotWare return codes")."""
QUEUE_EXISTS = -1073445879
"""A queue is made that is there already."""
UNNAMED = -1
"""Return codes that are not published."""


class RwsFailure(OpenPendantError):  # noqa: N818 - an answer, not a fault of ours
    """A request is refused.

    Attributes:
        status: Of HTTP.
        return_code: Of RobotWare.
    """

    def __init__(self, status: HTTPStatus, message: str, return_code: int = UNNAMED) -> None:
        """Refuse a request with these words."""
        self.status = status
        self.return_code = return_code
        super().__init__(message)


def encode_failure(failure: RwsFailure, *, as_json: bool) -> tuple[str, bytes]:
    """Return content type and body."""
    if as_json:
        status = {"code": failure.return_code, "msg": str(failure)}
        return JSON, json.dumps({"_links": {"base": {"href": ""}}, "_embedded": {"status": status}}).encode()
    told = f'<span class="code">{failure.return_code}</span>\n<span class="msg">{written(str(failure))}</span>'
    return XHTML, write_page("rw", "", f'<div class="status">\n{told}\n</div>')


def decode_failure(status: HTTPStatus, body: bytes) -> RwsFailure:
    """Read the JSON of a refusal; one without a readable body has the words of HTTP.

    Raises:
        ProtocolError: The status is none of a refusal.
    """
    if status < HTTPStatus.BAD_REQUEST:
        raise ProtocolError(f"invalid status {int(status)} of a refusal; 400 to 599 are allowed")
    try:
        told = json.loads(body)["_embedded"]["status"]
        return RwsFailure(status, str(told.get("msg", status.phrase)), int(told["code"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return RwsFailure(status, status.phrase)
