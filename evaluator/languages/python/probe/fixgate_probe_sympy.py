"""Run sympy's own test runner, as `bin/test -C --verbose FILES` does, with its results recorded."""

import importlib
import os
import sys


def run(spec, session):
    sys.path.insert(0, spec["tree"])
    sys.argv[:] = [os.path.join(spec["tree"], "bin", "test")] + spec["arguments"]
    runtests = runner_module()
    reporter = recording_reporter(runtests.PyTestReporter, session)
    runtests.PyTestReporter = reporter
    begin_files(runtests.SymPyTests, session)
    choose_tests(runtests.SymPyTests, session)
    passed = runtests.test(
        *spec["arguments"],
        verbose=True,
        colors=False,
        subprocess=False,
        seed=spec["seed"],
        sort=not spec["seed"]
    )
    return 0 if passed else 1


def runner_module():
    """The module moved from `utilities` to `testing` in sympy 1.6."""
    importlib.import_module("sympy")
    try:
        return importlib.import_module("sympy.testing.runtests")
    except ImportError:
        return importlib.import_module("sympy.utilities.runtests")


def begin_files(tests, session):
    """Have the reporter know the file at hand also while the runner imports it."""
    original = tests.test_file

    def test_file(self, filename, *args, **kwargs):
        self._reporter.begin_file(session.relative(filename))
        return original(self, filename, *args, **kwargs)

    tests.test_file = test_file


def choose_tests(tests, session):
    """Have the runner keep the wanted tests, where it drops those that do not match `-k`."""
    original = tests.matches

    def matches(self, function):
        name = test_name(self._reporter.fixgate_file, function)
        return session.wants(name) and original(self, function)

    tests.matches = matches


def test_name(file, function):
    return "%s::%s" % (file, getattr(function, "__name__", "test"))


def recording_reporter(base, session):
    """A subclass of sympy's reporter that tells the session what it hears."""

    class RecordingReporter(base):
        fixgate_file = ""
        fixgate_test = None
        fixgate_description = ""

        def begin_file(self, file):
            self.fixgate_file = file
            self.fixgate_test = None

        def entering_test(self, f):
            name = test_name(self.fixgate_file, f)
            self.fixgate_test = session.start(name, self.fixgate_file)
            self.fixgate_description = first_line(getattr(f, "__doc__", None))
            base.entering_test(self, f)

        def ended(self, status, exception=None, message=""):
            failure = session.failure(exception) if exception else None
            if message:
                failure = {"type": "", "message": message[:4000], "frame": None}
            if self.fixgate_test is None:
                return session.collection(self.fixgate_file, "error", failure)
            session.finish(
                self.fixgate_test,
                self.fixgate_file,
                status,
                "call" if failure else None,
                failure,
                description=self.fixgate_description,
            )

        def test_pass(self, char="."):
            self.ended("passed")
            base.test_pass(self, char)

        def test_fail(self, exc_info):
            self.ended("failed", exc_info)
            base.test_fail(self, exc_info)

        def test_exception(self, exc_info):
            self.ended("failed", exc_info)
            base.test_exception(self, exc_info)

        def test_xfail(self):
            self.ended("xfailed", sys.exc_info() if sys.exc_info()[0] else None)
            base.test_xfail(self)

        def test_xpass(self, v):
            self.ended("xpassed", message=str(v))
            base.test_xpass(self, v)

        def test_skip(self, v=None):
            self.ended("skipped", message=str(v or ""))
            base.test_skip(self, v)

        def import_error(self, filename, exc_info):
            self.ended("error", exc_info)
            base.import_error(self, filename, exc_info)

    return RecordingReporter


def first_line(text):
    return (text or "").strip().partition("\n")[0]
