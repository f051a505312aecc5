"""URDF in: a parser that names line and element of every fault, meshes to glTF, arms found by themselves.

In: the path of a URDF and the folders of its packages, or a zip that holds them. Out: a robot of the user's catalogue.
"""

from .bundle import import_robot_file
from .importer import import_urdf

__all__ = ["import_robot_file", "import_urdf"]
