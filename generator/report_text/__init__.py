"""Reading what people write in issues: code, sessions, output, tracebacks and claims."""

from generator.report_text.notation import Notation
from generator.report_text.reading import read_report
from generator.report_text.types import (
    Claim,
    Example,
    IssuePart,
    IssueReport,
    MentionedFrame,
    PartForm,
    PartRole,
    ReportedError,
    Statement,
)
from generator.report_text.wishes import SAID_TO_WORK, wants_it_to_work

__all__ = [
    "SAID_TO_WORK",
    "Claim",
    "Example",
    "IssuePart",
    "IssueReport",
    "MentionedFrame",
    "Notation",
    "PartForm",
    "PartRole",
    "ReportedError",
    "Statement",
    "read_report",
    "wants_it_to_work",
]
