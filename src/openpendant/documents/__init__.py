"""Documents: files read and written whole, faults with their place, edits and what takes them back, undo.

Of no kind of document in particular: `scene` has cells, `programs` has programs.
"""

from .edits import as_json, edit_in_turn, set_field, text_in, typed
from .faults import DocumentFault
from .files import not_written, read_text_bytes, write_atomic
from .history import Applied, DoneEdit, History, Key, Refused
from .plain_values import changed_at, migrate
from .pointers import find_syntax_fault, find_type_fault, find_value_fault

__all__ = [
    "Applied",
    "DocumentFault",
    "DoneEdit",
    "History",
    "Key",
    "Refused",
    "as_json",
    "changed_at",
    "edit_in_turn",
    "find_syntax_fault",
    "find_type_fault",
    "find_value_fault",
    "migrate",
    "not_written",
    "read_text_bytes",
    "set_field",
    "text_in",
    "typed",
    "write_atomic",
]
