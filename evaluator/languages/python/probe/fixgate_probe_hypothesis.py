"""Hypothesis without what depends on how fast the machine is.

By default it fails a test one of whose examples takes 200 ms, or whose examples are drawn slowly.
Counting lines makes tests several times as slow, and so does other work beside them. A deadline that
a project sets itself still holds, as a claim of its own; how slowly examples may be drawn is none.
See https://hypothesis.readthedocs.io/en/latest/reference/api.html#hypothesis.settings.deadline
"""

import importlib.machinery
import os
import sys

NAME = "hypothesis"


def watch(tree):
    """Change the defaults as soon as it is imported, unless it is what lies in the tree."""
    sys.meta_path.insert(0, Watch(tree))


class Watch:
    """Finds Hypothesis once, and leaves everything else to the other finders."""

    def __init__(self, tree):
        self.tree = os.path.join(os.path.realpath(tree), "")

    def find_spec(self, name, path=None, target=None):
        if name != NAME:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if not hasattr(getattr(spec, "loader", None), "exec_module") or not spec.origin:
            return None
        if os.path.realpath(spec.origin).startswith(self.tree):
            return None
        spec.loader.exec_module = then_patient(spec.loader.exec_module)
        return spec


def then_patient(execute):
    def execute_and_set(module):
        execute(module)
        be_patient(module)

    return execute_and_set


def be_patient(hypothesis):
    """Set the default profile, from which others inherit. Old versions know no deadlines."""
    settings = hypothesis.settings
    suppressed = vars(settings)["suppress_health_check"]
    # The class refuses other values than its own for its settings.
    always = AlsoSuppressed(suppressed, hypothesis.HealthCheck.too_slow)
    type.__setattr__(settings, "suppress_health_check", always)
    try:
        patient = settings(deadline=None)
    except (TypeError, hypothesis.errors.InvalidArgument):
        return
    settings.register_profile("default", patient)
    settings.load_profile("default")


class AlsoSuppressed:
    """The setting with the health checks that do not count, and one more whatever it holds."""

    def __init__(self, setting, check):
        self.setting = setting
        self.check = check

    def __get__(self, instance, owner=None):
        found = self.setting.__get__(instance, owner)
        return found if instance is None else (*found, self.check)

    def __set__(self, instance, value):
        self.setting.__set__(instance, value)
