"""What a test that is tried reports, and how often a line may be tried.

All files here become one module, which runs in Python 3.6 and later.
"""

import functools
import inspect

MOST_TRIALS = 50


class Record:
    """What was tried since a test began: how many claims noticed, and the lines of those that held.

    A line is there as often as a claim in it held; in `unlike`, as often as equal objects in it had
    different hashes. `error` is what the test ended with, None where it came to its end.
    """

    def __init__(self):
        self.begin()

    def begin(self):
        self.noticed = 0
        self.held = []
        self.unlike = []
        self.trials = {}
        self.error = None

    def may_try(self, line):
        """A claim in a loop is tried some times, and then believed."""
        self.trials[line] = self.trials.get(line, 0) + 1
        return self.trials[line] <= MOST_TRIALS

    def note(self, line, results, counted=True):
        """`results` are those of the trials of a claim: True where it held, None where unclear."""
        if any(result is True for result in results):
            self.held.append(str(line))
        elif counted and any(result is False for result in results):
            self.noticed += 1

    def finish(self):
        """Every test fails that was tried; how says what came of it."""
        held = "held %s; " % ", ".join(self.held) if self.held else ""
        held += "unlike %s; " % ", ".join(self.unlike) if self.unlike else ""
        raise AssertionError("TURNED_TOKEN %snoticed %d" % (held, self.noticed))


RECORD = Record()


def test(function):
    """A test that fails at its end, with what its claims came to."""
    turned = turned_around(function)
    # What does not look behind wrappers (`getfullargspec`, old Hypothesis) finds the arguments here.
    turned.__signature__ = inspect.signature(function)
    turned.TURNED_TOKEN = True
    return turned


def made(names, scope):
    """Have the tests of a module do so, too, that no definition of that name made.

    Loops, metaclasses and `setattr` give functions the names of tests.
    """
    for owner in [scope, *filter(inspect.isclass, list(scope.values()))]:
        for name, function in members(owner):
            if name in names and not hasattr(function, "TURNED_TOKEN"):
                replace(owner, name, test(function))


def members(owner):
    """The functions of a scope or a class, without those that it inherits."""
    found = owner if isinstance(owner, dict) else vars(owner)
    return [pair for pair in found.items() if inspect.isfunction(pair[1])]


def replace(owner, name, function):
    owner.update({name: function}) if isinstance(owner, dict) else setattr(owner, name, function)


def turned_around(function):
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def turned(*arguments, **options):
            with Test():
                return (yield from function(*arguments, **options))

    elif inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def turned(*arguments, **options):
            with Test():
                return await function(*arguments, **options)

    else:

        @functools.wraps(function)
        def turned(*arguments, **options):
            with Test():
                return function(*arguments, **options)

    return turned


class Test:
    """From the beginning of a test to its end."""

    def __enter__(self):
        RECORD.begin()

    def __exit__(self, kind, error, trace):
        RECORD.error = error
        # What says yes to anything now and then may well say no to the right value at last.
        if error is None or (RECORD.held and (is_failure(error) or isinstance(error, Exception))):
            RECORD.finish()
