"""How failures of Python tests read: exceptions, messages of pytest and unittest, sessions."""

from __future__ import annotations

import builtins
import keyword
import re

from evaluator.languages.failures import Failures

FAILURES = Failures(
    assertions=frozenset({"AssertionError"}),
    uninformative=frozenset({"AssertionError", "Failed", "Exception"}),
    broken_test=frozenset(
        {"ImportError", "ModuleNotFoundError", "NameError", "UnboundLocalError"}
        | {"FixtureLookupError", "SyntaxError", "IndentationError", "TabError"}
    ),
    missing_names=frozenset({"ImportError", "ModuleNotFoundError", "NameError"}),
    missing_attribute=re.compile(
        r"AttributeError: (?:(module|type object) '.*' has no attribute"
        r"|.* does not have the attribute) "
    ),
    missing_parts=re.compile(r"no attribute '(\w+)'|unexpected keyword argument '(\w+)'"),
    exceptions=re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning)\b"),
    comparison=re.compile(
        r"(?:assert )?(.*?)(?: : .*?)?"
        r" (?:!=|==|is not|is|not in|in|not found in|unexpectedly found in|<=|>=|<|>|not less than"
        r"|not greater than) (.*?)(?: : .*)?(?:\n|$)"
    ),
    equality=(re.compile(r"(?:assert )?(?P<one>.+?) (?:!=|==) (?P<other>.+?)(?: : .*)?(?:\n|$)"),),
    bare_values=frozenset({"true", "false", "none", "null"}),
    crash=re.compile(r"fatal python error|crash(es|ed)? python|memoryerror", re.IGNORECASE),
    common_names=frozenset(
        {*keyword.kwlist, *dir(builtins), "self", "cls", "os", "sys", "re", "py", "args", "kwargs"}
        | {"unittest", "pytest", "assertEqual", "assert_", "np", "plt", "__init__"}
    ),
    session=re.compile(r"^(?: {4}|\t|>>> |In \[\d+\]:)(.*)$", re.MULTILINE),
)
