"""Tries the functions that assert something with other arguments before they are called."""

import copy
import functools
import inspect
import re
import unittest.mock
import warnings

FRAMEWORKS = {"unittest", "unittest2", "pytest", "_pytest", "numpy", "pandas", "nose", "django"}
FRAMEWORKS |= {"testtools", "twisted", "xarray", "mock", "pytest_mock", "hamcrest", "assertpy"}
FRAMEWORKS |= {"expects"}
SHIPPED = re.compile("TURNED_SHIPPED")
EQUAL = re.compile(r"assert(?!.*(not|less|greater|almost|unordered)).*equals?")
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
SHORT = {
    "eq": "assertequal",
    "ne": "assertnotequal",
    "is": "assertis",
    "isnot": "assertisnot",
    "istrue": "asserttrue",
    "isfalse": "assertfalse",
    "isnone": "assertisnone",
    "in": "assertin",
    "notin": "assertnotin",
    "ok": "asserttrue",
}
"""Names of helpers in `nose.tools` and `sqlalchemy.testing`, and what `unittest` calls the same."""
TEXTS = {"startswith", "endswith"}
ONE_PART = {"contains", "isin", "startswith", "endswith"}
"""Assertions of a chain (`assert_that(x).contains(y)`) that another part must end."""


def call(line, counted, literals, name, function):
    """A function of an assertion, which tries the claim before it makes it."""
    short = name.replace("_", "").lower()
    short = SHORT.get(short, short)
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
            if False not in results and is_shipped(function):
                results += noticed_by_a_helper(function, literals, kept_ones, options)
            RECORD.note(line, results, counted)
            if EQUAL.fullmatch(short) and len(kept_ones) > 1:
                note_hashes(line, *kept_ones[:2])
            arguments = fresh(*kept_ones)
        return function(*arguments, **options)

    return asserting


def is_an_assertion(function):
    """Whether it is a framework's, or of what a package ships for tests; a mock itself is none."""
    if isinstance(function, unittest.mock.NonCallableMock):
        return False
    return parts_of_module(function)[0] in FRAMEWORKS or is_shipped(function)


def is_shipped(function):
    """Whether a package ships it for tests (`sqlalchemy.testing`).

    What stands in a rewritten file tries its claims itself.
    """
    function = getattr(function, "__func__", function)
    rewritten = "TURNED_NAME" in getattr(inspect.unwrap(function), "__globals__", {})
    return not rewritten and any(map(SHIPPED.fullmatch, parts_of_module(function)))


def parts_of_module(function):
    return (getattr(function, "__module__", None) or "").split(".")


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
    """Also pytest's own, which is named as if it were built in.

    Before pytest 3, `AssertionError` is a class of pytest's, which unittest does not raise.
    """
    failed = type(error).__name__ == "Failed" and hasattr(error, "pytrace")
    return failed or "AssertionError" in [each.__name__ for each in type(error).__mro__]


def noticed_by_a_helper(function, literals, arguments, options):
    """A failure for another constant or, where it is given none, for another plain value.

    What the helper asserts is not known: that it holds for others says nothing.
    """
    plain = [place for place, value in enumerate(arguments[:2]) if isinstance(value, PLAIN)]
    for place in literals or plain:
        for value in in_place_of(arguments[place]):
            changed = list(arguments[:place]) + [value] + list(arguments[place + 1 :])
            if failing(function, changed, options) is False:
                return [False]
    return []


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
