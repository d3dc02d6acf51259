"""Reading what models reply, in every shape they give it.

Every reader gives what was asked for, or raises UnreadableReplyError, which says what is wrong in
words that the model can be shown.
"""

from generator.replies.calls import WrittenCall, read_calls
from generator.replies.edit_applying import EditedSource, apply_edits
from generator.replies.edits import Edit, read_edits, read_search_replace
from generator.replies.fences import Fence, fences
from generator.replies.json_objects import read_json_object
from generator.replies.judgements import ModelJudgement, read_judgement, read_yes_or_no
from generator.replies.patches import is_patch, read_patches
from generator.replies.replacements import read_replacements
from generator.replies.text import LONGEST_REPLY, UnreadableReplyError, answer_of, read_paths

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
