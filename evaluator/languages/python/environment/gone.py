"""What the standard library had once, and the first minor version of Python 3 that lacks it.

https://docs.python.org/3/whatsnew/ lists it under `Removed`. `distutils` comes with setuptools.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from packaging.version import Version

from evaluator.model import Failure

_MODULES = {
    9: "_dummy_threading dummy_threading",
    10: "formatter parser symbol",
    11: "binhex",
    12: "asynchat asyncore imp smtpd",
    13: "aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap nis nntplib ossaudiodev pipes"
    " sndhdr spwd sunau telnetlib uu xdrlib",
}
_RAISING = "generators that raise StopIteration"
_BARE = "generator expressions without parentheses"
_NAMES = {
    8: "cgi.escape platform.dist platform.linux_distribution time.clock",
    9: "base64.decodestring base64.encodestring fractions.gcd",
    10: "collections.Callable collections.Hashable collections.Iterable collections.Iterator"
    " collections.Mapping collections.MutableMapping collections.MutableSequence"
    " collections.MutableSet collections.Sequence collections.Set collections.Sized",
    11: "asyncio.coroutine inspect.formatargspec inspect.getargspec",
    12: "configparser.SafeConfigParser pkgutil.ImpImporter pkgutil.ImpLoader ssl.match_hostname"
    " ssl.wrap_socket",
    13: "typing.io typing.re unittest.findTestCases unittest.makeSuite",
}
GONE: Mapping[str, int] = MappingProxyType(
    {
        name: minor
        for table in (_MODULES, _NAMES)
        for minor, names in table.items()
        for name in names.split()
    }
    | {_RAISING: 7, _BARE: 7}
)
OLDEST_PYTEST: Mapping[int, str] = MappingProxyType(
    {8: "4.6", 9: "5.4", 10: "6.2.5", 11: "6.2.5", 12: "7.0", 13: "7.4", 14: "8.4"}
)
"""The first pytest that runs on a minor version of Python 3: it compiles tests by itself."""
_MODULES_OF_PYTHON_2 = """
    BaseHTTPServer CGIHTTPServer ConfigParser Cookie Dialog HTMLParser Queue
    ScrolledText SimpleHTTPServer SimpleXMLRPCServer SocketServer StringIO Tkinter
    UserDict __builtin__ anydbm cPickle cStringIO commands cookielib dbhash
    exceptions htmlentitydefs htmllib httplib md5 mimetools popen2 robotparser
    rfc822 sets sgmllib sha thread tkFileDialog tkMessageBox urllib2 urlparse
    whichdb xmlrpclib
"""
"""https://docs.python.org/2.7/py-modindex.html"""
_BUILTINS_OF_PYTHON_2 = """
    apply basestring buffer cmp coerce execfile file intern long raw_input reduce reload unichr
    unicode xrange
"""
"""https://docs.python.org/2.7/library/functions.html"""
_ENDED = {
    "generator raised StopIteration": _RAISING,
    "Generator expression must be parenthesized": _BARE,
}
"""What a newer Python says of what an older one does."""
_OLD_SYNTAX = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
)
_UNDEFINED = re.compile(r"name '(\w+)' is not defined")
_SAID = (
    re.compile(r"No module named '(\w+)'"),
    re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<module>\w+)'"),
    re.compile(r"module '(?P<module>\w+)' has no attribute '(?P<name>\w+)'"),
)


def gone(message: str) -> str:
    """What a failure misses that an older Python has: `imp`, `collections.Mapping`; "" if none."""
    for said, name in _ENDED.items():
        if said in message:
            return name
    for match in filter(None, (pattern.search(message) for pattern in _SAID)):
        named = match.groupdict()
        found = f"{named['module']}.{named['name']}" if named else match[1]
        if found in GONE:
            return found
    return ""


def is_of_python_2(failure: Failure) -> bool:
    """Whether code cannot be loaded because it is for Python 2, by a name or by its syntax."""
    if failure.exception_type == SyntaxError.__name__:
        return any(said in failure.message for said in _OLD_SYNTAX)
    if undefined := _UNDEFINED.fullmatch(failure.message):
        return undefined[1] in _BUILTINS_OF_PYTHON_2.split()
    module = _SAID[0].search(failure.message)
    return module is not None and module[1] in _MODULES_OF_PYTHON_2.split()


def older(versions: Sequence[str], name: str) -> tuple[str, ...]:
    """Those of some versions (`3.11`) that still have it, in their order."""
    return tuple(each for each in versions if minor(each) < GONE[name])


def runs_pytest(version: str, pytest: str) -> bool:
    """Whether a version of Python (`3.11`) runs a release of pytest."""
    return Version(pytest) >= Version(OLDEST_PYTEST.get(minor(version), "0"))


def minor(version: str) -> int:
    """The 11 of `3.11`."""
    return int(version.partition(".")[2])
