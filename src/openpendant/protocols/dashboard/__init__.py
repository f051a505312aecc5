"""The dashboard server's words (port 29999): command lines in, answer texts out.

A `LineSplitter` cuts lines from the socket, `parse_command` decodes the request, `replies` has the answers.
What a command does is the controller's business.
"""

from openpendant.protocols.lines import LineSplitter

from .commands import Command, Verb, parse_command

__all__ = ["Command", "LineSplitter", "Verb", "parse_command"]
