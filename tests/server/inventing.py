"""Invents values of a type: what a stranger could send that is well-formed."""

from typing import Any

from hypothesis import strategies as st
from msgspec import inspect as wire

NUMBERS = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([0.0, 1.0, 0.3, -0.2, 5e-324]))
DEEPEST = 6


def invent(kind: Any, names: st.SearchStrategy[str], depth: int = 0) -> st.SearchStrategy[Any]:
    """Return a strategy for the JSON values of a type, as `msgspec.inspect` tells it."""
    below = depth + 1
    match kind:
        case wire.StructType():
            tag = {} if kind.tag is None else {kind.tag_field: st.just(kind.tag)}
            fields = {one.encode_name: one for one in kind.fields}
            needed = {name: invent(one.type, names, below) for name, one in fields.items() if one.required}
            further = {name: invent(one.type, names, below) for name, one in fields.items() if not one.required}
            return st.fixed_dictionaries(needed | tag, optional=further if depth < DEEPEST else {})
        case wire.UnionType():
            return st.deferred(lambda: st.one_of([invent(one, names, below) for one in kind.types]))
        case wire.IntType():
            return st.integers(-(2**53), 2**53)
        case wire.FloatType():
            return NUMBERS
        case wire.StrType():
            return names
        case wire.BoolType():
            return st.booleans()
        case wire.NoneType():
            return st.none()
        case wire.LiteralType():
            return st.sampled_from(kind.values)
        case wire.TupleType():
            return st.tuples(*(invent(one, names, below) for one in kind.item_types)).map(list)
        case wire.VarTupleType() | wire.ListType():
            most = 3 if depth < DEEPEST else 0
            return st.deferred(lambda: st.lists(invent(kind.item_type, names, below), max_size=most))
        case wire.DictType():
            most = 3 if depth < DEEPEST else 0
            return st.deferred(lambda: st.dictionaries(names, invent(kind.value_type, names, below), max_size=most))
        case _:
            return st.none()
