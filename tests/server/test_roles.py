"""Every message and every address is in the tables; what is not is open to nobody."""

import typing
from pathlib import Path

import pytest
from starlette.routing import BaseRoute, Mount, WebSocketRoute

from openpendant.messages.operation import SetReduced, Stop, TakeControl
from openpendant.messages.project import FromClient
from openpendant.server import create_app
from openpendant.server.access import ADDRESSES, MESSAGES, ROLES, allows, need_of_message, need_of_route
from openpendant.server.access.authorisation import NOTED


@pytest.fixture(scope="module")
def routes(page: Path, tmp_path_factory: pytest.TempPathFactory) -> list[BaseRoute]:
    return list(create_app(page, tmp_path_factory.mktemp("projects")).routes)


def test_every_message_has_its_need() -> None:
    assert set(MESSAGES) == set(typing.get_args(FromClient))


def test_every_address_has_its_need_and_no_other(routes: list[BaseRoute]) -> None:
    served: set[tuple[str, str]] = set()
    for route in routes:
        if isinstance(route, Mount):
            served.add(("GET", "/"))
        elif isinstance(route, WebSocketRoute):
            served.add(("WEBSOCKET", route.path))
        else:
            methods = typing.cast(set[str], getattr(route, "methods", set()))
            served |= {(method, str(getattr(route, "path", ""))) for method in methods - {"HEAD"}}
            assert all(need_of_route(route, method) is not None for method in methods)
    assert served == set(ADDRESSES)


def test_every_change_by_an_address_is_in_the_audit_log() -> None:
    changes = {key for key, need in ADDRESSES.items() if need == "engineer" and key[0] != "GET"}
    # These write who was paired or revoked themselves.
    own = {("DELETE", "/api/sessions/{id}"), ("POST", "/api/pairings")}
    assert changes - own - set(NOTED) == set()


def test_a_stop_needs_no_role() -> None:
    assert all(allows(role, need_of_message(Stop())) for role in ROLES)


def test_only_who_is_in_charge_takes_over() -> None:
    assert need_of_message(TakeControl(id=1, robot="a")) == "operator"
    assert need_of_message(TakeControl(id=1, robot="a", take_over=True)) == "engineer"


def test_only_who_is_in_charge_lifts_the_limit_of_speed() -> None:
    assert need_of_message(SetReduced(id=1, robot="a", reduced=True)) == "operator"
    assert need_of_message(SetReduced(id=1, robot="a", reduced=False)) == "engineer"


def test_a_role_may_do_what_those_before_it_may() -> None:
    assert [allows(role, "operator") for role in (None, *ROLES)] == [False, False, True, True]
    assert [allows(role, "public") for role in (None, *ROLES)] == [True] * 4
    assert not any(allows(role, None) for role in (None, *ROLES))
