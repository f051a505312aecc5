"""One history for any document: undo for each author, and a reason that names who has changed something since."""

import pytest

from openpendant.documents import Applied, DoneEdit, History, Key, Refused
from openpendant.errors import InputError
from openpendant.said import Said

NAMES = {"1": "Ann", "2": "Bob"}


class Shelf:
    """A document of things by key, and commands that put one there."""

    def __init__(self) -> None:
        self.things: dict[Key, str] = {}
        self.history: History[tuple[Key, str | None], str] = History(
            self.perform,
            lambda keys: {key: self.things.get(key) for key in keys},
            lambda command: f"put {command[1]}",
            lambda key: "/".join(key),
            lambda author: NAMES.get(author, ""),
        )

    def perform(self, command: tuple[Key, str | None]) -> DoneEdit[tuple[Key, str | None]]:
        key, value = command
        if value == "bad":
            raise InputError("bad")
        before = self.things.get(key)
        self.things = {other: one for other, one in self.things.items() if other[: len(key)] != key}
        if value is not None:
            self.things[key] = value
        return DoneEdit((key, before), (key,))


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


def test_each_undoes_their_own(shelf: Shelf) -> None:
    shelf.history.apply((("a",), "x"), "1")
    shelf.history.apply((("b",), "y"), "2")
    assert isinstance(shelf.history.undo("1"), Applied)
    assert shelf.things == {("b",): "y"}
    assert shelf.history.titles("1") == ((), ("put x",))
    assert isinstance(shelf.history.redo("1"), Applied)
    assert shelf.history.titles("1") == (("put x",), ())
    assert shelf.things == {("a",): "x", ("b",): "y"}


def test_who_has_changed_it_since_is_named(shelf: Shelf) -> None:
    shelf.history.apply((("a",), "x"), "1")
    shelf.history.apply((("a",), "y"), "2")
    refused = shelf.history.undo("1")
    assert refused == Refused("cannot undo put x: a has since been changed by Bob (put y)")
    assert isinstance(refused.reason, Said)
    shelf.history.apply((("a",), "z"), "3")
    refused = shelf.history.undo("2")
    assert refused == Refused("cannot undo put y: a has since been changed by somebody else (put z)")
    assert shelf.things == {("a",): "z"}


def test_what_went_with_something_else_is_gone_by_whoever_took_that(shelf: Shelf) -> None:
    shelf.history.apply((("a", "inner"), "x"), "1")
    shelf.history.apply((("a",), None), "2")
    refused = shelf.history.undo("1")
    assert refused == Refused("cannot undo put x: a/inner has since been removed or renamed by Bob (put None)")


def test_what_does_not_fit_changes_nothing(shelf: Shelf) -> None:
    shelf.history.apply((("a",), "x"), "1")
    shelf.history.undo("1")
    with pytest.raises(InputError):
        shelf.history.apply((("a",), "bad"), "1")
    assert shelf.history.can_redo("1")
    assert shelf.history.version == 2


def test_what_is_remembered_follows_a_rename(shelf: Shelf) -> None:
    shelf.history.apply((("a",), "old"), "1")
    shelf.history.apply((("a",), "x"), "1")
    shelf.history.rewrite(lambda command: (command[0], "new" if command[1] == "old" else command[1]), lambda _, v: v)
    shelf.history.undo("1")
    assert shelf.things == {("a",): "new"}


def test_what_can_no_longer_be_undone_is_skipped_with_its_reason(shelf: Shelf) -> None:
    shelf.history.apply((("old",), "x"), "1")
    shelf.history.apply((("a",), "x"), "1")
    shelf.history.apply((("b",), "x"), "1")
    shelf.history.apply((("a",), "y"), "2")
    shelf.history.apply((("b",), None), "2")
    done = shelf.history.undo("1")
    assert isinstance(done, Applied)
    assert done.skipped == (
        "cannot undo put x: b has since been removed or renamed by Bob (put None)",
        "cannot undo put x: a has since been changed by Bob (put y)",
    )
    assert shelf.things == {("a",): "y"}
    assert shelf.history.titles("1") == ((), ("put x",))
    assert isinstance(shelf.history.redo("1"), Applied)
    assert shelf.things == {("a",): "y", ("old",): "x"}


def test_where_nothing_can_be_undone_all_of_it_stays_for_later(shelf: Shelf) -> None:
    shelf.history.apply((("a",), "x"), "1")
    shelf.history.apply((("a",), "y"), "2")
    assert isinstance(shelf.history.undo("1"), Refused)
    shelf.history.undo("2")
    assert isinstance(shelf.history.undo("1"), Applied)
    assert shelf.things == {}
