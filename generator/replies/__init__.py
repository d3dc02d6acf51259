"""Reading what models reply, in every shape they give it.

Every reader gives what was asked for, or raises UnreadableReplyError, which says what is wrong in
words that the model can be shown.
"""

from generator.replies.answers import (
    ModelJudgement,
    WrittenCall,
    read_calls,
    read_json_object,
    read_judgement,
    read_replacements,
    read_yes_or_no,
)
from generator.replies.edits import Edit, EditedSource, apply_edits, read_edits, read_search_replace
from generator.replies.patches import is_patch, read_patches
from generator.replies.text import (
    LONGEST_REPLY,
    Fence,
    UnreadableReplyError,
    answer_of,
    fences,
    read_paths,
)

__all__ = [
    "LONGEST_REPLY",
    "Edit",
    "EditedSource",
    "Fence",
    "ModelJudgement",
    "UnreadableReplyError",
    "WrittenCall",
    "answer_of",
    "apply_edits",
    "fences",
    "is_patch",
    "read_calls",
    "read_edits",
    "read_json_object",
    "read_judgement",
    "read_patches",
    "read_paths",
    "read_replacements",
    "read_search_replace",
    "read_yes_or_no",
]
