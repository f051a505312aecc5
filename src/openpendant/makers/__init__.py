"""Makers: all that is known of a maker's robots and controllers, as one record each, in one table.

    maker = find_maker(load("ur3e"))
    controller = maker.make_driver(setup)

In: a robot of the catalogue. Out: its maker's record, or None where no driver speaks to it. Other packages add records
by the entry point `openpendant.makers`; nothing outside this room asks for a maker by its name.
"""

from .driver_setup import DriverArm, DriverSetup
from .exports import export_as, export_forms
from .maker import Export, Maker, Uploads
from .pendant import PendantButton, PendantWindow, buttons_of_state, window_of_state
from .table import ENTRY_POINTS, find_maker, maker_of_virtual, makers, usual_model
from .texts import TEXT_LANGUAGES, TextFinding, TextLanguage, text_language
from .virtual_maker import VirtualMaker, VirtualOption, VirtualPlan, VirtualReady

__all__ = [
    "ENTRY_POINTS",
    "TEXT_LANGUAGES",
    "DriverArm",
    "DriverSetup",
    "Export",
    "Maker",
    "PendantButton",
    "PendantWindow",
    "TextFinding",
    "TextLanguage",
    "Uploads",
    "VirtualMaker",
    "VirtualOption",
    "VirtualPlan",
    "VirtualReady",
    "buttons_of_state",
    "export_as",
    "export_forms",
    "find_maker",
    "maker_of_virtual",
    "makers",
    "text_language",
    "usual_model",
    "window_of_state",
]
