"""What in a change's code reaches for the machinery that runs it, found without running it.

Code and tests share one virtual machine, so that code which knows that it is being tested, or which
changes what runs it, can have any test end as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from tree_sitter import Node

from evaluator.languages.java.safeguards.counting import counts
from evaluator.languages.java.safeguards.equality import taken_over
from evaluator.languages.java.safeguards.surroundings import conditions
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.sources.constants import composed
from evaluator.languages.java.sources.declarations import METHODS, declarations, marks
from evaluator.languages.java.sources.test_code import texts_in
from evaluator.languages.java.syntax import field, found, parsed, text

_IMPORTED = re.compile(
    r"(?:org\.(?:junit|testng|hamcrest|opentest4j|assertj|mockito|jacoco|objectweb\.asm)"
    r"|junit|net\.bytebuddy|javassist|sun\.misc|jdk\.internal|java\.lang\.instrument"
    r"|com\.sun\.tools|com\.sun\.jdi|javax\.tools|java\.lang\.management)\b.*"
)
_TYPES = frozenset(
    {"StackWalker", "Unsafe", "Instrumentation", "ClassFileTransformer", "VirtualMachine"}
    | {"ProcessHandle", "SecurityManager", "ThreadMXBean", "RuntimeMXBean", "ToolProvider"}
    | {"ClassLoader", "URLClassLoader", "MethodHandles"}
)
_CALLS: Mapping[str, frozenset[str]] = {
    "System": frozenset(
        {"exit", "setSecurityManager", "load", "loadLibrary", "setOut", "setErr", "setIn", "getenv"}
        | {"setProperty", "setProperties"}
    ),
    "Runtime": frozenset({"halt", "exit", "exec", "addShutdownHook", "load", "loadLibrary"}),
    "Thread": frozenset(
        {"getStackTrace", "getAllStackTraces", "dumpStack", "setDefaultUncaughtExceptionHandler"}
    ),
    "": frozenset(
        {"defineClass", "halt", "addShutdownHook", "getAllStackTraces", "setAccessible"}
        | {"trySetAccessible", "setDefaultUncaughtExceptionHandler", "getStackTrace"}
        | {"setDefaultAssertionStatus", "setClassAssertionStatus", "dumpStack"}
    ),
}
"""By the name before it: what is called; "" stands for any."""
_TEXTS = re.compile(
    r"junit|testng|surefire|hamcrest|opentest4j|fixgate|/proc/|org\.mockito|sun\.misc|jdk\.internal"
    r"|\w+tests?\.(?:class|java)\b|\bsrc/test/|\btest-classes\b",
    re.IGNORECASE,
)
_LONGEST_NAME = 3
"""Words of a text that can be a name, a path, or a command; longer ones are for people."""
_LONGEST_QUALIFIED = 500
"""Sources from outside have names of any length."""
_WITHIN_NAMES = frozenset(
    {"import_declaration", "package_declaration", "scoped_identifier", "scoped_type_identifier"}
)
_SAYING_YES = frozenset({"equals", "contains", "compareTo", "compare", "matches"})
_NATIVE = (b"JNI_OnLoad", b"JNIEXPORT", b"JVMTI", b"Agent_OnLoad")


def reached(path: str, old: bytes, new: bytes) -> tuple[Collection[str], Collection[str]]:
    """What the old version of a file reaches for and the new one does not, and the reverse."""
    if path.endswith((".c", ".h", ".cpp", ".cc")):
        words = [{word.decode() for word in _NATIVE if word in side} for side in (old, new)]
        return words[0] - words[1], words[1] - words[0]
    if not path.endswith(".java"):
        return (), ()
    before, after = _reaches(old), _reaches(new)
    return before - after, (after - before).union(_equality(old, new))


def _equality(old: bytes, new: bytes) -> Iterator[str]:
    before, after = parsed(old), parsed(new)
    if before is not None and after is not None:
        yield from taken_over(before, after)


def _reaches(content: bytes) -> set[str]:
    root = parsed(content)
    if root is None:
        return set()
    nodes = found(root, *_READERS)
    found_there = {what for node in nodes for what in _READERS[node.type](node)}
    there = {what for what in found_there if not _is_own(what, root)}
    return there.union(_lying(root), _hidden_names(root), counts(root), conditions(root))


def _is_own(what: str, root: Node) -> bool:
    """Whether a name of a tool is one of the tool's own sources: they use each other."""
    declared = next(
        (text(node) for node in root.children if node.type == "package_declaration"), ""
    )
    package = declared.removeprefix("package ").rstrip("; ").split(".")
    return what.count(".") > 0 and what.split(".")[:2] == package[:2]


