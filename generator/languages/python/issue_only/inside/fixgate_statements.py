"""Run statements one after the other in one namespace and write down what each of them did.

    python fixgate_statements.py PROGRAM.json RESULTS.jsonl

The program holds `setup` (source that is run first, in silence, and may define a function
`before_each`, which is then called before each statement), `statements` (each with `source`
and `texts`, pieces of code that its value is compared with), `packages` (where names that nobody
defined are looked for), `unicode`, `displays`, `seconds` (for each statement) and `total_seconds`, after
which no more statements are begun.
"""

import ast
import builtins
import contextlib
import io
import json
import operator
import os
import signal
import sys
import time
import traceback
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.getcwd()
sys.path.append(HERE)

import fixgate_names  # noqa: E402

LONGEST = 20000
CLOCK_SECONDS = 4
MAIN = "<issue>"


class Slow(BaseException):
    """A statement takes longer than it may."""


class StatementOutput(io.StringIO):
    """Where statements print to: a terminal that knows all characters, as far as they can see."""

    encoding = "utf-8"
    errors = "strict"


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        program = json.load(stream)
    with open(sys.argv[2], "w", encoding="utf-8") as results:
        StatementSession(program).run(results)
        results.flush()
        # Threads and exit handlers of the target are not waited for.
        os._exit(0)


