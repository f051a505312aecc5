"""Checks of programs: does it run, how long, how near, and if not, why not."""

from .program_check import check_program, check_sequence, fingerprint_of
from .report import Alternative, Finding, FindingKind, Near, Report, StartReport, StepReport, Verdict
from .trace import TimedChain, Trace, TracedMove, trace_program

__all__ = [
    "Alternative",
    "Finding",
    "FindingKind",
    "Near",
    "Report",
    "StartReport",
    "StepReport",
    "TimedChain",
    "Trace",
    "TracedMove",
    "Verdict",
    "check_program",
    "check_sequence",
    "fingerprint_of",
    "trace_program",
]
