"""Tries what a test claims with other expected values, and goes on as if nothing had been.

Runs in Python 3.6 and later. A claim must not hold with another value than the expected one: where
it does, what it is about says yes to anything. Other values come first, the right one last, so that
what is compared cannot know which it is.
"""

import copy
import functools
import inspect
import operator
import re
import unittest.mock
import warnings

MOST_TRIALS = 50
LONGEST = 10 ** 5
OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda part, whole: part in whole,
    "not in": lambda part, whole: part not in whole,
}
PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type(None))
FRAMEWORKS = {"unittest", "unittest2", "pytest", "_pytest", "numpy", "pandas", "nose", "django"}
FRAMEWORKS |= {"testtools", "twisted", "xarray", "mock", "pytest_mock", "hamcrest", "assertpy"}
FRAMEWORKS |= {"expects"}
SHIPPED = re.compile("TURNED_SHIPPED")


class Record:
    """What was tried since a test began: how many claims noticed, and the first that held."""

    def __init__(self):
        self.noticed = 0
        self.held = ""
        self.trials = {}

    def begin(self):
        self.noticed = 0
        self.held = ""
        self.trials = {}

    def may_try(self, line):
        """A claim in a loop is tried some times, and then believed."""
        self.trials[line] = self.trials.get(line, 0) + 1
        return self.trials[line] <= MOST_TRIALS

    def note(self, line, results, counted=True):
        """`results` are those of the trials of a claim: True where it held, None where unclear."""
        if any(result is True for result in results):
            self.held = self.held or "line %s" % (line,)
        elif counted and any(result is False for result in results):
            self.noticed += 1

    def finish(self):
        """Every test fails that was tried; how says what came of it."""
        if self.held:
            raise AssertionError("TURNED_TOKEN held %s" % self.held)
        raise AssertionError("TURNED_TOKEN noticed %d" % self.noticed)


RECORD = Record()


def test(function):
    """A test that fails at its end, with what its claims came to."""
    turned = turned_around(function)
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
        # What says yes to anything now and then may well say no to the right value at last.
        if error is None or (RECORD.held and is_failure(error)):
            RECORD.finish()


def truth(line, value):
    """`assert value`: what is true is not false, which no value can deny."""
    if RECORD.may_try((line, "truth")):
        RECORD.note(line, [False])
    return value


def compare(line, counted, literals, signs, *operands):
    """`a == b`, `a < b <= c`; `literals` are the places of operands that stand there as constants."""
    result = True
    for place, sign in enumerate(signs):
        sides = [side for side in (0, 1) if place + side in literals]
        sides = sides if len(sides) == 1 else [0, 1]
        result = compared(line, counted, sides, sign, operands[place], operands[place + 1])
        if place + 1 < len(signs) and not result:
            break
    return result


def compared(line, counted, sides, sign, left, right):
    compares = OPERATORS[sign]
    if not RECORD.may_try((line, sign)):
        return compares(left, right)
    left, right = kept(left, sign), kept(right, sign)
    trials = [tried(compares, *trial) for trial in trials_of(sign, sides, left, right)]
    opposite = [tried(compares, *trial) for trial in opposites_of(sign, left, right)]
    result = compares(*fresh(left, right))
    if counted or is_plain(result):
        RECORD.note(line, results_of(sign, is_true(result), trials, opposite), counted)
    return result


def results_of(sign, truth, trials, opposite):
    """The trials of what a comparison turned out to claim, and whether that held in each."""
    if sign in ("is", "is not"):
        return [False]
    negated = sign in ("!=", "not in")
    return [
        None if found is None else found is truth for found in (trials if truth ^ negated else opposite)
    ]


class Kept:
    """An iterator that can be read again and again."""

    def __init__(self, values):
        self.values = values


def kept(value, sign):
    if sign in ("in", "not in") and hasattr(type(value), "__next__"):
        return Kept([part for part, _ in zip(value, range(LONGEST))])
    return value


def fresh(*values):
    return [iter(value.values) if isinstance(value, Kept) else value for value in values]


def trials_of(sign, sides, left, right):
    """The operands that are not equal, not in the other, not in this order."""
    if sign in ("in", "not in"):
        return membership(sides, left, right)
    if sign in ("==", "!="):
        return equality(sides, left, right)
    return ordering(sign, sides, left, right) if sign[0] in "<>" else ()


def opposites_of(sign, left, right):
    """The operands that are equal, or of which one holds the other."""
    if sign in ("==", "!="):
        for value in (left, right):
            if is_of_the_code(value) or tried(operator.eq, value, value):
                yield value, value
    elif sign in ("in", "not in"):
        yield left, right + left if isinstance(right, (str, bytes)) else [left]
        if isinstance(right, (str, bytes, list, dict, set)):
            yield from ((part, right) for part in ([right] if isinstance(right, (str, bytes)) else list(right)[:1]))


