"""What a tracer of the project's own sees while modules with counted lines are imported."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from evaluator.languages.python.frameworks import PROBE
from tests.interpreters import MINORS, python

TRACED = """
import json, sys

sys.path[:0] = [sys.argv[1], sys.argv[2]]

import fixgate_probe_hits

counters = fixgate_probe_hits.Counters(sys.argv[2], {"counted.py": [1, 2]})
counters.install()
seen = set()


def trace(frame, event, argument):
    seen.add(frame.f_code.co_filename)
    return trace


sys.settrace(trace)
import counted, other

sys.settrace(None)
print(json.dumps([sorted(seen), counters.risen(), counted.double(2) + other.double(3)]))
"""


@pytest.mark.parametrize("minor", MINORS)
def test_imports_show_no_frame_of_ours(minor: int, tmp_path: Path) -> None:
    executable = python(minor)
    for name in ("counted.py", "other.py"):
        (tmp_path / name).write_text("def double(x):\n    return 2 * x\n")
    command = [str(executable), "-c", TRACED, str(PROBE), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen, risen, total = json.loads(done.stdout)
    assert {str(tmp_path / name) for name in ("counted.py", "other.py")} <= {*seen}
    assert [path for path in seen if Path(path).is_relative_to(PROBE)] == []
    assert (risen, total) == ({"counted.py": {"1": 1}}, 10)
