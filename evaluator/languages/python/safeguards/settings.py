"""What of a settings file, or of a script that builds, bears on how tests run; the rest is cut."""

from __future__ import annotations

import ast
import configparser
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evaluator.languages.python.parsing import parsed

_TABLES = (
    ("tool", "pytest"),
    ("project", "entry-points"),
    ("tool", "poetry", "plugins"),
    ("tool", "flit", "entrypoints"),
    ("build-system", "build-backend"),
    ("build-system", "backend-path"),
    ("tool", "hatch", "build", "hooks"),
    ("tool", "hatch", "metadata", "hooks"),
    ("tool", "hatch", "build", "targets", "wheel", "hooks"),
    ("tool", "setuptools", "cmdclass"),
    ("tool", "setuptools", "ext-modules"),
    ("tool", "pdm", "build", "custom-hook"),
    ("tool", "pdm", "build", "run-setup"),
    ("tool", "poetry", "build"),
    ("tool", "coverage", "run", "plugins"),
)
"""Tables and keys of pyproject.toml: options of pytest, plug-ins, steps of a build."""
_SECTIONS = frozenset({"pytest", "tool:pytest", "options.entry_points", "entry_points", "aliases"})
_KEYS = frozenset(
    {("options", "cmdclass"), ("global", "setup-hooks"), ("build_ext", "define")}
    | {(section, "plugins") for section in ("run", "coverage:run")}
)
_INERT_OPTIONS = frozenset(
    {"markers", "testpaths", "minversion", "junit_family", "console_output_style"}
)
"""Options of pytest that change no outcome of a test file that is named to it."""
_DESCRIPTION = frozenset(
    {"name", "version", "description", "long_description", "long_description_content_type"}
    | {"author", "author_email", "maintainer", "maintainer_email", "url", "download_url"}
    | {"project_urls", "keywords", "classifiers", "license", "license_files", "platforms"}
    | {"python_requires", "install_requires", "extras_require", "tests_require", "requires"}
    | {"packages", "package_data", "include_package_data", "zip_safe", "requirements", "extras"}
)
"""What a setup.py says of a project that runs nothing; its dependencies have their own rule."""

Facts = Callable[[bytes], object]


def _pyproject(content: bytes) -> object:
    try:
        data = tomllib.loads(content.decode())
    except ValueError:
        return content
    return [_without_inert(_at(data, keys)) for keys in _TABLES]


def _at(data: Any, keys: tuple[str, ...]) -> object:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _without_inert(value: object) -> object:
    if not isinstance(value, dict):
        return value
    kept = {key: _without_inert(v) for key, v in value.items() if key not in _INERT_OPTIONS}
    return {key: v for key, v in kept.items() if v is not None} or None


def _sections(content: bytes) -> object:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(content.decode())
    except (configparser.Error, ValueError):
        return content
    return {
        (section, key): value.split()
        for section in parser.sections()
        for key, value in parser[section].items()
        if (section in _SECTIONS or (section, key) in _KEYS) and key not in _INERT_OPTIONS
    }


def _toml(content: bytes) -> object:
    try:
        return _without_inert(tomllib.loads(content.decode()))
    except ValueError:
        return content


def _code(content: bytes) -> object:
    """What a module does: without comments, layout and documentation."""
    tree = parsed(content)
    if tree is None:
        return content
    return [ast.dump(node) for node in tree.body if not _is_text(node)]


def _setup(content: bytes) -> object:
    """What a setup.py does but describe the project."""
    tree = parsed(content)
    if tree is None:
        return content
    for holder in _descriptions(tree):
        holder.value = ast.Constant(None)
    return [ast.dump(node) for node in tree.body if not _is_text(node)]


def _descriptions(tree: ast.AST) -> Iterator[ast.Assign | ast.keyword]:
    """Keywords of setup(), and names for them, whose values run nothing."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if _describes(name, node.value):
                yield node
            case ast.Call(func=ast.Name(id="setup") | ast.Attribute(attr="setup"), keywords=given):
                yield from (k for k in given if _describes(k.arg or "", k.value))


def _describes(name: str, value: ast.expr) -> bool:
    inert = ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.Name | ast.BinOp | ast.Add
    context = ast.expr_context
    known = name.strip("_").lower() in _DESCRIPTION
    return known and all(isinstance(part, inert | context) for part in ast.walk(value))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _runner(content: bytes) -> object:
    """What runs the tests of a project that uses Django, as its settings name it."""
    tree = parsed(content)
    if tree is None:
        return content
    assigned = (node for node in ast.walk(tree) if isinstance(node, ast.Assign))
    return [ast.dump(node) for node in assigned if "TEST_RUNNER" in map(_name_of, node.targets)]


def _name_of(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else ""


def _whole(content: bytes) -> object:
    return content.split()


FACTS: Mapping[str, Facts] = {
    "conftest.py": _code,
    "pytest.ini": _sections,
    ".pytest.ini": _sections,
    "pytest.toml": _toml,
    ".pytest.toml": _toml,
    "pyproject.toml": _pyproject,
    "setup.cfg": _sections,
    "tox.ini": _sections,
    ".coveragerc": _sections,
    "setup_package.py": _code,
    "settings.py": _runner,
    "test_settings.py": _runner,
    "meson.build": _whole,
    "CMakeLists.txt": _whole,
}
"""By the name of a file: what in its content steers tests, as something that can be compared."""

AT_THE_ROOT: Mapping[str, Facts] = {
    "setup.py": _setup,
    "setupext.py": _code,
    "extensions.py": _code,
    "hatch_build.py": _code,
    "build.py": _code,
    "manage.py": _code,
}
"""The same for names that mean something at the root of a repository only."""
