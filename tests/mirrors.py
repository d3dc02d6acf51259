"""Mirrors of public repositories, which tests marked `mirrors` read (FIXGATE_MIRRORS)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SWE_BENCH = (
    "astropy/astropy",
    "django/django",
    "matplotlib/matplotlib",
    "mwaskom/seaborn",
    "pallets/flask",
    "psf/requests",
    "pydata/xarray",
    "pylint-dev/pylint",
    "pytest-dev/pytest",
    "scikit-learn/scikit-learn",
    "sphinx-doc/sphinx",
    "sympy/sympy",
)
"""The repositories of the instances."""
_PATTERNS = ("{owner}+{name}/repo", "swe-bench+{owner}__{name}/repo")


def mirror_templates() -> tuple[str, ...]:
    """What `--repos` is given for all mirrors."""
    directory = Path(os.environ["FIXGATE_MIRRORS"]).resolve()
    return tuple(f"{directory}/{pattern}" for pattern in _PATTERNS)


def mirror_of(repository: str) -> Path:
    """The mirror of `owner/name`; skips the test where there is none."""
    owner, name = repository.split("/")
    for template in mirror_templates():
        if (mirror := Path(template.format(owner=owner, name=name))).is_dir():
            return mirror
    pytest.skip(f"no mirror of {repository} among {os.environ['FIXGATE_MIRRORS']}")
