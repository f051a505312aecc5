"""Exports: programs as text in vendors' languages, and as a timed joint path.

In: a cell and a program whose moves can be made. Out: `VendorText`, one for each file. Millimetres and degrees where
the vendor wants them.
"""

from .csv import export_csv
from .forms import FORMS, Form, export_program, fitting_forms
from .rapid import carried_tooldata, export_rapid
from .rapid_tasks import TASKS as RAPID_TASKS
from .urscript import export_urscript
from .vplus import export_vplus
from .vplus_replay import export_replay

__all__ = [
    "FORMS",
    "RAPID_TASKS",
    "Form",
    "carried_tooldata",
    "export_csv",
    "export_program",
    "export_rapid",
    "export_replay",
    "export_urscript",
    "export_vplus",
    "fitting_forms",
]
