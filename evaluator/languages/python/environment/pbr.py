"""What pbr (Python Build Reasonableness) reads in setup.cfg, where setuptools has other names.

Projects of OpenStack and those around it are built by it. Without their entry points none of their
plug-ins is found, and their tests fail though each can be loaded.
https://docs.openstack.org/pbr/latest/user/using.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

DEPENDENCIES = "requirements.txt"
"""Where a project that is built by pbr states what it depends on."""


def builds(setup_arguments: Mapping[str, Any], build_requires: Iterable[str]) -> bool:
    """Whether a project is built by it: `setup(pbr=True)`, or a build requirement."""
    names = {canonicalize_name(Requirement(line).name) for line in build_requires}
    return setup_arguments.get("pbr") is True or "pbr" in names


def describe(sections: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Extras, entry points and Python versions, from the sections of setup.cfg."""
    metadata = sections.get("metadata", {})
    required = metadata.get("python-requires", metadata.get("requires-python", ""))
    return {
        "requires_python": metadata.get("python_requires", required),
        "classifiers": _lines(metadata.get("classifier", "")),
        "extras": _by_name(sections.get("extras", {})),
        "entry_points": _by_name(sections.get("entry_points", {})),
    }


def _by_name(section: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: _lines(text) for name, text in section.items()}


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())