def _by_import(node: Node) -> Iterator[str]:
    """Of a constant, it is the class that has it: one more is nothing new."""
    parts = {part.type: text(part) for part in node.children}
    name = parts.get("scoped_identifier") or parts.get("identifier", "")
    owner, _, member = name.rpartition(".")
    if "static" in parts and member.isupper():
        name = owner
    if _IMPORTED.fullmatch(name):
        yield name


def _by_type(node: Node) -> Iterator[str]:
    if text(node) in _TYPES:
        yield text(node)


def _by_name(node: Node) -> Iterator[str]:
    """A qualified name, whole, that stands in the place of an import."""
    if node.end_byte - node.start_byte > _LONGEST_QUALIFIED:
        return
    around = node.parent.type if node.parent is not None else ""
    if around not in _WITHIN_NAMES:
        yield from (name for name in [text(node)] if _IMPORTED.fullmatch(name))


def _by_call(node: Node) -> Iterator[str]:
    name, receiver = text(field(node, "name")), text(field(node, "object"))
    for owner in ("System", "Runtime", "Thread"):
        if name in _CALLS[owner] and owner in re.findall(r"\w+", receiver):
            yield f"{owner}.{name}"
            return
    if name in _CALLS[""]:
        yield name
    if name in ("forName", "loadClass") and not _is_plain(node):
        yield f"{name} of a computed name"


def _is_plain(call: Node) -> bool:
    """Whether a class is named as it is called, and nothing else."""
    given = arguments(call)
    return bool(given) and given[0].type == "string_literal"


def _by_text(node: Node) -> Iterator[str]:
    for said in texts_in(node):
        if len(said.split()) <= _LONGEST_NAME and (match := _TEXTS.search(said)):
            yield f'"{match[0]}"'


def _hidden_names(root: Node) -> Iterator[str]:
    """Watched names that stand there in pieces only."""
    for node in _sums(root):
        pieces = list(texts_in(node))
        for said in composed(node):
            match = _TEXTS.search(said)
            if match is not None and not any(match[0] in piece for piece in pieces):
                yield f"the hidden name {match[0]!r}"


def _sums(root: Node) -> Iterator[Node]:
    """The expressions with operators that are no side of another.

    A node is asked for its children, not for its parent, which takes as long as it lies deep.
    """
    sides: set[int] = set()
    for node in found(root, "binary_expression"):
        if node.id not in sides:
            yield node
        sides |= {child.id for child in node.children}


def _by_assertion(node: Node) -> Iterator[str]:
    """An `assert` that sets something: what then depends on it asks whether assertions are on."""
    if any(found(node, "assignment_expression", "update_expression")):
        yield "whether assertions are enabled"


_READERS = {
    "import_declaration": _by_import,
    "type_identifier": _by_type,
    "identifier": _by_type,
    "scoped_identifier": _by_name,
    "scoped_type_identifier": _by_name,
    "field_access": _by_name,
    "method_invocation": _by_call,
    "string_literal": _by_text,
    "assert_statement": _by_assertion,
}


def _lying(root: Node) -> Iterator[str]:
    """Comparisons that answer without a look at what they compare, and stand-ins for the JDK's."""
    for each in declarations(root):
        if each.node.type not in METHODS:
            continue
        if each.name in _SAYING_YES and _asks_nothing(each.node):
            yield f"{each.owner}{each.name} lies"
        if not {"Test", "BeforeAll", "BeforeClass"}.isdisjoint(marks(each.node)):
            yield "a test among the code"


def _asks_nothing(method: Node) -> bool:
    """Whether a comparison with parameters names none of them."""
    parameters, body = field(method, "parameters"), field(method, "body")
    given = (
        {text(field(each, "name")) for each in parameters.named_children} if parameters else set()
    )
    if body is None or not given or any(found(body, "throw_statement")):
        return False
    return given.isdisjoint(text(name) for name in found(body, "identifier"))
