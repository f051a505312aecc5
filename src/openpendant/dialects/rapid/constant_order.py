"""The order in which the data of a task gets its values: what a value is made of comes before it."""

from .check import CheckedTask
from .code_expressions import names_in
from .events import PROGRAM
from .faults import RapidError
from .symbols import DataSymbol

DEEPEST_CONSTANT = 50


def constants_first(checked: CheckedTask) -> list[DataSymbol]:
    """Return the data of a task so that what a value is made of comes before it."""
    order: list[DataSymbol] = []
    seen: dict[int, bool] = {}

    def visit(symbol: DataSymbol, depth: int) -> None:
        if symbol.slot in seen:
            if not seen[symbol.slot]:
                raise RapidError(symbol.line, 1, f"{symbol.name} is made of itself", symbol.file, PROGRAM)
            return
        if depth > DEEPEST_CONSTANT:
            raise RapidError(symbol.line, 1, f"{symbol.name} is made of too many others", symbol.file, PROGRAM)
        seen[symbol.slot] = False
        value = None if symbol.declaration is None else symbol.declaration.value
        for name in names_in(value) if value is not None else ():
            inner = checked.data.get(id(name))
            if inner is not None and inner.slot >= 0 and not inner.local:
                visit(inner, depth + 1)
        seen[symbol.slot] = True
        order.append(symbol)

    for symbol in checked.symbols.data:
        visit(symbol, 0)
    return order
