"""The pendant of a virtual controller: orders, buttons with reasons, log, windows, and its page.

In: orders as JSON, from the control channel or the page. Out: what the pendant shows, as `PendantState`. A maker writes
an `Operator` that knows its controller's buttons, and a `PageLayout` that says what its page is made of.
"""

from .layout import LayoutButton, PageLayout
from .log import PendantLog
from .operator import OperatedHost, Operator, Press, buttons_while_off
from .orders import (
    CauseFault,
    GetPace,
    GetState,
    LoadProgram,
    PendantOrder,
    PressButton,
    ReadVariables,
    SetInput,
    SetRemote,
    SetSpeedSlider,
    TypeLine,
    order_decoder,
)
from .page import PanelService
from .state import (
    ArmRow,
    Chip,
    JointRow,
    MessageRow,
    PendantState,
    PopupWindow,
    PoseRow,
    SignalRow,
    StepRow,
    TerminalKey,
)
from .windows import Window, WindowStack

__all__ = [
    "ArmRow",
    "CauseFault",
    "Chip",
    "GetPace",
    "GetState",
    "JointRow",
    "LayoutButton",
    "LoadProgram",
    "MessageRow",
    "OperatedHost",
    "Operator",
    "PageLayout",
    "PanelService",
    "PendantLog",
    "PendantOrder",
    "PendantState",
    "PopupWindow",
    "PoseRow",
    "Press",
    "PressButton",
    "ReadVariables",
    "SetInput",
    "SetRemote",
    "SetSpeedSlider",
    "SignalRow",
    "StepRow",
    "TerminalKey",
    "TypeLine",
    "Window",
    "WindowStack",
    "buttons_while_off",
    "order_decoder",
]
