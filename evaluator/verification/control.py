"""The control of an acceptance: tests that must fail, in the place of those that passed.

Code and tests share one process, so that code can have any test pass: by what it returns (an object
that equals everything), or by changing what runs it. It cannot know that this time the tests were
turned round. A test that passes all the same says nothing about the change.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from evaluator.diff import Changes
from evaluator.evaluation import Revision, Transition
from evaluator.execution import Executor, Subject
from evaluator.judge import Judgement
from evaluator.outcome import Run, Status
from evaluator.python_source import Function, function_of, parsed

_HELD = "fixgate: what must not hold held"
_UNTRIED = "fixgate: no assertion was tried"
_SEEN = "fixgate_seen"
_NOTE = f"{_SEEN}.append(1)"
_EQUAL = re.compile(r"assert(?!.*not)\w*(equals?|allclose|is)", re.IGNORECASE)
_TRUTH = frozenset({"assertTrue", "assertFalse", "assert_"})
_FIRST = frozenset({"assertIn", "assertIsNone"})


def insensitive(
    executor: Executor, subject: Subject, tests: Changes, judgement: Judgement
) -> tuple[Transition, ...]:
    """The tests that a change turns from failing to passing, if all pass whatever they assert.

    Runs them once more on the fixed side, with their assertions turned false. Where what a test
    does cannot be found in its file, nothing is said of it.
    """
    spoiled = {path: spoil(tests.contents.get(path) or b"") for path in judgement.files}
    names = {path: found for path, (found, _) in spoiled.items()}
    reproducing = (t for t in judgement.transitions if t.kind == "F->P" and not t.flaky)
    told = [t for t in reproducing if function_of(t.test) in names.get(t.file, ())]
    if not told:
        return ()
    contents = {path: content for path, (_, content) in spoiled.items() if names[path]}
    changes = tests.merged(Changes(contents))
    run = executor.run(subject, Revision.FIXED, changes, judgement.files)
    passing = tuple(t for t in told if _passes(run, t))
    return passing if len(passing) == len(told) else ()


def spoil(content: bytes) -> tuple[frozenset[str], bytes]:
    """A test file whose tests must fail where its own pass, and the names of these tests.

    What is compared is compared with something else, what must be true must be false; where a test
    asserts nothing that can be turned round, it fails at its end. Without a test, or where the
    file is no Python of this version, there is no name.
    """
    tree = parsed(content)
    if tree is None:
        return frozenset(), content
    functions = [node for node in ast.walk(tree) if isinstance(node, Function) and _is_test(node)]
    for function in functions:
        _spoil(function)
    names = frozenset(function.name for function in functions)
    return names, ast.unparse(ast.fix_missing_locations(tree)).encode()


def _is_test(node: Function) -> bool:
    return node.name.startswith("test") or node.name == "runTest"


def _spoil(function: Function) -> None:
    if any(isinstance(node, ast.Return) for node in _own_nodes(function)):
        # Whatever its end, it fails; whether its assertions were tried cannot be told.
        end = _code(f"raise AssertionError({_UNTRIED!r})")
        function.body = [ast.Try(body=function.body, handlers=[], orelse=[], finalbody=end)]
        return
    turning = _Turning()
    body = (turning.visit(statement) for statement in function.body)
    turned = [part for found in body for part in (found if isinstance(found, list) else [found])]
    end = _code(f"raise AssertionError({_HELD!r} if {_SEEN} else {_UNTRIED!r})")
    function.body = [*_code(f"{_SEEN} = []"), *turned, *end]


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """Everything in a function but for what is in functions and classes inside it."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            pending.extend(ast.iter_child_nodes(node))


def _code(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


class _Turning(ast.NodeTransformer):
    """Turns assertions round, each after a note that it was come to."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        match node.test:
            case ast.Compare(ops=[*_, ast.Eq() | ast.Is()], comparators=[*_, _]) as compared:
                compared.comparators[-1] = _something_else()
            case test:
                node.test = ast.UnaryOp(op=ast.Not(), operand=test)
        return [*_code(_NOTE), node]

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        match node.value:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) as call:
                return [*_code(_NOTE), node] if _turned(name, call.args) else node
        return node


def _turned(name: str, arguments: list[ast.expr]) -> bool:
    """Turn the arguments of a call that asserts something; False for any other call."""
    if name in _TRUTH and arguments:
        arguments[0] = ast.UnaryOp(op=ast.Not(), operand=arguments[0])
    elif name in _FIRST and arguments:
        arguments[0] = _something_else()
    elif _EQUAL.fullmatch(name) and len(arguments) > 1:
        arguments[1] = _something_else()
    else:
        return False
    return True


def _something_else() -> ast.expr:
    """An object that nothing equals."""
    return ast.parse("object()", mode="eval").body


def _passes(run: Run, transition: Transition) -> bool:
    """Whether a test passes that must not, or all that was turned round in it holds."""
    if run.status_of(transition.test, transition.file) is Status.PASSED:
        return True
    outcome = run.outcomes.get(transition.test)
    failure = outcome.failure if outcome else None
    return failure is not None and _HELD in failure.message
