"""parse_virtual_arguments: the arguments of `openpendant virtual`, with the options of all makers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from openpendant.errors import InputError
from openpendant.makers import VirtualOption

COMMON = (
    VirtualOption("bind", "Address to listen on; the ports are the vendor's.", "ADDRESS", "127.0.0.2"),
    VirtualOption("start-q", "Joints at the start, radians; for several arms ARM:Q1,…;ARM:Q1,…", "Q1,…,Qn"),
    VirtualOption("lan", "Allow an address that others on the network can reach."),
    VirtualOption("json", "Print the ready line as JSON."),
    VirtualOption("until-eof", "Stop when standard input ends."),
    VirtualOption("help", "Show models and options."),
)


@dataclass(frozen=True)
class VirtualArguments:
    """The arguments, parsed."""

    model: str = ""
    """Empty: the usual one."""
    bind: str = "127.0.0.2"
    start_q: dict[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])
    lan: bool = False
    as_json: bool = False
    until_eof: bool = False
    help: bool = False
    options: dict[str, str] = field(default_factory=dict[str, str])
    """Of the maker, by name."""


def parse_virtual_arguments(arguments: Sequence[str], own: Iterable[VirtualOption]) -> VirtualArguments:
    """Parse the arguments of `openpendant virtual`.

    Args:
        arguments: Model and options, in any order; `--name value` or `--name=value`.
        own: The options of all makers; whose model it is decides which of them are allowed.

    Raises:
        InputError: An unknown option, an option without its value, or several models.
    """
    known = {option.name: option for option in (*own, *COMMON)}
    given: dict[str, str] = {}
    models: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if not argument.startswith("--"):
            models.append(argument.strip())
            continue
        name, equals, value = argument[2:].partition("=")
        if name not in known:
            raise InputError(f"no option {argument.partition('=')[0]}; known: {', '.join(f'--{one}' for one in known)}")
        if known[name].metavar and not equals:
            value = next(rest, "")
            if not value:
                raise InputError(f"--{name} needs a value: {known[name].metavar}")
        elif equals and not known[name].metavar:
            raise InputError(f"--{name} is a switch and takes no value")
        given[name] = value
    if len(models) > 1:
        raise InputError(f"one model at a time, not {', '.join(models)}")
    common = {option.name for option in COMMON}
    return VirtualArguments(
        model=models[0] if models else "",
        bind=given.get("bind", "127.0.0.2"),
        start_q=read_joints(given["start-q"]) if "start-q" in given else {},
        lan="lan" in given,
        as_json="json" in given,
        until_eof="until-eof" in given,
        help="help" in given,
        options={name: value for name, value in given.items() if name not in common},
    )


def read_joints(text: str) -> dict[str, tuple[float, ...]]:
    """Return joints by arm; the only arm may have no name. Raises InputError on what is no number."""
    found: dict[str, tuple[float, ...]] = {}
    for part in text.strip().split(";"):
        arm, colon, joints = part.rpartition(":")
        try:
            found[arm.strip() if colon else ""] = tuple(float(one) for one in joints.split(","))
        except ValueError:
            raise InputError(
                f"--start-q {text!r} is invalid: use numbers in radians separated by commas, for several arms "
                "as left:0,…;right:0,…"
            ) from None
    return found
