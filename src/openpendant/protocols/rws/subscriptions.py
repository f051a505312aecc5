"""Subscriptions: what a client subscribes to, and the events that it gets over a websocket.

Events are pages of XHTML (Application manual Robot Web Services, "Subscription"), whatever else a client asks for.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http import HTTPStatus

from openpendant.protocols.error import ProtocolError

from .documents import write_page, written
from .failure import RwsFailure

SUBPROTOCOL = "robapi2_subscription"
"""Of the websocket."""
MOST_INTERESTS = 1000
PRIORITIES = (0, 1, 2)
_poll = re.compile(rb'href="wss?://[^"]*?(/poll/\d+)"')


@dataclass(frozen=True, slots=True)
class RwsInterest:
    """A resource to which a client subscribes.

    Attributes:
        resource: Its path and what of it, as "/rw/rapid/execution;ctrlexecstate".
        priority: 0 low, 1 medium, 2 high.
    """

    resource: str
    priority: int = 1


@dataclass(frozen=True, slots=True)
class RwsEvent:
    """What has changed.

    Attributes:
        type: Its class, as "rap-ctrlexecstate-ev".
        resource: As in the interest.
        fields: Texts by name.
        title: Beside the class.
    """

    type: str
    resource: str
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    title: str = ""


def parse_interests(fields: Iterable[tuple[str, str]]) -> tuple[RwsInterest, ...]:
    """Read the form of a subscription: resources=1&1=/rw/panel/opmode&1-p=1.

    Raises:
        RwsFailure: A resource has no path, or a priority that is not allowed.
    """
    told = list(fields)
    by_name = dict(told)
    keys = [key for name, value in told if name == "resources" for key in value.split(",")]
    if len(keys) > MOST_INTERESTS:
        raise RwsFailure(HTTPStatus.BAD_REQUEST, f"{len(keys)} resources; at most {MOST_INTERESTS} are allowed")
    found: list[RwsInterest] = []
    for key in keys:
        resource, priority = by_name.get(key, ""), by_name.get(f"{key}-p", "1")
        if not resource.startswith("/"):
            raise RwsFailure(HTTPStatus.BAD_REQUEST, f"resource {key[:40]} has no path")
        if priority not in map(str, PRIORITIES):
            raise RwsFailure(HTTPStatus.BAD_REQUEST, f"priority {priority[:40]!r}; 0, 1 and 2 are allowed")
        found.append(RwsInterest(resource, int(priority)))
    return tuple(found)


def encode_interests(interests: Sequence[RwsInterest]) -> tuple[tuple[str, str], ...]:
    """Return the fields of the form."""
    out: list[tuple[str, str]] = []
    for number, one in enumerate(interests, 1):
        out += [("resources", str(number)), (str(number), one.resource), (f"{number}-p", str(one.priority))]
    return tuple(out)


def encode_subscribed(host: str, group: int) -> bytes:
    """Return the body of the answer to a subscription; `host` with its port, where that is not 80."""
    # Spelt as controllers do: clients search for rel="self"> after the address of the websocket.
    links = (
        f'<a href="subscription/{group}" rel="group"></a>\n'
        f'<a href="ws://{written(host)}/poll/{group}" rel="self"></a>\n'
        f'<a href="subscription/{group}?action=show" rel="action"></a>'
    )
    return write_page("Event", f"http://{host}/", f'<div class="state">\n{links}\n</div>')


def decode_subscribed(body: bytes) -> str:
    """Return the path of the websocket.

    Raises:
        ProtocolError: There is none in the body.
    """
    found = _poll.search(body)
    if found is None:
        raise ProtocolError("an answer to a subscription without the address of a websocket")
    return found[1].decode()


def encode_events(host: str, group: int, events: Iterable[RwsEvent]) -> str:
    """Return a message of the websocket."""
    items = "\n".join(_item(one) for one in events)
    body = (
        f'<div class="state">\n<a href="subscription/{group}" rel="group"/>\n'
        f'<a href="ws://{written(host)}/poll/{group}" rel="self"/>\n'
        f'<a href="subscription/{group}?action=show" rel="action"/>\n<ul>\n{items}\n</ul>\n</div>'
    )
    return write_page("Event", f"http://{host}/", body).decode()


def decode_events(message: str) -> tuple[RwsEvent, ...]:
    """Read a message of the websocket; what is not an event in it is passed over."""
    reader = _EventReader()
    reader.feed(message)
    reader.close()
    return tuple(reader.events)


def _item(event: RwsEvent) -> str:
    # On one line: clients search it with patterns that end at a line's end.
    spans = "".join(f'<span class="{written(name)}">{written(text)}</span>' for name, text in event.fields.items())
    title = f' title="{written(event.title)}"' if event.title else ""
    return f'<li class="{written(event.type)}"{title}><a href="{written(event.resource)}" rel="self"/>{spans}</li>'


class _EventReader(HTMLParser):
    """Collects the items of the list in the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.events: list[RwsEvent] = []
        self._event: tuple[str, str] | None = None
        self._resource = ""
        self._fields: dict[str, str] = {}
        self._name = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        if tag == "li":
            self._event, self._resource, self._fields = (named.get("class", ""), named.get("title", "")), "", {}
        elif self._event is not None and tag == "a" and named.get("rel") == "self":
            self._resource = named.get("href", "")
        elif self._event is not None and tag == "span" and named.get("class"):
            self._name = named["class"]
            self._fields[self._name] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "span":
            self._name = ""
        elif tag == "li" and self._event is not None:
            kind, title = self._event
            self.events.append(RwsEvent(kind, self._resource, self._fields, title))
            self._event = None

    def handle_data(self, data: str) -> None:
        if self._name:
            self._fields[self._name] += data
