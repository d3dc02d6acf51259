"""What is called in modules of the standard library to compare the lines that are executed."""

DRIVERS = {
    "textwrap": """
calls = [
    lambda: wrap("the quick brown fox jumps " * 4, 20),
    lambda: fill("a  b\\tc-d-e " * 9, 13, initial_indent="> "),
    lambda: shorten("some words to shorten", 12),
    lambda: dedent("   a\\n     b\\n\\n   c"),
    lambda: indent("a\\n\\nb", "  "),
]""",
    "difflib": """
calls = [
    lambda: list(ndiff(["a\\n", "bc\\n", "d\\n"], ["a\\n", "bd\\n", "e\\n"])),
    lambda: list(unified_diff("abcdefg", "abxdefgh")),
    lambda: list(context_diff("abcdefg", "abxdefgh")),
    lambda: get_close_matches("appel", ["ape", "apple", "peach"]),
    lambda: len(HtmlDiff().make_table(["a", "b"], ["a", "c"])),
]""",
    "argparse": """
def parse(*arguments):
    parser = ArgumentParser(prog="p", description="text " * 30)
    parser.add_argument("--flag", action="store_true", help="flag help")
    parser.add_argument("-n", "--number", type=int, default=3, choices=[1, 2, 3])
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--a", nargs="*")
    group.add_argument("--b", action="append")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("run", aliases=["r"]).add_argument("file", nargs="?")
    parsed = sorted(vars(parser.parse_args(arguments)).items())
    return parsed, parser.format_help(), parser.format_usage()

def refused(*arguments):
    try:
        parse(*arguments)
    except SystemExit as stop:
        return stop.code

calls = [
    lambda: parse(),
    lambda: parse("--flag", "-n2", "run", "x"),
    lambda: parse("--a", "1", "2", "--num", "1"),
    lambda: refused("--a", "1", "--b", "2"),
    lambda: refused("--number", "x"),
]""",
    "fractions": """
calls = [
    lambda: Fraction("3/4") + Fraction(0.5) * 2,
    lambda: Fraction(1, 3).limit_denominator(2),
    lambda: (round(Fraction(7, 3), 1), float(Fraction(1, 3)), hash(Fraction(2, 7))),
    lambda: Fraction(1, 0),
    lambda: Fraction("x"),
    lambda: Fraction(3) ** -2 > Fraction(1, 10),
]""",
    "heapq": """
calls = [
    lambda: nsmallest(3, [5, 1, 4, 2, 3]),
    lambda: nlargest(2, [5, 1, 4], key=lambda x: -x),
    lambda: list(merge([1, 4], [2, 3], reverse=False)),
    lambda: list(merge([4, 1], [3, 2], reverse=True, key=lambda x: x)),
]""",
    "configparser": """
def read(text, **options):
    parser = ConfigParser(**options)
    parser.read_string(text)
    return {name: dict(section) for name, section in parser.items()}

calls = [
    lambda: read("[a]\\nx = 1\\n  more\\n; note\\n[b]\\ny: %(x)s\\nx=2"),
    lambda: read("[a]\\nx\\n", allow_no_value=True),
    lambda: read("[a]\\n[a]\\n"),
    lambda: read("x = 1"),
    lambda: read("[a]\\nx=%(y)s"),
]""",
    "pprint": """
calls = [
    lambda: pformat({"a": [1] * 40, "b": {"c": ("x" * 30, "y" * 60)}, "d": {1, 2}}),
    lambda: pformat([b"z" * 100, "word " * 30], width=40),
    lambda: saferepr({1: [2, (3,)]}),
]""",
    "shlex": """
calls = [
    lambda: split("a 'b c' \\"d\\\\\\"e\\" # f", comments=True),
    lambda: list(shlex("a && b|c>d", punctuation_chars=True)),
    lambda: quote("a b"),
    lambda: split("'open"),
]""",
    "statistics": """
calls = [
    lambda: mean([1, 2, 3.5]),
    lambda: median([3, 1, 2, 5]),
    lambda: pstdev([1, 2, 4]),
    lambda: mode(["a", "b", "a"]),
    lambda: mean([]),
]""",
    "html.parser": """
class Seen(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []
    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, attrs))
    def handle_data(self, data):
        self.seen.append(data)

def parse(text):
    parser = Seen()
    parser.feed(text)
    parser.close()
    return parser.seen

calls = [
    lambda: parse("<a href='x' b>t &amp; u</a><br/><!-- c --><!DOCTYPE html>"),
    lambda: parse("<script>1 < 2</script><p"),
    lambda: parse("a &#65; &lt &unknown; <?pi x?> </ end>"),
]""",
    "string": """
calls = [
    lambda: Template("$a ${b} $$").substitute(a=1, b=2),
    lambda: Template("$a $").safe_substitute(),
    lambda: Template("$a").substitute(),
    lambda: Formatter().vformat("{0:>5} {x[a]} {y!r}", (1,), {"x": {"a": 2}, "y": "z"}),
    lambda: capwords("a b"),
]""",
    "dataclasses": """
def make():
    @dataclass(order=True)
    class A:
        x: int
        y: list = field(default_factory=list, compare=False)
    @dataclass(frozen=True)
    class B:
        z: int = 1
    a = A(1)
    return a, asdict(a), astuple(a), A(1) < A(2), replace(B(), z=2), hash(B()), fields(A)[0].name

def refused():
    @dataclass
    class C:
        x: list = []

calls = [make, refused, lambda: make_dataclass("D", ["a", ("b", int, 3)])(1)]""",
    "enum": """
calls = [
    lambda: list(Enum("E", "A B")),
    lambda: repr(Flag("F", "A B")["A"] | Flag("F", "A B")["A"]),
    lambda: Enum("E", "A A"),
    lambda: IntFlag("I", "A B")(3),
]""",
    "csv": """
import io
calls = [
    lambda: list(DictReader(io.StringIO("a,b\\n1,2,3\\n\\n4"))),
    lambda: Sniffer().sniff("a;b\\n1;2\\n3;4").delimiter,
    lambda: Sniffer().has_header("a,b\\n1,2\\n3,4\\n"),
]""",
    "urllib.parse": """
calls = [
    lambda: urlsplit("http://u:p@h:80/a;b?c=d#e").port,
    lambda: urljoin("http://a/b/c/d", "../x"),
    lambda: parse_qs("a=1&b=2&a=3&c"),
    lambda: urlencode({"a": [1, 2], "b": "x y"}, doseq=True),
    lambda: unquote("%C3%A4+b"),
    lambda: urlsplit("http://[::1"),
]""",
    "json.decoder": """
from json.scanner import py_make_scanner
class Pure(JSONDecoder):
    def __init__(self):
        super().__init__()
        self.parse_string = py_scanstring
        self.scan_once = py_make_scanner(self)
calls = [
    lambda: Pure().decode('{"a": [1, 2.5, "x\\\\u00e4\\\\n"], "b": null} '),
    lambda: Pure().decode('[1,'),
    lambda: Pure().decode('"\\\\x"'),
]""",
    "optparse": """
def parse(*arguments):
    parser = OptionParser(prog="p", usage="%prog x")
    parser.add_option("-v", action="count", default=0)
    parser.add_option("--name", help="a name " * 20, metavar="N")
    options, rest = parser.parse_args(list(arguments))
    return str(options), rest, parser.format_help()
calls = [lambda: parse("-vv", "x"), lambda: parse("--na=1", "--", "-v")]""",
    "tokenize": """
import io
def tokens(text):
    return [tuple(token) for token in generate_tokens(io.StringIO(text).readline)]
calls = [
    lambda: tokens("def f(a):\\n    return '''x\\ny''' + b\\n"),
    lambda: untokenize(tokens("x = [1,\\n 2]\\n")),
]""",
}
