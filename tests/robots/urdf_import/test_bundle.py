"""Robots that come in as one file: a URDF, or a zip with a URDF and its meshes. What is in them is not trusted."""

import io
import stat
import zipfile
from pathlib import Path

import pytest
import trimesh

from openpendant.errors import InputError, TakenNameError
from openpendant.robots import import_robot_file, load, names
from openpendant.robots.urdf_import import bundle as packing
from openpendant.user_folders import user_robots_folder

URDF = """<robot name="crane">
  <link name="foot"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <link name="mast"><visual><geometry>{shape}</geometry></visual></link>
  <joint name="turn" type="revolute">
    <parent link="foot"/><child link="mast"/><axis xyz="0 0 1"/><origin xyz="0 0 0.3"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/>
  </joint>
</robot>
"""
BOX = '<box size="0.1 0.1 0.5"/>'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENPENDANT_HOME", str(tmp_path / "home"))


def urdf(shape: str = BOX) -> bytes:
    return URDF.format(shape=shape).encode()


def mesh() -> bytes:
    data = io.BytesIO()
    trimesh.creation.box(extents=(0.1, 0.2, 0.5)).export(data, file_type="stl")
    return data.getvalue()


def packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def nothing_was_kept() -> bool:
    return not [path for path in user_robots_folder().glob("*") if not path.name.startswith(".")]


def test_a_urdf_alone() -> None:
    robot = import_robot_file("my crane.urdf", urdf())
    assert robot.name == "crane"
    assert robot.imported
    assert load("crane").arm().dof == 1


@pytest.mark.parametrize(
    ("place", "address", "at"),
    [
        (
            "crane_description/urdf/crane.urdf",
            "package://crane_description/meshes/mast.stl",
            "crane_description/meshes",
        ),
        (
            "src/crane_description/urdf/crane.urdf",
            "package://crane_description/meshes/mast.stl",
            "src/crane_description/meshes",
        ),
        ("urdf/crane.urdf", "package://crane_description/meshes/mast.stl", "meshes"),
        ("crane-main/urdf/crane.urdf", "package://crane_description/meshes/mast.stl", "crane-main/meshes"),
        ("robot/crane.urdf", "meshes/mast.stl", "robot/meshes"),
        ("robot/urdf/crane.urdf", "../meshes/mast.stl", "robot/meshes"),
    ],
)
def test_a_zip_with_meshes_however_it_was_packed(place: str, address: str, at: str) -> None:
    files = {place: urdf(f'<mesh filename="{address}"/>'), f"{at}/mast.stl": mesh(), "notes/run.sh": b"rm -rf /"}
    robot = import_robot_file("crane.zip", packed(files))
    assert set(robot.visual_paths()) == {"foot", "mast"}


def test_a_name_that_is_taken() -> None:
    import_robot_file("crane.urdf", urdf())
    with pytest.raises(TakenNameError, match="'crane' is already there"):
        import_robot_file("crane.urdf", urdf())
    assert import_robot_file("crane.urdf", urdf(), taken="keep").name == "crane_2"
    assert import_robot_file("crane.urdf", urdf(), taken="keep").name == "crane_3"
    assert import_robot_file("crane.urdf", urdf('<box size="0.3 0.3 0.3"/>'), taken="replace").name == "crane"
    # What comes with OpenPendant stays.
    own = urdf().replace(b'"crane"', b'"ur3e"')
    assert import_robot_file("ur3e.urdf", own).name == "ur3e_2"
    assert import_robot_file("ur3e.urdf", own, taken="replace").name == "ur3e_3"
    assert {"crane", "crane_2", "crane_3", "ur3e", "ur3e_2", "ur3e_3"} <= set(names())


@pytest.mark.parametrize(
    "address",
    [
        "/etc/passwd.stl",
        "file:///etc/a.stl",
        "../../../../etc/a.stl",
        "package://x/../../../a.stl",
        "package://tmp/a.stl",
    ],
)
def test_meshes_of_this_machine_are_not_read(address: str, tmp_path: Path) -> None:
    (tmp_path / "a.stl").write_bytes(mesh())
    with pytest.raises(InputError, match=r"line 3: link 'mast': mesh .*(outside|is missing)") as told:
        import_robot_file("robot.zip", packed({"a/crane.urdf": urdf(f'<mesh filename="{address}"/>')}))
    assert "openpendant-robot-" not in str(told.value)
    assert nothing_was_kept()


def test_a_mesh_that_is_really_there_but_outside(tmp_path: Path) -> None:
    secret = tmp_path / "secret.stl"
    secret.write_bytes(mesh())
    with pytest.raises(InputError, match=r"points outside the imported files; put the URDF and the folder"):
        import_robot_file("robot.urdf", urdf(f'<mesh filename="{secret}"/>'))


@pytest.mark.parametrize(
    ("file", "data", "told"),
    [
        ("robot.exe", b"", r"is not a robot: use \.urdf"),
        ("robot.urdf.xacro", b"", r"xacro file; expand it to a URDF first: xacro robot\.urdf\.xacro > robot\.urdf"),
        ("robot.zip", b"no zip", "not a zip archive"),
        ("robot.zip", packed({"a.txt": b""}), r"contains no \.urdf file$"),
        ("robot.zip", packed({"a/b.xacro": b""}), r"contains no \.urdf file; expand a/b\.xacro to one"),
        ("robot.zip", packed({"a.urdf": urdf(), "b/c.urdf": urdf()}), r"several robots: a\.urdf, b/c\.urdf"),
        ("robot.zip", packed({"../a.urdf": urdf()}), "is outside it"),
        ("robot.zip", packed({"/a.urdf": urdf()}), "is outside it"),
        ("robot.zip", packed({"a\\..\\b.urdf": urdf()}), "is outside it"),
        ("robot.urdf", b"<robot", r"robot\.urdf, line 1: is not well-formed XML"),
        ("robot.urdf", b'<!DOCTYPE a [<!ENTITY b "c">]><robot name="a"/>', "declares a DTD"),
        ("robot.urdf", urdf('<mesh filename="http://a.b/c.stl"/>'), "has the scheme 'http'"),
        ("robot.urdf", urdf(f'<mesh filename="{"a" * 300}.stl"/>'), "cannot be read|is missing"),
        ("robot.urdf", urdf().replace(b'"mast"', b'"<script>"'), "well-formed"),
        ("robot.urdf", urdf().replace(b'"mast"', b'"../../mast"'), "use letters, digits"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_what_cannot_be_used_is_told(file: str, data: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        import_robot_file(file, data)
    assert nothing_was_kept()


def test_a_zip_that_is_a_bomb_or_a_link_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openpendant.archives.LARGEST_BYTES", 100_000)
    bomb = packed({"a.urdf": urdf(), "meshes/a.stl": b"\0" * 1_000_000})
    with pytest.raises(InputError, match="more than 100000 bytes"):
        import_robot_file("bomb.zip", bomb)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("mast.stl")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a.urdf", urdf('<mesh filename="mast.stl"/>'))
    with pytest.raises(InputError, match="not a regular file; links and devices"):
        import_robot_file("link.zip", out.getvalue())
    monkeypatch.setattr(packing, "MOST_FILES", 3)
    with pytest.raises(InputError, match="at most 3 are allowed"):
        import_robot_file("many.zip", packed({f"{i}.txt": b"" for i in range(4)}))
    assert nothing_was_kept()