def equality(sides, left, right):
    far = any(is_tolerant(value) for value in (left, right))
    if any(is_snapshot(value) for value in (left, right)):
        sides = [1] if is_snapshot(left) else [0]
    if len(sides) > 1:
        sides = [side for side in sides if not has_matcher((right, left)[side])]
    if 0 in sides:
        for value in in_place_of(left, far):
            yield value, right
    if 1 in sides:
        for value in in_place_of(right, far):
            yield left, value


def in_place_of(value, far=False):
    """What may stand in the place of an expected value."""
    if is_tolerant(value):
        return tolerant_others(value)
    found = others(value, far)
    return found + foreign() if is_of_the_code(value) else found


def has_matcher(value):
    """Whether a part of a value says itself what it equals, like `unittest.mock.ANY`."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return any(map(has_matcher, value))
    asked = type(value).__module__.startswith(("unittest", "mock", "dirty_equals"))
    return asked and not is_tolerant(value)


def is_snapshot(value):
    """Whether it compares with what was stored for its next comparison (syrupy)."""
    return type(value).__module__.partition(".")[0] == "syrupy" and hasattr(value, "executions")


def apart(value):
    """A snapshot of which a comparison does not count."""
    if not is_snapshot(value):
        return value
    made = copy.copy(value)
    for name, part in vars(value).items():
        if isinstance(part, (dict, list)):
            setattr(made, name, dict(part) if isinstance(part, dict) else [])
    return made


def is_tolerant(value):
    return type(value).__name__.startswith("Approx")


def tolerant_others(value):
    try:
        made = type(value)(others(value.expected, far=True)[0], rel=value.rel, abs=value.abs)
    except Exception:
        return []
    return [made]


def membership(sides, left, right):
    if sides != [1]:
        for value in unlikely(left):
            yield value, right
        return
    try:
        yield left, without_its_letters(right)
    except Exception:
        return


def ordering(sign, sides, left, right):
    if isinstance(left, (set, frozenset)) and isinstance(right, (set, frozenset)):
        less = left if sign.startswith("<") else right
        if less:
            changed = without_its_letters(less)
            yield (changed, right) if less is left else (left, changed)
    elif "=" not in sign:
        yield left, left
        yield right, right
    else:
        change = (1 if sign.startswith("<") else -1) * 10 ** 12
        if isinstance(right, (int, float)) and 1 in sides:
            yield left, right - change * (1 + abs(right))
        if isinstance(left, (int, float)) and 0 in sides:
            yield left + change * (1 + abs(left)), right


def tried(function, *arguments):
    """Whether a comparison holds; None where it cannot be made."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return is_true(function(*fresh(*map(apart, arguments))))
    except Exception:
        return None


def is_plain(result):
    return isinstance(result, PLAIN) or type(result).__module__ == "numpy"


def is_true(result):
    """The truth of a comparison, of all its parts where it is an array."""
    try:
        return bool(result)
    except ValueError:
        while hasattr(result, "all"):
            result = result.all()
        return bool(result)


EQUAL = re.compile(r"(assert(?!.*(not|less|greater|almost|unordered)).*equals?|eq)")
CLOSE = re.compile(r"assert(?!.*not).*(almostequals?|allclose|approxequal|nulp)")
BLOCKS = re.compile(r"(assert)?(raises|warns|logs|nologs|deprecatedcall)(regexp?|message)?")
SIGNS = {
    "assertgreater": ">",
    "assertgreaterequal": ">=",
    "assertless": "<",
    "assertlessequal": "<=",
    "assertin": "in",
    "assertnotin": "not in",
}
TEXTS = {"startswith", "endswith"}
ONE_PART = {"contains", "isin", "startswith", "endswith"}
"""Assertions of a chain (`assert_that(x).contains(y)`) that another part must end."""


def call(line, counted, literals, name, function):
    """A function of an assertion, which tries the claim before it makes it."""
    short = name.replace("_", "").lower()
    if short in TEXTS and not is_an_assertion(function):
        return part_of_text(line, function)
    if not is_an_assertion(function):
        return function
    if BLOCKS.fullmatch(short):
        return functools.partial(block, line, function, short)

    @functools.wraps(function)
    def asserting(*arguments, **options):
        if RECORD.may_try((line, short)):
            kept_ones = [kept(argument, "in") for argument in arguments]
            trials = list(calls_of(short, literals, kept_ones, options))
            results = [failing(function, *trial) for trial in trials]
            results += [failing(other, [], {}) for other in other_mocks(name, short)]
            results += [failing(*other) for other in other_expectations(function, arguments)]
            RECORD.note(line, results, counted)
            arguments = fresh(*kept_ones)
        return function(*arguments, **options)

    return asserting


