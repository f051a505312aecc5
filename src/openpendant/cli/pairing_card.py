"""print_pairing: a code and its link on the terminal, as digits and as a QR code."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openpendant.messages import Pairing


def print_pairing(pairing: "Pairing") -> None:
    """Print how to pair: the code, and the link as a picture where this is a terminal."""
    minutes = round(pairing.expires_s / 60.0)
    code = f"{pairing.code[:3]} {pairing.code[3:]}"
    print(f"\nCode for one {pairing.role}: {code}   (valid once, for {minutes} minutes)")
    print(f"or open {pairing.links[0]}")
    if sys.stdout.isatty():
        import segno

        segno.make(pairing.links[0], error="l", micro=False).terminal(compact=True, border=2)
