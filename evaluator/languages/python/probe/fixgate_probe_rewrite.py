"""Put a call before, or around, the first thing that is executed on a line.

A statement that begins on a wanted line gets the call before it. An expression that begins there
while what holds it began on another line becomes `call() and expression`: the call returns a true
value, so the expression keeps its own. What runs apart from where it is written (the bodies of
functions, lambdas, generator expressions, loops) counts each time that it runs.
"""

import ast
import sys

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = FUNCTIONS + (ast.ClassDef, ast.Module)
LOOPS = (ast.For, ast.AsyncFor)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NEVER_WRAPPED = (ast.Starred, ast.Slice, ast.FormattedValue)
MATCH_CASE = getattr(ast, "match_case", ())
CONSTANT = (ast.Constant,) if sys.version_info >= (3, 8) else (ast.Constant, ast.Num, ast.NameConstant)
TEXT = ast.Constant if sys.version_info >= (3, 8) else ast.Str
END_OF_FILE = sys.maxsize
# Since 3.10 an attribute on a line of its own is a place where a tracer stops.
ATTRIBUTE_LINES = sys.version_info >= (3, 10)
# Before 3.8 the positions inside f-strings are not those of the file.
FSTRING_POSITIONS = sys.version_info >= (3, 8)
# Annotations are evaluated with the definition, unless they are kept as text or until asked for.
EAGER_ANNOTATIONS = sys.version_info < (3, 14)


def insert(tree, lines, placeholder):
    """Change a module in place; `placeholder(line)` is the constant that is called for a line."""
    insertion = Insertion(tree, lines, placeholder)
    insertion.run(tree)
    insertion.count_with_statements(tree)


class Insertion:
    """One walk over a module, without recursion since expressions can be very deep."""

    def __init__(self, tree, lines, placeholder):
        self.lines = lines
        self.placeholder = placeholder
        self.placed = set()
        self.skipped = {"type_params", "pattern"}
        if not EAGER_ANNOTATIONS or keeps_annotations(tree):
            self.skipped |= {"annotation", "returns"}

    def run(self, tree):
        pending = [(tree, set())]
        while pending:
            node, seen = pending.pop()
            pending.extend(self.visit(node, seen))

    def visit(self, node, seen):
        """Change the children of a node; returns (child, lines already counted) to visit next."""
        children = []
        fields = [field for field in ast.iter_fields(node) if field[0] not in self.skipped]
        inner = self.lines_counted_with(node, seen)
        for name, value in fields:
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                followers = value[1:] + [None]
                pairs = zip(value, followers)
                children.extend((item, inner) for item, next_ in pairs if self.concerns(item, next_))
                setattr(node, name, self.block(node, name, value))
            elif isinstance(value, list):
                children.extend((item, inner) for item in value if isinstance(item, ast.AST))
                setattr(node, name, [self.part(node, name, item, inner) for item in value])
            elif isinstance(value, ast.AST):
                children.append((value, inner))
                setattr(node, name, self.part(node, name, value, inner))
        self.special(node)
        return children

    def concerns(self, statement, following):
        """Whether a wanted line may lie within a statement.

        Its end is not known before 3.8, and not where pytest inserted it.
        """
        end = getattr(statement, "end_lineno", None)
        if end is None:
            end = following.lineno if following else END_OF_FILE
        decorators = getattr(statement, "decorator_list", None)
        first = decorators[0].lineno if decorators else statement.lineno
        return any(first <= line <= end for line in self.lines)

    def lines_counted_with(self, node, seen):
        """Lines on which the parts of a node are not counted again."""
        if isinstance(node, ast.ExceptHandler):
            return set()
        if not isinstance(node, (ast.expr, ast.stmt)) or not can_wrap(node):
            return seen
        lines = {node.lineno}
        if isinstance(node, ast.Call) and attribute_line(node.func):
            lines.add(attribute_line(node.func))
        return lines

    def part(self, node, name, value, seen):
        """A part of a node, wrapped where it is the first on a wanted line."""
        if not isinstance(value, ast.expr) or not can_wrap(value) or inside_text(node, name, value):
            return value
        apart = isinstance(node, ast.Lambda) or isinstance(node, ast.GeneratorExp) and name == "elt"
        if value.lineno not in self.lines or value.lineno in seen and not apart:
            return value
        if not isinstance(node, COMPREHENSIONS):
            seen.add(value.lineno)
        return self.wrapped(value, value.lineno)

    def block(self, node, name, statements):
        """The statements of a block with calls before those that begin a wanted line."""
        result, waiting = [], self.at_start_of_block(node, name)
        previous = None if isinstance(node, FUNCTIONS) else getattr(node, "lineno", None)
        for index, statement in enumerate(statements):
            line = statement.lineno
            if line in self.lines and line != previous and not counts_itself(statement):
                waiting.append(self.statement(statement, line))
            if not must_come_first(node, index, statement):
                result.extend(waiting)
                waiting = []
            result.append(statement)
            previous = line
        return result + waiting

    def at_start_of_block(self, node, name):
        """Calls for the line of a loop, once an iteration, or of an `except` without a type."""
        loop = isinstance(node, LOOPS) and name == "body"
        bare = isinstance(node, ast.ExceptHandler) and node.type is None
        if (loop or bare) and node.lineno in self.lines:
            return [self.statement(node, node.lineno)]
        return []

    def special(self, node):
        """What neither a call before nor one around reaches."""
        if isinstance(node, ast.While) and counts_itself(node) and node.lineno in self.lines:
            if node.test.lineno != node.lineno or not is_wrapped(node.test):
                node.test = self.wrapped(node.test, node.lineno)
        if isinstance(node, ast.GeneratorExp):
            self.count_iterations(node)
        line = attribute_line(node)
        if line in self.lines:
            node.value = self.after(node.value, line)
        if type(node).__name__ == "Match":
            node.cases = [each for case in node.cases for each in self.tried(node, case)]

    def count_iterations(self, node):
        """A generator expression may be run long after it was made."""
        heads = {node.lineno}.union(each.target.lineno for each in node.generators)
        for line in heads.intersection(self.lines) - {node.elt.lineno}:
            node.elt = self.wrapped(node.elt, line)

    def count_with_statements(self, tree):
        """Lines that hold only a piece of something (a target, a kept annotation) count with the
        statement that they belong to."""
        if self.lines <= self.placed:
            return
        for node in list(ast.walk(tree)):
            for name, value in list(ast.iter_fields(node)):
                if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                    setattr(node, name, self.with_pieces(node, value))

    def with_pieces(self, node, statements):
        result = []
        for index, statement in enumerate(statements):
            if not must_come_first(node, index, statement):
                head = range(statement.lineno + 1, end_of_head(statement) + 1)
                pieces = self.lines.intersection(head) - self.placed
                result.extend(self.statement(statement, line) for line in sorted(pieces))
            result.append(statement)
        return result

    def tried(self, node, case):
        """A `case`, after one that never matches and counts that it was come to."""
        pattern = case.pattern
        lines = self.lines.intersection(range(pattern.lineno, pattern.end_lineno + 1))
        return [self.unmatched(pattern, line) for line in sorted(lines - {node.lineno})] + [case]

    def unmatched(self, pattern, line):
        """`case _ if not call(): pass`."""
        guard = ast.UnaryOp(op=ast.Not(), operand=self.call(pattern, line))
        return MATCH_CASE(
            pattern=ast.copy_location(ast.MatchAs(), pattern),
            guard=ast.copy_location(guard, pattern),
            body=[ast.copy_location(ast.Pass(), pattern)],
        )

    def wrapped(self, value, line):
        both = ast.BoolOp(op=ast.And(), values=[self.call(value, line), value])
        return ast.copy_location(both, value)

    def after(self, value, line):
        """The value, with the call made once it is known: `(value, call())[0]`."""
        pair = ast.copy_location(ast.Tuple([value, self.call(value, line)], ast.Load()), value)
        zero = ast.copy_location(ast.Constant(0, kind=None), value)
        index = zero if sys.version_info >= (3, 9) else ast.Index(zero)
        return ast.copy_location(ast.Subscript(pair, index, ast.Load()), value)

    def statement(self, node, line):
        call = self.call(node, line)
        return ast.copy_location(ast.Expr(call), call)

    def call(self, node, line):
        self.placed.add(line)
        function = ast.Constant(self.placeholder(line), kind=None)
        call = ast.Call(func=function, args=[], keywords=[])
        for new in (function, call):
            new.lineno = new.end_lineno = line
            new.col_offset = new.end_col_offset = node.col_offset
        return call


