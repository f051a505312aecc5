"""The description of the REST interface, with the schemas of our own messages."""

from typing import Any, cast

import msgspec
from fastapi import FastAPI

from openpendant.messages import Problem

REFERENCE = "#/components/schemas/{name}"


def answers_with(kind: type[object]) -> dict[int | str, dict[str, Any]]:
    """Return the description for FastAPI of a reply that is a message (or a list of them) as JSON."""
    (schema,), _ = msgspec.json.schema_components((kind,), ref_template=REFERENCE)
    return {200: {"content": {"application/json": {"schema": schema}}}}


def accepts_json(kind: type[object]) -> dict[str, Any]:
    """Return what the description of the interface says of a body that is a message."""
    return {"requestBody": {"required": True, "content": answers_with(kind)[200]["content"]}}


def accepts_bytes() -> dict[str, Any]:
    """Return what the description of the interface says of a body that is a file."""
    content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    return {"requestBody": {"required": True, "content": content}}


def add_schemas(app: FastAPI, kinds: tuple[type[object], ...]) -> None:
    """Give the description of `app` the schemas of these messages and of those inside them, and of our errors."""
    _, components = msgspec.json.schema_components((*kinds, Problem), ref_template=REFERENCE)
    problem = {"description": "What is wrong, in one sentence", **answers_with(Problem)[200]}
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        description = describe()
        schemas = cast(dict[str, Any], description.setdefault("components", {}).setdefault("schemas", {}))
        schemas.update(components)
        for path in cast(dict[str, dict[str, Any]], description["paths"]).values():
            for operation in path.values():
                # FastAPI describes errors in its own form; ours are all alike.
                operation["responses"].pop("422", None)
                operation["responses"]["4XX"] = problem
        return description

    app.openapi = openapi
