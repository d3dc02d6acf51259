"""Files that hide what they do, and those that only look as if."""

from __future__ import annotations

import base64
import sys

import pytest

from evaluator.verification.safeguards import unreadable
from tests.sources import source_of

ENCODED = base64.b64encode(bytes(range(256)) * 4)
PNG = b"\x89PNG\r\n\x1a\n\0\0"

VERSION = ".".join(map(str, sys.version_info[:2]))
NOT_PYTHON = (
    f"not Python that can be read by Python {VERSION}, on which fixgate runs; newer syntax "
    "needs a newer one"
)
TOO_DEEP = "code of which more than 150 parts stand within each other"
OLD_GRAMMAR = pytest.mark.skipif(
    sys.version_info >= (3, 13), reason="Python 3.13 reads no grammar older than that of 3.7"
)


@pytest.mark.parametrize(
    ("path", "content", "what"),
    [
        ("p/__pycache__/m.cpython-311.pyc", b"\0", "compiled code"),
        ("tests/helper.cpython-311-x86_64-linux-gnu.so", b"\x7fELF", "compiled code"),
        ("p/m.pyd", b"MZ", "compiled code"),
        ("p/m.wasm", b"\0asm", "compiled code"),
        ("p/state.pkl", b"cos\nsystem\n", "serialised objects"),
        ("p/data.npz", b"PK", "serialised objects"),
        ("vendor/x.whl", b"PK", "an archive"),
        ("lib.zip", b"PK", "an archive"),
        ("x.tar.gz", b"\x1f\x8b", "an archive"),
        ("p/data.bin", b"a\0b", "a binary file"),
        ("docs/logo.png", b"PK\0\0", "a binary file"),
        ("p/m.py", b"print 'x'", NOT_PYTHON),
        ("p/m.py", b"x = 1\0", NOT_PYTHON),
        ("p/m.py", "x = 1".encode("utf-16"), NOT_PYTHON),
        ("p/m.py", b"x = " + b" + ".join([b"a"] * 151), TOO_DEEP),
        ("p/m.py", b"x = " + b"-" * 5000 + b"1", TOO_DEEP),
        ("p/m.py", b"# coding: utf-7\nx = 1", "source in the encoding utf-7"),
        (
            "p/m.py",
            b"#!x\n# -*- coding: unicode_escape -*-\n",
            "source in the encoding unicode_escape",
        ),
        ("p/m.py", b"x = '" + ENCODED + b"'", "encoded content in a literal"),
        ("p/m.py", b"x = b'" + b"\\x00\\xff" * 200 + b"'", "encoded content in a literal"),
        ("p/m.py", "x = '\u202e1'".encode(), "text that is shown in another order than it runs in"),
        ("p/\udcff.py", b"", "a name that cannot be shown"),
        ("p/\u202etxt.py", b"", "a name that cannot be shown"),
    ],
)
def test_what_cannot_be_read_is_named(path: str, content: bytes, what: str) -> None:
    assert [c.what for c in unreadable({path: content}, source_of({}))] == [what]


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("p/m.py", b"# -*- coding: utf-8 -*-\nx = 1"),
        ("p/m.py", b"# vim: set fileencoding=latin-1\nx = '\xe9'"),
        ("p/m.py", b"\xef\xbb\xbfx = 1"),
        pytest.param("p/m.py", b"def f(async): pass", marks=OLD_GRAMMAR),
        ("p/m.py", b"x = '" + b"word " * 200 + b"'"),
        ("docs/logo.png", PNG),
        ("tests/data/python2.py", b"print 'x'"),
        ("tests/data/x.zip", b"PK\0"),
        ("template/m.py-tpl", b"{{ x }}"),
        ("README.md", "\u00e9".encode()),
    ],
)
def test_what_can_be_read_or_does_not_run_is_not(path: str, content: bytes) -> None:
    assert unreadable({path: content}, source_of({})) == ()


def test_what_was_there_before_and_what_goes_is_nobodys_fault() -> None:
    old = b"# coding: cp1252\nx = '" + ENCODED + b"'\n"
    assert unreadable({"p/m.py": old + b"y = 1\n", "x.zip": None}, {"p/m.py": old}.get) == ()
