"""The states of a run: a stop leads out of each, and what is over stays as it is."""

import itertools

import pytest

from openpendant.errors import InputError
from openpendant.runtime import StoppedError
from openpendant.runtime.run_life import NEXT, STATUS, RunLife

WORDS = ("checking", "starting", "running", "pause", "resume", "stop", "done", "failed", "stopped")


def say(life: RunLife, word: str) -> None:
    if word in ("checking", "starting", "running"):
        life.advance(word)
    elif word in ("pause", "resume"):
        life.follow("", paused=word == "pause")
    elif word == "stop":
        life.stop()
    else:
        life.end(word, "because")


def test_whatever_is_said_states_follow_the_drawing() -> None:
    for words in itertools.product(WORDS, repeat=4):
        follow_the_drawing(words)


def follow_the_drawing(words: tuple[str, ...]) -> None:
    life = RunLife("wave")
    for word in words:
        before, was_over = life.state, life.over
        try:
            say(life, word)
        except (InputError, StoppedError):
            assert life.state == before
        passed = "stopping" in NEXT[before] and life.state in NEXT["stopping"]
        assert life.state == before or life.state in NEXT[before] or passed
        assert not was_over or life.state == before
        assert life.over == (STATUS[life.state] in ("done", "failed", "stopped"))
        assert life.wait(0.0) == life.over
        if word == "stop":
            assert life.over or life.state == "stopping"
    life.stop()
    life.end("done", "")
    assert life.over
    assert life.status in ("done", "failed", "stopped")


def test_a_run_that_was_stopped_does_not_begin() -> None:
    life = RunLife("wave")
    life.advance("starting")
    life.stop()
    with pytest.raises(StoppedError, match="wave was stopped before it started"):
        life.advance("running")


def test_every_state_has_a_way_out() -> None:
    for state, after in NEXT.items():
        assert after or STATUS[state] in ("done", "failed", "stopped")
        assert not after or {"stopped", "stopping"} & set(after)
