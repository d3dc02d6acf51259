"""A site of Django in which the statements of an issue can define models and use them."""

import django
from django.apps import AppConfig, apps
from django.conf import settings
from django.db import connection

INSTALLED = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sites",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]


class Reported(AppConfig):
    """The application that the models of an issue belong to."""

    path = "."
    default_auto_field = "django.db.models.AutoField"


def configure(application):
    """Set up a site with a database in memory, and in it an application without models."""
    import sys
    import types

    sys.modules[application] = module = types.ModuleType(application)
    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=INSTALLED + [Reported(application, module)],
        SECRET_KEY="fixgate",
        SITE_ID=1,
        USE_TZ=False,
    )
    django.setup()


def make_tables():
    """Make the tables of all models that have none yet."""
    made = set(connection.introspection.table_names())
    for model in apps.get_models():
        options = model._meta
        if options.managed and not options.proxy and options.db_table not in made:
            try:
                with connection.schema_editor() as editor:
                    editor.create_model(model)
            except Exception:
                # A model that leads to one which is not defined yet, or to none at all: a
                # statement that asks for its table fails and shows it.
                continue
