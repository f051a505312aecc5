"""A very small HTTP/1.1: bytes in, requests out. Enough for a page of our own on loopback, and nothing else."""

from dataclasses import dataclass
from http import HTTPStatus

__all__ = ["HttpSession", "Request", "encode_response"]

MAX_HEAD = 16 * 1024
MAX_BODY = 256 * 1024
METHODS = ("GET", "HEAD", "POST")
SAFE_HEADERS = (
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'\r\n"
)


@dataclass(frozen=True)
class Request:
    """One request; header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class HttpSession:
    """One connection: feed it bytes in any pieces."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._buffer = bytearray()
        self.broken: HTTPStatus | None = None
        """Why nothing more is understood on this connection; answer with it and close."""

    def feed(self, data: bytes) -> list[Request]:
        """Return the requests that are complete now."""
        if self.broken is not None:
            return []
        self._buffer += data
        found: list[Request] = []
        while (request := self._next()) is not None:
            found.append(request)
        return found

    def _next(self) -> Request | None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > MAX_HEAD:
                self.broken = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            return None
        try:
            first, *lines = bytes(self._buffer[:end]).decode("ascii").split("\r\n")
            method, path, version = first.split(" ")
            headers = {
                name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
            }
            length = int(headers.get("content-length", "0"))
        except ValueError:
            self.broken = HTTPStatus.BAD_REQUEST
            return None
        if not version.startswith("HTTP/1.") or "transfer-encoding" in headers or length < 0:
            self.broken = HTTPStatus.BAD_REQUEST
        elif method not in METHODS:
            self.broken = HTTPStatus.METHOD_NOT_ALLOWED
        elif end > MAX_HEAD:
            self.broken = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        elif length > MAX_BODY:
            self.broken = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        if self.broken is not None or len(self._buffer) < end + 4 + length:
            return None
        body = bytes(self._buffer[end + 4 : end + 4 + length])
        del self._buffer[: end + 4 + length]
        return Request(method, path.partition("?")[0], headers, body)


def encode_response(
    status: HTTPStatus, body: bytes = b"", kind: str = "text/plain; charset=utf-8", *, stream: bool = False
) -> bytes:
    """Return a response; with `stream`, its head only, for a body without end."""
    length = "" if stream else f"Content-Length: {len(body)}\r\n"
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {kind}\r\n{length}{SAFE_HEADERS}\r\n"
    return head.encode() + body
