"""What must hold of a statement, spelled as statements of a test."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.languages.python.parsing import parsed
from generator.languages.python.issue_only.frameworks import TestStyle
from generator.languages.python.issue_only.matching import STDOUT, VALUE
from generator.languages.python.issue_only.symptoms import (
    Differs,
    Equals,
    OfOne,
    Raises,
    Reads,
    Runs,
)

_DRAWING = frozenset({"pprint", "pretty_print"})


def demanded(source: str, demand: OfOne, unicode: bool, style: TestStyle) -> list[str]:
    """The statement with what must hold of it. `unicode` is how expressions are drawn."""
    if isinstance(demand, Runs):
        return _running(source, demand.shown_by)
    if isinstance(demand, Raises):
        return list(_raising(source, demand.exception, style))
    if isinstance(demand, Equals):
        return _equal(operand(expression(source)), demand)
    return list(_seen(source, demand, unicode))


def _running(source: str, shown_by: str) -> list[str]:
    if not shown_by:
        return [source]
    if shown_by.startswith("_repr_"):
        return [f"{operand(expression(source))}.{shown_by}()"]
    imports = ["from sympy import latex"] if shown_by == "latex" else []
    return [*imports, f"{shown_by}({expression(source)})"]


def gathered(source: str, look: Differs, unicode: bool) -> list[str]:
    """The statement as one that adds what is seen of it to the list `shown`."""
    view = _view(source, "repr" if look.way == VALUE else look.way, unicode)
    return [*view.before, f"shown.append({view.text})"]


def any_differs(looks: Sequence[Differs]) -> str:
    """That the list `shown` is not what it is on the base commit."""
    spelled = [textwrap.indent("\n".join(_lines(look.actual)), "    ") for look in looks]
    return "assert shown != [\n" + "".join(f"{text},\n" for text in spelled) + "]"


def expression(source: str) -> str:
    """The expression that a statement is, or that a call of `print` shows."""
    tree = parsed(source)
    last = tree.body[-1] if tree and tree.body else None
    if not isinstance(last, ast.Expr):
        return source
    call = _shown_call(source)
    node = call.args[0] if call is not None and len(call.args) == 1 else last.value
    code = ast.get_source_segment(source, node) or source
    return ast.unparse(node) if "\n" in code else code


def operand(code: str) -> str:
    """An expression that can stand beside an operator or before a dot."""
    return code if _is_tight(code) else f"({code})"


@dataclass(frozen=True)
class _View:
    """An expression for the text that is looked at, and the statements that lead to it."""

    before: tuple[str, ...]
    text: str


def _seen(source: str, demand: Differs | Reads, unicode: bool) -> Iterator[str]:
    if isinstance(demand, Differs) and demand.way == VALUE:
        yield _unlike(operand(expression(source)), demand.actual)
        return
    view = _view(source, demand.way, unicode)
    yield from view.before
    if isinstance(demand, Reads):
        yield f"shown = {view.text}"
        yield f"assert ''.join(shown.split()) == {literal(''.join(demand.expected.split()))}"
    else:
        yield f"assert {view.text} != {literal(demand.actual)}"


def _equal(code: str, demand: Equals) -> list[str]:
    wanted = demand.expected.strip()
    if demand.array:
        return [
            "from numpy.testing import assert_array_equal",
            f"assert_array_equal({code}, {wanted})",
        ]
    if wanted in ("True", "False"):
        return [f"assert {code}" if wanted == "True" else f"assert not {code}"]
    return [f"assert {code} == {operand(wanted)}"]


def _view(source: str, way: str, unicode: bool) -> _View:
    call = _shown_call(source)
    if way == STDOUT and (call is None or len(call.args) != 1 or _redirects(call)):
        captured = "with contextlib.redirect_stdout(output):\n" + textwrap.indent(source, "    ")
        return _View(
            ("import contextlib", "import io", "output = io.StringIO()", captured),
            "output.getvalue().rstrip()",
        )
    if way == "pretty" or (way == STDOUT and call is not None and _name(call) in _DRAWING):
        options = _options(call, unicode) if way == STDOUT else f", use_unicode={unicode}"
        return _View(("from sympy import pretty",), f"pretty({expression(source)}{options})")
    return _View((), f"{'str' if way == STDOUT else way}({expression(source)})")


def _shown_call(source: str) -> ast.Call | None:
    """The call of `print` or one like it that a statement is."""
    tree = parsed(source)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return None
    call = tree.body[0].value
    if isinstance(call, ast.Call) and _name(call) in _DRAWING | {"print"}:
        return None if any(isinstance(a, ast.Starred) for a in call.args) else call
    return None


def _name(call: ast.Call) -> str:
    function = call.func
    return getattr(function, "id", getattr(function, "attr", ""))


def _redirects(call: ast.Call) -> bool:
    return _name(call) == "print" and bool(call.keywords)


def _options(call: ast.Call | None, unicode: bool) -> str:
    """The keywords of a `pprint`, for `pretty`."""
    given = call.keywords if call else []
    keywords = [f", {ast.unparse(keyword)}" for keyword in given]
    chosen = any(keyword.arg == "use_unicode" for keyword in given)
    return "".join(keywords) + ("" if chosen else f", use_unicode={unicode}")


def _unlike(code: str, actual: str) -> str:
    if actual in ("True", "False"):
        return f"assert not {code}" if actual == "True" else f"assert {code}"
    return f"assert {code} != {actual}"


def _is_tight(code: str) -> bool:
    """Whether code can stand beside an operator without parentheses."""
    tree = parsed(code)
    node = tree.body[0] if tree and len(tree.body) == 1 else None
    loose = ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.Lambda | ast.UnaryOp | ast.Tuple
    return isinstance(node, ast.Expr) and not isinstance(node.value, loose)


def _raising(source: str, exception: str, style: TestStyle) -> Iterator[str]:
    inner = textwrap.indent(source, "    ")
    if style.helpers:
        yield "import pytest"
        yield f"with pytest.raises({exception}):\n{inner}"
    elif style.case:
        yield f"with self.assertRaises({exception}):\n{inner}"
    else:
        yield f"try:\n{inner}\nexcept {exception}:\n    raised = True\nelse:\n    raised = False"
        yield "assert raised"


def literal(text: str) -> str:
    """A text as Python spells it, one line of it a line."""
    lines = _lines(text)
    return lines[0] if len(lines) == 1 else "(\n" + "\n".join(f"    {x}" for x in lines) + "\n)"


def _lines(text: str) -> list[str]:
    """The literals that a text is put together from, one for each of its lines."""
    return [repr(line) for line in text.splitlines(keepends=True)] or ["''"]
