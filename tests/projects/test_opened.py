"""A project on disk: journal, kill -9, saves that are cut short, changes from outside."""

import os
import signal
import subprocess
import sys

import pytest

from openpendant.errors import CellFileError
from openpendant.messages import Pose
from openpendant.projects import EditCell, Library, OpenProject, ProjectInUseError
from openpendant.projects.journal import Journal, JournalEntry
from openpendant.scene import Move, copy_demo, load_cell


def moved(x: float) -> EditCell:
    return EditCell(command=Move(name="cube 1", pose=Pose(xyz=(x, 0.0, 0.5), wxyz=(1.0, 0.0, 0.0, 0.0))))


def place(project) -> float:
    return next(one for one in project.shared.cell.objects if one.name == "cube 1").pose.xyz[0]


@pytest.fixture
def folder(tmp_path):
    copy_demo("pick_and_place", tmp_path / "p")
    return tmp_path / "p"


def test_edits_that_were_not_saved_come_back_with_their_undo(folder):
    first = OpenProject(folder)
    first.apply(moved(0.1), "ann")
    first.apply(moved(0.2), "bob")
    first.undo("bob")
    assert not first.is_saved
    again = OpenProject(folder)
    assert again.recovery is not None
    assert again.recovery.kind == "restored"
    assert again.recovery.edits == 3
    assert place(again) == 0.1
    assert again.shared.seq == 3
    assert again.shared.history("ann") == (("move cube 1",), ())
    again.undo("ann")
    assert again.shared.cell == load_cell(folder).cell


