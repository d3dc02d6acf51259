"""How failures of Java tests read: exceptions, and messages of assertion libraries."""

from __future__ import annotations

import re

from evaluator.languages.failures import Failures

_KEYWORDS = re.compile(r"\w+").findall(
    """
    abstract assert boolean break byte case catch char class const continue default do double else
    enum extends final finally float for goto if implements import instanceof int interface long
    native new package private protected public return short static strictfp super switch
    synchronized this throw throws transient try void volatile while true false null var record
    sealed permits yield
    """
)
_EVERYWHERE = frozenset(
    {"String", "Object", "Integer", "Long", "Boolean", "Double", "Class", "System", "Exception"}
    | {"RuntimeException", "Throwable", "Override", "Arrays", "List", "Map", "Set", "Collections"}
    | {"ArrayList", "HashMap", "Test", "Assert", "Assertions", "TestCase", "java", "util", "lang"}
    | {"org", "com", "junit", "jupiter", "api", "println", "printStackTrace", "out", "args"}
    | {"assertEquals", "assertTrue", "assertFalse", "assertThat", "assertNull", "assertNotNull"}
    | {"isEqualTo", "toString", "equals", "hashCode", "get", "add", "put", "size", "length", "of"}
)

_ASSERTIONS = frozenset(
    {"AssertionError", "AssertionFailedError", "ComparisonFailure", "MultipleFailuresError"}
    | {"ArrayComparisonFailure", "AssertionErrorWithFacts", "ComparisonFailureWithFacts"}
    | {"AssertJMultipleFailuresError", "MultipleFailureException"}
)
_COMPARISON = re.compile(
    r""".*?(?:
      expected:\s?[\w.$@]*<(.*?)>\sbut\swas:?\s?[\w.$@]*<(.*?)>[^>]*$       # JUnit
    | expected\s\[(.*?)\]\sbut\sfound\s\[(.*?)\]                          # TestNG
    | Expected:\s(?:is\s)?(.*?)\s+but:\s(?:was\s)?(.*)                      # Hamcrest
    | Expecting(?:\sactual)?:?\s+<?(.*?)>?\s+to\sbe\sequal\sto:?\s+<?(.*?)>?\sbut  # AssertJ
    | expected\s*:\s*(.*?)\n\s*but\s(?:was|got|found)\s*:\s*([^\n]*)       # AssertJ, Truth
    )""",
    re.DOTALL | re.VERBOSE,
)
_EQUALITY = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r".*?expected:\s?[\w.$@]*<(?P<expected>.*?)>\sbut\swas:?\s?[\w.$@]*<(?P<got>.*?)>[^>]*$",
        r".*?expected\s\[(?P<expected>.*?)\]\sbut\sfound\s\[(?P<got>.*?)\]",
        r".*?Expected:\s(?:is\s)?(?P<expected>.*?)\s+but:\s(?:was\s)?(?P<got>[^\n]*)",
        r".*?expected\s*:\s*(?P<expected>.*?)\n\s*but\s(?:was|got|found)\s*:\s*(?P<got>[^\n]*)",
    )
)
"""Of JUnit, TestNG, Hamcrest, and AssertJ and Truth."""
# JUnit 4 writes `ab[c]d`, and `...` for what both begin or end with, beyond 20 characters.
_EMPHASIS = re.compile(r"^(?:\.{3})?([^\[]*)\[|\]([^\]]*?)(?:\.{3})?$", re.DOTALL)

FAILURES = Failures(
    assertions=_ASSERTIONS,
    uninformative=_ASSERTIONS | {"Exception", "RuntimeException", "Error", "Throwable"},
    broken_test=frozenset(
        {"NoClassDefFoundError", "ClassNotFoundException", "NoSuchMethodError", "NoSuchFieldError"}
        | {"ParameterResolutionException", "JUnitException", "InitializationError"}
        | {"InvalidTestClassError", "PreconditionViolationException", "TestNGException"}
        | {"InvalidUseOfMatchersException", "UnfinishedStubbingException", "NotAMockException"}
    ),
    missing_names=frozenset(
        {"NoClassDefFoundError", "ClassNotFoundException", "NoSuchMethodError", "NoSuchFieldError"}
        | {"NoSuchMethodException", "NoSuchFieldException", "AbstractMethodError"}
        | {"IncompatibleClassChangeError", "IllegalAccessError"}
    ),
    missing_attribute=re.compile(
        r"\w*: (?:error: )?(?:cannot find symbol|package [\w.]+ does not exist"
        r"|cannot be resolved|incompatible types)"
    ),
    missing_parts=re.compile(
        r"symbol:\s+(?:method|class|variable|constructor) (\w+)|NoSuchMethod\w+: .*?(\w+)\("
    ),
    exceptions=re.compile(r"\b[A-Z]\w*(?:Error|Exception|Failure)\b"),
    comparison=_COMPARISON,
    equality=_EQUALITY,
    emphasis=_EMPHASIS,
    bare_values=frozenset({"true", "false", "null", "[]", "{}", "<>", "0.0"}),
    crash=re.compile(
        r"SIGSEGV|hs_err_pid|crash(es|ed)? (?:the )?(?:jvm|java)|jvm crash|OutOfMemoryError"
        r"|StackOverflowError",
        re.IGNORECASE,
    ),
    common_names=_EVERYWHERE.union(_KEYWORDS),
    session=re.compile(r"^(?: {4}|\t|jshell> )(?!\s*at [\w.$]+\()(.*)$", re.MULTILINE),
)
