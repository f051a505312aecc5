"""The lines of `CobotLearn<n>.csv`: `01,L,-152.89,307.35,-229.63,R,40.27,24.14,5.92`, one for each packet."""

from openpendant.protocols.error import ProtocolError

from .packets import HandPacket, command_of

_FIELDS = 9


def encode_line(packet: HandPacket) -> str:
    """Return the line of a packet, without its end; numbers as RAPID's NumToStr with two decimals writes them."""
    left, right = (",".join(f"{value:.2f}" for value in point) for point in (packet.left, packet.right))
    return f"{packet.command:02d},L,{left},R,{right}"


def parse_line(line: str) -> HandPacket:
    """Read a line.

    Raises:
        ProtocolError: It is none of such a file; says why.
    """
    fields = [one.strip() for one in line.split(",")]
    if len(fields) != _FIELDS or fields[1] != "L" or fields[5] != "R":
        raise ProtocolError(f"invalid line {line[:60]!r}; use 01,L,-152.89,307.35,-229.63,R,40.27,24.14,5.92")
    try:
        code = int(fields[0])
        values = [float(one) for one in (*fields[2:5], *fields[6:9])]
    except ValueError as error:
        raise ProtocolError(f"{line[:60]!r}: {error}"[:160]) from None
    return HandPacket(command_of(code), (values[0], values[1], values[2]), (values[3], values[4], values[5]))
