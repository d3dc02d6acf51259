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

from evaluator.languages.python.environment.setup_cfg import Sections, lines_by_name, lines_of

DEPENDENCIES = "requirements.txt"
"""Where a project that is built by pbr states what it depends on."""


def builds(setup_arguments: Mapping[str, Any], build_requires: Iterable[str]) -> bool:
    """Whether a project is built by it: `setup(pbr=True)`, or a build requirement."""
    names = {canonicalize_name(Requirement(line).name) for line in build_requires}
    return setup_arguments.get("pbr") is True or "pbr" in names


def describe(sections: Sections) -> dict[str, Any]:
    """Extras, entry points and Python versions, from the sections of setup.cfg."""
    metadata = sections.get("metadata", {})
    required = metadata.get("python-requires", metadata.get("requires-python", ""))
    return {
        "requires_python": metadata.get("python_requires", required),
        "classifiers": lines_of(metadata.get("classifier", "")),
        "extras": lines_by_name(sections.get("extras", {})),
        "entry_points": lines_by_name(sections.get("entry_points", {})),
    }
