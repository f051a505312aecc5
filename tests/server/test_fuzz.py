"""Whatever is sent, the websocket answers, and with nothing but documented answers."""

import json
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from talking import Talker
from websockets.sync.client import connect

from openpendant.messages import KinematicsReply

NUMBERS = st.one_of(st.floats(), st.integers(), st.sampled_from([0, -0.0, 1e308, 5e-324, 10**400, -(2**63)]))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=12))
NAMES = st.one_of(st.sampled_from(["ur3e", "irb120", "arm", "tool0", "base", "base_link", "tcp"]), st.text(max_size=8))
VECTORS = st.one_of(st.lists(NUMBERS, max_size=8), st.just([0.1, -1.2, 1.0, 0.3, 0.4, 0.5]), SCALARS)
POSES = st.one_of(st.fixed_dictionaries({"xyz": VECTORS, "wxyz": VECTORS}), SCALARS)
FIELDS = {
    "type": st.one_of(st.sampled_from(["forward", "inverse"]), SCALARS),
    "id": st.one_of(st.integers(0, 9), SCALARS),
    "robot": st.one_of(st.just("ur3e"), NAMES),
    "arm": st.one_of(st.just("arm"), NAMES),
    "q": VECTORS,
    "seed": VECTORS,
    "pose": POSES,
    "frame": NAMES,
    "base": NAMES,
    "variants": SCALARS,
    "redundancy": SCALARS,
}
QUESTIONS = st.fixed_dictionaries({}, optional=FIELDS)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner), max_leaves=9
)
TEXTS = st.one_of(st.text(), st.one_of(QUESTIONS, ANYTHING).map(json.dumps), st.binary())


def test_any_message_gets_a_documented_answer(url: str) -> None:
    with connect(f"{url.replace('http', 'ws')}/ws") as socket:
        talker = Talker(socket)

        @settings(max_examples=400, suppress_health_check=list(HealthCheck))
        @given(TEXTS)
        def answered(text: str | bytes) -> None:
            answer: Any = msgspec.convert(talker.send(text), type=KinematicsReply)
            assert "internal error" not in getattr(answer, "message", "")

        answered()


def test_a_well_formed_question_about_nonsense_gets_a_documented_answer(url: str) -> None:
    joints = st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=6)
    question = st.fixed_dictionaries(
        {
            "type": st.just("inverse"),
            "id": st.integers(0, 9),
            "robot": st.sampled_from(["ur3e", "irb120", "rx90l"]),
            "arm": st.just("arm"),
            "frame": st.sampled_from(["tool0", "tcp"]),
            "base": st.just("base_link"),
            "seed": joints,
            "pose": st.fixed_dictionaries(
                {
                    "xyz": st.lists(st.floats(-1e9, 1e9), min_size=3, max_size=3),
                    "wxyz": st.sampled_from([[1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.5, -0.5, 0.5], [0.6, 0, 0.8, 0]]),
                }
            ),
        }
    )
    with connect(f"{url.replace('http', 'ws')}/ws") as socket:
        talker = Talker(socket)

        @settings(max_examples=200, suppress_health_check=list(HealthCheck))
        @given(question)
        def answered(value: dict[str, Any]) -> None:
            answer: Any = msgspec.convert(talker.ask(**value), type=KinematicsReply)
            assert answer.id == value["id"]
            assert "internal error" not in getattr(answer, "message", "")

        answered()
