"""Plots of curves: every point lies inside, in the order of its values."""

from __future__ import annotations

import json
import math
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.report.figures import write_figures
from evaluator.report.lines import HEIGHT, LEFT, TOP, WIDTH, Curve, line_plot

NUMBERS = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf])
CURVES = st.dictionaries(st.text(max_size=5), st.lists(st.tuples(NUMBERS, NUMBERS), max_size=20))


def points(curve: Curve) -> list[tuple[float, float]]:
    pairs = (point.split(",") for point in curve.points.split())
    return [(float(x), float(y)) for x, y in pairs]


@given(CURVES)
def test_points_lie_inside_the_plot(curves: dict[str, list[tuple[float, float]]]) -> None:
    plot = line_plot("title", "caption", curves)
    for curve in plot.curves:
        for x, y in points(curve):
            assert LEFT <= x <= LEFT + WIDTH
            assert TOP <= y <= TOP + HEIGHT
    finite = {
        name: sum(math.isfinite(x) and math.isfinite(y) for x, y in curve)
        for name, curve in curves.items()
    }
    assert {curve.name: len(points(curve)) for curve in plot.curves} == {
        name: count for name, count in finite.items() if count
    }


def test_higher_values_stand_higher_and_later_ones_to_the_right() -> None:
    (curve,) = line_plot("", "", {"loss": [(1, 4.0), (2, 2.0), (3, 3.0)]}).curves
    (a, high), (b, low), (c, middle) = points(curve)
    assert (a, b, c) == (LEFT, LEFT + WIDTH / 2, LEFT + WIDTH)
    assert (high, low, middle) == (TOP, TOP + HEIGHT, TOP + HEIGHT / 2)


MEASURE = """<script>
const middle = (box) => box.y + box.height / 2;
document.title = JSON.stringify([...document.querySelectorAll(".legend li")].map((item) => {
  const words = document.createRange();
  words.selectNodeContents(item.lastChild);
  const dot = item.querySelector("svg").getBoundingClientRect();
  const name = words.getBoundingClientRect();
  return [dot.right < name.x, Math.abs(middle(dot) - middle(name)) < 2, item.textContent];
}));
</script>"""


@pytest.mark.browser
def test_in_a_browser_the_dots_of_a_legend_stand_beside_their_names(tmp_path: Path) -> None:
    curves = {name: [(1.0, 2.0), (2.0, 1.0)] for name in ("training", "validation")}
    path = tmp_path / "page.html"
    write_figures(path, "", "", [], lines=[line_plot("Losses", "", curves)])
    page = re.sub(r"<meta http-equiv=[^>]+>", "", path.read_text())
    path.write_text(page.replace("</body>", f"{MEASURE}</body>"))
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'user'}"]
    command = ["chromium", *flags, "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=True)
    (title,) = re.findall(r"<title>(\[.+\])</title>", done.stdout)
    assert json.loads(title) == [[True, True, "training"], [True, True, "validation"]]
