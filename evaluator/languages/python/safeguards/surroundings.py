"""Conditions on the process, the machine or the moment: what tells a run here from use elsewhere.

A run of tests has few threads, usual limits, no user, and one day of the calendar. Code that is
right for these only passes every test.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evaluator.languages.python.parsing import Function
from evaluator.languages.python.safeguards.imported_names import ImportedNames, assigned

_CALLED: Mapping[str, frozenset[str]] = {
    "sys": frozenset(
        {"getrecursionlimit", "getrefcount", "getswitchinterval", "gettrace", "getprofile"}
        | {"getallocatedblocks", "intern"}
    ),
    "os": frozenset(
        {"getcwd", "getpid", "getppid", "getlogin", "getuid", "geteuid", "getgid", "getegid"}
        | {"getgroups", "getsid", "getpgid", "getpgrp", "uname", "get_terminal_size", "cpu_count"}
        | {"process_cpu_count", "sched_getaffinity", "umask", "nice", "getpriority", "getloadavg"}
        | {"times", "ttyname", "ctermid", "urandom"}
    ),
    "socket": frozenset({"gethostname", "getfqdn", "if_nameindex"}),
    "resource": frozenset({"getrlimit", "getrusage"}),
    "getpass": frozenset({"getuser"}),
    "platform": frozenset({"node", "uname"}),
    "time": frozenset(
        {"time", "time_ns", "localtime", "gmtime", "strftime", "process_time", "thread_time"}
        | {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "ctime", "asctime"}
    ),
    "datetime.datetime": frozenset({"now", "utcnow", "today"}),
    "datetime.date": frozenset({"today"}),
    "shutil": frozenset({"get_terminal_size", "disk_usage"}),
    "random": frozenset(
        {"random", "randint", "randrange", "uniform", "choice", "choices", "sample", "getrandbits"}
        | {"gauss", "betavariate", "triangular", "randbytes", "getstate"}
    ),
    "secrets": frozenset({"randbelow", "randbits", "choice", "token_bytes", "token_hex"}),
    "threading": frozenset(
        {"active_count", "activeCount", "enumerate", "current_thread", "currentThread"}
        | {"main_thread", "get_ident", "get_native_id", "stack_size"}
    ),
    "multiprocessing": frozenset(
        {"current_process", "parent_process", "active_children", "cpu_count"}
    ),
    "locale": frozenset({"getlocale", "setlocale"}),
    "tempfile": frozenset({"gettempdir", "gettempdirb"}),
    "signal": frozenset({"getsignal"}),
    "uuid": frozenset({"getnode", "uuid1", "uuid4"}),
    "email.utils": frozenset({"localtime", "formatdate", "make_msgid"}),
    "http.cookiejar": frozenset({"time2isoz", "time2netscape"}),
    "asyncio": frozenset({"get_running_loop", "_get_running_loop", "current_task", "all_tasks"}),
    "decimal": frozenset({"getcontext"}),
    "importlib.metadata": frozenset({"distributions", "packages_distributions"}),
    "pkgutil": frozenset({"iter_modules", "walk_packages"}),
}
_READ: Mapping[str, frozenset[str]] = {
    "sys": frozenset(
        {"argv", "orig_argv", "flags", "dont_write_bytecode", "path", "stdin", "prefix", "ps1"}
        | {"base_prefix", "exec_prefix", "base_exec_prefix", "executable", "warnoptions"}
        | {"_xoptions"}
    ),
    "time": frozenset({"tzname", "timezone", "altzone", "daylight"}),
    "warnings": frozenset({"filters", "showwarning"}),
    "tempfile": frozenset({"tempdir"}),
    **{
        logger: frozenset({"handlers", "filters", "level", "disabled", "hasHandlers"})
        for logger in ("logging.root", "logging.getLogger()")
    },
}
"""What differs between where a change is judged and where it is used: functions, whatever they are
given, and variables.
"""
_TEXTS_OF_PATHS = frozenset({"join", "basename", "dirname", "split", "splitext", "normpath"})
_TEXTS_OF_PATHS |= {"normcase", "isabs", "commonpath", "commonprefix"}
_TELLING_MODULES: Mapping[str, frozenset[str]] = {
    "os": frozenset(
        {"getenv", "fspath", "fsencode", "fsdecode", "strerror", "open", "pipe", "dup", "fork"}
        | {"wait", "waitpid", "mkdir", "makedirs", "close"}
    ),
    "os.path": _TEXTS_OF_PATHS,
    "posixpath": _TEXTS_OF_PATHS,
    "sys": frozenset(
        {"exc_info", "exit", "getdefaultencoding", "getfilesystemencoding", "getwindowsversion"}
    ),
    "time": frozenset({"sleep"}),
    "socket": frozenset({"socket", "socketpair", "create_connection", "inet_aton", "inet_pton"}),
    "tempfile": frozenset({"mkdtemp", "mkstemp", "mktemp"}),
    "locale": frozenset({"getpreferredencoding"}),
    "shutil": frozenset({"which"}),
    **{
        module: frozenset()
        for module in (
            *("posix", "random", "random.Random()", "random.SystemRandom()", "secrets", "uuid"),
            *("signal", "resource", "pwd", "grp", "site", "zoneinfo", "glob"),
            *("atexit", "faulthandler", "tracemalloc", "webbrowser", "urllib.request", "psutil"),
            *("pathlib.Path", "_thread", "fcntl", "termios"),
        )
    },
}
"""Modules whose functions, given constants or nothing, answer for the process, the machine or the
moment; without those that answer the same everywhere, or that honest code asks.
"""
_ABOUT_FILES = frozenset({"exists", "isdir", "isfile", "ismount", "lexists", "is_dir", "is_file"})
_OF_A_FILE = frozenset({"stat", "lstat", "iterdir", "glob", "rglob", "owner", "group"})
_OF_A_PATH = frozenset(f"os.{n}" for n in ("access", "stat", "lstat", "statvfs", "readlink"))
_OF_A_PATH |= {f"os.path.get{what}" for what in ("size", "mtime", "ctime", "atime")}
_OF_A_PATH |= {"os.listdir", "os.scandir"}
_WITH_DEFAULT = frozenset({"get", "pop", "setdefault"})
"""Methods that look a key up, and do without it."""
_ABSENCES = frozenset({"KeyError", "LookupError"})
_WHATEVER = ast.Name("")


def conditions(tree: ast.Module, names: ImportedNames) -> Iterator[str]:
    """What the conditions in some statements of a module ask for, given its names."""
    asking = _Asking(names)
    shared = {**dict(asking.given_by(tree)), **dict(asking.kept_by(tree))}
    for scope in _scopes(tree):
        held = {**shared, **dict(asking.held(scope))}
        for node in (n for condition in _conditions(scope) for n in ast.walk(condition)):
            if asked := asking.asked_by(node) or held.get(_name(node), ""):
                yield f"a condition on {asked}"


def _name(node: ast.AST) -> str:
    """A variable, or the method that is called of anything; "" for any other expression."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return ""


