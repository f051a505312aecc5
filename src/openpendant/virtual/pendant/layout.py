"""PageLayout: what the page of a maker's pendant is made of; what is left out is not shown."""

from typing import Literal

import msgspec

Section = Literal["robot", "program", "window", "test"]


class LayoutButton(msgspec.Struct, frozen=True):
    """A button of the page.

    Attributes:
        name: As the state and the order `press` call it.
        title: What is written on it.
        section: "robot" shows it while the state offers it; "window" under every window; "test" among the faults.
        primary: Whether it is the usual choice of its section.
    """

    name: str
    title: str
    section: Section
    primary: bool = False


class PageLayout(msgspec.Struct, frozen=True, kw_only=True):
    """What a controller has for a person.

    Attributes:
        title: What people call the model.
        buttons: In their order on the page.
        stop: The buttons that press and release the emergency stop; None: there is none.
        programs: What is said where no program can be loaded; None: programs are not loaded from a folder.
        speed: Whether there is a speed slider.
        by_hand: Whether the tool can be pushed by hand (orders `freedrive` and `push`).
        protective_stop: Whether a person can provoke one (order `protective_stop`).
        remote: Whether there is a switch between local and remote control.
        terminal: What is written over the controller's terminal; None: it has none.
        signals: What is written over the digital signals.
        tick_ns: Nanoseconds from tick to tick.
    """

    title: str
    buttons: tuple[LayoutButton, ...]
    tick_ns: int
    stop: tuple[str, str] | None = None
    programs: str | None = None
    speed: bool = False
    by_hand: bool = False
    protective_stop: bool = False
    remote: bool = False
    terminal: str | None = None
    signals: str = "Digital signals"
