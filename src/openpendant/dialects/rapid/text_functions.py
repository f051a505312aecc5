"""Functions of strings and numbers, as programs call them."""

import math
from collections.abc import Callable
from typing import Any, cast

from .faults import RapidError, RapidFailure
from .lexer import LONGEST_STRING
from .parser import parse_data
from .printer import write_constant
from .tree import Aggregate, Constant, RapidExpression, Signed
from .values import Reference

BASES = ("Hex", "Okt", "Bin", "Char")


def within(text: str, position: float, longest: int) -> int:
    """Return a position in a string, which counts from 1, as Python counts."""
    place = int(position)
    if place != position or not 1 <= place <= longest:
        raise RapidFailure("", f"position {write_constant(position)} is not in the string of {len(text)} characters")
    return place - 1


def str_part(text: str, position: float, length: float) -> str:
    """StrPart"""
    start = within(text, position, len(text))
    if length != int(length) or length < 0 or start + length > len(text):
        raise RapidFailure("", f"{write_constant(length)} characters from {start + 1} are not all in the string")
    return text[start : start + int(length)]


def str_find(text: str, position: float, characters: str, outside: object) -> float:
    """StrFind"""
    start = within(text, position, len(text) + 1)
    for place in range(start, len(text)):
        if (text[place] in characters) == (outside is None):
            return place + 1.0
    return len(text) + 1.0


def str_match(text: str, position: float, pattern: str) -> float:
    """StrMatch"""
    found = text.find(pattern, within(text, position, len(text) + 1))
    return len(text) + 1.0 if found < 0 else found + 1.0


def str_map(text: str, source: str, target: str) -> str:
    """StrMap"""
    if len(source) != len(target):
        raise RapidFailure("", "both maps must have the same length")
    return text.translate(str.maketrans(source, target))


def str_memb(text: str, position: float, characters: str) -> bool:
    """StrMemb"""
    return text[within(text, position, len(text))] in characters


def str_order(first: str, second: str, order: str) -> bool:
    """StrOrder"""
    ranks = {character: place for place, character in enumerate(order)}

    def key(text: str) -> list[int]:
        return [ranks.get(one, len(order) + ord(one)) for one in text]

    return key(first) <= key(second)


def val_to_str(value: Any) -> str:
    """ValToStr"""
    text = written(value)
    if len(text) > LONGEST_STRING:
        raise RapidFailure("ERR_STRTOOLNG", f"a string of {len(text)} characters; at most {LONGEST_STRING} are allowed")
    return text


def written(value: Any) -> str:
    """Return a value as programs see it: numbers with six digits."""
    if isinstance(value, tuple | list):
        return f"[{','.join(map(written, cast('list[Any]', value)))}]"
    if isinstance(value, float):
        return shown_number(value)
    return write_constant(value) if isinstance(value, bool | str) else ""


def shown_number(value: float) -> str:
    """Return a number with six digits, as the operator's window has it."""
    return write_constant(float(f"{value:.6g}"))


def str_to_val(text: str, target: Reference) -> bool:
    """StrToVal"""
    try:
        value = value_like(parse_data(text), target.get())
    except RapidError:
        return False
    if value is None:
        return False
    target.set(value)
    return True


def value_like(expression: RapidExpression, pattern: Any) -> Any:
    """Return the value of a constant expression in the form of another value; None: it has another form."""
    if isinstance(pattern, tuple | list):
        parts = cast("list[Any]", pattern)
        if not isinstance(expression, Aggregate) or len(expression.items) != len(parts):
            return None
        items = [value_like(item, one) for item, one in zip(expression.items, parts, strict=True)]
        if any(item is None for item in items):
            return None
        return items if isinstance(pattern, list) else tuple(items)
    negative = False
    while isinstance(expression, Signed):
        negative ^= expression.sign == "-"
        expression = expression.of
    if not isinstance(expression, Constant) or type(expression.value) is not type(pattern):
        return None
    return -float(expression.value) if negative and isinstance(expression.value, float) else expression.value


def num_to_str(value: float, decimals: float, exponent: object) -> str:
    """NumToStr"""
    places = min(max(int(decimals), 0), 15)
    return f"{value:.{places}E}" if exponent is not None else f"{value:.{places}f}"


def str_to_byte(text: str, hexadecimal: object, octal: object, binary: object, character: object) -> float:
    """StrToByte"""
    if character is not None:
        if len(text) != 1:
            raise RapidFailure("", "StrToByte \\Char takes one character")
        return float(ord(text))
    base = 16 if hexadecimal is not None else 8 if octal is not None else 2 if binary is not None else 10
    try:
        return byte(float(int(text, base)))
    except ValueError:
        raise RapidFailure("", f"'{text}' is not a byte") from None


def byte_to_str(value: float, hexadecimal: object, octal: object, binary: object, character: object) -> str:
    """ByteToStr"""
    number = int(byte(value))
    if character is not None:
        return chr(number)
    form = "02X" if hexadecimal is not None else "03o" if octal is not None else "08b" if binary is not None else "d"
    return format(number, form)


