"""Compile a large script in another process: it is parsed and made into code there, and only loaded here.

Compiling some thousand lines takes a second or two in which Python lets no other thread run; loading takes a
millisecond. Both sides are ours: what crosses is never given to anybody else.
"""

import marshal
import pickle
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from .builtin import Builtin
from .failures import ScriptError
from .generate import Generated, generate, signature
from .machine import with_core
from .parser import parse
from .program import ScriptProgram


def encode_request(text: str, builtins: Mapping[str, Builtin]) -> bytes:
    """Return what `main` reads: a script, and what its functions look like; they themselves stay here."""
    stubs = {name: replace(one, call=_nothing, cost=_cost(one)) for name, one in builtins.items()}
    return pickle.dumps((text, stubs))


def decode_compiled(data: bytes, text: str, builtins: Mapping[str, Builtin]) -> ScriptProgram:
    """Return the program that `main` has written, ready for a machine with these functions.

    Raises:
        ScriptError: It is not a valid script; raised as by `parse` and `Machine`.
    """
    made = pickle.loads(data)  # noqa: S301 - written by our own process
    if isinstance(made, ScriptError):
        raise made
    name, kind, source, line, code, lines, used, defaults, constants = cast(tuple[Any, ...], made)
    generated = Generated(marshal.loads(code), lines, used, defaults, constants)  # noqa: S302 - likewise
    key = signature(with_core(builtins, _no_time))
    return ScriptProgram(name, kind, text, source, line=line, generated={key: generated})


def main() -> None:
    """Read a request from the standard input; write the compiled program, or its ScriptError."""
    text, builtins = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - written by our own process
    try:
        program = parse(text)
        made = generate(program, with_core(builtins, _no_time))
    except ScriptError as error:
        result: object = error
    else:
        code = marshal.dumps(made.code)
        head = (program.name, program.kind, program.source, program.line)
        result = (*head, code, made.lines, made.builtins, made.defaults, made.constants)
    sys.stdout.buffer.write(pickle.dumps(result))


def _cost(builtin: Builtin) -> Any:
    return builtin.cost if isinstance(builtin.cost, int) else _nothing


def _nothing(*_: Any) -> int:
    """Stand for a function that is called in the other process only."""
    return 0


def _no_time() -> float:
    return 0.0
