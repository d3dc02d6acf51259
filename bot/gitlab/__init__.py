"""GitLab, as far as a job of its CI needs it: one note on the merge request."""

from bot.gitlab.notes import MergeRequestId, merge_request_of, put_note

__all__ = ["MergeRequestId", "merge_request_of", "put_note"]
