"""The description of the REST interface, with the schemas of our own messages."""

from typing import Any, cast

import msgspec
from fastapi import FastAPI

__all__ = ["add_schemas", "answers_with"]

REFERENCE = "#/components/schemas/{name}"


def answers_with(kind: type[object]) -> dict[int | str, dict[str, Any]]:
    """Return what FastAPI is told about an answer that is a message (or a list of them) as JSON."""
    (schema,), _ = msgspec.json.schema_components((kind,), ref_template=REFERENCE)
    return {200: {"content": {"application/json": {"schema": schema}}}}


def add_schemas(app: FastAPI, kinds: tuple[type[object], ...]) -> None:
    """Give the description of `app` the schemas of these messages, and of those inside them."""
    _, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        description = describe()
        schemas = cast(dict[str, Any], description.setdefault("components", {}).setdefault("schemas", {}))
        schemas.update(components)
        return description

    app.openapi = openapi
