"""Tables and histograms that can be read."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evaluator.report.figures import LEFT, WIDTH, FigureTable, histogram, write_figures

TABLE = FigureTable(
    "Candidates",
    "",
    ("Repository", "Day", "Tests", "Reason"),
    (("a/b", "2022-12-31", "49", ""), ("c/d", "2022-12-30", "", "gone")),
)


def test_columns_of_words_stand_to_the_left_and_numbers_on_one_line(tmp_path: Path) -> None:
    assert TABLE.words == {0, 3}
    write_figures(tmp_path / "page.html", "Candidates", "", [TABLE])
    page = (tmp_path / "page.html").read_text("utf-8")
    assert '<td class="number" data-label="Day">2022-12-31</td>' in page
    assert '<td class="words" data-label="Reason">gone</td>' in page
    assert '<th scope="col" class="words">Reason</th>' in page


@given(
    values=st.lists(st.floats(0, 10_000)),
    places=st.lists(st.floats(1, 10_000), max_size=3),
)
def test_no_line_of_a_threshold_goes_through_the_text_of_a_tick(
    values: list[float], places: list[float]
) -> None:
    made = histogram("", "", values, thresholds=[(place, "") for place in places])
    assert all(LEFT <= mark.place <= LEFT + WIDTH + 1 for mark in made.thresholds)
    assert all(abs(t.place - mark.place) > 18 for t in made.ticks for mark in made.thresholds)


def test_other_ticks_stay() -> None:
    made = histogram("", "", [1.0, 400.0], thresholds=[(300, "300")])
    assert [tick.text for tick in made.ticks] == ["0", "100", "200", "400"]
