"""Unsafe: the failure of a promise that holds on any machine, however late its processes are; it is never void."""


class Unsafe(AssertionError):
    """A robot did what it must never do: too fast, too far by its controller's own clock, or after a stop."""


def promise(kept: object, told: object) -> None:
    """Fail as `Unsafe` where a promise is not kept.

    Args:
        kept: Whether it is.
        told: What is told where it is not.

    Raises:
        Unsafe: It is not kept.
    """
    __tracebackhide__ = True
    if not kept:
        raise Unsafe(str(told))
