"""URDF in: a parser that names line and element of every fault, meshes to glTF, arms found by themselves.

In: the path of a URDF and the folders of its packages. Out: a robot of the user's catalogue.
"""

from .importing import import_urdf

__all__ = ["import_urdf"]
