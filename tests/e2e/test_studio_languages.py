"""The studio in each language, mode and theme, at two widths: everything fits its place, nothing stays English."""

import json
import re
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from layout import fits, overflowing, spoken
from playwright.sync_api import Browser
from serving import Serving
from studio import Studio

LANGUAGES = ("en", "de", "es")
MODES = {"build": "Alt+1", "teach": "Alt+2", "program": "Alt+3", "operate": "Alt+4"}
WIDTHS = {1280: "light", 1024: "dark"}
"""And the theme there."""
HEIGHT = 720
SAME = {
    "de": {
        "Arm",
        "Code",
        "Filter",
        "Gamepad",
        "In",
        "Iso",
        "Live",
        "Name",
        "Name (optional)",
        "Pause",
        "Pose",
        "Signal",
        "System",
        "Text",
        "Zone",
    },
    "es": {"Base", "Iso", "Pose", "Robot", "Robots", "STOP", "Variables"},
}
"""Words that are the same in English."""
NOBODYS = {"Ann", "Deutsch", "English", "Español", "OpenPendant", "RAPID robtarget", "TCP", "mm", "mm, °", "rad"}
NOBODYS |= {"+rx", "+ry", "+rz"}
"""Names and units."""


FIGURE = re.compile(r"[-−\d.]+ ?\S+|cf1=.*|\S+ in \S+|\S+ – \S+")
"""A value with its unit, a configuration, or names of bodies and frames."""


@dataclass
class Walk:
    """What was seen in all languages, in all places."""

    misfits: list[str] = field(default_factory=list)
    said: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """By language and place."""
    written: set[str] = field(default_factory=set)
    """Words of the project, which are its authors'."""
    errors: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def walk(browser: Browser, server: Serving) -> Iterator[Walk]:
    """Look everywhere in one page; its language is changed in its settings."""
    size = {"width": 1280, "height": HEIGHT}
    context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce")
    studio = Studio(context, server.url)
    walk = Walk(errors=studio.errors)
    # Projects of other tests are on the first page, under the names that these gave them.
    walk.written |= strings_of(ask(server, "projects"))
    robots = ask(server, "robots")
    walk.written |= {robot[what] for robot in robots for what in ("title", "maker")}
    irb120 = ask(server, "robots/irb120")
    # Where its figures come from is told as it was written.
    walk.written |= strings_of([irb120["notes"], irb120["sources"]])
    walk.written |= {f"({source['licence']})" for source in irb120["sources"]}
    for language, place in places(studio):
        walk.misfits += [f"{language}, {place}: {one}" for one in overflowing(studio)]
        walk.said[language, place] = spoken(studio)
    project = "JSON.stringify([openpendant.project.cell, openpendant.project.programs])"
    walk.written |= strings_of(json.loads(studio.page.evaluate(project)))
    yield walk
    context.close()


def test_everything_fits_its_place(walk: Walk) -> None:
    assert walk.misfits == []
    assert walk.errors == []


@pytest.mark.parametrize("language", SAME)
def test_nothing_stays_english(walk: Walk, language: str) -> None:
    english = set[str]().union(*(texts for (spoken_in, _), texts in walk.said.items() if spoken_in == "en"))
    known = words_in(walk.written | SAME[language] | NOBODYS)
    left = {
        f"{word!r} in {place}"
        for (spoken_in, place), texts in walk.said.items()
        if spoken_in == language
        for word in words_in(texts & english) - known
    }
    assert left == set()


def places(studio: Studio) -> Iterator[tuple[str, str]]:
    """Go to the first page, each mode at each width, and what the top bar opens; yield each language and place."""
    studio.welcome()
    for language in LANGUAGES:
        speak(studio, "settings", language)
        yield language, "settings"
        studio.press("Escape")
        yield language, "the first page"
    studio.make("Pick and place", "pick_and_place")
    for language in LANGUAGES:
        speak(studio, "project-menu", language)
        yield language, "the menu"
        studio.press("Escape")
        for width, scheme in WIDTHS.items():
            studio.page.emulate_media(color_scheme=scheme)
            studio.page.set_viewport_size({"width": width, "height": HEIGHT})
            for mode, key in MODES.items():
                studio.press(key)
                studio.wait(f"document.querySelector('[data-mode={mode}]')", mode)
                if mode == "build":
                    studio.find("tree-irb120").click()
                elif mode == "program":
                    wait_for_check(studio)
                    studio.find("step").nth(2).click()
                yield language, f"{mode} at {width}"
                fits(studio, width)
        for opener in ("history", "people"):
            studio.find(opener).click()
            yield language, opener
            studio.press("Escape")
        studio.press("Control+k")
        yield language, "the palette"
        studio.press("Escape")


def speak(studio: Studio, opener: str, language: str) -> None:
    """Open the settings, and change the language."""
    studio.find(opener).click()
    studio.find("language").select_option(language)
    studio.wait(f"document.documentElement.lang === '{language}'", language)


def wait_for_check(studio: Studio) -> None:
    """Wait until the program is checked: what it says fills its line."""
    summary = "document.querySelector('[data-testid=program-summary]')?.dataset.state"
    studio.wait(f"!['checking', 'unknown', undefined].includes({summary})", "the check")


def ask(server: Serving, what: str) -> Any:
    """Return what the server has of something."""
    with urllib.request.urlopen(f"{server.url}/api/{what}") as answer:
        return json.load(answer)


def words_in(texts: set[str]) -> set[str]:
    """Return those that have words, without a number at the end: how many there are of something. Figures have none."""
    return {
        re.sub(r"[\s\d]+$", "", text)
        for text in texts
        if re.search(r"[^\W\d_]{2,}", text) and not FIGURE.fullmatch(text)
    }


def strings_of(value: object) -> set[str]:
    """Return all texts of a document, and the names by which it calls things."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {str(key) for key in value}.union(*(strings_of(one) for one in value.values()))
    return set[str]().union(*(strings_of(one) for one in value)) if isinstance(value, list) else set()
