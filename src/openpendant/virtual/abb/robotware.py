"""Options of RobotWare: what a controller lacks without them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from openpendant.errors import InputError


@dataclass(frozen=True, slots=True)
class RobotWareOption:
    """An option that is bought with a controller.

    Attributes:
        number: As ABB's price lists have it.
        title: What it is called.
        instructions: Instructions and functions that come with it; those that end in * by their beginning.
    """

    number: str
    title: str
    instructions: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Write it as Robot Web Services list it."""
        return f"{self.number} {self.title}"


PC_INTERFACE = RobotWareOption("616-1", "PC Interface", ("socket*",))
MULTITASKING = RobotWareOption("623-1", "Multitasking")
GUIDED_MOTION = RobotWareOption("689-1", "Externally Guided Motion", ("egm*",))
MULTIMOVE = RobotWareOption("604-1", "MultiMove Coordinated", ("syncmove*", "issyncmoveon"))
ALL_OPTIONS = (PC_INTERFACE, MULTITASKING, GUIDED_MOTION, MULTIMOVE)
"""Those that the virtual controller knows."""


def options_without(numbers: Iterable[str], *, arms: int) -> tuple[RobotWareOption, ...]:
    """Return the options of a controller with one arm or several, without some of them.

    Raises:
        InputError: It has no option with such a number.
    """
    usual = ALL_OPTIONS if arms > 1 else tuple(one for one in ALL_OPTIONS if one is not MULTIMOVE)
    known = [one.number for one in usual]
    lacking = [number.strip() for number in numbers]
    for number in lacking:
        if number not in known:
            raise InputError(f"no RobotWare option {number[:40]!r}; this controller has {', '.join(known)}")
    return tuple(one for one in usual if one.number not in lacking)


def lacking_instructions(options: Collection[str], names: Iterable[str]) -> frozenset[str]:
    """Return which instructions and functions a controller lacks.

    Args:
        options: That it has, as `str` of a `RobotWareOption` writes them.
        names: Of all instructions and functions, in lower case.
    """
    numbers = {one.partition(" ")[0] for one in options}
    lacking = [word for one in ALL_OPTIONS if one.number not in numbers for word in one.instructions]
    begins = tuple(word[:-1] for word in lacking if word.endswith("*"))
    return frozenset(name for name in names if name in lacking or (begins and name.startswith(begins)))