def is_an_assertion(function):
    """Whether it is a framework's, or of what a package ships for tests (`sqlalchemy.testing`).

    What stands in a rewritten file tries its claims itself.
    """
    function = getattr(function, "__func__", function)
    parts = (getattr(function, "__module__", None) or "").split(".")
    rewritten = "TURNED_NAME" in getattr(inspect.unwrap(function), "__globals__", {})
    return parts[0] in FRAMEWORKS or (not rewritten and any(map(SHIPPED.fullmatch, parts)))


def part_of_text(line, function):
    def asserting(*arguments):
        if arguments and RECORD.may_try((line, "text")):
            RECORD.note(line, [tried(function, value) for value in unlikely(arguments[0])], False)
        return function(*arguments)

    return asserting


def failing(function, arguments, options):
    """Whether an assertion holds; None where it fails otherwise than as one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*fresh(*arguments), **options)
    except BaseException as error:
        if is_failure(error):
            return False
        if not isinstance(error, Exception):
            raise
        return None
    return True


def is_failure(error):
    """Also pytest's own, which is named as if it were built in."""
    failed = type(error).__name__ == "Failed" and hasattr(error, "pytrace")
    return failed or isinstance(error, AssertionError)


def calls_of(name, literals, arguments, options):
    """The arguments with which an assertion must fail."""
    for changed in changed_arguments(name, literals, arguments):
        yield changed + arguments[len(changed) :], options
    yield from calls_of_mock(name, arguments, options)


def changed_arguments(name, literals, arguments):
    sides = [side for side in (0, 1) if side in literals]
    sides = sides if len(sides) == 1 else [0, 1]
    first, second = (list(arguments) + [None, None])[:2]
    if name in ("asserttrue", "assert"):
        yield [not first]
    elif name == "assertfalse":
        yield [True]
    elif name == "assertisnone":
        yield from ([value] for value in foreign()[:3])
    elif name == "isequalto":
        yield from ([value] for value in in_place_of(first))
    elif name in ONE_PART and len(arguments) == 1:
        yield from ([value] for value in unlikely(first))
    elif name == "assertisnotnone":
        yield [None]
    elif len(arguments) > 1:
        yield from changed_pairs(name, sides, first, second)


def changed_pairs(name, sides, first, second):
    if EQUAL.fullmatch(name) or name in ("assertcountequal", "assertitemsequal"):
        yield from map(list, equality_of_any(sides, first, second))
    elif CLOSE.fullmatch(name):
        yield from ([first, value] for value in in_place_of(second, far=True))
    elif name in SIGNS:
        if name == "assertnotin":
            yield from map(list, opposites_of("not in", first, second))
        else:
            yield from map(list, trials_of(SIGNS[name], sides, first, second))
    elif name == "assertis":
        yield from ([first, value] for value in foreign()[:3] if value is not first)
    elif name in ("assertisnot", "assertnotequal", "assertnotequals"):
        if first == first:
            yield [first, first]
    elif name == "assertisinstance":
        yield [first, type(word(8), (), {})]
    elif name == "assertnotisinstance":
        yield [first, type(first)]
    elif name in ("assertregex", "assertregexpmatches", "assertcontains", "assertjsonequal"):
        yield [first, like_pattern(getattr(second, "pattern", second))]
    elif name in ("assertnotregex", "assertnotregexpmatches"):
        yield [first, type(getattr(second, "pattern", second))()]
    elif name in ("assertredirects", "asserttemplateused"):
        yield from ([first, value] for value in others(second))
    elif name == "assertthat":
        yield from ([first, matcher] for matcher in other_matchers(second))


def other_matchers(matcher):
    """Matchers of hamcrest for other values, or for all that one does not match."""
    while type(matcher).__name__ == "Is":
        matcher = matcher.matcher
    if type(matcher).__name__ == "IsEqual":
        yield from (type(matcher)(value) for value in in_place_of(matcher.object, far=True))
    elif type(matcher).__module__.partition(".")[0] == "hamcrest":
        import hamcrest

        yield hamcrest.is_not(matcher)


def equality_of_any(sides, first, second):
    """Iterators are compared by what they hold."""
    held = [value.values if isinstance(value, Kept) else value for value in (first, second)]
    return equality(sides, *held)


