"""Every message survives the wire, and only well-formed ones are let in."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openpendant import messages
from openpendant.messages import ForwardRequest, InverseRequest, KinematicsReply, KinematicsRequest

STRUCTS = sorted(
    (getattr(messages, name) for name in messages.__all__ if isinstance(getattr(messages, name), type)),
    key=lambda struct: struct.__name__,
)
INVERSE = {
    "type": "inverse",
    "id": 7,
    "robot": "ur3e",
    "arm": "arm",
    "pose": {"xyz": [0.1, 0.2, 0.3], "wxyz": [1, 0, 0, 0]},
    "frame": "tool0",
    "base": "base_link",
    "seed": [0, 0, 0, 0, 0, 0],
}


def said(values: st.SearchStrategy[Any]) -> st.SearchStrategy[messages.SaidMessage]:
    """Return a strategy for sentences with these values in them."""
    places = st.dictionaries(st.text(max_size=5), values, max_size=2)
    return st.builds(messages.SaidMessage, code=st.text(max_size=5), text=st.text(max_size=5), values=places)


SAID = said(st.one_of(st.text(max_size=5), st.booleans(), st.integers(-9, 9), said(st.text(max_size=5))))


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for values of a message's field."""
    info = msgspec.inspect.type_info(kind) if not isinstance(kind, msgspec.inspect.Type) else kind
    match info:
        case msgspec.inspect.StructType(cls=messages.SaidMessage):
            return SAID
        case msgspec.inspect.StructType(cls=cls, fields=fields):
            return st.builds(cls, **{field.name: values_of(field.type) for field in fields})
        case msgspec.inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case msgspec.inspect.IntType():
            return st.integers(-(2**53), 2**53)
        case msgspec.inspect.StrType():
            return st.text(max_size=20)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.NoneType():
            return st.none()
        case msgspec.inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case msgspec.inspect.UnionType(types=types):
            return st.one_of(*map(values_of, types))
        case msgspec.inspect.TupleType(item_types=items):
            return st.tuples(*map(values_of, items))
        case msgspec.inspect.ListType(item_type=item):
            return st.lists(values_of(item), max_size=3)
        case msgspec.inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(values_of(key), values_of(value), max_size=2)
        case msgspec.inspect.VarTupleType(item_type=item):
            return st.lists(values_of(item), max_size=3).map(tuple)
        case _:
            raise AssertionError(f"no strategy for {info}")


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_message_survives_the_wire(struct: type[messages.Wire]) -> None:
    @given(values_of(struct))
    def survives(value: messages.Wire) -> None:
        assert msgspec.json.decode(msgspec.json.encode(value), type=struct) == value

    if struct is not messages.Wire:
        survives()


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_messages_are_frozen_named_and_strict(struct: type[messages.Wire]) -> None:
    config = struct.__struct_config__
    assert config.frozen
    assert config.forbid_unknown_fields
    with pytest.raises(TypeError):
        struct("by position")


def test_the_tag_tells_questions_apart() -> None:
    question = msgspec.json.decode(msgspec.json.encode(INVERSE), type=KinematicsRequest)
    assert isinstance(question, InverseRequest)
    assert question.redundancy is None
    assert not question.variants
    forward = {"type": "forward", "id": 1, "robot": "r", "arm": "a", "q": [0.5], "frame": "f", "base": "b"}
    assert isinstance(msgspec.json.decode(msgspec.json.encode(forward), type=KinematicsRequest), ForwardRequest)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seeds": []}, "unknown field `seeds`"),
        ({"type": "sideways"}, "sideways"),
        ({"pose": {"xyz": [0, 0], "wxyz": [1, 0, 0, 0]}}, "length 3"),
        ({"seed": ["a"]}, r"\$.seed\[0\]"),
        ({"id": None}, r"\$.id"),
    ],
)
def test_a_malformed_question_is_refused_by_name(change: dict[str, object], said: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=said):
        msgspec.json.decode(msgspec.json.encode(INVERSE | change), type=KinematicsRequest)


def test_an_answer_tells_its_type() -> None:
    text = msgspec.json.encode(messages.Failed(id=3, message="no"))
    assert msgspec.json.decode(text) == {"type": "failed", "id": 3, "message": "no", "said": None}
    assert isinstance(msgspec.json.decode(text, type=KinematicsReply), messages.Failed)
