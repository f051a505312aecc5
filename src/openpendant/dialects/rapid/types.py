"""The data types of the language: numbers, strings, records, and what only the controller can look into."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False, slots=True)
class RapidType:
    """A data type.

    Attributes:
        name: As programs write it.
        components: Names and types of a record's components, in order.
        base: What an alias stands for.
        valued: Whether it has a value that can be assigned and compared.
    """

    name: str
    components: tuple[tuple[str, "RapidType"], ...] = ()
    base: "RapidType | None" = None
    valued: bool = True

    @property
    def root(self) -> "RapidType":
        """Itself, or what the alias stands for."""
        one = self
        while one.base is not None:
            one = one.base
        return one

    def component(self, name: str) -> tuple[int, "RapidType"] | None:
        """Return place and type of a component, whatever its case."""
        for place, (own, of) in enumerate(self.root.components):
            if own.lower() == name.lower():
                return place, of
        return None


class DeviceSlot:
    """Data that only the controller looks into: a socket, a file, a clock.

    Attributes:
        kind: Name of its type.
        held: What the host keeps there; None before.
    """

    __slots__ = ("held", "kind")

    def __init__(self, kind: str) -> None:
        """Make an empty one."""
        self.kind = kind
        self.held: Any = None


NUM = RapidType("num")
DNUM = RapidType("dnum")
BOOL = RapidType("bool")
STRING = RapidType("string")
SWITCH = RapidType("switch", valued=False)
ANY = RapidType("anytype")
NOTHING = RapidType("nothing", valued=False)

_ALIASES = (
    "errnum intnum byte tpnum opnum symnum identno socketstatus btnres buttondata icondata dionum busstate errdomain "
    "errtype stoppoint egmstate egmframetype egmstopmode handler_type event_type exec_level triggmode tunetype "
    "inttypes loadidnum paridnum paridvalidnum sensorstate signalorigin uishownum weavestart cellopmode "
)
_TEXTS = ("stringdig", "errstr")
_DEVICES = (
    "clock socketdev iodev rawbytes signaldi signaldo signalgi signalgo signalai signalao syncident triggdata "
    "egmident mecunit trapdata datapos loadsession corrdescr shapedata wztemporary wzstationary dir motsetdata "
    "pathrecid intdata restartdata btncustom"
)
SIGNALS = ("signaldi", "signaldo", "signalgi", "signalgo", "signalai", "signalao")
_RECORDS = """
pos: num x, num y, num z
orient: num q1, num q2, num q3, num q4
pose: pos trans, orient rot
confdata: num cf1, num cf4, num cf6, num cfx
extjoint: num eax_a, num eax_b, num eax_c, num eax_d, num eax_e, num eax_f
robjoint: num rax_1, num rax_2, num rax_3, num rax_4, num rax_5, num rax_6
robtarget: pos trans, orient rot, confdata robconf, extjoint extax
jointtarget: robjoint robax, extjoint extax
speeddata: num v_tcp, num v_ori, num v_leax, num v_reax
zonedata: bool finep, num pzone_tcp, num pzone_ori, num pzone_eax, num zone_ori, num zone_leax, num zone_reax
loaddata: num mass, pos cog, orient aom, num ix, num iy, num iz
tooldata: bool robhold, pose tframe, loaddata tload
wobjdata: bool robhold, bool ufprog, string ufmec, pose uframe, pose oframe
inposdata: num position, num speed, num mintime, num maxtime
stoppointdata: stoppoint type, bool progsynch, inposdata inpos, num stoptime, num followtime, string signal
tasks: string taskname
listitem: string image, string text
egm_minmax: num min, num max
progdisp: pos pdisp_trans
"""


def _built_in() -> dict[str, RapidType]:
    found = {one.name: one for one in (NUM, DNUM, BOOL, STRING, SWITCH, ANY)}
    found |= {name: RapidType(name, base=NUM) for name in _ALIASES.split()}
    found |= {name: RapidType(name, base=STRING) for name in _TEXTS}
    found |= {name: RapidType(name, valued=False) for name in _DEVICES.split()}
    for line in _RECORDS.strip().splitlines():
        name, _, rest = line.partition(": ")
        parts = [part.split() for part in rest.split(", ")]
        found[name] = RapidType(name, tuple((own, found[of]) for of, own in parts))
    return found


TYPES: dict[str, RapidType] = _built_in()
"""The types that every program knows, by name."""
POS, ORIENT, POSE = TYPES["pos"], TYPES["orient"], TYPES["pose"]
ROBTARGET, JOINTTARGET = TYPES["robtarget"], TYPES["jointtarget"]


def fits(given: RapidType, wanted: RapidType) -> bool:
    """Return whether a value of one type may stand where another is wanted; aliases and their base are the same."""
    return given is wanted or given.root is wanted.root or ANY in (given, wanted)


def is_number(one: RapidType) -> bool:
    """Return whether it is num, dnum or an alias of them."""
    return one.root in (NUM, DNUM)


def initial_value(one: RapidType, dimensions: tuple[int, ...] = ()) -> Any:
    """Return what data has that was given no value: zeros, empty strings, FALSE."""
    if dimensions:
        return [initial_value(one, dimensions[1:]) for _ in range(dimensions[0])]
    root = one.root
    if root.components:
        return tuple(initial_value(of) for _, of in root.components)
    if root is STRING:
        return ""
    if root is BOOL:
        return False
    return 0.0 if is_number(root) else DeviceSlot(root.name)


def leaves(one: RapidType) -> Iterator[RapidType]:
    """Yield the atomic types of a value, in order."""
    if not one.root.components:
        yield one.root
    for _, of in one.root.components:
        yield from leaves(of)
