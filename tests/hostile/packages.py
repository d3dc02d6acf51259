"""A package index on loopback that offers what these tests have installed, such as pytest."""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import zipfile
from collections.abc import Iterator

from tests.languages.python.environment.conftest import Index, served

PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


@contextlib.contextmanager
def installed_packages() -> Iterator[str]:
    """The URL of an index with pytest and all that it needs, while the block runs."""
    packages = Index()
    add_pytest(packages)
    with served(packages):
        yield f"{packages.url}/simple"


def add_pytest(index: Index) -> None:
    """Have an index offer pytest, as it is installed, with what it needs."""
    for name in PYTEST:
        index.add_file(name, *_wheel(name))


def _wheel(name: str) -> tuple[str, bytes]:
    """An installed distribution, packed again as a wheel: its name and content."""
    distribution = importlib.metadata.distribution(name)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as wheel:
        for file in distribution.files or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                wheel.write(str(distribution.locate_file(file)), str(file))
    return f"{name}-{distribution.version}-py3-none-any.whl", content.getvalue()
