"""Record the outcomes of unittest's text runner, and run test modules with it."""

import os
import sys
import unittest
import unittest.case
import unittest.loader
import unittest.suite

import fixgate_probe_differences as differences
import fixgate_probe_failure as failures
import fixgate_probe_order as order
import fixgate_probe_unguarded as unguarded

SETUP = {"setUp", "_callSetUp", "_pre_setup", "asyncSetUp", "setUpClass", "setUpModule"}
TEARDOWN = {
    "tearDown", "_callTearDown", "doCleanups", "_callCleanup", "_post_teardown",
    "asyncTearDown", "tearDownClass", "tearDownModule", "doClassCleanups", "doModuleCleanups",
}
OUTER_FRAMES = 12


def run(spec, session):
    """Run the modules that the arguments name, as `python -m unittest -v` does."""
    sys.path.insert(0, spec["tree"])
    sys.argv[:] = ["python -m unittest"] + spec["arguments"]
    recording = Recording(session, spec["labels"], spec["seed"])
    recording.install()
    with unguarded.programs_left_out():
        suite = unittest.defaultTestLoader.loadTestsFromNames(spec["arguments"])
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    return 0 if result.wasSuccessful() else 1


def run_script(recording, run):
    """Call what runs the tests and leaves the interpreter; its exit code once they all ended."""
    recording.install()
    try:
        run()
    except SystemExit as stop:
        if not recording.finished:
            raise
        return stop.code
    return 0


class Recording:
    """Hooks into the first text runner that runs; runners inside tests are left alone."""

    def __init__(self, session, labels, seed):
        self.session = session
        self.labels = labels
        self.seed = seed
        self.finished = False
        self.tests = []
        self.names = {}
        self.asked = {}
        self.current = None

    def install(self):
        differences.bound_those_of_unittest()
        runner = unittest.TextTestRunner
        original_run, original_result = runner.run, runner._makeResult
        recording = self
        usual_order = order.reorder_loaded(self.seed)
        usual_loading = self.note_what_was_asked()

        def make_result(self):
            runner._makeResult = original_result
            result = original_result(self)
            result.__class__ = recording_result(type(result), recording)
            return result

        def run_suite(self, suite):
            runner.run = original_run
            usual_order()
            usual_loading()
            keep_wanted(suite, recording.session)
            recording.tests = list(flattened(suite))
            result = original_run(self, suite)
            recording.finished = True
            return result

        runner.run, runner._makeResult = run_suite, make_result

    def note_what_was_asked(self):
        """Keep the name that each failed load was asked by; returns what ends that.

        unittest names the test that stands for it after the first part of the name that it does
        not find: a parent package's, or only the last part of a dotted name.
        """
        loader = unittest.TestLoader
        original, asked = loader.loadTestsFromName, self.asked

        def load(self, name, module=None):
            suite = original(self, name, module)
            for test in flattened(suite):
                if isinstance(test, unittest.loader._FailedTest):
                    asked[id(test)] = name
            return suite

        def end():
            loader.loadTestsFromName = original

        loader.loadTestsFromName = load
        return end

    def start(self, test):
        name = self.session.start(test.id(), self.file_of(test))
        self.names[id(test)] = name
        self.current = Current(test)

    def stop(self, test):
        done, self.current = self.current, None
        if done is not None and done.status != "collection":
            self.finish(test, done.status or "passed", done.phase, done.failure)

    def add(self, test, status, exception=None, message=""):
        """Take in one event of a test, or of a class, a module or a file that has none."""
        failure = self.session.failure(exception) if exception else failures.plain("", message)
        phase = phase_of(exception) if exception else "call"
        if isinstance(test, unittest.suite._ErrorHolder):
            return self.add_to_group(test, status, failure)
        if isinstance(test, unittest.loader._FailedTest):
            return self.add_to_file(test, failure)
        if isinstance(test, unittest.case._SubTest):
            test = test.test_case
        if self.current is None or self.current.test is not test:
            return self.finish(test, status, phase, failure)
        self.current.add(status, phase, failure)

    def add_to_group(self, holder, status, failure):
        """A class or module whose set-up failed or skipped: all its tests end so."""
        kind, _, group = holder.description.partition(" (")
        group = group.rstrip(")")
        phase = "teardown" if kind.startswith("tearDown") else "setup"
        members = [test for test in self.tests if group_of(test, kind) == group]
        if phase == "setup" and members:
            for test in members:
                if id(test) not in self.names:
                    self.finish(test, status, phase, failure)
        else:
            file = self.file_of(members[0]) if members else ""
            self.session.finish(holder.description, file, status, phase, failure, 0.0)

    def add_to_file(self, test, failure):
        """A file that cannot be imported, which unittest turns into a test that fails."""
        if self.current is not None:
            self.current.status = "collection"
        for file in self.files_asked(test):
            self.session.collection(file, "error", real_import_error(failure))

    def files_asked(self, test):
        """The files that a failed load stands for; some runners find modules by themselves."""
        asked = self.asked.get(id(test))
        if asked in self.labels:
            return [self.labels[asked]]
        module = test._testMethodName
        return [
            file
            for label, file in self.labels.items()
            if label == module or label.endswith("." + module)
        ]

    def finish(self, test, status, phase, failure):
        if id(test) not in self.names:
            self.start(test)
            self.current = None
        self.session.finish(
            self.names[id(test)],
            self.file_of(test),
            status,
            phase if failure else None,
            failure,
            description=test.shortDescription(),
        )

    def file_of(self, test):
        module = sys.modules.get(type(test).__module__)
        return self.session.relative(os.path.abspath(getattr(module, "__file__", None) or os.sep))


