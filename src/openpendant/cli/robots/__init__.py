"""`openpendant robots` and the verbs below it: look at the catalogue, bring robots in, take them out.

In: the words after `openpendant robots`. Out: tables, or files.
"""

from .verbs import add_to

__all__ = ["add_to"]
