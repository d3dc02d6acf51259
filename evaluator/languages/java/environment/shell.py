"""The command by which tests are run in a shell, where there is no build tool and no network."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from evaluator.languages.java.environment.types import TEST_COMMAND, JavaEnvironment
from evaluator.languages.java.runner import PROBE
from evaluator.storage.keys import digest_of, short_key
from evaluator.storage.once import make_once

_CODE = PROBE.parent / "shell" / "run_tests.py"
_RUN = PROBE / "run.py"


def with_shell(environment: JavaEnvironment, cache: Path) -> JavaEnvironment:
    """The environment with a directory for shells, which is kept under `cache`."""
    description = json.dumps(environment.described())
    interpreter = str(environment.python)

    def make(place: Path) -> None:
        command = place / "bin" / TEST_COMMAND
        command.parent.mkdir(parents=True)
        code = _CODE.read_text(encoding="utf-8")
        command.write_text(f"#!{interpreter} -ISB\n{code}", encoding="utf-8")
        command.chmod(0o755)
        (place / _RUN.name).write_bytes(_RUN.read_bytes())
        (place / "environment.json").write_text(description, encoding="utf-8")

    key = short_key(description, interpreter, digest_of([_CODE, _RUN]))
    shell = make_once(cache / "java" / "shells", key, make)
    return dataclasses.replace(environment, shell=shell, visible=(*environment.visible, shell))
