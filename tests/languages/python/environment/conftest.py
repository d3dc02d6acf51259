"""A package index on loopback with packages made up for the tests, and small project trees."""

from __future__ import annotations

import base64
import contextlib
import datetime
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.interpreter import find_interpreters
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.sandbox.process import ProcessSandbox

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
DEFAULT_UPLOAD = "2020-01-01T00:00:00Z"

BACKEND = """
import base64, hashlib, os, zipfile
{before}
def get_requires_for_build_wheel(config_settings=None):
    return []
def build_wheel(directory, config_settings=None, metadata_directory=None):
    name = "{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        for path, text in {files!r}.items():
            wheel.writestr(path, text)
    return name
"""


def wheel_files(
    name: str, version: str, files: Mapping[str, str] | None = None, requires: tuple[str, ...] = ()
) -> dict[str, str]:
    """The files of a wheel: one module named like the package unless others are given."""
    contents = dict(files if files is not None else {f"{name}.py": f"VERSION = {version!r}\n"})
    information = f"{name}-{version}.dist-info"
    lines = [f"Requires-Dist: {line}" for line in requires]
    head = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines]
    contents[f"{information}/METADATA"] = "\n".join(head) + "\n"
    contents[f"{information}/WHEEL"] = (
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = [f"{path},{_digest(text)},{len(text)}" for path, text in contents.items()]
    contents[f"{information}/RECORD"] = "\n".join([*record, f"{information}/RECORD,,"]) + "\n"
    return contents


def _digest(text: str) -> str:
    raw = hashlib.sha256(text.encode()).digest()
    return f"sha256={base64.urlsafe_b64encode(raw).decode().rstrip('=')}"


def backend_project(
    name: str, version: str, files: Mapping[str, str], before: str = ""
) -> dict[str, str]:
    """A source tree that builds a wheel of `files` with a backend of its own."""
    source = BACKEND.format(name=name, version=version, files=dict(files), before=before)
    system = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    project = f'[project]\nname = "{name}"\nversion = "{version}"\n'
    return {"pyproject.toml": system + project, "backend.py": source}


@dataclass
class Index:
    """A package index (https://packaging.python.org/en/latest/specifications/simple-repository-api/)."""

    url: str = ""
    files: dict[str, list[tuple[str, bytes, str]]] = field(default_factory=dict)
    requested: list[str] = field(default_factory=list)
    held: threading.Event = field(default_factory=threading.Event)
    hold: str = ""
    released: threading.Event = field(default_factory=threading.Event)

    def add_wheel(
        self,
        name: str,
        version: str,
        files: Mapping[str, str] | None = None,
        requires: tuple[str, ...] = (),
        uploaded: str = DEFAULT_UPLOAD,
        tag: str = "py3-none-any",
    ) -> None:
        content = io.BytesIO()
        escaped = name.replace("-", "_")  # the parts of a wheel's name have dashes between them
        with zipfile.ZipFile(content, "w") as wheel:
            for path, text in wheel_files(escaped, version, files, requires).items():
                wheel.writestr(path, text)
        self.add_file(name, f"{escaped}-{version}-{tag}.whl", content.getvalue(), uploaded)

    def add_file(
        self, name: str, file: str, content: bytes, uploaded: str = DEFAULT_UPLOAD
    ) -> None:
        self.files.setdefault(name, []).append((file, content, uploaded))

    def add_sdist(self, name: str, version: str, before: str = "", *, untold: bool = False) -> None:
        """A release without a wheel; one that is `untold` is built to say what it requires."""
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w:gz") as archive:
            tree = backend_project(name, version, wheel_files(name, version), before)
            tree["PKG-INFO"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            if untold:
                tree["pyproject.toml"] += 'dynamic = ["dependencies"]\n'
            for path, text in tree.items():
                member = tarfile.TarInfo(f"{name}-{version}/{path}")
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
        file = (f"{name}-{version}.tar.gz", content.getvalue(), DEFAULT_UPLOAD)
        self.files.setdefault(name, []).append(file)

    def add_old_sdist(self, name: str, version: str, uploaded: str) -> None:
        """A release that names no tool to be built with: it has a setup.py alone."""
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w:gz") as archive:
            member = tarfile.TarInfo(f"{name}-{version}/setup.py")
            archive.addfile(member, io.BytesIO())
        self.add_file(name, f"{name}-{version}.tar.gz", content.getvalue(), uploaded)

    def add_setuptools(self, uploaded: str, name: str, version: str, *, wheel: str = "") -> None:
        """The first setuptools that PEP 517's default takes; it builds one release only.

        `wheel` is the oldest release of that which it can do with.
        """
        backend = BACKEND.format(
            name=name, version=version, files=wheel_files(name, version), before=""
        )
        hooks = "get_requires_for_build_wheel=get_requires_for_build_wheel, build_wheel=build_wheel"
        legacy = f"import types\n__legacy__ = types.SimpleNamespace({hooks})\n"
        files = {"setuptools/__init__.py": "", "setuptools/build_meta.py": backend + legacy}
        requires = (f"wheel>={wheel}",) if wheel else ()
        self.add_wheel("setuptools", "40.8.0", files, requires, uploaded=uploaded)

    def page(self, name: str) -> bytes:
        files = [
            {
                "filename": file,
                "url": f"{self.url}/files/{name}/{file}",
                "hashes": {"sha256": hashlib.sha256(content).hexdigest()},
                "upload-time": uploaded,
                "core-metadata": file.endswith(".whl"),
            }
            for file, content, uploaded in self.files[name]
        ]
        page = {"meta": {"api-version": "1.1"}, "name": name, "files": files}
        return json.dumps(page).encode()

    def answer(self, path: str) -> tuple[str, bytes] | None:
        match path.strip("/").split("/"):
            case ["simple", name] if name in self.files:
                return "application/vnd.pypi.simple.v1+json", self.page(name)
            case ["files", name, file] if file.endswith(".metadata"):
                return "text/plain", self.metadata(name, file.removesuffix(".metadata"))
            case ["files", name, file]:
                if file == self.hold:
                    self.held.set()
                    self.released.wait(60)
                return "application/octet-stream", self.content(name, file)
        return None

    def content(self, name: str, file: str) -> bytes:
        return next(content for known, content, _ in self.files[name] if known == file)

    def metadata(self, name: str, file: str) -> bytes:
        with zipfile.ZipFile(io.BytesIO(self.content(name, file))) as wheel:
            path = next(path for path in wheel.namelist() if path.endswith("/METADATA"))
            return wheel.read(path)


@pytest.fixture
def index() -> Iterator[Index]:
    packages = Index()
    with served(packages):
        yield packages


@contextlib.contextmanager
def served(packages: Index) -> Iterator[None]:
    """An index at its `url` while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            packages.requested.append(self.path)
            answer = packages.answer(self.path)
            self.send_response(200 if answer else 404)
            kind, content = answer or ("text/plain", b"")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            # A client that a test killed does not wait for its answer.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(content)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    packages.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield
    finally:
        packages.released.set()
        server.shutdown()
        server.server_close()


Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write_tree(tmp_path: Path) -> Write:
    """Writes a project tree from a mapping of paths to text."""

    def write(files: Mapping[str, str]) -> Path:
        tree = tmp_path / "tree"
        tree.mkdir(exist_ok=True)
        for path, text in files.items():
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return tree

    return write


@pytest.fixture
def environments(tmp_path: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> PythonBuilder:
    # The user's uv cache would answer for packages of other tests, which have the same names.
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    return PythonBuilder(
        tmp_path / "cache", sandbox=ProcessSandbox(), index_url=f"{index.url}/simple"
    )


MakeRecipe = Callable[..., PythonRecipe]


@pytest.fixture
def recipe() -> MakeRecipe:
    """Makes recipes for the interpreter that runs the tests."""

    def make(*packages: str, **fields: object) -> PythonRecipe:
        return PythonRecipe(**{"python": (PYTHON,), "packages": packages, **fields})  # type: ignore[arg-type]

    return make


def build(
    environments: PythonBuilder, recipe: PythonRecipe, tree: Path, **options: Any
) -> PythonEnvironment:
    date = options.pop("date", datetime.date(2021, 1, 1))
    return environments.build(recipe, date=date, tree=tree, tree_key="tree", **options)


def told(environment: PythonEnvironment, code: str, *path: Path) -> str:
    """What a program prints in the environment."""
    variables = {"PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(environment.python), "-c", code]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def two_interpreters(candidates: tuple[str, ...]) -> tuple[str, str]:
    """The first two of some versions of Python that are installed."""
    installed = find_interpreters(PythonRecipe(python=candidates))
    if len(installed) < 2:
        pytest.skip("needs two Python interpreters: `uv python install 3.12 3.11`")
    return installed[0].minor, installed[1].minor
