"""Run pytest and record what it reports, from a plugin object that needs no installation."""

import os
import sys
import traceback

import fixgate_probe_cache as cache
import fixgate_probe_differences as differences
import fixgate_probe_failure as failures
import fixgate_probe_order as order
import fixgate_probe_unguarded as unguarded

TESTS_FAILED = 1
USAGE_ERROR = 4
CHECKED = ("black", "checkdocs", "codestyle", "docstyle", "flake8", "flakes", "isort", "mypy")
CHECKED += ("pep257", "pep8", "pycodestyle", "pydocstyle", "pylint", "pyright", "ruff")
CHECKERS = frozenset("pytest_" + name for name in CHECKED)


def run(spec, session):
    """Run `pytest ARGUMENTS`; the exit code. Options that nobody knows are dropped once.

    A repository's `addopts` may name options of plugins that are not installed (`--cov`).
    """
    sys.argv[:] = [os.path.join(os.path.dirname(sys.executable), "pytest")] + spec["arguments"]
    import pytest

    count_in_rewritten_modules(session)
    differences.bound_those_of_pytest()
    differences.bound_those_of_unittest()
    plugin = make_plugin(pytest, session, spec["seed"])
    code = attempt(pytest, spec["arguments"], plugin)
    if code == USAGE_ERROR and not plugin.configured and not plugin.broken:
        sys.stderr.write("fixgate: pytest refused its options; again without addopts\n")
        plugin = make_plugin(pytest, session, spec["seed"])
        code = attempt(pytest, ["-o", "addopts="] + spec["arguments"], plugin)
    if code == USAGE_ERROR and not plugin.broken and not plugin.recorded:
        session.abort_with(why_unusable(session, plugin))
    return code


def why_unusable(session, plugin):
    """What kept pytest from starting: code of the project that ended it, or its arguments."""
    if plugin.stopped is not None:
        failure = session.failure(plugin.stopped)
        if failure["frame"] is not None:
            return failure
    said = plugin.refused or "pytest could not use its arguments; see the output"
    return failures.plain("UsageError", said)


def attempt(pytest, arguments, plugin):
    """The exit code; versions before 4 leave the interpreter on options that they do not know."""
    try:
        return int(pytest.main(list(arguments), plugins=[plugin]))
    except SystemExit:
        if plugin.configured:
            raise
        plugin.stopped = sys.exc_info()
        return USAGE_ERROR
    except Exception:
        # Since 8.4 what objects raise as they are collected is raised once all tests have ended.
        if not plugin.finished:
            raise
        traceback.print_exc()
        return TESTS_FAILED


def count_in_rewritten_modules(session):
    """pytest compiles the modules whose assertions it rewrites by itself."""
    rewrite = sys.modules.get("_pytest.assertion.rewrite")
    if rewrite is not None and session.counters.counters:
        rewrite.compile = session.counters.compile


def make_plugin(pytest, session, seed):
    """The plugin, with the hooks marked as the pytest at hand wants it (2.8 and later)."""
    around = pytest.hookimpl(hookwrapper=True)
    OutcomeRecorder.pytest_load_initial_conftests = around(OutcomeRecorder.around_initial_conftests)
    OutcomeRecorder.pytest_cmdline_main = around(OutcomeRecorder.around_main)
    OutcomeRecorder.pytest_make_collect_report = around(OutcomeRecorder.around_collection)
    OutcomeRecorder.pytest_runtest_makereport = around(OutcomeRecorder.around_report)
    OutcomeRecorder.pytest_configure = pytest.hookimpl(tryfirst=True)(OutcomeRecorder.put_cache)
    OutcomeRecorder.cache = pytest.fixture(cache.fixture)
    OutcomeRecorder.pytest_collection_modifyitems = pytest.hookimpl(trylast=True)(OutcomeRecorder.choose)
    return OutcomeRecorder(session, seed)


def is_check(item):
    """Whether a plug-in for pytest checks the style or types of a file, which tests nothing."""
    return type(item).__module__.partition(".")[0] in CHECKERS


def keeps_cache_out():
    return "no:cacheprovider" in sys.argv


