"""Names that a vendor's language allows."""

import re


class Namer:
    """Turns names of a cell into identifiers: each its own, and the same again when asked again."""

    def __init__(self, longest: int, reserved: str = "", joint: str = "_") -> None:
        """Begin with no names.

        Args:
            longest: How many characters an identifier may have.
            reserved: Words that cannot be names, with blanks between; upper and lower case are alike.
            joint: What stands for blanks and the like.
        """
        self._longest = longest
        self._joint = joint
        self._taken = {word.lower() for word in reserved.split()}
        self._given: dict[tuple[str, str], str] = {}

    def name(self, text: str, kind: str = "") -> str:
        """Return the identifier of something; things of different kinds have different ones."""
        key = (kind, text)
        if key not in self._given:
            self._given[key] = self._free(self._sanitize(text))
        return self._given[key]

    def fresh(self, text: str) -> str:
        """Return an identifier that nothing else has."""
        return self._free(self._sanitize(text))

    def _sanitize(self, text: str) -> str:
        plain = re.sub(r"[^0-9A-Za-z]+", self._joint, text).strip(self._joint) or "x"
        return (plain if plain[0].isalpha() else f"p{plain}")[: self._longest]

    def _free(self, plain: str) -> str:
        name, number = plain, 2
        while name.lower() in self._taken:
            ending = f"{self._joint}{number}"
            name = plain[: self._longest - len(ending)] + ending
            number += 1
        self._taken.add(name.lower())
        return name
