"""The ground of every robot language: places in its text, faults, code made of its tree, threads within a budget.

A language has its own lexer, tree, parser and values, written by hand; it shares what is the same for all of them.
In: a tree with lines. Out: Python code that knows the line of the program it comes from, and threads that are stepped.
"""

from .code_text import CHARACTERS_PER_STEP, CodeText
from .faults import RunReport, SourceFault
from .places import SourceNode, column_of
from .threads import Meter, SteppedThread, line_of_thread, line_of_trace, share_of

__all__ = [
    "CHARACTERS_PER_STEP",
    "CodeText",
    "Meter",
    "RunReport",
    "SourceFault",
    "SourceNode",
    "SteppedThread",
    "column_of",
    "line_of_thread",
    "line_of_trace",
    "share_of",
]
