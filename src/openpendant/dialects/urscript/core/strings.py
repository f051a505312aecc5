"""Strings (the manual, "Module internals": str_*, to_num, to_str). Positions count bytes there; here characters."""

import math
import re

from openpendant.dialects.urscript.builtin import Builtin, Parameter
from openpendant.dialects.urscript.failures import ScriptFailure
from openpendant.dialects.urscript.operators import integer, size_cost
from openpendant.dialects.urscript.values import LONGEST_STRING, Struct, Value, format_value, type_name

_NUMBER = re.compile(
    r"\s*(?P<sign>[+-]?)(?:(?P<hex>0[xX][0-9A-Fa-f]+)|(?P<decimal>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<inf>inf|infinity)|(?P<nan>nan))",
    re.IGNORECASE,
)


def _string(value: object, what: str) -> str:
    if type(value) is not str:
        raise ScriptFailure(f"Type error: {what} needs a string, not {type_name(value)}")
    return value


def _shown(value: Value, what: str) -> str:
    if value is None or isinstance(value, Struct):
        raise ScriptFailure(f"Type error: {what} cannot show {type_name(value)}")
    return format_value(value)


def _short(text: str, what: str) -> str:
    if len(text) > LONGEST_STRING:
        raise ScriptFailure(f"Runtime error: {what} makes a string of more than {LONGEST_STRING} characters")
    return text


def _str_at(src: object, index: object) -> str:
    text, place = _string(src, "str_at"), integer(index, "index")
    if not text:
        raise ScriptFailure("Runtime error: str_at: source string is empty")
    if not 0 <= place < len(text):
        raise ScriptFailure(f"Runtime error: str_at: index {place} out of bound")
    return text[place]


def _str_cat(op1: Value, op2: Value) -> str:
    return _short(_shown(op1, "str_cat") + _shown(op2, "str_cat"), "str_cat")


def _str_empty(text: object) -> bool:
    return not _string(text, "str_empty")


def _str_len(text: object) -> int:
    return len(_string(text, "str_len"))


def _to_str(value: Value) -> str:
    return _short(_shown(value, "to_str"), "to_str")


def _str_find(src: object, target: object, start_from: object) -> int:
    return _string(src, "str_find").find(_string(target, "str_find"), max(integer(start_from, "start_from"), 0))


def _str_sub(src: object, index: object, length: object) -> str:
    text, place, count = _string(src, "str_sub"), integer(index, "index"), integer(length, "len")
    if not 0 <= place <= len(text) or count < 0:
        raise ScriptFailure("Runtime error: str_sub: index is out of bounds")
    return text[place : place + count]


def _to_num(text: object) -> float | int:
    given = _string(text, "to_num")
    match = _NUMBER.fullmatch(given)
    if match is None:
        raise ScriptFailure(f'Runtime error: to_num: "{given[:60]}" doesn\'t contain a valid number')
    sign = -1 if match["sign"] == "-" else 1
    if match["inf"]:
        return sign * math.inf
    if match["nan"]:
        return math.nan
    if match["decimal"] and ("." in match["decimal"] or "e" in match["decimal"].lower()):
        return sign * float(match["decimal"])
    digits = match["hex"] or match["decimal"]
    value = sign * (int(digits, 16) if match["hex"] else int(digits) if len(digits) < 12 else 2**40)
    if not -0x80000000 <= value <= 0x7FFFFFFF:
        raise ScriptFailure(f"Runtime error: to_num: {given[:60]} is out of range")
    return value


STRING_FUNCTIONS: tuple[Builtin, ...] = (
    Builtin("str_at", (Parameter("src"), Parameter("index")), _str_at),
    Builtin("str_cat", (Parameter("op1"), Parameter("op2")), _str_cat, cost=size_cost),
    Builtin("str_empty", (Parameter("str"),), _str_empty),
    Builtin("str_find", (Parameter("src"), Parameter("target"), Parameter("start_from", 0)), _str_find),
    Builtin("str_len", (Parameter("str"),), _str_len),
    Builtin("str_sub", (Parameter("src"), Parameter("index"), Parameter("len", 2**31 - 1)), _str_sub),
    Builtin("to_num", (Parameter("str"),), _to_num),
    Builtin("to_str", (Parameter("val"),), _to_str, cost=size_cost),
)
