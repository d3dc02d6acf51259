"""Which class a simple name means: one of the project, of the JDK, or of a test beside it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from evaluator.languages.java import syntax
from generator.languages.java.layout import Layout
from generator.languages.java.structure import CLASSES, encoded, name_of

_JDK: Mapping[str, str] = {
    "java.io": "BufferedInputStream BufferedOutputStream BufferedReader BufferedWriter "
    "ByteArrayInputStream ByteArrayOutputStream Closeable DataInputStream DataOutputStream "
    "EOFException File FileInputStream FileNotFoundException FileOutputStream FileReader "
    "FileWriter IOException InputStream InputStreamReader ObjectInputStream ObjectOutputStream "
    "OutputStream OutputStreamWriter PrintStream PrintWriter Reader Serializable StringReader "
    "StringWriter UnsupportedEncodingException UncheckedIOException Writer",
    "java.math": "BigDecimal BigInteger MathContext RoundingMode",
    "java.net": "MalformedURLException URI URISyntaxException URL URLDecoder URLEncoder",
    "java.nio": "ByteBuffer CharBuffer",
    "java.nio.charset": "Charset StandardCharsets",
    "java.nio.file": "Files Path Paths",
    "java.sql": "Timestamp",
    "java.text": "DateFormat DecimalFormat Format MessageFormat NumberFormat ParseException "
    "ParsePosition SimpleDateFormat FieldPosition",
    "java.time": "DayOfWeek Duration Instant LocalDate LocalDateTime LocalTime OffsetDateTime "
    "Period ZoneId ZoneOffset ZonedDateTime",
    "java.util": "AbstractList AbstractMap ArrayDeque ArrayList Arrays Base64 BitSet Calendar "
    "Collection Collections Comparator Currency Date Deque Enumeration EnumMap EnumSet "
    "GregorianCalendar HashMap HashSet Hashtable IdentityHashMap Iterator LinkedHashMap "
    "LinkedHashSet LinkedList List ListIterator Locale Map NoSuchElementException Objects "
    "Optional OptionalInt OptionalLong OptionalDouble PriorityQueue Properties Queue Random "
    "ResourceBundle Scanner Set SortedMap SortedSet Stack StringTokenizer TimeZone TreeMap "
    "TreeSet UUID Vector WeakHashMap",
    "java.util.concurrent": "Callable ConcurrentHashMap ConcurrentMap CountDownLatch "
    "ExecutorService Executors Future TimeUnit",
    "java.util.concurrent.atomic": "AtomicBoolean AtomicInteger AtomicLong AtomicReference",
    "java.util.function": "BiFunction Consumer Function Predicate Supplier",
    "java.util.regex": "Matcher Pattern",
    "java.util.stream": "Collectors IntStream Stream",
    "java.lang.reflect": "Field Method ParameterizedType Type",
}
_PACKAGES = {name: package for package, names in _JDK.items() for name in names.split()}
_PLATFORM = ("java.", "javax.", "org.w3c.", "org.xml.")
_CAPITAL = re.compile(r"[A-Z]\w*[a-z]\w*$")
_IMPORT = re.compile(r"^import[ \t]+([\w.]+)[ \t]*;", re.MULTILINE)


@dataclass(frozen=True)
class ClassIndex:
    """The classes of a tree, by their simple names; `paths` are those of all its files."""

    paths: Sequence[str]

    @cached_property
    def modules(self) -> Mapping[str, str]:
        """Paths by the dotted names of classes."""
        return Layout(self.paths).modules

    @cached_property
    def named(self) -> Mapping[str, Sequence[str]]:
        """The dotted names of the classes of a simple name, the shortest first."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for dotted in sorted(self.modules, key=lambda name: (len(name), name)):
            found[dotted.rpartition(".")[2]].append(dotted)
        return found

    def meant(self, name: str, package: str) -> str:
        """The dotted name of the project's class of a simple name, "" for none.

        Of several, the one of the package, then that whose package is most like it.
        """
        found = self.named.get(name, ())
        return max(found, key=lambda dotted: _common(dotted, f"{package}.{name}"), default="")


def _common(one: str, other: str) -> int:
    pairs = zip(one.split("."), other.split("."), strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), 99)


def resolved(
    names: Iterable[str], package: str, project: ClassIndex, *, given: Iterable[str]
) -> Iterator[str]:
    """The imports by which simple names are known in a package, one each; none where none is.

    `given` are imports of the issue, of a test beside and of other files, in that order.
    """
    written = {name.rpartition(".")[2]: name for name in reversed(list(given))}
    for name in sorted(names):
        own = project.meant(name, package)
        stated = written.get(name, "")
        if stated in project.modules or stated.startswith(_PLATFORM):
            dotted = stated
        else:
            dotted = own or (f"{_PACKAGES[name]}.{name}" if name in _PACKAGES else stated)
        if dotted and dotted.rpartition(".")[0] != package:
            yield dotted


def commonly_imported(texts: Iterable[str]) -> list[str]:
    """The classes that sources import by their names, those first that most of them do."""
    return [name for name, _ in Counter(n for t in texts for n in _IMPORT.findall(t)).most_common()]


def used_types(code: str) -> frozenset[str]:
    """The simple names of types that code uses and does not define."""
    root = syntax.parsed(encoded(code))
    if root is None:
        return frozenset()
    defined = {name_of(node) for node in syntax.found(root, *CLASSES)}
    parameters = {name for node in syntax.found(root, "type_parameter") for name in _names(node)}
    return frozenset(_used(root)) - defined - parameters


def _names(node: Node) -> Iterator[str]:
    yield from (syntax.text(child) for child in node.named_children)


def _used(root: Node) -> Iterator[str]:
    for node in syntax.found(root, "type_identifier", "identifier"):
        name, parent = syntax.text(node), node.parent
        if parent is None or parent.type in ("scoped_identifier", "package_declaration"):
            continue
        if parent.type == "scoped_type_identifier" and parent.named_children[0] != node:
            continue
        if node.type == "type_identifier" or (_CAPITAL.match(name) and _qualifies(node, parent)):
            yield name


def _qualifies(node: Node, parent: Node) -> bool:
    """Whether a name stands for a class: before a dot, or as an annotation."""
    if parent.type in ("method_invocation", "field_access"):
        return syntax.field(parent, "object") == node
    return parent.type in ("marker_annotation", "annotation", "method_reference")
