"""Client: everything the page does, from Python.

    studio = openpendant.connect("http://127.0.0.1:8000")
    with studio.open("bench") as project:
        print(project.check("fill_bin").summary)

In: the address of a running server. Out: projects that follow every change of everybody.
"""

from .project import ClientProject
from .studio import Studio, connect, pair

__all__ = ["ClientProject", "Studio", "connect", "pair"]
