"""Robot Web Services 1.0 of ABB controllers, without HTTP itself: requests, replies and events.

In: method, path, query and body of a request, or the body of an answer, or the text of an event. Out: an `RwsCall`, its
`RwsState`s or `RwsFailure`, `RwsEvent`s; both ends. `DigestRealm` and `DigestChallenge` are the login.
"""

from .calls import RwsCall, RwsOperation, encode_call, parse_call
from .digest import DigestChallenge, DigestRealm, parse_challenge
from .documents import JSON, XHTML, RwsArgument, RwsState, decode_states, encode_states
from .failure import NOT_MASTER, QUEUE_EXISTS, UNNAMED, RwsFailure, decode_failure, encode_failure
from .subscriptions import (
    SUBPROTOCOL,
    RwsEvent,
    RwsInterest,
    decode_events,
    decode_subscribed,
    encode_events,
    encode_interests,
    encode_subscribed,
    parse_interests,
)

__all__ = [
    "JSON",
    "NOT_MASTER",
    "QUEUE_EXISTS",
    "SUBPROTOCOL",
    "UNNAMED",
    "XHTML",
    "DigestChallenge",
    "DigestRealm",
    "RwsArgument",
    "RwsCall",
    "RwsEvent",
    "RwsFailure",
    "RwsInterest",
    "RwsOperation",
    "RwsState",
    "decode_events",
    "decode_failure",
    "decode_states",
    "decode_subscribed",
    "encode_call",
    "encode_events",
    "encode_failure",
    "encode_interests",
    "encode_states",
    "encode_subscribed",
    "parse_call",
    "parse_challenge",
    "parse_interests",
]
