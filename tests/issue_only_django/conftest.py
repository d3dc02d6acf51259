from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.demo.sample import git
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.sandbox.choose import choose
from evaluator.sandbox.protocol import Limits
from evaluator.workspace import Settings, Workspace
from generator.bench import Workbench
from generator.candidate import Candidate
from generator.issue_only.django.candidates import django_candidates
from generator.issue_only.django.material import Material
from generator.issue_only.django.names import Names
from generator.issue_only.django.reading import read_ticket
from generator.task import Task

FILES = {
    "django/__init__.py": "",
    "django/conf/__init__.py": "settings = object()\n",
    "django/conf/global_settings.py": "UPLOAD_PERMISSIONS = None\n",
    "django/core/__init__.py": "",
    "django/core/exceptions.py": """
        class ValidationError(Exception):
            pass
    """,
    "django/core/validators.py": r"""
        import re
        from django.core.exceptions import ValidationError

        class SlugValidator:
            def __call__(self, value):
                if not re.match(r"^\w+$", value):
                    raise ValidationError(value)
    """,
    "django/core/management/__init__.py": """
        def call_command(name, *arguments):
            raise CommandError("'' is not a valid directory.")

        class CommandError(Exception):
            pass
    """,
    "django/core/management/commands/startapp.py": "",
    "django/db/__init__.py": "",
    "django/db/models/__init__.py": """
        from django.db.models.fields import *
        from django.db.models.query import Q

        CASCADE = "cascade"

        class Model:
            pass
    """,
    "django/db/models/fields.py": """
        import datetime
        __all__ = ["CharField", "ForeignKey"]

        class CharField:
            pass

        class ForeignKey:
            pass
    """,
    "django/db/models/query.py": """
        class Q:
            def __init__(self, **lookups):
                self.lookups = lookups

            def __or__(self, other):
                raise TypeError("cannot pickle 'dict_keys' object")
    """,
    "django/test/__init__.py": """
        from unittest import TestCase as SimpleTestCase
        TestCase = SimpleTestCase
    """,
    "django/test/utils.py": """
        from contextlib import nullcontext
        captured_stdout = nullcontext
    """,
    "django/utils/__init__.py": "",
    "django/utils/text.py": """
        def slugify(value):
            return value.lower().replace(" ", "-")
    """,
    "django/utils/translation.py": "gettext_lazy = str\n",
    "tests/runtests.py": """
        import sys, unittest
        sys.path.insert(0, ".")
        labels = [each for each in sys.argv[1:] if not each.startswith("-")]
        suite = unittest.defaultTestLoader.loadTestsFromNames(labels[2:])
        result = unittest.TextTestRunner(verbosity=2).run(suite)
        sys.exit(not result.wasSuccessful())
    """,
    "tests/queries/__init__.py": "",
    "tests/queries/models.py": "class Author:\n    pass\n",
    "tests/queries/tests.py": """
        from django.db.models import Q
        from django.test import TestCase

        class QueryTests(TestCase):
            def test_or(self):
                pass
    """,
    "tests/basic/models.py": "class Article:\n    pass\n",
    "tests/utils_tests/__init__.py": "",
    "tests/validators/__init__.py": "",
    "tests/settings_tests/__init__.py": "",
    "tests/user_commands/__init__.py": "",
    "tests/invalid_models_tests/__init__.py": "",
}
"""A tree with the names and the manner of Django, and a few bugs."""


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("django")
    for path, content in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(content).lstrip("\n"))
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "As it is")
    return root


@pytest.fixture
def material(tree: Path) -> Callable[[str], Material]:
    return lambda issue: Material(read_ticket(textwrap.dedent(issue).strip()), Names(tree))


@pytest.fixture(scope="session")
def candidates(
    tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], list[Candidate]]:
    """The tests that come of an issue on the tree above, run by its own runner."""
    settings = Settings(
        repositories=(str(tree / ".git"),),
        cache=tmp_path_factory.mktemp("cache"),
        limits=Limits(wall_seconds=60),
        offline=True,
        side_by_side=False,
    )
    workspace = Workspace(settings, choose("process"))
    commit = git(tree, "rev-parse", "HEAD").strip()
    recipe = PythonRecipe(python=("3.11",), framework="django")
    subject = workspace.base("django/django", commit, lambda _: recipe)
    mirror = workspace.repositories.find("django/django", commit)

    def written(issue: str) -> list[Candidate]:
        text = textwrap.dedent(issue).strip()
        task = Task("django__django-1", text, subject, mirror)
        return list(django_candidates(task, Workbench(workspace, subject)))

    return written
