"""What each rule writes, without running it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.outcome import Failure, Frame
from generator.issue_only.django.attempt import Attempt
from generator.issue_only.django.candidates import RULES
from generator.issue_only.django.material import Material

Read = Callable[[str], Material]


def attempts(material: Material, tree: Path, rule: str) -> list[Attempt]:
    made = [attempt for each in RULES for attempt in each(material, tree)]
    return [attempt for attempt in made if attempt.rule == rule]


def test_models_are_defined_where_nothing_else_sees_them(material: Read, tree: Path) -> None:
    read = material(
        """
        Fails
        class A(models.Model):
            pass
        raises django.core.exceptions.ImproperlyConfigured: Add parent_link=True to app.A.b.
        """
    )
    (attempt,) = attempts(read, tree, "definition")
    assert attempt.module.path == "tests/invalid_models_tests/test_fails.py"
    assert attempt.module.source.endswith(
        "class FailsTests(SimpleTestCase):\n"
        "    @isolate_apps('invalid_models_tests')\n"
        "    def test_fails(self):\n"
        "        class A(models.Model):\n            pass\n\n        A.check()\n"
    )
    told = "Add parent_link=True to invalid_models_tests.A.b."
    assert attempt.shows(Failure("django.core.exceptions.ImproperlyConfigured", told))
    assert not attempt.shows(Failure("django.core.exceptions.ImproperlyConfigured", "Another."))
    assert not attempt.shows(Failure("TypeError", told))


def test_a_check_with_the_settings_of_the_issue(material: Read, tree: Path) -> None:
    read = material(
        """
        translation.E004 shouldn't be raised
        If my settings.py has
        LANGUAGE_CODE = "de-at"
        I get (translation.E004) You have provided a value.
        """
    )
    (attempt,) = attempts(read, tree, "check")
    assert "@override_settings(LANGUAGE_CODE='de-at')" in attempt.module.source
    assert "assertNotIn('translation.E004', [message.id for message" in attempt.module.source
    wanted = material("Add a check\nLANGUAGE_CODE = 'x'\nthe settings need translation.E004")
    assert not attempts(wanted, tree, "check")


def test_methods_that_a_model_overrides(material: Read, tree: Path) -> None:
    read = material(
        """
        Cannot override get_x_display()
        class A(models.Model):
            def get_x_display(self):
                return "something"
            def other(self):
                return self.x
        """
    )
    (attempt,) = attempts(read, tree, "override")
    assert "self.assertEqual(A().get_x_display(), 'something')" in attempt.module.source


@pytest.mark.parametrize(
    ("issue", "assertion"),
    [
        (
            """
            Wrong migration
            class Outer(object):
                class Inner(models.CharField):
                    pass
            class A(models.Model):
                field = Outer.Inner(max_length=20)
            has app.models.Inner, which should have been app.models.Outer.Inner.
            """,
            "MigrationWriter.serialize(Outer.Inner(max_length=20))\n"
            "        self.assertIn('Outer.Inner', serialized)",
        ),
        (
            """
            Wrong migration
            class Status(Enum):
                GOOD = "good"
            has Status('good') and should have Status['GOOD']
            """,
            "MigrationWriter.serialize(Status.GOOD)\n"
            "        self.assertIn(\"Status['GOOD']\", serialized)",
        ),
    ],
)
def test_what_migrations_say(material: Read, tree: Path, issue: str, assertion: str) -> None:
    (attempt,) = attempts(material(issue), tree, "serialized")
    assert assertion in attempt.module.source


def test_a_method_for_a_standing_test_file(material: Read, tree: Path) -> None:
    read = material(
        """
        Broken
        In Django's tests (django/tests/queries/tests.py) try
        def test_or(self):
            self.assertEqual(slugify("A"), Q())
        """
    )
    (attempt,) = attempts(read, tree, "added_test")
    module = attempt.module
    assert (module.path, module.line, module.method) == (
        "tests/queries/tests.py",
        6,
        "test_or_reported",
    )
    assert module.source.startswith(
        "from django.utils.text import slugify\n\ndef test_or_reported(self):"
    )


def test_own_tests_fail_by_assertion_or_inside_of_django(material: Read, tree: Path) -> None:
    read = material(
        """
        Broken
        class Tests(TestCase):
            def test_it(self):
                self.assertEqual(slugify("A"), "b")
        AssertionError: 'a' != 'b'
        It ends with TypeError: no.
        """
    )
    (attempt,) = attempts(read, tree, "own_test")
    assert attempt.shows(Failure("AssertionError", "'a' != 'b'"))
    assert not attempt.shows(Failure("AssertionError", "'c' is not true at all"))
    inside = Frame("django/utils/text.py", 1, "slugify")
    assert attempt.shows(Failure("TypeError", "something else", inside))
    assert not attempt.shows(Failure("NameError", "x", inside))


def test_nothing_is_written_for_prose(material: Read, tree: Path) -> None:
    read = material("Add a thing\nIt would be nice to have one. See the docs.")
    assert not [attempt for rule in RULES for attempt in rule(read, tree)]


def test_models_go_where_their_names_are_free(material: Read, tree: Path) -> None:
    read = material("Crash\nclass Author(models.Model):\n    pass\nAuthor.objects.raise_()\nraises")
    assert {a.module.path for a in attempts(read, tree, "crash")} == {"tests/basic/test_crash.py"}
