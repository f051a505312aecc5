"""What a driver says to our RAPID module on an ABB controller, and what it is told: frames of fixed length.

In: a `ServerRequest`, or the bytes of replies in any pieces. Out: 64 bytes, or a `ServerReply` for each 80 of them.
The other end is `OpenPendantServer.mod`, whose text names every field.
"""

from .frames import (
    MOST_NUMBER,
    PORT,
    REPLY_BYTES,
    REQUEST_BYTES,
    ReplyReader,
    RequestKind,
    ServerFlag,
    ServerReply,
    ServerRequest,
    decode_reply,
    encode_request,
)

__all__ = [
    "MOST_NUMBER",
    "PORT",
    "REPLY_BYTES",
    "REQUEST_BYTES",
    "ReplyReader",
    "RequestKind",
    "ServerFlag",
    "ServerReply",
    "ServerRequest",
    "decode_reply",
    "encode_request",
]