class StatementSession:
    def __init__(self, program):
        self.program = program
        self.namespace = {"__name__": "__main__", "__builtins__": builtins}
        self.names = fixgate_names.Names(program["packages"], os.getcwd())
        self.number = 0
        self.lost = set()
        self.before_each = None

    def run(self, results):
        if self.program.get("setup"):
            exec(compile(self.program["setup"], "<setup>", "exec"), self.namespace)
            self.before_each = self.namespace.pop("before_each", None)
        end = self.program["total_seconds"]
        for statement in self.program["statements"]:
            if time.process_time() > end:
                break
            self.number += 1
            if self.before_each is not None:
                self.before_each()
            result = self.result_of(statement)
            results.write(json.dumps(result) + "\n")
            results.flush()

    def result_of(self, statement):
        """Run one statement and describe what it did."""
        output = StatementOutput()
        result = {"imports": [], "texts": []}
        with warnings.catch_warnings(), contextlib.redirect_stdout(output):
            warnings.simplefilter("ignore")
            with limited(self.program["seconds"]):
                try:
                    self.execute(statement, result)
                except BaseException as error:  # whatever the target raises is what is asked for
                    result["error"] = self.described(error)
                    self.lost |= fixgate_names.bound_at_top(statement["source"])
        result["stdout"] = output.getvalue()[:LONGEST]
        return result

    def execute(self, statement, result):
        self.draw_as_shown()
        tree = ast.parse(statement["source"])
        module = fixgate_names.star_module(tree)
        if module is not None:
            self.names.add_star(module)
            return
        result["imports"] = self.provide(tree)
        self.remember_source(statement["source"])
        if isinstance(tree.body[-1], ast.Expr):
            self.evaluate(tree, statement, result)
        else:
            exec(self.compiled(tree, "exec"), self.namespace)

    def draw_as_shown(self):
        """Have sympy print with the characters that the issue shows, whatever the terminal."""
        drawing = sys.modules.get("sympy.printing.pretty.pretty_symbology")
        if hasattr(drawing, "pretty_use_unicode"):
            drawing.pretty_use_unicode(self.program["unicode"])

    def provide(self, tree):
        """Import what the statement uses and nobody defined; the lines that do so."""
        lines = []
        for name, attributes in fixgate_names.free_names(tree, self.namespace):
            line = None if name in self.lost else self.names.line_for(name, attributes, self.namespace)
            if line is not None:
                exec(line, self.namespace)
                lines.append(line)
        return lines

    def compiled(self, tree, mode):
        return compile(tree, self.file(), mode, 0, True)

    def file(self):
        return "<issue-%d>" % self.number

    def remember_source(self, source):
        """Let `inspect` find the source, as in an interactive session that keeps it."""
        import linecache

        lines = [line + "\n" for line in source.split("\n")]
        linecache.cache[self.file()] = (len(source), None, lines, self.file())

    def evaluate(self, tree, statement, result):
        last = tree.body.pop()
        if tree.body:
            exec(self.compiled(tree, "exec"), self.namespace)
        shown = printed_argument(last.value)
        value = self.value_of(last.value if shown is None else shown)
        if shown is not None:
            # What is printed is looked at as a value, too, and printed then.
            self.namespace["_"] = value
            last.value.args = [ast.copy_location(ast.Name("_", ast.Load()), shown)]
            self.value_of(last.value)
        if value is None:
            return
        self.namespace["_"] = value
        result["views"] = self.views(value, result)
        result["type"] = type(value).__name__
        result["texts"] = [self.compared(value, text, result) for text in statement["texts"]]

    def value_of(self, node):
        return eval(self.compiled(ast.Expression(node), "eval"), self.namespace)

    def views(self, value, result):
        """The texts that a value can be shown as, by the name of the way."""
        found = {}
        for how, show in self.ways(value):
            try:
                found[how] = str(show(value))[:LONGEST]
            except Exception as error:
                if how not in ("str", "pretty"):
                    result.setdefault("error", dict(self.described(error), shown_by=how))
        return found

    def ways(self, value):
        yield "repr", repr
        yield "str", str
        sympy = sys.modules.get("sympy")
        if hasattr(sympy, "pretty"):
            unicode = self.program["unicode"]
            yield "pretty", lambda value: sympy.pretty(value, use_unicode=unicode)
        if self.program["displays"]:
            for method in ("_repr_html_", "_repr_latex_", "_repr_png_", "_repr_svg_"):
                if hasattr(type(value), method):
                    yield method, operator.methodcaller(method)
            if hasattr(sympy, "Basic") and isinstance(value, sympy.Basic):
                yield "latex", sympy.latex

    def compared(self, value, text, result):
        """Whether text is code with the same value; None where it is no code."""
        try:
            tree = ast.parse(text.strip(), mode="eval")
            result["imports"] += self.provide(tree)
            other = eval(compile(tree, "<text>", "eval"), self.namespace)
            return bool(same(value, other))
        except Exception:
            return None

    def described(self, error):
        return {
            "type": type(error).__name__,
            "names": [kind.__name__ for kind in type(error).__mro__],
            "message": text_of(error),
            "frames": self.frames(error),
            "causes": [[type(cause).__name__, text_of(cause)] for cause in causes(error)],
            "slow": isinstance(error, Slow),
        }

    def frames(self, error):
        """[file, line, function] from the statement to where it was raised."""
        found = traceback.extract_tb(error.__traceback__)
        return [
            [os.path.relpath(f.filename) if os.path.isabs(f.filename) else f.filename, f.lineno, f.name]
            for f in found
            if os.path.dirname(os.path.abspath(f.filename)) != HERE
        ][-60:]


def printed_argument(node):
    """The one thing that a call of `print` or `pprint` shows, None for any other expression."""
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name not in ("print", "pprint", "pretty_print") or isinstance(node.args[0], ast.Starred):
        return None
    return node.args[0]


@contextlib.contextmanager
def limited(seconds):
    """Stop a statement after so much time of the processor, or a multiple of it by the clock."""

    def stop(number, frame):
        raise Slow()

    signal.signal(signal.SIGPROF, stop)
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(CLOCK_SECONDS * seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)


def same(value, other):
    numpy = sys.modules.get("numpy")
    if numpy is not None and (hasattr(value, "shape") or hasattr(other, "shape")):
        try:
            numpy.testing.assert_array_equal(value, other)
        except AssertionError:
            return False
        return True
    return value == other


def causes(error):
    """The exceptions that led to one, the nearest first."""
    found = []
    while error is not None and len(found) < 10:
        error = error.__cause__ or error.__context__
        if error is not None:
            found.append(error)
    return found


def text_of(error):
    try:
        return str(error)[:LONGEST]
    except Exception:
        return ""


if __name__ == "__main__":
    main()
