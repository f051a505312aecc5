"""make_builtins: every function of the controller that programs call."""

from collections.abc import Mapping

from openpendant.dialects.urscript import Builtin, builtin_table
from openpendant.virtual.ur.parts import Parts
from openpendant.virtual.ur.reflexes import Reflexes
from openpendant.virtual.ur.versions import FUNCTIONS_SINCE, lacks

from .compliant import compliance_functions
from .kinematic import kinematic_functions
from .measurements import state_functions
from .moves import move_functions
from .notices import pendant_functions
from .registers import register_functions
from .settings import installation_functions
from .sockets import socket_functions
from .streams import stream_functions
from .wires import io_functions
from .without_effect import functions_without_effect


def make_builtins(parts: Parts, reflexes: Reflexes) -> Mapping[str, Builtin]:
    """Return every function that this version has, by name."""
    every = builtin_table(
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
        *functions_without_effect(parts),
    )
    missing = lacks(FUNCTIONS_SINCE, parts.options.version)
    return {name: one for name, one in every.items() if name not in missing}
