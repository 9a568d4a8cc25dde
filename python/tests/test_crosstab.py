"""Tables of two columns."""

import math

import pytest

import suum

N = 1200
REGIONS = ["north", "south", "south"] * (N // 3)
SEXES = ([1.0] * 5 + [2.0]) * (N // 6)
CATEGORIES = [["north", "south"], [1, 2]]


def people():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"region": REGIONS, "sex": SEXES, "eps": [0.5, math.inf] * (N // 2)})


def release(**options):
    asked = {"crosstab": ["region", "sex"], "categories": CATEGORIES, "insecure_seed": 1}
    return suum.frequency(people(), epsilon="eps", **{**asked, **options})


def test_cells_and_margins_are_found_by_their_labels():
    table = release()
    assert list(table.estimate) == [("north", 1), ("north", 2), ("south", 1), ("south", 2)]
    assert table.estimate["north", 1] == table["north", 1].estimate
    assert table["south", "2"] == table["south", 2]
    interval = table.interval["south", 1]
    assert interval.lower <= 0.5 <= interval.upper
    assert list(table.margins) == ["region", "sex"]
    for at, margin in enumerate(table.margins.values()):
        for label, share in margin.items():
            cells = [one for cell, one in table.estimate.items() if cell[at] == label]
            assert sum(cells) == pytest.approx(share.estimate, abs=1e-12)
            assert share.interval.lower <= share.estimate <= share.interval.upper
    assert table.margins["sex"][2].estimate == table.margins["sex"]["2"].estimate
    with pytest.raises(KeyError):
        table["north", "x"]
    assert "region / sex" in str(table) and "north, 1" in repr(table)
    assert table.edges is None


def test_columns_can_stand_beside_each_other():
    table = release()
    alone = suum.frequency(
        crosstab=[REGIONS, SEXES], categories=CATEGORIES, epsilon=[0.5, math.inf] * (N // 2),
        insecure_seed=1,
    )
    assert list(alone.estimate.values()) == list(table.estimate.values())
    text = release(crosstab="region,sex")
    assert text.estimate == table.estimate


def test_rows_are_tidy():
    frame = release().to_pandas()
    assert list(frame.columns[:4]) == ["group", "statistic", "region", "sex"]
    cells = frame[frame.statistic == "frequency"]
    assert len(cells) == 4 and len(frame) == 8
    assert list(cells.region) == ["north", "north", "south", "south"]
    sums = cells.groupby("region").estimate.sum()
    margins = frame[frame.statistic == "margin"].dropna(subset=["region"])
    assert list(sums) == pytest.approx(list(margins.estimate), abs=1e-12)


def test_plots_have_bars_side_by_side():
    pytest.importorskip("matplotlib").use("Agg")
    axes = release().plot()
    assert len(axes.patches) == 4
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["north", "south"]


def test_groups_have_a_table_each():
    data = people().assign(half=["x", "y"] * (N // 2))
    tables = suum.frequency(
        data, crosstab=["region", "sex"], categories=CATEGORIES, epsilon="eps", group_by="half",
        groups=["x", "y"], insecure_seed=1,
    )
    assert list(tables) == ["x", "y"]
    assert tables["x"]["north", 1].interval is not None
    assert len(tables.to_pandas()) == 16


def test_plans_and_level_tables_know_tables():
    plan = suum.plan(
        people(), statistic="frequency", crosstab=["region", "sex"], categories=CATEGORIES,
        epsilon="eps",
    )
    assert plan.gap >= 1
    table = suum.levels(
        people(), crosstab=["region", "sex"], categories=CATEGORIES, epsilon="eps"
    )
    of_table = suum.frequency(table, insecure_seed=1)
    assert list(of_table.estimate.values()) == list(release().estimate.values())
