"""The library of projects, and archives from strangers."""

import io
import stat
import zipfile

import pytest

from openpendant.archives import LARGEST_BYTES
from openpendant.errors import InputError, UnknownNameError
from openpendant.projects import Library, OpenProject, pack_project
from openpendant.scene import copy_demo


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "projects")


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_projects_are_made_listed_copied_removed_and_brought_back(library):
    assert library.projects() == []
    first = library.create("Meine Zelle Ü", demo="bench")
    assert first == "meine_zelle_u"
    second = library.create("Meine Zelle Ü")
    assert second == "meine_zelle_u_2"
    copy = library.duplicate(first)
    assert library.summary(copy).title == "Meine Zelle Ü copy"
    assert library.summary(copy).robots == ["ur3e"]
    assert {one.id for one in library.projects()} == {first, second, copy}
    kept = library.remove(first)
    with pytest.raises(UnknownNameError):
        library.path(first)
    assert library.bring_back(kept) == first
    assert OpenProject(library.path(first)).shared.programs


def test_a_project_that_nobody_keeps_is_in_no_list_and_leaves_nothing(library):
    made = library.scratch.make("ur3e", "UR3e")
    folder = library.path(made)
    assert folder.is_dir()
    assert not folder.is_relative_to(library.folder)
    assert library.projects() == []
    assert library.summary(made).robots == ["ur3e"]
    with pytest.raises(UnknownNameError):
        library.remove(made)
    kept = library.duplicate(made)
    assert [(one.id, one.title) for one in library.projects()] == [(kept, "UR3e")]
    library.scratch.remove(made)
    assert not folder.exists()
    with pytest.raises(UnknownNameError):
        library.path(made)
    other = library.path(library.scratch.make("irb120", "IRB 120"))
    library.scratch.close()
    assert not other.parent.exists()


@pytest.mark.parametrize("name", ["../x", "/etc", "", ".", "a/b", "A B", "x" * 80, "\x00"])
def test_a_project_is_never_outside_the_library(library, name):
    with pytest.raises(UnknownNameError):
        library.path(name)


@pytest.mark.parametrize("title", ["", "   ", "x" * 300, "a\nb", "\x1b[31m"])
def test_a_title_that_cannot_be_one_is_refused(library, title):
    with pytest.raises(InputError, match="title"):
        library.create(title)


def test_a_broken_project_is_listed_with_its_fault(library):
    name = library.create("one")
    (library.path(name) / "cell.json").write_text("{")
    (summary,) = library.projects()
    assert summary.fault is not None
    assert "cell.json" in summary.fault


def test_an_archive_goes_out_and_comes_in(library, tmp_path):
    copy_demo("weld_a_box", tmp_path / "weld")
    (tmp_path / "weld" / ".git").mkdir()
    (tmp_path / "weld" / ".git" / "secret.txt").write_text("x")
    data = pack_project(tmp_path / "weld")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert not [name for name in archive.namelist() if "git" in name]
    name = library.take_in(data)
    assert set(OpenProject(library.path(name)).shared.programs) == {"weld_box"}


CELL = b'{"format": 1, "name": "c"}'


def symlink() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("cell.json", CELL)
        info = zipfile.ZipInfo("programs/link.json")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not a zip archive"),
        (b"PK\x03\x04rubbish", "not a zip archive"),
        (zipped({"x.txt": b""}), "no cell"),
        (zipped({"a/cell.json": CELL, "b/cell.json": CELL}), "several cells"),
        (zipped({"cell.json": CELL, "../evil.json": b"{}"}), "evil"),
        (zipped({"cell.json": CELL, "/abs.json": b"{}"}), "abs"),
        (zipped({"cell.json": CELL, "run.exe": b""}), "not allowed"),
        (zipped({"cell.json": CELL, "page.html": b"<script>"}), "not allowed"),
        (zipped({"cell.json": CELL, "a\\b.json": b""}), "outside it"),
        (zipped({"cell.json": CELL, ".hidden.json": b""}), "letters"),
        (zipped({"cell.json": CELL, "A.txt": b"", "a.txt": b""}), "twice"),
        (zipped({"cell.json": CELL} | {f"{n}.txt": b"" for n in range(2001)}), "2002 files"),
        (zipped({"cell.json": b"{}"}), "fault"),
        (zipped({"cell.json": CELL, "programs/x.json": b"[]"}), "fault"),
        (symlink(), "not a regular file"),
    ],
)
def test_hostile_archives_are_refused_and_leave_nothing(library, data, why):
    with pytest.raises(InputError, match=why):
        library.take_in(data)
    assert list(library.folder.iterdir()) == []


def test_a_bomb_is_stopped_while_it_unfolds(library, monkeypatch):
    monkeypatch.setattr("openpendant.archives.LARGEST_BYTES", 1_000_000)
    with pytest.raises(InputError, match="more than"):
        library.take_in(zipped({"cell.json": CELL, "big.stl": bytes(5_000_000)}))
    assert LARGEST_BYTES > 1_000_000
    assert list(library.folder.iterdir()) == []


def test_a_project_that_goes_while_the_list_is_made_is_left_out(tmp_path, monkeypatch):
    library = Library(tmp_path)
    stays, goes = library.create("stays"), library.create("goes")
    look = library.summary

    def removed_meanwhile(project):
        if project == goes and (tmp_path / goes).exists():
            library.remove(goes)
        return look(project)

    monkeypatch.setattr(library, "summary", removed_meanwhile)
    assert [one.id for one in library.projects()] == [stays]
