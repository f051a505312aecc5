"""The window of a controller: open from its message on, until the program that waits for it goes on or ends."""

import pytest

from openpendant.controllers.ur.popup_watch import PopupWatch

STOPPED, PLAYING, PAUSED = 1, 2, 4


@pytest.mark.parametrize(
    ("waits", "then", "is_open"),
    [
        (True, (PLAYING, PAUSED), True),
        (True, (PAUSED, PLAYING), False),
        (True, (PLAYING, STOPPED), False),
        (False, (PLAYING, PLAYING), True),
        (False, (PLAYING, STOPPED), True),
        (False, (STOPPED, PLAYING), False),
    ],
)
def test_it_is_closed_as_the_controller_says(waits: bool, then: tuple[int, ...], is_open: bool) -> None:
    watch = PopupWatch()
    watch.update(PLAYING)
    watch.show("Part", "Put a puck on the bench", waits=waits)
    for runtime in then:
        watch.update(runtime)
    assert (watch.open is not None) == is_open


def test_each_has_a_number_and_none_outlives_the_link() -> None:
    watch = PopupWatch()
    watch.show("", "one", waits=False)
    watch.show("", "two", waits=False)
    assert watch.open is not None
    assert (watch.open.number, watch.open.text) == (2, "two")
    watch.close()
    assert watch.open is None