def _scopes(tree: ast.Module | ast.ClassDef) -> Iterator[ast.AST]:
    """The functions of a module and of its classes with all that is in them, and what is left."""
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            yield from _scopes(statement)
        else:
            yield statement


def _conditions(tree: ast.AST) -> Iterator[ast.expr]:
    """What decides how statements go on."""
    for node in ast.walk(tree):
        yield from _tests(node)
        yield from _attempts(node)


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield test
        case ast.Compare():
            yield node
        case ast.BoolOp(values=[*deciding, _]):
            yield from deciding
        case ast.comprehension(ifs=tests):
            yield from tests
        case ast.match_case(guard=ast.expr() as guard):
            yield guard


def _attempts(node: ast.AST) -> Iterator[ast.expr]:
    """Calls that are made for their exception, and what is searched for a key that it may lack."""
    match node:
        case ast.Try(body=body, handlers=handlers):
            yield from filter(None, map(_only_tried, body))
            caught = {_name(part) for each in handlers if each.type for part in ast.walk(each.type)}
            if caught & _ABSENCES:
                parts = (part for statement in body for part in ast.walk(statement))
                yield from (part.value for part in parts if isinstance(part, ast.Subscript))
        case ast.Call(func=ast.Attribute(value=table, attr=name), args=[_, _]):
            if name in _WITH_DEFAULT:
                yield table


def _only_tried(statement: ast.stmt) -> ast.Call | None:
    """A call that is asked for its exception, whatever it is given; None for anything else."""
    match statement:
        case ast.Expr(value=ast.Call(func=function, args=arguments, keywords=keywords)):
            given = [a if isinstance(a, ast.Constant) else _WHATEVER for a in arguments]
            return ast.Call(function, [*given, *(_WHATEVER for _ in keywords)], [])
    return None