def byte(value: float) -> float:
    """Return a number that must be a byte."""
    if value != int(value) or not 0 <= value <= 255:
        raise RapidFailure("ERR_ARGVALERR", f"{write_constant(value)} is not a byte: use 0 to 255")
    return value


def rounded(value: float, decimals: float | None) -> float:
    """Round: halves go away from zero."""
    scale = 10.0 ** int(decimals or 0)
    return math.copysign(math.floor(abs(value) * scale + 0.5) / scale, value)


def truncated(value: float, decimals: float | None) -> float:
    """Trunc"""
    scale = 10.0 ** int(decimals or 0)
    return float(math.trunc(value * scale)) / scale


def root(value: float) -> float:
    """Sqrt"""
    if value < 0.0:
        raise RapidFailure("ERR_ARGVALERR", f"no square root of {write_constant(value)}")
    return math.sqrt(value)


def _arc(function: Callable[[float], float]) -> Callable[[float], float]:
    def call(value: float) -> float:
        if not -1.0 <= value <= 1.0:
            raise RapidFailure("ERR_ARGVALERR", f"{write_constant(value)} is not in -1..1")
        return math.degrees(function(value))

    return call


def power(base: float, exponent: float) -> float:
    """Pow"""
    try:
        result = base**exponent
    except ZeroDivisionError:
        raise RapidFailure("ERR_ARGVALERR", "zero has no negative power") from None
    if isinstance(result, complex):
        raise RapidFailure("ERR_ARGVALERR", "a negative number has whole powers only")
    return result


def _bits(function: Callable[[int, int], int]) -> Callable[[float, float], float]:
    return lambda a, b: float(function(int(byte(a)), int(byte(b))) & 255)


def _bit(position: float) -> int:
    if position != int(position) or not 1 <= position <= 8:
        raise RapidFailure("ERR_ARGVALERR", f"bit {write_constant(position)} is not in 1..8")
    return 1 << (int(position) - 1)


def bit_set(target: Reference, position: float) -> None:
    """BitSet"""
    target.set(float(int(byte(target.get())) | _bit(position)))


def bit_clear(target: Reference, position: float) -> None:
    """BitClear"""
    target.set(float(int(byte(target.get())) & ~_bit(position)))


def dim(array: Any, number: float) -> float:
    """Dim"""
    inner: object = array
    for _ in range(min(int(number) - 1, 3)):
        inner = cast("list[object]", inner)[0] if isinstance(inner, list) else ()
    if not isinstance(inner, list) or number < 1:
        raise RapidFailure("ERR_ILLDIM", f"there is no dimension {write_constant(number)}")
    return float(len(cast("list[object]", inner)))


def str_len(text: str) -> float:
    """StrLen"""
    return float(len(text))


def atan(value: float) -> float:
    """ATan"""
    return math.degrees(math.atan(value))


def atan2(y: float, x: float) -> float:
    """ATan2"""
    return math.degrees(math.atan2(y, x))


def _of_degrees(function: Callable[[float], float]) -> Callable[[float], float]:
    return lambda angle: function(math.radians(angle))


def dnum_to_num(value: float, integer: object) -> float:
    """DnumToNum"""
    if integer is not None and value != int(value):
        raise RapidFailure("ERR_INT_NOTVAL", f"{write_constant(value)} is not an integer")
    return value


def bit_neg(value: float) -> float:
    """BitNeg"""
    return float(255 - int(byte(value)))


def bit_check(value: float, position: float) -> bool:
    """BitCheck"""
    return bool(int(byte(value)) & _bit(position))


TEXT_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "strlen": str_len,
    "strpart": str_part,
    "strfind": str_find,
    "strmatch": str_match,
    "strmap": str_map,
    "strmemb": str_memb,
    "strorder": str_order,
    "strtoval": str_to_val,
    "valtostr": val_to_str,
    "numtostr": num_to_str,
    "dnumtostr": num_to_str,
    "strtobyte": str_to_byte,
    "bytetostr": byte_to_str,
}
NUMBER_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "absdnum": abs,
    "acos": _arc(math.acos),
    "asin": _arc(math.asin),
    "atan": atan,
    "atan2": atan2,
    "cos": _of_degrees(math.cos),
    "sin": _of_degrees(math.sin),
    "tan": _of_degrees(math.tan),
    "exp": math.exp,
    "pow": power,
    "sqrt": root,
    "round": rounded,
    "trunc": truncated,
    "rounddnum": rounded,
    "truncdnum": truncated,
    "dnumtonum": dnum_to_num,
    "numtodnum": float,
    "bitand": _bits(lambda a, b: a & b),
    "bitor": _bits(lambda a, b: a | b),
    "bitxor": _bits(lambda a, b: a ^ b),
    "bitneg": bit_neg,
    "bitlsh": _bits(lambda a, b: a << min(b, 8)),
    "bitrsh": _bits(lambda a, b: a >> b),
    "bitcheck": bit_check,
    "bitset": bit_set,
    "bitclear": bit_clear,
    "dim": dim,
}
