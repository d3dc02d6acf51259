"""What is kept on disk: runs, evaluations and their evidence, safe from kills and neighbours."""

from evaluator.storage.files import write_whole
from evaluator.storage.keys import content_key, digest_of, short_key
from evaluator.storage.locks import DirectoryLock, locked
from evaluator.storage.once import make_once
from evaluator.storage.results import ResultFiles, ResultLines, Row
from evaluator.storage.typed import UnreadableError, as_json, learn, read_as

__all__ = [
    "DirectoryLock",
    "ResultFiles",
    "ResultLines",
    "Row",
    "UnreadableError",
    "as_json",
    "content_key",
    "digest_of",
    "learn",
    "locked",
    "make_once",
    "read_as",
    "short_key",
    "write_whole",
]
