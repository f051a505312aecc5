"""RAPID that comes with OpenPendant: modules that load on an IRC5 and on the virtual ABB controller as they are.

`rapid_set(name)` names the modules of one, with the tasks they belong to and the signals they need; `write_rapid_set`
copies it into a folder. What each does, and how a PC talks to it, is in docs/abb-modules.md.
"""

from .sets import RAPID_SETS, RapidFile, RapidSet, rapid_set, write_rapid_set

__all__ = ["RAPID_SETS", "RapidFile", "RapidSet", "rapid_set", "write_rapid_set"]