class OutcomeRecorder:
    """Turns pytest's reports into outcomes. A test's phases are summed up when it is torn down."""

    def __init__(self, session, seed):
        self.session = session
        self.seed = seed
        # Tests may leave this directory, or be in one that is gone.
        self.directory = os.getcwd()
        self.empty_cache = cache.Cache()
        self.configured = False
        self.finished = False
        self.recorded = False
        self.broken = False
        self.refused = ""
        self.stopped = None
        self.failures = {}
        self.files = {}
        self.current = None

    def around_initial_conftests(self, early_config):
        """Keep coverage out, which would only slow the run; note a broken conftest."""
        known = getattr(early_config, "known_args_namespace", None)
        if getattr(known, "cov_source", None):
            known.cov_source = []
        outcome = yield
        error = getattr(outcome, "excinfo", None)
        if error and type(error[1]).__name__ == "UsageError":
            self.refused = failures.text_of(error[1])
        elif error:
            self.broken = True
            self.session.abort(root_cause(error[1]))

    def around_main(self, config):
        """Undo what in a repository's options would hide outcomes: workers, stopping early."""
        self.configured = True
        forgive_unknown_settings(config)
        option = config.option
        wanted = {
            "numprocesses": None,
            "tx": [],
            "dist": "no",
            "distload": False,
            "looponfail": False,
            "maxfail": 0,
            "usepdb": False,
            "continue_on_collection_errors": True,
            "stepwise": False,
        }
        for name, value in wanted.items():
            if hasattr(option, name):
                setattr(option, name, value)
        yield

    def around_collection(self, collector):
        """Record a file that fails to be collected or that skips itself."""
        with unguarded.programs_left_out():
            outcome = yield
        report = getattr(outcome, "_result", None) or getattr(outcome, "result", None)
        if report is None or report.outcome == "passed":
            return
        self.recorded = True
        file = self.session.relative(path_of(collector))
        failure = self.collection_failure(report)
        if report.outcome == "skipped":
            self.session.collection(file or report.nodeid, "skipped", failure)
        elif file.endswith(".py"):
            self.session.collection(file, "error", failure)
        else:
            self.session.abort_with(failure)

    def choose(self, items):
        """Keep the wanted tests, sorted by the seed, once the repository's own plugins sorted them."""
        items[:] = [item for item in items if self.session.wants(item.nodeid) and not is_check(item)]
        if self.seed:
            items.sort(key=lambda item: order.nested(self.seed, item.nodeid))

    def collection_failure(self, report):
        call = getattr(report, "call", None)
        info = getattr(call, "excinfo", None)
        if info is None:
            return failures.plain("", failures.text_of(report.longrepr))
        return self.session.failure(root_cause(info.value))

    def around_report(self, item, call):
        """Keep what the exception object tells; reports hold only text."""
        yield
        self.files[item.nodeid] = self.session.relative(path_of(item))
        if call.excinfo is not None:
            value = call.excinfo.value
            trace = (type(value), value, value.__traceback__)
            self.failures[item.nodeid, call.when] = self.session.failure(trace)

    def pytest_addoption(self, parser):
        if keeps_cache_out():
            cache.know_settings(parser)

    def put_cache(self, config):
        """Give suites a cache that is empty; without one, many cannot even start."""
        if keeps_cache_out():
            config.cache = self.empty_cache

    def pytest_unconfigure(self, config):
        self.empty_cache.remove()

    def pytest_runtest_logstart(self, nodeid, location):
        self.recorded = True
        file = self.session.relative(os.path.normpath(os.path.join(self.directory, location[0])))
        self.current = Progress(self.session.start(nodeid, file), nodeid, file)

    def pytest_runtest_logreport(self, report):
        if self.current is None or self.current.nodeid != report.nodeid:
            self.pytest_runtest_logstart(report.nodeid, report.location)
        if report.outcome == "rerun":
            return
        self.current.duration += getattr(report, "duration", 0.0)
        failure = self.failures.pop((report.nodeid, report.when), None)
        self.current.add(report, failure or failures.plain("", message_of(report)))
        if report.when == "teardown":
            self.finish()

    def finish(self):
        done, self.current = self.current, None
        done.file = self.files.pop(done.nodeid, "") or done.file
        self.session.finish(
            done.name, done.file, done.status, done.phase, done.failure, done.duration
        )

    def pytest_sessionfinish(self, exitstatus):
        self.finished = int(exitstatus) in (0, TESTS_FAILED)

    def pytest_internalerror(self, excinfo):
        self.session.abort(root_cause(excinfo.value))

    def pytest_keyboard_interrupt(self, excinfo):
        self.session.abort(root_cause(excinfo.value))


def forgive_unknown_settings(config):
    """Have settings of plugins that are not installed be no error, whatever the project says."""
    known = getattr(config, "known_args_namespace", None)
    if getattr(known, "strict_config", False):
        known.strict_config = False
    # Since version 9 it is a setting itself, which is read but once.
    getattr(config, "_inicache", {})["strict_config"] = False


class Progress:
    """One test while its phases come in."""

    def __init__(self, name, nodeid, file):
        self.name = name
        self.nodeid = nodeid
        self.file = file
        self.status = "passed"
        self.phase = None
        self.failure = None
        self.duration = 0.0

    def add(self, report, failure):
        """Take in one phase; a failure stays, whatever comes after it."""
        status = status_of(report)
        if status == "passed" or self.status in ("failed", "error"):
            return
        self.status = status
        self.phase = report.when
        self.failure = failure


def status_of(report):
    """What pytest's own summary says of a report (strict xpass is a failure)."""
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.outcome == "skipped" else "xpassed"
    if report.outcome == "failed":
        return "failed" if report.when == "call" else "error"
    return report.outcome


def message_of(report):
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    if crash is not None:
        return failures.text_of(crash.message)
    reason = report.longrepr
    if report.outcome == "passed" or reason is None:
        return ""
    if isinstance(reason, tuple) and len(reason) == 3:
        reason = reason[2]
    return failures.text_of(reason)


def path_of(node):
    path = getattr(node, "path", None)
    return str(path if path is not None else getattr(node, "fspath", ""))


def root_cause(error):
    """The exception that pytest wrapped while importing a file, as from `sys.exc_info()`."""
    while type(error).__name__ in ("CollectError", "ConftestImportFailure"):
        inner = error.__cause__ or error.__context__ or wrapped_by_conftest(error)
        if inner is None:
            break
        error = inner
    return type(error), error, error.__traceback__


def wrapped_by_conftest(error):
    """Old versions keep the exception of a conftest beside its path, as a triple."""
    triple = getattr(error, "excinfo", None)
    return triple[1] if isinstance(triple, tuple) else getattr(error, "cause", None)
