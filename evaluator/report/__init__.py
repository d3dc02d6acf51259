"""What a replay found, for people and programs: JSON, terminal, HTML and per-instance evidence."""

from evaluator.report.document import build_report, read_report, write_report
from evaluator.storage.evaluations import from_json, to_json

__all__ = ["build_report", "from_json", "read_report", "to_json", "write_report"]
