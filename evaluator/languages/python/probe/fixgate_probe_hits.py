"""Count how often chosen lines of chosen files are executed, by compiling counters into them.

Only the files that hold such lines are touched, so everything else runs at full speed. A counter is
`itertools.count().__next__`, which is atomic and adds no Python frame; it is a constant of the code
object, so that no name appears in the module.
"""

import ast
import dis
import importlib.machinery
import itertools
import os
import runpy
import sys
import types
import warnings

import fixgate_probe_rewrite as rewrite

DEEP = 20000
IMPORT_SYSTEM = "<frozen importlib._bootstrap_external>"
"""The file that the import system's own frames name."""


class Counters:
    """The counters of all traced lines of one tree; they outlive re-imports."""

    def __init__(self, tree, traced):
        self.tree = os.path.realpath(tree)
        self.counters = {
            os.path.realpath(os.path.join(tree, path)): {line: Counter(path, line) for line in lines}
            for path, lines in traced.items()
        }
        self.names = {os.path.basename(path) for path in self.counters}
        self.resolved = {}
        self.reported = {}
        self.untraced = ignore

    def install(self):
        """Have every file that is compiled from now on pass through `compile`, if it is traced."""
        hide_frames(sys.modules[__name__])
        hide_frames(rewrite)
        loader = importlib.machinery.SourceFileLoader
        self.watch_loader(loader)
        runpy.compile = self.compile

    def watch_loader(self, loader):
        """Give loaders of traced files, and only those, a `get_code` of their own.

        It never reads a `.pyc`, which would hold code without counters. Loaders of other files stay
        as they are, down to the frames in their tracebacks.
        """
        original = loader.__init__
        counters = self

        def __init__(self, fullname, path):
            original(self, fullname, path)
            if counters.lines_of(path) and own_compilation(self):
                self.get_code = lambda name=None: counters.code_of(self, path)

        loader.__init__ = __init__

    def code_of(self, loader, path):
        return self.compile(loader.get_data(path), path, "exec", dont_inherit=True)

    def lines_of(self, filename):
        """Counters by line for a file name as the compiler sees it; {} for all other files."""
        if not isinstance(filename, (str, bytes)):
            return {}
        name = os.fsdecode(filename)
        if os.path.basename(name) not in self.names:
            return {}
        if name not in self.resolved:
            self.resolved[name] = self.counters.get(os.path.realpath(name), {})
        return self.resolved[name]

    def compile(self, source, filename, mode, flags=0, dont_inherit=True, optimize=-1, **options):
        """Like the builtin `compile`, with counters in modules of traced files."""
        arguments = (filename, mode, flags, True, optimize)
        code = compile(source, *arguments, **options)
        counters = self.lines_of(filename)
        if mode != "exec" or not counters or not isinstance(code, types.CodeType):
            return code
        try:
            return counted(source, code, counters, arguments, options)
        except Exception as error:
            self.untraced(relative(filename, self.tree), repr(error))
            return code

    def risen(self):
        """{path: {line: executions so far}} of the lines that were executed since the last call."""
        risen = {}
        for counters in self.counters.values():
            for line, counter in counters.items():
                value = counter.value()
                if value != self.reported.get(counter, 0):
                    self.reported[counter] = value
                    risen.setdefault(counter.path, {})[line] = value
        return risen


class Counter:
    """The number of executions of one line. `hit` counts one and returns a true value."""

    def __init__(self, path, line):
        self.path = path
        self.state = itertools.count(1)
        self.hit = self.state.__next__
        self.placeholder = "fixgate counter %s:%d" % (path, line)

    def value(self):
        """Read without counting: the representation is `count(NEXT)`."""
        return int(repr(self.state)[len("count(") : -1]) - 1


def ignore(path, reason):
    pass


def hide_frames(module):
    """Have a module's frames look like the import system's, in the middle of which they run.

    Tests may trace what is executed, and tracers look away from what is imported through.
    """
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    own = [each for each in classes if each.__module__ == module.__name__]
    for function in [each for scope in [module] + own for each in vars(scope).values()]:
        if isinstance(function, types.FunctionType) and function.__module__ == module.__name__:
            function.__code__ = renamed(function.__code__, IMPORT_SYSTEM)


def own_compilation(loader):
    """Whether a loader compiles as Python itself does (import hooks of others are left alone)."""
    plain = importlib.machinery.SourceFileLoader
    kind = type(loader)
    return kind.get_code is plain.get_code and kind.source_to_code is plain.source_to_code


def relative(filename, tree):
    return os.path.relpath(os.path.realpath(os.fsdecode(filename)), tree)


def counted(source, code, counters, arguments, options):
    """The code object of the same module with counters at the wanted lines that hold code."""
    lines = line_starts(code).intersection(counters)
    if not lines:
        return code
    filename, mode, flags, _, optimize = arguments
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEP))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = source
            if not isinstance(source, ast.AST):
                tree = compile(source, filename, mode, flags | ast.PyCF_ONLY_AST, True, optimize)
            rewrite.insert(tree, lines, lambda line: counters[line].placeholder)
            changed = compile(tree, filename, mode, flags, True, optimize, **options)
    finally:
        sys.setrecursionlimit(limit)
    return embedded(changed, {item.placeholder: item.hit for item in counters.values()})


def line_starts(code):
    """All lines of a code object, and of those inside it, at which a tracer would stop."""
    lines = {line for _, line in dis.findlinestarts(code) if line}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            lines |= line_starts(constant)
    return lines


def embedded(code, counters):
    """The code object with the counters in the place of their placeholders."""
    return rebuilt(
        code, code.co_filename, lambda each: counters.get(each, each) if type(each) is str else each
    )


def renamed(code, filename):
    """The code object, and those inside it, of a file of another name."""
    return rebuilt(code, filename, lambda each: each)


def rebuilt(code, filename, constant):
    """The code object, and those inside it, of a file and with what `constant` makes of each."""
    constants = tuple(
        rebuilt(each, filename, constant) if isinstance(each, types.CodeType) else constant(each)
        for each in code.co_consts
    )
    if hasattr(code, "replace"):
        return code.replace(co_consts=constants, co_filename=filename)
    return types.CodeType(
        code.co_argcount,
        code.co_kwonlyargcount,
        code.co_nlocals,
        code.co_stacksize,
        code.co_flags,
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        filename,
        code.co_name,
        code.co_firstlineno,
        code.co_lnotab,
        code.co_freevars,
        code.co_cellvars,
    )
