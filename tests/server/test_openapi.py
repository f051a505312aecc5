"""Whatever fits the description of the interface, or does not, gets an answer that the description has."""

from collections.abc import Iterator
from inspect import isfunction
from pathlib import Path

import httpx
import pytest
import schemathesis
from fastapi.routing import APIRoute, APIWebSocketRoute
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import BaseSchema, Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from openpendant.server import create_app, serving

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
EXAMPLES = 12


@pytest.fixture(scope="module")
def served(page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A separate server: what is tried here changes the library."""
    with serving(create_app(page, tmp_path_factory.mktemp("fuzzed"))) as url:
        httpx.post(f"{url}/api/projects", json={"title": "bench", "demo": "bench"}, timeout=60)
        yield url


@pytest.fixture(scope="module")
def schema(served: str) -> BaseSchema:
    return schemathesis.openapi.from_url(f"{served}/api/openapi.json")


def tried() -> Iterator[tuple[str, str, GenerationMode]]:
    """Every address with what fits its description, and where something is to be sent, also with what does not."""
    description = create_app(Path("nowhere"), Path("nowhere")).openapi()
    for path, methods in description["paths"].items():
        for method, told in methods.items():
            yield path, method.upper(), GenerationMode.POSITIVE
            kinds = told.get("requestBody", {}).get("content", {})
            if "application/json" in kinds or any(one["in"] == "query" for one in told.get("parameters", ())):
                yield path, method.upper(), GenerationMode.NEGATIVE


@pytest.mark.parametrize(("path", "method", "mode"), list(tried()))
def test_every_address_answers_as_it_is_described(
    served: str, schema: BaseSchema, path: str, method: str, mode: GenerationMode
) -> None:
    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(schema[path][method].as_strategy(generation_mode=mode), st.booleans())
    def answers(case: Case, known: bool) -> None:
        if known and method != "DELETE" and "name" in case.path_parameters:
            case.path_parameters["name"] = "ur3e" if path.startswith("/api/robots") else "bench"
        # The first robot that comes in waits for its worker process to start: 2 s where nothing else runs.
        case.call_and_validate(checks=list(CHECKS), timeout=60.0)

    answers()
    assert httpx.get(f"{served}/api/health").status_code == 200


def test_routes_are_plain_functions() -> None:
    routes = create_app(Path("nowhere"), Path("nowhere")).routes
    endpoints = {route.endpoint for route in routes if isinstance(route, APIRoute | APIWebSocketRoute)}
    assert len(endpoints) > 25
    hidden = {one.__qualname__ for one in endpoints if not isfunction(one) or "." in one.__qualname__}
    assert not hidden, "routes stand in their module, where they can be read and called"
