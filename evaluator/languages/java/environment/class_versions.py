"""Which Java the classes of libraries are for.

See table 4.1-A of https://docs.oracle.com/javase/specs/jvms/se25/html/jvms-4.html: classes of
Java 1 have version 45, and those of each later one more.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

LEVEL_0 = 44
_HEADER = struct.Struct(">IHH")
_MAGIC = 0xCAFEBABE
_LARGEST_BYTES = 256 * 1024 * 1024
_UNREADABLE = (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error)


def level_of_libraries(jars: Iterable[Path]) -> int:
    """The newest Java that any of these is for, 0 where nothing says so.

    A jar is what its first class is: others may lie beside it for later versions, in `META-INF`.
    """
    return max((_level(jar) for jar in jars if _is_library(jar)), default=0)


def _is_library(jar: Path) -> bool:
    return jar.suffix == ".jar" and jar.is_file() and jar.stat().st_size < _LARGEST_BYTES


def _level(jar: Path) -> int:
    try:
        with zipfile.ZipFile(jar) as archive:
            names = (name for name in archive.namelist() if _is_class(name))
            first = next(names, "")
            return _level_of_class(archive.open(first).read(_HEADER.size)) if first else 0
    except _UNREADABLE:
        return 0


def _is_class(name: str) -> bool:
    outside = not name.startswith("META-INF/") and not name.endswith("module-info.class")
    return outside and name.endswith(".class")


def _level_of_class(content: bytes) -> int:
    if len(content) < _HEADER.size:
        return 0
    magic, _, version = _HEADER.unpack(content)
    return max(version - LEVEL_0, 0) if magic == _MAGIC else 0
