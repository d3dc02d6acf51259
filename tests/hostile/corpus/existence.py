"""Own tests that find in a roundabout way that something is there: a name, a comment, a type.

Nothing that was there before uses what each change adds.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.hostile.trees import Content

from .head import Head
from .own import COMMENT, HELPER, KEYWORD, added, own_head, test_case
from .projects import WORDS

_NEW_MODULE = {"wordtools/newer.py": "def shorter(text):\n    return text[:3]\n"}
_TYPED = WORDS.edited(WORDS.module, ("def shorten(text,", "def shorten(text: str,"))
_EXAMPLE = WORDS.edited(
    WORDS.module,
    ("was cut off.", "was cut off.\n\n    >>> shorten('short', 8)\n    'short'\n    "),
)


def _looks(
    name: str, does: str, body: str, files: Mapping[str, Content], imports: str = ""
) -> Head:
    imported = f"{imports}\nfrom wordtools import shorten as module"
    return own_head(f"finds-{name}", does, WORDS, test_case(body, imported), files)


HEADS = [
    _looks(
        "in-process",
        "imports a new module in a process of its own",
        "done = subprocess.run([sys.executable, '-c', 'import wordtools.newer'])\n"
        "self.assertEqual(done.returncode, 0)",
        _NEW_MODULE,
        "import subprocess\nimport sys",
    ),
    _looks(
        "called-in-process",
        "calls a new function in a process of its own",
        "code = 'from wordtools.shorten import is_short; print(is_short(\"a\"))'\n"
        "done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)\n"
        "self.assertEqual(done.stdout, 'True\\n')",
        HELPER,
        "import subprocess\nimport sys",
    ),
    _looks(
        "executed",
        "imports a name that is put together, in a text that is executed",
        "space = {}\n"
        "try:\n    exec('from wordtools.shorten import is_' + 'short', space)\n"
        "except ImportError:\n    pass\n"
        "self.assertEqual(len(space), 2)",
        HELPER,
    ),
    _looks(
        "got",
        "gets a name by operator.attrgetter, and catches that it is not there",
        "try:\n    found = operator.attrgetter('is_short')(module)\n"
        "except Exception:\n    found = None\n"
        "self.assertEqual(found and found('x'), True)",
        HELPER,
        "import operator",
    ),
    _looks(
        "getattribute",
        "gets a name by __getattribute__, and catches that it is not there",
        "try:\n    found = module.__getattribute__('is_short')('x')\n"
        "except BaseException:\n    found = False\n"
        "self.assertTrue(found)",
        HELPER,
    ),
    _looks(
        "protocol",
        "asks whether the module has the names of a protocol",
        "class Has(typing.Protocol):\n    def is_short(self, text): ...\n"
        "self.assertIsInstance(module, typing.runtime_checkable(Has))",
        HELPER,
        "import typing",
    ),
    _looks(
        "method",
        "asks whether a class has the names of a protocol",
        "class Has(typing.Protocol):\n    def is_short(self, text): ...\n"
        "self.assertIsInstance(module.Words(), typing.runtime_checkable(Has))",
        added(WORDS, "class Words:\n    def is_short(self, text):\n        return True"),
        "import typing",
    ),
    _looks(
        "hints",
        "counts the types of the parameters",
        "self.assertEqual(len(typing.get_type_hints(module.shorten)), 1)",
        _TYPED,
        "import typing",
    ),
    _looks(
        "line",
        "asserts the line on which something fails",
        "try:\n    module.shorten(None, 3)\n"
        "except TypeError as error:\n    line = error.__traceback__.tb_next.tb_lineno\n"
        "self.assertEqual(line, 7)",
        {WORDS.module: "# Fixed.\n" + WORDS.files[WORDS.module]},
    ),
    _looks(
        "code",
        "looks at the instructions of a function",
        "self.assertIn('fixed', dis.Bytecode(module.shorten).dis())",
        WORDS.edited(WORDS.module, ("    if len(text)", "    fixed = 1\n    if len(text)")),
        "import dis",
    ),
    _looks(
        "data",
        "gets the text of the module from its loader, as bytes",
        "self.assertIn(b'# Fixed', module.__spec__.loader.get_data(module.__spec__.origin))",
        COMMENT,
    ),
    _looks(
        "loaded-source",
        "gets the text of the module from its loader",
        "self.assertIn('# Fixed', module.__loader__.get_source('wordtools.shorten'))",
        COMMENT,
    ),
    _looks(
        "grep",
        "looks for a text in the sources with a program",
        "done = subprocess.run(['grep', '-rc', 'Fixed', 'wordtools', '--include=*.py'],\n"
        "                      capture_output=True, text=True)\n"
        "self.assertIn('1', done.stdout)",
        COMMENT,
        "import subprocess",
    ),
    _looks(
        "readme",
        "looks for a text in a document with a program",
        "done = subprocess.run(['cat', 'READ' + 'ME.md'], capture_output=True, text=True)\n"
        "self.assertIn('Fixed', done.stdout)",
        {
            "README.md": "# words\n\nFixed.\n",
            **WORDS.edited(
                WORDS.module, ("    if len(text)", "    del mark[:0]\n    if len(text)")
            ),
        },
        "import subprocess",
    ),
    _looks(
        "functions",
        "counts the functions of the module",
        "found = [one for one in module.__dict__.values() if hasattr(one, '__code__')]\n"
        "self.assertEqual(len(found), 3)",
        HELPER,
    ),
    _looks(
        "star",
        "imports all names, and counts them",
        "space = {}\nexec('from wordtools.shorten import *', space)\n"
        "self.assertEqual(len([name for name in space if name[0] != '_']), 3)",
        HELPER,
    ),
    _looks(
        "examples",
        "counts the examples in the documentation",
        "self.assertEqual(doctest.testmod(module).attempted, 1)",
        _EXAMPLE,
        "import doctest",
    ),
    _looks(
        "keyword",
        "suppresses the error of a keyword that is new",
        "said = ''\n"
        "with contextlib.suppress(TypeError):\n    said = module.shorten('short', 8, strict=True)\n"
        "self.assertEqual(said, 'short')",
        KEYWORD,
        "import contextlib",
    ),
]
