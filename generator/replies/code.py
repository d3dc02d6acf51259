"""The code of a test file in a reply, whatever language it is in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from generator.replies.fences import fences
from generator.replies.tags import tagged
from generator.replies.text import UnreadableReplyError, answer_of


def read_code(
    reply: str,
    language: str,
    fence_names: Collection[str],
    *,
    is_bare: Callable[[str], bool],
    why_no_tests: Callable[[str], str],
) -> str:
    """The code of the last part of a reply which holds a test, the likeliest kind of part first.

    `language` is its name for people. Fences are read that have one of `fence_names`, and a reply
    without any where `is_bare` takes it for code; `why_no_tests` returns "" for code that will do.
    Raises UnreadableReplyError, which says what is wrong with the likeliest part.
    """
    answer = answer_of(reply)
    reasons: list[str] = []
    for code in _parts(answer, language, fence_names, is_bare):
        reason = why_no_tests(code)
        if not reason:
            return code
        reasons.append(reason)
    nothing = f"the reply holds no {language} code" if answer.strip() else "the reply is empty"
    raise UnreadableReplyError(reasons[0] if reasons else nothing)


def _parts(
    answer: str, language: str, fence_names: Collection[str], is_bare: Callable[[str], bool]
) -> Iterator[str]:
    """What may be meant, the likeliest first: the last fence, the last tag, the bare reply."""
    for fence in reversed(fences(answer)):
        if fence.language in fence_names:
            yield fence.text
    for part in reversed(list(tagged(answer, ("test", "test_file", "code", language.lower())))):
        yield part.text.strip("\n") + "\n"
    if not fences(answer) and is_bare(answer):
        yield answer.strip("\n") + "\n"
