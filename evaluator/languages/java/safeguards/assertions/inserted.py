"""The class that tried tests call, under names that are drawn for each content."""

from __future__ import annotations

import random
import re
import string
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.languages.java.sources.imports import package_of

_CODE = Path(__file__).parent / "inside" / "Trial.java"
_LENGTH = 12


@dataclass(frozen=True)
class Inserted:
    """A class, which other files call by its qualified `name`, and the file that it stands in.

    What a tried test reports begins with `token`.
    """

    name: str
    token: str
    path: str
    content: bytes


def inserted(key: str, beside: str, content: bytes) -> Inserted:
    """The class for tests with this key, in the package of a test file: the same for the same."""
    chance = random.Random(key)  # noqa: S311 - keeps names from being guessed by accident
    simple, token = _word(chance).capitalize(), _word(chance)
    package = package_of(content)
    code = _CODE.read_text().replace("TRIAL_TOKEN", token)
    code = re.sub(r"\bTrial\b", simple, code)
    head = f"package {package};\n\n" if package else ""
    path = str(PurePosixPath(beside).with_name(f"{simple}.java"))
    return Inserted(f"{package}.{simple}".strip("."), token, path, f"{head}{code}".encode())


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(string.ascii_lowercase) for _ in range(_LENGTH))
