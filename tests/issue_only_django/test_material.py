from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

from generator.issue_only.django.material import Material
from generator.issue_only.django.names import Names

Read = Callable[[str], Material]

BOOKS = """
    Title
    class Author(models.Model):
        name = models.CharField()
        class Meta:
            app_label = "books"
    class Book(models.Model):
        author = models.ForeignKey("books.Author")
        shelf = models.ForeignKey(Shelf)
        note = RichTextField()
"""


def defined(material: Material, code: str) -> str:
    supplies = material.supplies([ast.parse(code)])
    return "\n".join(ast.unparse(node) for node in supplies.definitions)


def test_names_come_from_where_django_tells_to_import_them(tree: Path) -> None:
    names = Names(tree)
    assert names.origin("Q") == "from django.db.models import Q"
    assert names.origin("CharField") == "from django.db.models import CharField"
    assert names.origin("models") == "from django.db import models"
    assert names.origin("slugify") == "from django.utils.text import slugify"
    assert names.origin("_") == "from django.utils.translation import gettext_lazy as _"
    assert names.origin("datetime") == "import datetime"
    assert names.origin("Decimal") == "from decimal import Decimal"
    assert names.origin("Nonsense") == ""


def test_imports_of_the_issue_count_only_where_they_work(material: Read) -> None:
    read = material("Title\nfrom django.utils.text import slugify as s, gone\nimport numpy")
    assert read.import_of("s") == "from django.utils.text import slugify as s"
    assert not read.knows("gone")
    assert not read.knows("numpy")


def test_models_are_put_right(material: Read) -> None:
    assert defined(material(BOOKS), "Book.objects.all()") == (
        "class Shelf(models.Model):\n    pass\n"
        "class Author(models.Model):\n    name = models.CharField(max_length=255)\n\n"
        "    class Meta:\n        pass\n"
        "class Book(models.Model):\n"
        "    author = models.ForeignKey('Author', on_delete=models.CASCADE)\n"
        "    shelf = models.ForeignKey(Shelf, on_delete=models.CASCADE)"
    )


def test_a_model_that_is_only_queried_is_made_up(material: Read) -> None:
    read = material(
        """
        Title
        from shop.models import Item
        qs = Item.objects.filter(name="x", amount=3, sold=True, id=1, tag__in=[1]).order_by("-rank")
        """
    )
    assert defined(read, "Item") == (
        "class Item(models.Model):\n"
        "    name = models.CharField(max_length=255)\n"
        "    amount = models.IntegerField(null=True)\n"
        "    sold = models.BooleanField(default=False)\n"
        "    rank = models.CharField(max_length=255)"
    )
    assert read.rows_for("Item.objects.all().first()") == ["Item.objects.create()"]
    assert read.rows_for("Item.objects.create()\nItem.objects.first()") == []


def test_steps_whose_names_nothing_gives_are_left_out(material: Read) -> None:
    read = material("Title\na = unknown()\nb = a.x()\nc = slugify('C')\nc.lower()\nself.d = c.e()")
    assert [step.source for step in read.runnable(read.steps)] == ["c = slugify('C')", "c.lower()"]


def test_an_unknown_object_that_a_relation_is_looked_up_by_is_made(material: Read) -> None:
    read = material(BOOKS + "\n    Book.objects.filter(author=self.author)")
    assert [step.source for step in read.runnable(read.steps)] == [
        "Book.objects.filter(author=Author.objects.create())"
    ]


def test_settings_are_no_steps(material: Read) -> None:
    read = material("Title\nUSE_THIS = True\nslugify('C')")
    assert read.settings == {"USE_THIS": "True"}
    assert [step.source for step in read.steps] == ["slugify('C')"]
