"""Conditions on the process, the machine or the moment: what tells a run here from use elsewhere.

A run of tests has one user, few threads and one day of the calendar. Code that is right for these
only passes every test.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.languages.java.safeguards.places import Places
from evaluator.languages.java.safeguards.tables import table_asked, tables, with_default
from evaluator.languages.java.sources.declarations import METHODS, fields_named, static_imports
from evaluator.languages.java.syntax import field, found, text, walk

_MOMENTS = (
    "(?:Instant|Local(?:Date|Time)|Year|YearMonth|MonthDay|(?:Local|Zoned|Offset)(?:Date)?Time)"
)
_FILE = r'new(?:java\.io\.)?File\("[^"]*"\)'
_OF_A_FILE = (
    r"(?:exists|isFile|isDirectory|isHidden|canRead|canWrite|canExecute|length|lastModified|list"
    r"|listFiles|get(?:Free|Total|Usable)Space|get(?:Absolute|Canonical)(?:Path|File))"
)
_PATH = r'(?:[a-z]\w*\.)*Paths?\.(?:get|of)\("[^"]*"\)'
_ASKED = re.compile(
    r"(?:[a-z_]\w*\.)*(?:"
    r'System\.(?:getProperty\("(?:user\.|sun\.java\.command|java\.class\.path|surefire|basedir).*'
    r"|currentTimeMillis\(\)|nanoTime\(\)|getenv\(.*|console\(\)|identityHashCode\(.*"
    r"|getProperties\(\).*)"
    rf"|{_MOMENTS}\.now\(.*|(?:Clock|InstantSource)\.(?:system|tick)\w*\(.*"
    r"|new(?:[a-z]\w*\.)*Date\(\).*"
    r"|(?:Calendar\.getInstance\([^()]*\)|new(?:[a-z]\w*\.)*GregorianCalendar\(\))\.get.*"
    r"|(?:Strict)?Math\.random\(\)|ThreadLocalRandom\.current\(\).*"
    r"|new(?:[a-z]\w*\.)*(?:Secure|Splittable)?Random\(\).*"
    r"|Runtime\.getRuntime\(\)\.(?:availableProcessors|(?:max|total|free)Memory)\(\)"
    r"|(?:\w+\.)*getDefault\(\)|Files\.exists\(.*|InetAddress\.getLocalHost\(\).*"
    rf"|{_FILE}\.{_OF_A_FILE}\(\).*|File\.listRoots\(\).*|Files\.\w+\({_PATH}.*"
    rf"|{_PATH}\.to(?:AbsolutePath|RealPath)\(.*|UUID\.randomUUID\(\).*"
    r"|ZoneId\.systemDefault\(\).*|GraphicsEnvironment\.\w+\(.*|Security\.getProviders\(\).*"
    r"|newObject\(\)\.hashCode\(\)|Package\.getPackages\(\).*|ModuleLayer\.boot\(\).*"
    r"|ForkJoinPool\.(?:commonPool|getCommonPoolParallelism)\(\).*"
    r"|Thread\.get(?:DefaultUncaughtExceptionHandler|AllStackTraces)\(\).*"
    rf"|(?:System::(?:currentTimeMillis|nanoTime|getProperty|getenv)|Math::random|{_MOMENTS}::now)"
    r"|Thread\.currentThread\(\)\.(?:getName|getId|threadId|getThreadGroup|getContextClassLoader"
    r"|isDaemon|getPriority)\(\).*"
    r'|Thread\.activeCount\(\)|Logger\.getLogger\(""\).*|LogManager\.getLogManager\(\).*'
    r")"
    r"|.*\bdesiredAssertionStatus\(\)"
    r"|.*\bget(?:DefinedPackages|ProtectionDomain|CodeSource)\(\).*"
    r"|.*\bgetClassLoader\(\)\.(?:getClass|getName|getParent)\(\).*"
    r"|(?:Boolean\.getBoolean|Integer\.getInteger|Long\.getLong)\(.*"
)
_ASKING = ("method_invocation", "object_creation_expression", "method_reference")
_WITH_CONDITION = (
    *("if_statement", "ternary_expression", "while_statement", "do_statement", "for_statement"),
    "switch_expression",
)
_TRUTHS = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_MOST_PARTS = 200
_MOST_OF_A_VALUE = 2000
_LONGEST = 60
"""Sources from outside have expressions of any length: their beginnings are read."""


def conditions(root: Node) -> Iterator[str]:
    """What the conditions of a file ask for."""
    asking = _Asking(dict(static_imports(root)), tables(root))
    shared = {**dict(asking.by_fields(root)), **dict(asking.by_methods(root))}
    methods, asked_about = Places(found(root, *METHODS)), Places(_conditions(root))
    held = [dict(asking.by_variables(method)) for method in methods.outermost]
    # The last one is for what stands in no method.
    held.append({})
    for node in found(root, "identifier", *_ASKING):
        if asked_about.place(node) < 0:
            continue
        if node.type == "identifier":
            asked = held[methods.place(node)].get(text(node)) or shared.get(text(node))
        else:
            asked = asking.asked_by(node)
        if asked:
            yield f"a condition on {asked}"


def _conditions(root: Node) -> Iterator[Node]:
    for node in found(root, "binary_expression", "method_invocation", *_WITH_CONDITION):
        match node.type:
            case "binary_expression":
                condition = node if text(field(node, "operator")) in _TRUTHS else None
            case "method_invocation":
                condition = with_default(node)
            case _:
                condition = field(node, "condition")
        if condition is not None:
            yield condition


@dataclass(frozen=True)
class _Asking:
    """Knows what expressions ask for.

    `owners` are the classes of statically imported names, `tables` what is read from files.
    """

    owners: Mapping[str, str]
    tables: Set[str]

    def asked_by(self, node: Node) -> str:
        """What a call or a new object asks for; "" for nothing that is known."""
        if node.type == "method_invocation" and (table := table_asked(node, self.tables)):
            # Not what is asked of it: a look-up that stood before may ask otherwise.
            return f"what files hold ({table[:_LONGEST]})"
        prefix = ""
        if node.type == "method_invocation" and field(node, "object") is None:
            owner = self.owners.get(text(field(node, "name")), "")
            prefix = f"{owner}." if owner else ""
        said = prefix + "".join(_tokens(node))
        if _ASKED.fullmatch(said) is None:
            return ""
        short = node.end_byte - node.start_byte < _MOST_PARTS
        return (prefix + " ".join(text(node).split()) if short else said)[:_LONGEST]

    def by_variables(self, method: Node) -> Iterator[tuple[str, str]]:
        """The variables of a method that are set to what asks for something, and for what."""
        yield from self._declared(method)
        for assignment in found(method, "assignment_expression"):
            yield from self._named(text(field(assignment, "left")), field(assignment, "right"))

    def by_fields(self, root: Node) -> Iterator[tuple[str, str]]:
        """The same for what classes hold."""
        for declaration in found(root, "field_declaration"):
            yield from self._declared(declaration)

    def by_methods(self, root: Node) -> Iterator[tuple[str, str]]:
        """The methods that return such."""
        around: list[Node] = []
        for node in found(root, "return_statement", *METHODS):
            while around and around[-1].end_byte <= node.start_byte:
                around.pop()
            if node.type in METHODS:
                around.append(node)
            elif around:
                yield from self._named(text(field(around[-1], "name")), node)

    def _declared(self, node: Node) -> Iterator[tuple[str, str]]:
        for name, declarator in fields_named(node):
            yield from self._named(name, field(declarator, "value"))

    def _named(self, name: str, value: Node | None) -> Iterator[tuple[str, str]]:
        parts = [] if value is None else itertools.islice(walk(value), _MOST_OF_A_VALUE)
        calls = (part for part in parts if part.type in _ASKING)
        yield from ((name, asked) for call in calls if (asked := self.asked_by(call)))


def _tokens(node: Node) -> Iterator[str]:
    """The first tokens of an expression, without blanks and comments."""
    for part in itertools.islice(walk(node), _MOST_PARTS):
        if part.child_count == 0 and "comment" not in part.type:
            yield re.sub(r"\s", "", text(part)[:_MOST_PARTS])
