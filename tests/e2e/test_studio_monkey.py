"""Somebody does anything, anywhere: nothing complains, STOP can always be pressed, and the project is kept as it is.

`OPENPENDANT_MONKEY_S` and `OPENPENDANT_MONKEY_SEED` choose how long, and which.
"""

import os
import sys
import time
import urllib.request
from typing import Any

import pytest
from monkey import Monkey
from serving import Serving
from studio import OpenStudio, Studio

pytestmark = pytest.mark.live

SECONDS = float(os.environ.get("OPENPENDANT_MONKEY_S", "20"))
SEED = int(os.environ.get("OPENPENDANT_MONKEY_SEED", "20261115"))
ROUND_S = 120.0
DOCUMENT = "({ cell: openpendant.project.cell, programs: openpendant.project.programs })"


def test_nothing_breaks_whatever_is_done(open_studio: OpenStudio, serving: Serving) -> None:
    let_play(open_studio, serving, SEED, SECONDS)


@pytest.mark.soak
def test_nothing_breaks_for_half_an_hour(open_studio: OpenStudio, serving: Serving) -> None:
    seed = int(os.environ.get("OPENPENDANT_MONKEY_SEED", str(time.time_ns() % 2**32)))
    for number in range(round(1800.0 / ROUND_S)):
        let_play(open_studio, serving, seed + number, ROUND_S)


def let_play(open_studio: OpenStudio, serving: Serving, seed: int, seconds: float) -> None:
    """Let a monkey play in a new project, and look whether everything is well."""
    sys.stdout.write(f"monkey {seed} for {seconds:g} s; again with OPENPENDANT_MONKEY_SEED={seed}\n")
    studio = open_studio(1280, 800, url=serving.url)
    project = studio.open_demo("pick_and_place")
    monkey = Monkey(studio, seed)

    def look() -> None:
        if studio.page.url.split("#")[-1] != f"/projects/{project}":
            studio.open(project)
        wrong = complaints(studio)
        assert wrong == [], tell(monkey, wrong)
        assert monkey.sees_stop, tell(monkey, "STOP is not to be seen")

    monkey.play(seconds, look)
    look()
    sys.stdout.write(f"monkey {seed} did {monkey.count} things\n")
    with urllib.request.urlopen(f"{serving.url}/api/projects", timeout=30) as answer:
        assert answer.status == 200
    before = at_rest(studio, monkey)
    studio.open(project)
    assert studio.page.evaluate(DOCUMENT) == before, tell(monkey, "another project after it was reloaded")
    studio.page.goto("about:blank")
    studio.page.goto(f"{serving.url}/?aa=0&sharp=0.5#/projects/{project}")
    studio.wait_for_project()
    assert studio.page.evaluate(DOCUMENT) == before, tell(monkey, "another project in its own page")
    studio.errors[:] = complaints(studio)
    studio.context.close()


def at_rest(studio: Studio, monkey: Monkey) -> Any:
    """Return the project once everything that was done is saved."""
    for _ in range(3):
        studio.press("Escape")
    end = time.monotonic() + 30.0
    while studio.project("saved") != "saved" or studio.project("link") != "open":
        assert time.monotonic() < end, tell(monkey, f"not saved: {studio.project('saved')}")
        studio.page.wait_for_timeout(50)
    return studio.page.evaluate(DOCUMENT)


def complaints(studio: Studio) -> list[str]:
    """Return what the page complained of, without requests that were refused with a reason."""
    return [error for error in studio.errors if "status of 4" not in error]


def tell(monkey: Monkey, what: object) -> str:
    return "\n".join([str(what), "it did last:", *monkey.did])
