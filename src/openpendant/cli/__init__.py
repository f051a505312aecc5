"""The command line: one file per verb, rich tables for people and JSON for scripts.

In: the words after `openpendant`. Out: text on stdout; on misuse one line on stderr and exit code 2.
"""

from .program import main

__all__ = ["main"]