def test_after_a_save_nothing_is_left_over(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    project.save()
    assert project.is_saved
    again = OpenProject(folder)
    assert again.recovery is None
    assert place(again) == 0.1


def test_a_killed_process_loses_no_answered_edit(folder):
    script = (
        "import sys; from openpendant.projects import OpenProject, EditCell; from openpendant.scene import Move\n"
        "from openpendant.messages import Pose\n"
        "project = OpenProject(sys.argv[1])\n"
        "for n in range(10**6):\n"
        "    pose = Pose(xyz=(n * 1e-6, 0.0, 0.5), wxyz=(1.0, 0.0, 0.0, 0.0))\n"
        "    project.apply(EditCell(command=Move(name='cube 1', pose=pose)), 'ann')\n"
        "    print(n, flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    for line in child.stdout:
        if int(line) >= 200:
            break
    os.kill(child.pid, signal.SIGKILL)
    rest = child.stdout.read().splitlines()
    child.stdout.close()
    child.wait()
    answered = max(int(line) for line in (*rest, "200") if line.isdecimal())
    again = OpenProject(folder)
    assert again.shared.seq in (answered + 1, answered + 2)
    assert place(again) >= answered * 1e-6


def test_a_save_that_was_cut_short_is_brought_to_its_end(folder):
    project = OpenProject(folder)
    project.apply(moved(0.3), "ann")
    # As if the process had died after the first file of a save.
    project._journal.add(JournalEntry(saving="begun"))
    (folder / "cell.json").write_bytes((folder / "cell.json").read_bytes().replace(b'"cube 1"', b'"cube 9"', 1))
    again = OpenProject(folder)
    assert place(again) == 0.3
    assert again.is_saved
    assert load_cell(folder).cell == again.shared.cell


def test_a_broken_last_line_costs_that_line_only(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    project.apply(moved(0.2), "ann")
    journal = Journal(folder).path
    journal.write_bytes(journal.read_bytes()[:-20])
    assert place(OpenProject(folder)) == 0.1


@pytest.mark.parametrize("cut", [0, 1, 2, 20])
def test_two_power_cuts_in_a_row_lose_no_answered_edit(folder, cut):
    first = OpenProject(folder)
    first.apply(moved(0.1), "ann")
    first.apply(moved(0.2), "ann")
    journal = Journal(folder).path
    journal.write_bytes(journal.read_bytes()[: len(journal.read_bytes()) - cut])
    second = OpenProject(folder)
    kept = 2 if cut <= 1 else 1
    assert second.shared.seq == kept
    second.apply(moved(0.3), "ann")
    second.apply(moved(0.4), "ann")
    third = OpenProject(folder)
    assert third.shared.seq == kept + 2
    assert place(third) == 0.4


@pytest.mark.parametrize("garbage", [b"", b"\xff\xfe", b"{}", b'{"base": 1}\n', b"[" * 100000])
def test_a_journal_of_garbage_is_no_obstacle(folder, garbage):
    OpenProject(folder).close()
    Journal(folder).path.write_bytes(garbage)
    again = OpenProject(folder)
    kept = list((folder / ".openpendant").glob("unsaved-*"))
    if not garbage:
        assert again.recovery is None
        assert not kept
    else:
        assert again.recovery is not None
        assert again.recovery.kind == "set aside"
        assert [path.read_bytes() for path in kept] == [garbage]


def test_changes_from_outside_are_noticed_and_never_written_over(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    text = (folder / "cell.json").read_text()
    (folder / "cell.json").write_text(text.replace("cube 3", "cube three"))
    assert project.changed_outside()
    with pytest.raises(CellFileError, match="changed by another program"):
        project.save()
    project.close()
    with pytest.raises(CellFileError, match="cube three"):
        # The file from outside has a fault too; that is said, and no edit is lost.
        OpenProject(folder)
    (folder / "cell.json").write_text(text.replace('"name": "pick_and_place"', '"name": "other"'))
    again = OpenProject(folder)
    assert again.recovery is None
    assert [path for path in (folder / ".openpendant").glob("unsaved-*") if b"ann" in path.read_bytes()]


def test_what_is_in_the_files_can_be_taken_instead(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    theirs = (folder / "cell.json").read_text().replace('"name": "pick_and_place"', '"name": "other"')
    (folder / "cell.json").write_text(theirs.replace("cube 3", "cube three"))
    with pytest.raises(CellFileError, match="cube three"):
        project.reload()
    assert place(project) == 0.1, "what cannot be used changes nothing"
    (folder / "cell.json").write_text(theirs)
    before = project.shared.seq
    project.reload()
    assert project.shared.cell == load_cell(folder).cell
    assert project.shared.cell.name == "other"
    assert project.shared.seq > before
    assert project.is_saved
    assert not project.changed_outside()
    assert project.recovery is not None
    assert project.recovery.kind == "set aside"
    assert [path for path in (folder / ".openpendant").glob("unsaved-*") if b"ann" in path.read_bytes()]
    project.apply(moved(0.2), "ann")
    project.close()
    assert place(OpenProject(folder)) == 0.2, "the journal goes on"


def test_edits_that_come_while_files_are_read_again_are_set_aside_too(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    theirs = (folder / "cell.json").read_text().replace('"name": "pick_and_place"', '"name": "other"')
    (folder / "cell.json").write_text(theirs)
    pending = project.begin_reload()
    pending.read()
    assert place(project) == 0.1, "nothing has changed yet"
    project.apply(moved(0.2), "bob")
    before = project.shared.seq
    project.end_reload(pending)
    assert project.shared.cell == load_cell(folder).cell
    assert project.shared.seq > before
    assert project.recovery is not None
    assert project.recovery.edits == 2
    (aside,) = (folder / ".openpendant").glob("unsaved-*")
    assert b"ann" in aside.read_bytes()
    assert b"bob" in aside.read_bytes()
    project.apply(moved(0.3), "ann")
    project.close()
    again = OpenProject(folder)
    assert (place(again), again.recovery.edits) == (0.3, 1), "the journal goes on"


def test_a_journal_of_a_newer_version_is_set_aside_and_not_written_over(folder):
    project = OpenProject(folder)
    for n in range(10):
        project.apply(moved(0.1 * n), "ann")
    project.close()
    path = Journal(folder).path
    newer = path.read_bytes().replace(b'"base"', b'"foundation"', 1)
    path.write_bytes(newer)
    again = OpenProject(folder)
    assert again.recovery is not None
    assert "cannot read" in again.recovery.message
    kept = list((folder / ".openpendant").glob("unsaved-*"))
    assert [one.read_bytes() for one in kept] == [newer]


def test_edits_that_this_version_cannot_read_are_kept_and_the_journal_goes_on(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    project.apply(moved(0.2), "ann")
    project.apply(moved(0.3), "ann")
    project.close()
    path = Journal(folder).path
    lines = path.read_bytes().split(b"\n")
    lines[2] = b'{"author":"ann","edit":{"type":"of tomorrow"}}'
    path.write_bytes(b"\n".join(lines))
    again = OpenProject(folder)
    assert place(again) == 0.1
    assert again.recovery is not None
    assert "2 that this version cannot read are kept in" in again.recovery.message
    assert [one for one in (folder / ".openpendant").glob("unsaved-*") if b"of tomorrow" in one.read_bytes()]
    again.apply(moved(0.5), "ann")
    again.close()
    assert place(OpenProject(folder)) == 0.5


def test_an_edit_after_a_torn_line_is_not_lost_behind_it(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    project.apply(moved(0.2), "ann")
    project.close()
    path = Journal(folder).path
    path.write_bytes(path.read_bytes()[:-20])
    again = OpenProject(folder)
    again.apply(moved(0.4), "ann")
    again.close()
    assert place(OpenProject(folder)) == 0.4


def test_a_full_disk_costs_no_edit_once_there_is_room_again(folder):
    """As a disk that takes half a line and no more: what is cut short is taken back, later edits follow whole."""
    script = (
        "import resource, sys; from openpendant.projects import OpenProject, EditCell\n"
        "from openpendant.scene import Move; from openpendant.messages import Pose\n"
        "project = OpenProject(sys.argv[1])\n"
        "def move(x):\n"
        "    pose = Pose(xyz=(x, 0.0, 0.5), wxyz=(1.0, 0.0, 0.0, 0.0))\n"
        "    project.apply(EditCell(command=Move(name='cube 1', pose=pose)), 'ann')\n"
        "move(0.1)\n"
        "size = project._journal.path.stat().st_size\n"
        "most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size + 30, most))\n"
        "move(0.2)\n"
        "assert 'cannot be written' in project.fault, project.fault\n"
        "assert project._journal.path.stat().st_size == size\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))\n"
        "for n in range(20): move(0.3 + 0.01 * n)\n"
        "assert not project.fault\n"
        "project.sync()\n"
        "import os; os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(folder)], check=True)
    again = OpenProject(folder)
    assert again.recovery is not None
    assert place(again) == pytest.approx(0.49)


def test_a_second_process_is_refused_and_told_who_has_it(folder):
    script = (
        "import sys; from openpendant.projects import OpenProject\n"
        "project = OpenProject(sys.argv[1]); print('open', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(ProjectInUseError, match=f"open in another server .process {other.pid}."):
            OpenProject(folder)
        with pytest.raises(ProjectInUseError):
            Library(folder.parent).remove(folder.name)
        other.kill()
        other.wait()
    OpenProject(folder).close()


def test_edits_go_on_while_files_are_written_and_none_is_lost(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    pending = project.begin_save()
    project.apply(moved(0.2), "ann")
    pending.write(project.digest)
    project.apply(moved(0.3), "ann")
    project.end_save(pending)
    assert not project.is_saved
    assert load_cell(folder).cell == pending.cell
    project.close()
    again = OpenProject(folder)
    assert place(again) == 0.3
    again.save()
    assert again.is_saved
    again.close()
    assert place(OpenProject(folder)) == 0.3


def test_a_process_that_dies_in_a_save_with_edits_beside_it_loses_none(folder):
    project = OpenProject(folder)
    project.apply(moved(0.1), "ann")
    pending = project.begin_save()
    project.apply(moved(0.2), "ann")
    pending.write(project.digest)
    project.close()
    again = OpenProject(folder)
    assert place(again) == 0.2
    assert load_cell(folder).cell == again.shared.cell
