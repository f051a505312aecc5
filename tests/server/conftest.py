"""One real server on a loopback socket for all tests of the room."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from talking import Talker
from websockets.sync.client import connect

from openpendant.server import create_app, serving


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built client, as small as can be."""
    folder = tmp_path_factory.mktemp("static")
    (folder / "index.html").write_text("<!doctype html><title>page</title>")
    (folder / "assets").mkdir()
    (folder / "assets" / "index-abc123.js").write_text("export {};")
    return folder


@pytest.fixture(scope="session")
def url(page: Path) -> Iterator[str]:
    with serving(create_app(page)) as address:
        yield address


@pytest.fixture(scope="session")
def http(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=120) as client:
        yield client


@pytest.fixture
def talker(url: str) -> Iterator[Talker]:
    with connect(f"{url.replace('http', 'ws')}/ws") as socket:
        yield Talker(socket)
