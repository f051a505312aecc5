"""Who writes which input: one list shared by all connections of a controller."""

from collections.abc import Iterable


class InputRegistry:
    """Input names held by connections. A name has one holder at a time; a holder may name it in many recipes."""

    __slots__ = ("_holders",)

    def __init__(self) -> None:
        """Start with every input free."""
        self._holders: dict[str, object] = {}

    def held_by_others(self, names: Iterable[str], asker: object) -> frozenset[str]:
        """Return those of `names` that somebody else than `asker` holds."""
        holders = self._holders
        return frozenset(name for name in names if holders.get(name, asker) is not asker)

    def hold(self, names: Iterable[str], holder: object) -> None:
        """Give `names` to `holder`. Ask `taken` first: held names stay with their holder."""
        for name in names:
            self._holders.setdefault(name, holder)

    def release(self, holder: object) -> None:
        """Free every name of `holder`."""
        self._holders = {name: other for name, other in self._holders.items() if other is not holder}

    def __len__(self) -> int:
        return len(self._holders)
