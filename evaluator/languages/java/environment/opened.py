"""What of the JDK code could look into up to Java 15, and old code does.

See https://openjdk.org/jeps/396.
"""

from __future__ import annotations

FIRST_WITH_MODULES = 9
LAST_OPEN = 15
_COMPILER = tuple(
    f"--add-opens=jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED"
    for package in (
        *("api", "code", "comp", "file", "jvm", "main", "model", "parser", "processing"),
        *("tree", "util"),
    )
)
"""Of the compiler: for annotation processors such as old ones of Lombok, and for tests of some."""
_LIBRARY = tuple(
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in (
        *("java.io", "java.lang", "java.lang.invoke", "java.lang.reflect", "java.math"),
        *("java.net", "java.nio", "java.nio.charset", "java.security", "java.text", "java.time"),
        *("java.util", "java.util.concurrent", "java.util.concurrent.atomic", "java.util.jar"),
        *("java.util.function", "java.util.regex", "java.util.stream", "java.util.zip"),
        *("javax.net.ssl", "jdk.internal.misc", "jdk.internal.ref", "sun.net.www.protocol.http"),
        *("sun.net.www.protocol.https", "sun.nio.ch", "sun.nio.cs", "sun.nio.fs"),
        *("sun.reflect.annotation", "sun.reflect.generics.reflectiveObjects"),
        *("sun.security.provider", "sun.security.ssl", "sun.security.util", "sun.security.x509"),
        "sun.util.calendar",
    )
)


def open_packages(level: int, newest: int) -> tuple[str, ...]:
    """Options of the virtual machine by which code of a level sees of the JDK what it could.

    `newest` is the level that the JDK compiles: the option came with modules.
    """
    closed = level <= LAST_OPEN and newest >= FIRST_WITH_MODULES
    return (*_LIBRARY, *_COMPILER) if closed else ()
