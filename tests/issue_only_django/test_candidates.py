"""From issues to tests that fail as reported, on a tree in the manner of Django, by its runner."""

from __future__ import annotations

from collections.abc import Callable

from generator.candidate import Candidate

Write = Callable[[str], list[Candidate]]


def only(candidates: list[Candidate]) -> tuple[str, str, str]:
    (candidate,) = candidates
    ((path, content),) = candidate.tests.contents.items()
    assert content is not None
    return candidate.origin, path, content.decode()


def test_a_crash(candidates: Write) -> None:
    origin, path, source = only(
        candidates(
            """
            "TypeError: cannot pickle" when applying | operator to a Q object
            Using it fails:
            >>> from django.db.models import Q
            >>> Q() | Q(x__in={}.keys())
            Traceback (most recent call last):
            ...
            TypeError: cannot pickle 'dict_keys' object
            """
        )
    )
    assert (origin, path) == (
        "issue-only/crash",
        "tests/queries/test_typeerror_cannot_pickle_when_applying_operator.py",
    )
    assert source.endswith("        repr(Q() | Q(x__in={}.keys()))\n")


def test_another_crash_than_the_reported_one(candidates: Write) -> None:
    assert not candidates("Crash\nQ() | Q(x__in={}.keys())\nTypeError: unhashable type: 'list'")


def test_a_wrong_value(candidates: Write) -> None:
    origin, _, source = only(
        candidates(
            """
            Make slugify() strip
            from django.utils import text
            text.slugify("__A b")
            output: __a-b
            Improvement after correction
            text.slugify("__A b")
            output: a-b
            """
        )
    )
    assert origin == "issue-only/value_wrong"
    assert "self.assertNotEqual(str(text.slugify('__A b')), '__a-b')" in source


def test_a_value_that_does_not_come_out(candidates: Write) -> None:
    assert not candidates("Wrong\n>>> slugify('A b')\n'nonsense'\nThis is wrong.")


def test_the_value_that_is_expected(candidates: Write) -> None:
    origin, _, source = only(
        candidates(
            """
            slugify is wrong
            slugify("A b")
            # expected output
            'a_b'
            # actual output
            'a-b'
            """
        )
    )
    assert origin == "issue-only/value_expected"
    assert "self.assertEqual(slugify('A b'), 'a_b')" in source


def test_a_refused_value(candidates: Write) -> None:
    origin, path, source = only(
        candidates(
            "SlugValidator allows trailing newlines\nSlugValidator accepts a trailing newline."
        )
    )
    assert (origin, path.rpartition("/")[0]) == ("issue-only/validator", "tests/validators")
    assert source.endswith(
        "        with self.assertRaises(ValidationError):\n            validate('joe\\n')\n"
    )


def test_a_default(candidates: Write) -> None:
    origin, _, source = only(candidates("Set default UPLOAD_PERMISSION to 0o644.\nPlease."))
    assert origin == "issue-only/default"
    assert "self.assertEqual(global_settings.UPLOAD_PERMISSIONS, 0o644)" in source


def test_a_special_method(candidates: Write) -> None:
    origin, _, source = only(
        candidates("Allow ValidationErrors to equal each other\nPlease add an __eq__ method.")
    )
    assert origin == "issue-only/special_method"
    assert "assertEqual(ValidationError('message'), ValidationError('message'))" in source


def test_a_command_with_a_directory_that_is_there(candidates: Write) -> None:
    origin, _, source = only(
        candidates(
            """
            startapp with trailing slash
            django-admin startapp name directory/ results in the error:
            CommandError: '' is not a valid directory.
            """
        )
    )
    assert origin == "issue-only/command"
    assert "os.makedirs(os.path.join(folder, 'directory/'))" in source


def test_no_candidate_without_a_symptom(candidates: Write) -> None:
    assert not candidates("Add a thing\nIt would be nice.")
