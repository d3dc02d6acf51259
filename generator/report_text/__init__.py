"""Reading what people write in issues: code, sessions, output, tracebacks and claims."""

from generator.report_text.notation import Notation
from generator.report_text.reading import read_report
from generator.report_text.types import (
    Claim,
    Command,
    Example,
    File,
    Frame,
    Kind,
    Part,
    Report,
    ReportedError,
    Role,
    Statement,
)

__all__ = [
    "Claim",
    "Command",
    "Example",
    "File",
    "Frame",
    "Kind",
    "Notation",
    "Part",
    "Report",
    "ReportedError",
    "Role",
    "Statement",
    "read_report",
]