def _parameters(scope: ast.AST) -> set[str]:
    """What callers of a function may give themselves, and those of the functions in it."""
    functions = (node for node in ast.walk(scope) if isinstance(node, Function | ast.Lambda))
    return {
        argument.arg
        for function in functions
        for argument in ast.walk(function.args)
        if isinstance(argument, ast.arg)
    }


@dataclass(frozen=True)
class _Asking:
    """Knows what expressions ask for."""

    names: ImportedNames

    def held(self, scope: ast.AST) -> Iterator[tuple[str, str]]:
        """The variables of a function that are assigned what asks for something, and for what."""
        given = _parameters(scope)
        for name, value in assigned(scope):
            if name not in given:
                yield from self._named(name, value)

    def kept_by(self, module: ast.Module) -> Iterator[tuple[str, str]]:
        """The variables of a module that are assigned such, outside of its functions."""
        for statement in module.body:
            if not isinstance(statement, Function | ast.ClassDef):
                yield from self.held(statement)

    def given_by(self, module: ast.Module) -> Iterator[tuple[str, str]]:
        """The functions that give back what asks for something, and for what."""
        for function in (node for node in ast.walk(module) if isinstance(node, Function)):
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    yield from self._named(function.name, node.value)

    def _named(self, name: str, value: ast.expr) -> Iterator[tuple[str, str]]:
        yield from ((name, asked) for asked in map(self.asked_by, ast.walk(value)) if asked)

    def asked_by(self, node: ast.AST) -> str:
        """What an expression asks for; "" for nothing that is known."""
        match node:
            case ast.Name(id="__debug__" | "__file__" as name):
                return name
            case ast.Name() if self.names.dotted(node) == "__main__":
                return "__main__"
            case ast.Attribute(attr="isatty"):
                return "whether there is a terminal"
            case ast.Call(func=ast.Name(id="len"), args=[ast.Attribute(attr="environ")]):
                return "how many environment variables there are"
            case ast.BinOp(left=ast.Call(func=ast.Name(id="id"))):
                return "the address of an object"
            case ast.Attribute() | ast.Name():
                return _known(self.names.dotted(node), _READ)
            case ast.Call():
                return self._called(node)
        return ""

    def _called(self, call: ast.Call) -> str:
        match call:
            case ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(name))]):
                return _known(f"{self.names.dotted(owner)}.{name}", _READ)
        known = _known(self.names.dotted(call.func), _CALLED)
        return known or self._constantly(call) or self._path(call)

    def _constantly(self, call: ast.Call) -> str:
        """What is asked with constants: what depends on these alone would be a constant, too."""
        owner, _, name = (dotted := self.names.dotted(call.func)).rpartition(".")
        if (
            owner not in _TELLING_MODULES
            or name in _TELLING_MODULES[owner]
            or not name[:1].islower()
        ):
            return ""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return dotted if all(map(self._is_constant, given)) else ""

    def _is_constant(self, value: ast.expr) -> bool:
        if isinstance(value, ast.List | ast.Tuple | ast.Set):
            return all(map(self._is_constant, value.elts))
        return isinstance(value, ast.Constant) or bool(self.names.dotted(value))

    def _path(self, call: ast.Call) -> str:
        """The constant path of whose file a call asks something."""
        match call:
            case ast.Call(func=function, args=[ast.Constant(value=str(path)), *_]) if (
                self.names.dotted(function) in _OF_A_PATH
            ):
                known = True
            case ast.Call(func=ast.Name(id="open"), args=[ast.Constant(value=str(path)), *_]):
                known = True
            case ast.Call(func=ast.Attribute(attr=asked), args=[ast.Constant(value=str(path))]):
                known = asked in _ABOUT_FILES
            case ast.Call(
                func=ast.Attribute(value=ast.Call(args=[ast.Constant(value=str(path))]), attr=asked)
            ):
                known = asked in _ABOUT_FILES or asked in _OF_A_FILE
            case _:
                return ""
        return f"the path {path!r:.40}" if known else ""


def _known(dotted: str, table: Mapping[str, frozenset[str]]) -> str:
    owner, _, name = dotted.rpartition(".")
    return dotted if name in table.get(owner, ()) else ""
