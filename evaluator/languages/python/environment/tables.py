"""TOML files of a project, and of what kind the values in them are that are read here.

What a file says beside that is not looked at. The tables of pyproject.toml:
https://packaging.python.org/specifications/pyproject-toml/, those of tools as these document them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluator.errors import InputError
from evaluator.field_paths import field_path

Table = dict[str, Any]


_AS_THEY_ARE = frozenset({"legacy_tox_ini", "env_run_base", "ini_options"})
"""Keys with underscores: all others have hyphens."""


def _key(name: str) -> str:
    return name if name in _AS_THEY_ARE else name.replace("_", "-")


class _Known(BaseModel):
    """Values of exactly their kinds, whatever stands beside them."""

    model_config = ConfigDict(extra="ignore", strict=True, alias_generator=_key)


class _BuildSystem(_Known):
    requires: list[str] = []


class _Project(_Known):
    name: str = ""
    version: str = ""
    requires_python: str = ""
    dependencies: list[str] = []
    optional_dependencies: dict[str, list[str]] = {}
    scripts: dict[str, str] = {}
    entry_points: dict[str, dict[str, str]] = {}
    classifiers: list[str] = []


class _Find(_Known):
    where: list[str] = []


class _Packages(_Known):
    find: _Find = _Find()


class _Read(_Known):
    file: str | list[str] = []


class _Dynamic(_Known):
    dependencies: _Read = _Read()


class _Setuptools(_Known):
    packages: list[str] | _Packages = []
    package_dir: dict[str, str] = {}
    dynamic: _Dynamic = _Dynamic()


class _HatchEnvironment(_Known):
    dependencies: list[Any] = []
    extra_dependencies: list[Any] = []
    features: list[Any] = []


class _HatchWheel(_Known):
    packages: list[str] = []


class _HatchTargets(_Known):
    wheel: _HatchWheel = _HatchWheel()


class _HatchBuild(_Known):
    targets: _HatchTargets = _HatchTargets()


class _Hatch(_Known):
    envs: dict[str, _HatchEnvironment] = {}
    build: _HatchBuild = _HatchBuild()


class _Released(_Known):
    """What Poetry and Pipenv say of a package beside its version."""

    extras: list[str] = []
    markers: str = ""


class _PoetryGroup(_Known):
    dependencies: dict[str, str | _Released | list[Any]] = {}


class _PoetryPackage(_Known):
    source: str = Field("", alias="from")


class _Poetry(_PoetryGroup):
    name: str = ""
    version: str = ""
    dev_dependencies: dict[str, str | _Released | list[Any]] = {}
    group: dict[str, _PoetryGroup] = {}
    extras: dict[str, list[str]] = {}
    packages: list[_PoetryPackage] = []
    scripts: Table = {}
    plugins: dict[str, Table] = {}


class _Workspace(_Known):
    members: list[Any] = []
    exclude: list[Any] = []


class _Uv(_Known):
    workspace: _Workspace = _Workspace()
    sources: dict[str, Table | list[Table]] = {}
    dev_dependencies: list[str] = []


class _Pdm(_Known):
    dev_dependencies: dict[str, list[str]] = {}


class _Tox(_Known):
    legacy_tox_ini: str = ""
    env_run_base: Table = {}


class _Pytest(_Known):
    ini_options: Table = {}


class _Tools(_Known):
    setuptools: _Setuptools = _Setuptools()
    hatch: _Hatch = _Hatch()
    poetry: _Poetry = _Poetry()
    uv: _Uv = _Uv()
    pdm: _Pdm = _Pdm()
    tox: _Tox = _Tox()
    pytest: _Pytest = _Pytest()


class _Pyproject(_Known):
    build_system: _BuildSystem = _BuildSystem()
    project: _Project = _Project()
    dependency_groups: dict[str, list[str | dict[str, str]]] = {}
    tool: _Tools = _Tools()


class _Pipfile(_Known):
    packages: dict[str, str | _Released] = {}
    dev_packages: dict[str, str | _Released] = {}


_KINDS = {
    "model_type": "a table",
    "dict_type": "a table",
    "list_type": "an array",
    "string_type": "a string",
}
"""What to write, by what pydantic calls the mistake."""
_KNOWN: Mapping[str, type[_Known]] = {
    "pyproject.toml": _Pyproject,
    "Pipfile": _Pipfile,
    "tox.toml": _Tox,
    "hatch.toml": _Hatch,
}


def load_pyproject(tree: Path) -> Mapping[str, Any]:
    """The tables of pyproject.toml, empty where there is none. Raises InputError."""
    return load_toml(tree / "pyproject.toml")


def load_toml(path: Path) -> Mapping[str, Any]:
    """The tables of a TOML file, empty where there is none.

    Raises InputError naming it, and the field where what stands there is of another kind.
    """
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: not valid TOML: {error}") from error
    if path.name in _KNOWN:
        _check(path.name, tables)
    return tables


def _check(name: str, tables: Mapping[str, Any]) -> None:
    try:
        _KNOWN[name].model_validate(tables)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = field_path(_present(first["loc"], tables))
        wanted = _KINDS.get(first["type"], "of another kind")
        raise InputError(f"{name}: `{where}` must be {wanted}") from error


def _present(steps: Iterable[int | str], value: Any) -> Iterator[int | str]:
    """The steps up to the value itself: pydantic adds which of several kinds it tried."""
    for step in steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return
        yield step
