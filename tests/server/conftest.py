"""One real server on a loopback socket for all tests of the room."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from talking import Talker
from websockets.sync.client import connect

from openpendant.robots import import_urdf
from openpendant.server import create_app, serving


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built client, as small as can be."""
    folder = tmp_path_factory.mktemp("static")
    (folder / "index.html").write_text("<!doctype html><title>page</title>")
    (folder / "assets").mkdir()
    (folder / "assets" / "index-abc123.js").write_text("export {};")
    return folder


BOXES = """<robot name="boxes">
  <link name="stand"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <link name="arm"><visual><geometry><box size="0.1 0.1 0.4"/></geometry></visual></link>
  <joint name="turn" type="revolute">
    <parent link="stand"/><child link="arm"/><axis xyz="0 1 0"/><origin xyz="0 0 0.1"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/>
  </joint>
</robot>
"""


@pytest.fixture(scope="module", autouse=True)
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A separate home, with an imported robot in it whose meshes are quick to make."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENPENDANT_HOME", str(home))
        (home / "boxes.urdf").write_text(BOXES)
        yield import_urdf(home / "boxes.urdf", {}).name


@pytest.fixture(scope="module")
def url(page: Path) -> Iterator[str]:
    with serving(create_app(page)) as address:
        yield address


@pytest.fixture(scope="module")
def http(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=120) as client:
        yield client


@pytest.fixture
def talker(url: str) -> Iterator[Talker]:
    with connect(f"{url.replace('http', 'ws')}/ws") as socket:
        yield Talker(socket)
