"""Issues whose code needs a site of Django around it, on a tree in its manner and by its runner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

FILES = {
    "django/__init__.py": "def setup():\n    pass\n",
    "django/apps.py": """
        class AppConfig:
            def __init__(self, app_name, app_module):
                self.name = app_name

        class apps:
            models = []

            @classmethod
            def get_models(cls):
                return cls.models
    """,
    "django/conf.py": """
        class settings:
            @staticmethod
            def configure(**given):
                assert given["INSTALLED_APPS"][-1].name.startswith("test_")
    """,
    "django/db/__init__.py": """
        import contextlib

        class OperationalError(Exception):
            pass

        class connection:
            tables = set()

            class introspection:
                @staticmethod
                def table_names():
                    return connection.tables

            @staticmethod
            @contextlib.contextmanager
            def schema_editor():
                yield connection

            @staticmethod
            def create_model(model):
                connection.tables.add(model._meta.db_table)
    """,
    "django/db/models.py": """
        from django.apps import apps
        from django.db import OperationalError, connection

        class Manager:
            def __init__(self, model):
                self.model = model

            def create(self, **fields):
                if self.model._meta.db_table not in connection.tables:
                    raise OperationalError("no such table: " + self.model._meta.db_table)
                return self.model(**fields)

        class Meta:
            managed, proxy = True, False

        class Model:
            def __init_subclass__(cls):
                cls._meta = Meta()
                cls._meta.db_table = cls.__module__.split(".")[0] + "_" + cls.__name__.lower()
                cls.objects = Manager(cls)
                apps.models.append(cls)

            def __init__(self, **fields):
                self.__dict__.update(fields)

            def full_name(self):
                return self.first + self.missing

        class CharField:
            pass

        class Q:
            def __or__(self, other):
                raise TypeError("cannot pickle 'dict_keys' object")
    """,
    "django/test.py": """
        import unittest
        from django.apps import apps
        from django.db import connection

        class TestCase(unittest.TestCase):
            def setUp(self):
                for model in apps.get_models():
                    connection.create_model(model)
    """,
    "tests/runtests.py": """
        import sys, unittest
        sys.path.insert(0, ".")
        labels = [each for each in sys.argv[1:] if not each.startswith("-")]
        suite = unittest.defaultTestLoader.loadTestsFromNames(labels[1:])
        result = unittest.TextTestRunner(verbosity=2).run(suite)
        sys.exit(not result.wasSuccessful())
    """,
    "tests/queries/__init__.py": "",
    "tests/queries/test_q.py": """
        from django.db.models import Q
        from django.test import TestCase

        class QTests(TestCase):
            def test_q(self):
                Q()
    """,
}


@pytest.fixture(scope="module")
def only(make_bench: Callable[..., Any]) -> Callable[[str], tuple[str, dict[str, str]]]:
    """The rule and the files of the one candidate for an issue."""
    bench = make_bench("process", files=FILES, framework="django")

    def write(issue: str) -> tuple[str, dict[str, str]]:
        (made,) = bench.candidates(issue)
        return made.origin, {path: code.decode() for path, code in made.tests.contents.items()}

    return write


def test_code_without_models_goes_beside_the_nearest_tests(only: Callable[..., Any]) -> None:
    issue = """
        Q objects cannot be combined
        Description
        \t
        Using it fails:
        Q() | Q()
        Traceback (most recent call last):
        TypeError: cannot pickle 'dict_keys' object
    """
    origin, files = only(issue)
    assert (origin, list(files)) == (
        "issue-only/crash_shown",
        ["tests/queries/test_q_objects_cannot_combined.py"],
    )
    assert files.popitem()[1] == (
        "import django.test\nfrom django.db.models import Q\n\n\n"
        "class ReportedTest(django.test.TestCase):\n"
        "    def test_q_objects_cannot_combined(self):\n        Q() | Q()\n"
    )


def test_models_belong_to_an_application_of_their_own(only: Callable[..., Any]) -> None:
    issue = """
        Names break
        Description
        \t
        I have this model:
        class Author(models.Model):
        \tfirst = models.CharField()
        and do
        author = Author.objects.create(first="Ada")
        author.full_name()
        AttributeError: 'Author' object has no attribute 'missing'
    """
    origin, files = only(issue)
    assert origin == "issue-only/crash_shown"
    assert list(files) == [
        "tests/test_names_break/__init__.py",
        "tests/test_names_break/tests.py",
    ]
    assert files["tests/test_names_break/tests.py"] == (
        "import django.test\nfrom django.db import models\n\n\n"
        "class Author(models.Model):\n    first = models.CharField()\n\n\n"
        "class ReportedTest(django.test.TestCase):\n"
        "    def test_names_break(self):\n"
        '        author = Author.objects.create(first="Ada")\n        author.full_name()\n'
    )
