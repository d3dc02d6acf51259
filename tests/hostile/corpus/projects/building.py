"""What the projects' files are built with."""

from __future__ import annotations

from textwrap import dedent


def source(code: str) -> str:
    return dedent(code).lstrip("\n")


def unittest_file(module: str, name: str, body: str) -> str:
    method = "".join(f"        {line}\n" for line in dedent(body).strip().splitlines())
    head = f"import unittest\n\n{module}\n\n\nclass {name}(unittest.TestCase):\n"
    return f"{head}    def test_{name.lower()}(self):\n{method}"


def with_test(text: str, method: str) -> str:
    return f"{text}\n" + "".join(f"    {line}\n" for line in dedent(method).strip().splitlines())