class Current:
    """The test that is running and the worst that was said of it."""

    RANK = {None: 0, "passed": 0, "skipped": 1, "xfailed": 1, "xpassed": 1, "failed": 2, "error": 2}

    def __init__(self, test):
        self.test = test
        self.status = self.phase = self.failure = None

    def add(self, status, phase, failure):
        if self.RANK.get(status, 0) >= self.RANK.get(self.status, 2) and self.status != "failed":
            self.status, self.phase, self.failure = status, phase, failure


def recording_result(base, recording):
    """A subclass of a result class that tells the recording what it hears."""

    class RecordingResult(base):
        def startTest(self, test):
            if not isinstance(test, unittest.loader._FailedTest):
                recording.start(test)
            base.startTest(self, test)

        def stopTest(self, test):
            base.stopTest(self, test)
            recording.stop(test)

        def addError(self, test, err):
            recording.add(test, "error", err)
            base.addError(self, test, err)

        def addFailure(self, test, err):
            recording.add(test, "failed", err)
            base.addFailure(self, test, err)

        def addSubTest(self, test, subtest, err):
            if err is not None:
                failed = issubclass(err[0], test.failureException)
                recording.add(test, "failed" if failed else "error", err)
            base.addSubTest(self, test, subtest, err)

        def addSkip(self, test, reason):
            recording.add(test, "skipped", message=str(reason))
            base.addSkip(self, test, reason)

        def addExpectedFailure(self, test, err):
            recording.add(test, "xfailed", err)
            base.addExpectedFailure(self, test, err)

        def addUnexpectedSuccess(self, test):
            recording.add(test, "xpassed")
            base.addUnexpectedSuccess(self, test)

    RecordingResult.__name__ = base.__name__
    RecordingResult.__qualname__ = base.__qualname__
    RecordingResult.__module__ = base.__module__
    return RecordingResult


def flattened(suite):
    """The tests of a suite of suites."""
    try:
        members = list(suite)
    except TypeError:
        members = None
    if members is None:
        yield suite
    else:
        for member in members:
            for test in flattened(member):
                yield test


def keep_wanted(suite, session):
    """Take the tests that are not wanted out of a suite of suites; files that failed to load stay."""
    for member in list(suite):
        if isinstance(member, unittest.TestSuite):
            keep_wanted(member, session)
        elif not isinstance(member, unittest.loader._FailedTest) and not session.wants(member.id()):
            suite._tests.remove(member)


def group_of(test, kind):
    """`module.Class`, or the module alone where its set-up is meant."""
    if kind.endswith("Module"):
        return type(test).__module__
    return "%s.%s" % (type(test).__module__, type(test).__qualname__)


def phase_of(exception):
    """Set-up, call or tear-down, told by the outermost frames, which are the runner's."""
    trace = exception[2]
    for _ in range(OUTER_FRAMES):
        if trace is None:
            break
        name = trace.tb_frame.f_code.co_name
        if name in SETUP:
            return "setup"
        if name in TEARDOWN:
            return "teardown"
        trace = trace.tb_next
    return "call"


def real_import_error(failure):
    """unittest wraps an import error into another whose message is the traceback as text."""
    last = failure["message"].strip().rpartition("\n")[2]
    kind, colon, message = last.partition(": ")
    if not failure["message"].startswith("Failed to import") or " " in kind:
        return failure
    return failures.plain(kind, message if colon else "")
