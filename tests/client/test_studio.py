"""openpendant.connect: all that the page does, from Python, against a real server."""

import math

import pytest

import openpendant as op
from openpendant.errors import InputError, LinkError, UnknownNameError
from openpendant.messages import Pose
from openpendant.programs import GoTo, InsertStep, Program, RemoveStep
from openpendant.robots import load
from openpendant.scene import Add, CellRobot, Move
from openpendant.server import create_app, serving

HERE = Pose(xyz=(0.1, 0.2, 0.3), wxyz=(1.0, 0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("projects")
    with serving(create_app(projects=folder)) as url:
        yield op.connect(url, name="ann")


def test_projects_are_made_packed_and_thrown_away(studio):
    assert {demo.name for demo in studio.demos()} >= {"bench", "pick_and_place"}
    made = studio.create("one", "bench")
    copy = studio.take_in(studio.pack(studio.duplicate(made)))
    kept = studio.remove(copy)
    with pytest.raises(UnknownNameError, match=copy):
        studio.open(copy)
    assert studio.bring_back(kept) == copy
    assert "movej" in studio.export(made, "fill_bin", "urscript")[0].text
    with pytest.raises(InputError, match="title"):
        studio.create("")


WINCH = b"""<robot name="winch">
  <link name="foot"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <link name="drum"><visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual></link>
  <joint name="turn" type="continuous"><parent link="foot"/><child link="drum"/><axis xyz="0 0 1"/></joint>
</robot>"""


def test_a_robot_of_ones_own_joins_the_catalogue_and_the_cell(studio):
    made = studio.add_robot("winch.urdf", WINCH)
    assert made.imported
    assert made in studio.robots()
    with pytest.raises(InputError, match="already there"):
        studio.add_robot("winch.urdf", WINCH)
    with studio.open(studio.create("winches")) as project:
        project.edit_cell(Add(section="robots", item=CellRobot(name="w", model=made.name, group="old ones")))
        assert project.cell.robots[0].group == "old ones"


def test_edits_checks_and_recordings(studio):
    other = op.connect(studio.url, name="bob")
    name = studio.create("two", "pick_and_place")
    with studio.open(name) as mine, other.open(name) as theirs:
        first = mine.check("sort_cubes")
        assert first.clear
        seq = mine.edit_program("sort_cubes", InsertStep(action=GoTo(to="start")))
        again = mine.check("sort_cubes")
        assert again.duration_s >= first.duration_s
        theirs.edit_cell(Move(name="cube 1", pose=HERE))
        assert theirs.seq == seq + 1
        assert theirs.programs == mine.programs
        assert {one.name for one in theirs.people} == {"ann", "bob"}
        mine.undo()
        assert mine.history.redo
        mine.redo()
        with pytest.raises(InputError, match="s99"):
            mine.edit_program("sort_cubes", RemoveStep(id="s99"))
        mine.add_program(Program(name="new", robot="irb120"))
        mine.remove_program("new")
        assert mine.record("pallet_row").status == "done"
        mine.save()
        assert mine.saved.state == "saved"


def test_a_cell_is_built_in_plain_verbs(studio):
    with studio.open(studio.create("Plain")) as project:
        assert [project.add_robot("ur3e"), project.add_robot("ur3e", xyz=(1, 0, 0))] == ["ur3e", "ur3e 2"]
        project.add_frame("tray", xyz=(0.3, 0.2, 0.0), rpy=(0, 0, math.pi / 2))
        project.add_box("block", (0.04, 0.04, 0.04), xyz=(0.1, 0, 0.02), frame="tray", graspable=True)
        project.add_point("above", xyz=(0.3, 0.2, 0.3), rpy=(math.pi, 0, 0))
        block = next(one for one in project.cell.objects if one.name == "block")
        assert (block.graspable, block.frame, block.shape.size) == (True, "tray", (0.04, 0.04, 0.04))
        assert project.cell.frames[0].pose.wxyz == pytest.approx((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
        # A taught point is where the arm's own kinematics put the tool.
        q = (0.1, -1.2, 1.0, -1.4, -1.5, 0.3)
        pose = project.teach("start", "ur3e", q=q)
        expected = load("ur3e").arms["arm"].fk(q)[:3, 3]
        assert pose.xyz == pytest.approx(tuple(project.cell.robots[0].pose.xyz + expected))
        assert project.teach("start", "ur3e", q=(0.2, *q[1:])) != pose
        assert [one.name for one in project.cell.points] == ["above", "start"]
        project.add_program(Program(name="go", robot="ur3e", steps=(GoTo(to="start"), GoTo(to="start", id="s7"))))
        assert [step.id for step in project.programs["go"].steps] == ["s8", "s7"]
        assert repr(project) == "<project plain: 2 robots, 1 objects, 2 points; programs: go>"
        with pytest.raises(InputError, match="'start' cannot be removed: still needed by step s8 of go and others"):
            project.remove("start")
        with pytest.raises(InputError, match="both rpy and wxyz"):
            project.move("block", xyz=(0, 0, 0), rpy=(0, 0, 0), wxyz=(1, 0, 0, 0))
        with pytest.raises(InputError, match="no robot runs"):
            project.robots.joints()
        project.remove_program("go")
        with pytest.raises(InputError, match="the project has no programs yet"):
            project.check("nope")


def test_who_is_not_there_is_told():
    with pytest.raises(LinkError, match="no reply from a server"):
        op.connect("http://127.0.0.1:9")
    with pytest.raises(InputError, match="is not the address of a server"):
        op.connect("ftp://x")


def test_a_server_that_ends_is_noticed(tmp_path):
    with serving(create_app(projects=tmp_path)) as url:
        studio = op.connect(url)
        project = studio.open(studio.create("three", "bench"))
    with pytest.raises(LinkError):
        project.undo()
    project.close()
