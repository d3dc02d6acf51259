"""Reading what people write in issues: code, sessions, output, tracebacks and claims."""

from generator.report_text.errors import is_traceback
from generator.report_text.reading import read_report
from generator.report_text.types import (
    Claim,
    Command,
    Example,
    File,
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
    "Kind",
    "Part",
    "Report",
    "ReportedError",
    "Role",
    "Statement",
    "is_traceback",
    "read_report",
]
