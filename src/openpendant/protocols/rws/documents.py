"""RwsState: what a resource is like now, in JSON or XHTML."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from openpendant.protocols.error import ProtocolError

JSON = "application/json"
XHTML = "application/xhtml+xml;v=1.0"
_ARGUMENTS = "argv"


@dataclass(frozen=True, slots=True)
class RwsArgument:
    """An argument of an entry of the event log.

    Attributes:
        type: One of "string", "long" and "float".
        value: As text.
    """

    type: str
    value: str


@dataclass(frozen=True, slots=True)
class RwsState:
    """The state of a resource, or one of a list.

    Attributes:
        type: Its class, as "rap-execution".
        title: Which one, where there are several.
        fields: Texts by name.
        arguments: Of an entry of the event log.
    """

    type: str
    title: str
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    arguments: tuple[RwsArgument, ...] = ()


def encode_states(states: Iterable[RwsState], base: str, itself: str, *, as_json: bool) -> tuple[str, bytes]:
    """Return content type and body.

    Args:
        states: In their order.
        base: Address that others are relative to, as "http://127.0.0.1/rw/rapid/".
        itself: Path of the resource from there.
        as_json: JSON, not XHTML.
    """
    if as_json:
        embedded = [_plain_value(state) for state in states]
        links = {"base": {"href": base}, "self": {"href": itself}}
        return JSON, json.dumps({"_links": links, "_embedded": {"_state": embedded}}).encode()
    items = "\n".join(_item(state) for state in states)
    title = itself.partition("/")[0] or "rw"
    body = f'<div class="state">\n<a href="{written(itself)}" rel="self"/>\n<ul>\n{items}\n</ul>\n</div>'
    return XHTML, write_page(title, base, body)


def decode_states(body: bytes) -> tuple[RwsState, ...]:
    """Read JSON.

    Raises:
        ProtocolError: It is none of Robot Web Services; says why.
    """
    try:
        told = json.loads(body)["_embedded"]["_state"]
        return tuple(_read(one) for one in told)
    except RecursionError:
        raise ProtocolError("states that are nested too deeply") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProtocolError(f"no states of Robot Web Services: {type(error).__name__} {error}"[:200]) from None


def write_page(title: str, base: str, body: str) -> bytes:
    """Return a whole page around a body."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml">\n<head>\n'
        f'<title>{written(title)}</title>\n<base href="{written(base)}"/>\n</head>\n<body>\n{body}\n</body>\n</html>'
    ).encode()


def written(text: str) -> str:
    """Return text as it may stand in XHTML."""
    return escape("".join(one for one in text if one >= " " or one in "\t\n\r"))


def _plain_value(state: RwsState) -> dict[str, Any]:
    out: dict[str, Any] = {"_type": state.type, "_title": state.title, **state.fields}
    if state.arguments:
        out[_ARGUMENTS] = [{"type": one.type, "value": one.value} for one in state.arguments]
    return out


def _item(state: RwsState) -> str:
    spans = [f'<span class="{written(name)}">{written(value)}</span>' for name, value in state.fields.items()]
    spans += [
        f'<span class="arg{number}" type="{written(one.type)}">{written(one.value)}</span>'
        for number, one in enumerate(state.arguments, 1)
    ]
    return "\n".join([f'<li class="{written(state.type)}" title="{written(state.title)}">', *spans, "</li>"])


def _read(told: dict[str, Any]) -> RwsState:
    fields = {
        str(name): str(value)
        for name, value in told.items()
        if not name.startswith("_") and isinstance(value, str | int | float)
    }
    if "_value" in told:
        fields["_value"] = str(told["_value"])
    arguments = tuple(RwsArgument(str(one["type"]), str(one["value"])) for one in told.get(_ARGUMENTS, ()))
    return RwsState(str(told["_type"]), str(told.get("_title", "")), fields, arguments)
