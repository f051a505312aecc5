"""make_builtins: every function of the controller that programs call."""

from collections.abc import Mapping

from openpendant.dialects.urscript import Builtin, builtin_table
from openpendant.virtual.ur.parts import Parts
from openpendant.virtual.ur.reflexes import Reflexes

from .compliant import compliance_functions
from .kinematic import kinematic_functions
from .moves import move_functions
from .networking import socket_functions
from .registers import register_functions
from .saying import pendant_functions
from .sensing import state_functions
from .settings import installation_functions
from .streams import stream_functions
from .wires import io_functions

__all__ = ["make_builtins"]


def make_builtins(parts: Parts, reflexes: Reflexes) -> Mapping[str, Builtin]:
    """Return every function by name."""
    return builtin_table(
        *move_functions(parts, reflexes),
        *stream_functions(parts, reflexes),
        *kinematic_functions(parts),
        *state_functions(parts),
        *installation_functions(parts),
        *compliance_functions(parts),
        *io_functions(parts),
        *register_functions(parts),
        *socket_functions(parts),
        *pendant_functions(parts, reflexes),
    )
