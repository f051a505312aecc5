"""The driver tells where the operating mode selector stands, and does without where nobody says it."""

from collections.abc import Iterator

import pytest
from uploading import Uploads, swing

DASHBOARD_PORT = 29999


@pytest.fixture
def pair() -> Iterator[Uploads]:
    made = Uploads()
    yield made
    made.close()


def test_it_is_told_as_the_pendant_has_it(pair: Uploads) -> None:
    pair.tick(500)
    assert pair.driver.state.operating == "unknown", "no password is set for the mode"
    for mode in ("manual", "automatic", "manual"):
        pair.brain.dashboard(f"set operational mode {mode}")
        took_s = pair.until(lambda mode=mode: pair.driver.state.operating == mode, mode)
        assert took_s <= 0.6
    pair.brain.dashboard("clear operational mode")
    pair.until(lambda: pair.driver.state.operating == "unknown", "no selector")


def test_without_a_dashboard_the_robot_works_and_it_is_asked_again(pair: Uploads) -> None:
    pair.brain.dashboard("set operational mode automatic")
    pair.until(lambda: pair.driver.state.operating == "automatic", "the mode")
    pair.fault("drop", ports=(DASHBOARD_PORT,), seconds=2.0)
    pair.until(lambda: pair.driver.state.operating == "unknown", "the end of the dashboard")
    assert pair.driver.state.connected
    pair.start(swing())
    assert pair.until(lambda: pair.driver.state.operating == "automatic", "the mode again") < 8.0
    assert pair.speed > 0.0 or not pair.rests
    assert not any(event.kind == "lost" for event in pair.driver.events())


def test_a_dashboard_that_falls_silent_says_nothing_of_the_mode(pair: Uploads) -> None:
    pair.brain.dashboard("set operational mode manual")
    pair.until(lambda: pair.driver.state.operating == "manual", "the mode")
    pair.fault("silence", ports=(DASHBOARD_PORT,), seconds=60.0)
    took_s = pair.until(lambda: pair.driver.state.operating == "unknown", "silence")
    assert 1.9 < took_s < 3.0
    assert pair.driver.state.connected
    pair.fault("clear")
    pair.until(lambda: pair.driver.state.operating == "manual", "the mode again")


def test_it_is_unknown_while_there_is_no_robot(pair: Uploads) -> None:
    pair.brain.dashboard("set operational mode manual")
    pair.until(lambda: pair.driver.state.operating == "manual", "the mode")
    pair.fault("silence", seconds=3.0)
    pair.until(lambda: not pair.driver.state.connected, "the loss")
    assert pair.driver.state.operating == "unknown"
    pair.until(lambda: pair.driver.state.operating == "manual", "the mode again")
