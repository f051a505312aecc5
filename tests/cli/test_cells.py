"""Cells, files and servers as they are named on the command line."""

import http.server
import threading
from pathlib import Path

import pytest

from openpendant.cli.cells import find_cell
from openpendant.cli.export import write
from openpendant.cli.servers import find_server
from openpendant.errors import InputError
from openpendant.projects import Library
from openpendant.server import create_app, serving
from openpendant.user_folders import user_projects_folder


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_ones_own_projects_are_known_by_id_and_title() -> None:
    library = Library(user_projects_folder())
    project = library.create("Two blocks", "bench")
    assert find_cell("two_blocks") == find_cell("Two blocks") == library.path(project)
    assert find_cell(str(library.path(project))) == library.path(project)
    assert find_cell("bench").name == "bench"
    assert not find_cell("bench").is_relative_to(library.folder)
    library.create("Two blocks")
    with pytest.raises(InputError, match=r"several projects are called 'Two blocks'; choose one: .*two_blocks_2"):
        find_cell("Two blocks")
    with pytest.raises(InputError, match=r"one of your projects \(.*two_blocks.*\), nor a demo cell \(bench"):
        find_cell("three_blocks")


def test_nothing_is_written_into_a_folder_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path / "x.script", "text")
    assert (tmp_path / "x.script").read_text() == "text"
    with pytest.raises(InputError, match=r"there is no folder .*nowhere; create it first"):
        write(tmp_path / "nowhere" / "x.script", "text")
    assert not (tmp_path / "nowhere").exists()


def test_the_server_that_runs_is_found_by_its_port(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>")
    with serving(create_app(tmp_path)) as url:
        port = int(url.rpartition(":")[2])
        assert find_server(port, 1) == url
    with pytest.raises(InputError, match="no server answers on ports"):
        find_server(port, 1)


def test_another_program_on_such_a_port_is_no_server() -> None:
    other = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    try:
        with pytest.raises(InputError, match="no server answers"):
            find_server(other.server_port, 1)
    finally:
        other.shutdown()
        other.server_close()