def can_wrap(node):
    """Whether `call() and node` may stand in the place of an expression."""
    if isinstance(node, ast.stmt):
        return True
    context = getattr(node, "ctx", None)
    return isinstance(context, (ast.Load, type(None))) and not isinstance(node, NEVER_WRAPPED)


def inside_text(node, name, value):
    """Whether an expression is a piece of an f-string that must stay what it is."""
    if isinstance(node, ast.JoinedStr):
        return True
    return isinstance(node, ast.FormattedValue) and (name != "value" or not FSTRING_POSITIONS)


def counts_itself(statement):
    """Whether a loop counts its line with its test, so at each iteration."""
    return isinstance(statement, ast.While) and not isinstance(statement.test, CONSTANT)


def is_wrapped(test):
    return isinstance(test, ast.BoolOp) and isinstance(test.values[0], ast.Call)


def attribute_line(node):
    """The line of `.name` where that is not the line on which its value ends, else 0."""
    if not ATTRIBUTE_LINES or not isinstance(node, ast.Attribute) or not can_wrap(node):
        return 0
    if node.end_lineno is None or node.value.end_lineno in (None, node.end_lineno):
        return 0
    return node.end_lineno


def end_of_head(statement):
    """The last line of a statement, of a compound one without its blocks."""
    blocks = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not blocks:
        return getattr(statement, "end_lineno", None) or statement.lineno
    first = getattr(blocks[0], "pattern", blocks[0])
    return max(first.lineno - 1, statement.lineno)


def must_come_first(node, index, statement):
    """Docstrings and `from __future__` keep their place at the head of a block."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    if index or not isinstance(node, DEFINITIONS) or not isinstance(statement, ast.Expr):
        return False
    value = statement.value
    return isinstance(value, TEXT) and isinstance(getattr(value, "value", ""), str)


def keeps_annotations(tree):
    """Whether a module asks for annotations to be kept as text (PEP 563)."""
    return any(
        isinstance(statement, ast.ImportFrom)
        and statement.module == "__future__"
        and any(name.name == "annotations" for name in statement.names)
        for statement in getattr(tree, "body", ())
    )