def calls_of_mock(name, arguments, options):
    """A mock that was called as it was, and never with one argument more."""
    if name in ("assertcalledwith", "assertcalledoncewith", "assertanycall"):
        yield list(arguments) + [word(7)], options
        for place, value in enumerate(arguments):
            for other in others(value)[:2]:
                yield list(arguments[:place]) + [other] + list(arguments[place + 1 :]), options
        for key, value in options.items():
            for other in others(value)[:2]:
                yield arguments, dict(options, **{key: other})
    elif name == "asserthascalls" and arguments:
        yield [list(arguments[0]) + [((word(7),), {})]] + list(arguments[1:]), options


def other_expectations(function, arguments):
    """`expect(x).to(matcher)` of expects, with what must end it: the opposite, and other values."""
    expectation = getattr(function, "__self__", None)
    ours = type(expectation).__module__.partition(".")[0] == "expects"
    if not ours or not hasattr(expectation, "_negated") or len(arguments) != 1:
        return
    opposite = copy.copy(expectation)
    opposite._negated = not expectation._negated
    yield opposite.to, arguments, {}
    matcher = arguments[0]
    if type(matcher).__name__ == "equal" and not expectation._negated:
        for value in in_place_of(matcher._expected):
            yield function, [type(matcher)(value)], {}


def other_mocks(name, short):
    """What a mock says that was not called, or was."""
    if short in ("assertcalled", "assertcalledonce"):
        yield getattr(unittest.mock.Mock(), name)
    elif short == "assertnotcalled":
        called = unittest.mock.Mock()
        called()
        yield getattr(called, name)


def block(line, function, name, *arguments, **options):
    """`with raises(X, match=...)`, or `raises(X, function, ...)` of what is called at once."""
    wanted = 2 if name.endswith(("regex", "regexp", "message")) else 1
    if name in ("deprecatedcall", "assertlogs", "assertnologs"):
        wanted = 2 if name != "deprecatedcall" else 0
    calls = len(arguments) > wanted and callable(arguments[wanted])
    try:
        given = (arguments[:wanted], {}) if calls else (arguments, options)
        context = ExpectationContext(line, function, name, *given)
    except TypeError:
        # A package's own helper may know no `with`.
        if calls and "raises" in name:
            return raising_call(line, function, arguments[:wanted], arguments[wanted:], options)
        return function(*arguments, **options)
    if not calls:
        return context
    with context as seen:
        arguments[wanted](*arguments[wanted + 1 :], **options)
    return seen


def raising_call(line, function, expected, called, options):
    """`assert_raises(X, function, ...)`: what is called is called once, and ends so for others too."""
    try:
        value, error = called[0](*called[1:], **options), None
    except Exception as raised:
        value, error = None, raised

    def again():
        if error is not None:
            raise error
        return value

    if error is not None and RECORD.may_try((line, "block")):
        strange = type(word(8).title(), (Exception,), {})

        def other():
            function(strange, *expected[1:], again)
            return True

        RECORD.note(line, [goes_through(error, other)])
    return function(*expected, again)


def goes_through(error, is_content):
    """Whether an assertion is content; it is not where what was raised comes out again."""
    try:
        return is_content()
    except BaseException as raised:
        if raised is error or is_failure(raised):
            return False
        if not isinstance(raised, Exception):
            raise
        return None


class ExpectationContext:
    """A context that expects something, and tries what it would say of something else."""

    def __init__(self, line, function, name, arguments, options):
        self.line = line
        self.name = name
        self.make = functools.partial(function, *arguments, **options)
        self.others = list(other_blocks(function, name, arguments, options))
        self.original = self.make()

    def __getattr__(self, name):
        return getattr(self.original, name)

    def __enter__(self):
        return self.original.__enter__()

    def __exit__(self, kind, error, trace):
        if RECORD.may_try((self.line, "block")):
            RECORD.note(self.line, list(self.trials(kind, error, trace)))
        return self.original.__exit__(kind, error, trace)

    def trials(self, kind, error, trace):
        if "nologs" not in self.name:
            yield ended(self.make, None, None, None)
        if error is not None and "raises" in self.name:
            for make in self.others:
                yield ended(make, kind, error, trace)


def other_blocks(function, name, arguments, options):
    """Contexts that expect another exception, or another message."""
    if "raises" not in name:
        return
    strange = type(word(8).title(), (Exception,), {})
    yield functools.partial(function, strange, *arguments[1:], **options)
    if options.get("match") is not None:
        yield functools.partial(function, *arguments, **dict(options, match=word(9)))
    elif len(arguments) > 1:
        yield functools.partial(function, arguments[0], word(9), *arguments[2:], **options)


def ended(make, kind, error, trace):
    """Whether a context is content with how its block ended."""

    def enter_and_leave():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            context = make()
            context.__enter__()
            return bool(context.__exit__(kind, error, trace)) or kind is None

    return goes_through(error, enter_and_leave)
