"""Tries what must raise or warn with other exceptions and messages than the expected ones."""

import functools
import sys
import warnings


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

        def other():
            function(strange_kind(), *expected[1:], again)
            return True

        RECORD.note(line, [goes_through(error, other)])
    return function(*expected, again)


def raising(line, decorator, *kinds):
    """Of a test that `@decorator(*kinds)` is content with: it would not be with other kinds."""

    def decorate(function):
        @functools.wraps(function)
        def turned(*arguments, **options):
            function(*arguments, **options)
            error = RECORD.error

            def again(*arguments, **options):
                raise error

            def other():
                decorator(strange_kind())(again)(*arguments, **options)
                return True

            if error is not None:
                RECORD.note(line, [is_a_slip(error, kinds) or goes_through(error, other)])
            RECORD.finish()

        return turned

    return decorate


def strange_kind():
    """A kind of exceptions that nothing raises."""
    return type(word(8).title(), (Exception,), {})


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
        self.wanted = arguments[0] if arguments else options.get("expected_exception", Exception)
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
            yield is_a_slip(error, self.wanted)
            for make in self.others:
                yield ended(make, kind, error, trace)


def caught(line, in_reach, kinds):
    """What `except` catches where an exception must come: one of another kind would not be caught.

    Nothing is claimed where it catches the failure of the test, too, which is `in_reach` of it: what
    is done with that may claim something.
    """
    error = sys.exc_info()[1]
    anything = in_reach and issubclass(AssertionError, kinds)
    if isinstance(error, kinds) and not anything and RECORD.may_try((line, "caught")):
        RECORD.note(line, [is_a_slip(error, kinds)])
    return kinds


def is_a_slip(error, wanted):
    """Whether code failed for a name that nothing defines, and nobody asked for that."""
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    asked = any(isinstance(kind, type) and issubclass(kind, NameError) for kind in kinds)
    return isinstance(error, NameError) and not asked


def other_blocks(function, name, arguments, options):
    """Contexts that expect another exception, or another message."""
    if "raises" not in name:
        return
    yield functools.partial(function, strange_kind(), *arguments[1:], **options)
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
