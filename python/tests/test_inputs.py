"""Columns of dates, times, truth values and whole numbers with a point; tables that are lazy."""

from __future__ import annotations

import datetime
import math
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pytest
import suum

Date, Time = datetime.date, datetime.datetime
DAYS = [Date(2020, 1, 1), Date(2020, 1, 11), Date(1969, 12, 31), Date(2020, 1, 1)]
TIMES = [Time(2020, 1, 1, 12), Time(2020, 1, 1, 0, 0, 0, 250), Time(1969, 12, 31), Time(2020, 1, 3)]
IN_DAYS: dict[str, Any] = {"epsilon": 1.0, "bounds": (Date(1960, 1, 1), Date(2030, 1, 1))}
IN_SECONDS: dict[str, Any] = {"epsilon": 1.0, "bounds": (Time(1960, 1, 1), Time(2030, 1, 1))}
EPOCH = Time(1970, 1, 1)


def seconds(time: Any) -> float:
    return (time - EPOCH).total_seconds()


def days(date: Any) -> int:
    return (date - EPOCH.date()).days


def columns(items: list[Any], units: list[str]) -> dict[str, Any]:
    """The items in all columns that there are for them."""
    found: dict[str, Any] = {
        "list": items,
        "tuple": tuple(items),
        "object": numpy.array(items, object),
        "pandas objects": pandas.Series(items, dtype=object),
        "pandas arrow": pandas.Series(pyarrow.array(items).to_pandas()),
        "polars": polars.Series(items),
        "pyarrow": pyarrow.array(items),
        "chunks": pyarrow.chunked_array([items[:1], items[1:]]),
        "dictionary": pyarrow.array(items).dictionary_encode(),
    }
    for unit in units:
        array = numpy.array(items, f"M8[{unit}]")
        found[f"numpy {unit}"] = array
        if unit != "D":
            found[f"pandas {unit}"] = pandas.Series(array)
            found[f"zone {unit}"] = pandas.Series(array).dt.tz_localize("UTC")
            found[f"abroad {unit}"] = pandas.Series(array).dt.tz_localize("UTC").dt.tz_convert(
                "Asia/Tokyo"
            )
            found[f"pyarrow {unit}"] = pyarrow.array(array)
    return found


def table(levels: suum.Levels) -> dict[str, Any]:
    """A level table without what its numbers count."""
    found: dict[str, Any] = json.loads(levels.to_json())
    found.pop("unit", None)
    return found


@pytest.mark.parametrize("name", columns(DAYS, ["D", "s", "ms", "us", "ns"]))
def test_dates_count_in_days_if_bounds_are_dates(name: str) -> None:
    column = columns(DAYS, ["D", "s", "ms", "us", "ns"])[name]
    bounds = (days(Date(1960, 1, 1)), days(Date(2030, 1, 1)))
    expected = suum.levels([days(day) for day in DAYS], epsilon=1.0, bounds=bounds)
    assert table(suum.levels(column, **IN_DAYS)) == table(expected)


@pytest.mark.parametrize("name", columns(TIMES, ["us", "ns"]))
def test_times_count_in_seconds_if_bounds_are_times(name: str) -> None:
    column = columns(TIMES, ["us", "ns"])[name]
    bounds = (seconds(Time(1960, 1, 1)), seconds(Time(2030, 1, 1)))
    expected = suum.levels([seconds(time) for time in TIMES], epsilon=1.0, bounds=bounds)
    assert table(suum.levels(column, **IN_SECONDS)) == table(expected)


@pytest.mark.parametrize(
    "bounds",
    [
        ("1960-01-01", "2030-01-01"),
        [pandas.Timestamp("1960-01-01").date(), Date(2030, 1, 1)],
        numpy.array(["1960-01-01", "2030-01-01"], "M8[D]"),
    ],
    ids=["text", "list", "numpy"],
)
def test_bounds_are_dates_however_they_are_said(bounds: Any) -> None:
    expected = suum.levels(DAYS, **IN_DAYS).to_json()
    assert suum.levels(DAYS, epsilon=1.0, bounds=bounds).to_json() == expected


def test_bounds_are_times_however_they_are_said() -> None:
    expected = suum.levels(TIMES, **IN_SECONDS).to_json()
    for bounds in [
        (pandas.Timestamp("1960-01-01"), pandas.Timestamp("2030-01-01")),
        ("1960-01-01T00:00", "2030-01-01T00:00"),
        numpy.array(["1960-01-01", "2030-01-01"], "M8[ns]"),
        pandas.to_datetime(["1960-01-01", "2030-01-01"]),
        (Time(1960, 1, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
         Time(2030, 1, 1, tzinfo=datetime.timezone.utc)),
    ]:  # fmt: skip
        assert suum.levels(TIMES, epsilon=1.0, bounds=bounds).to_json() == expected


def test_units_that_do_not_agree_are_refused_and_not_clamped() -> None:
    """Microseconds against bounds in nanoseconds would all be at the lower bound."""
    times = pandas.Series(TIMES).astype("M8[us]")
    for column in [times, TIMES, polars.Series(TIMES), pyarrow.array(DAYS)]:
        with pytest.raises(suum.DataError, match="not hold numbers|not a number") as refused:
            suum.mean(column, epsilon=1.0, bounds=(0, 10**18))
        assert "bounds" in str(refused.value.hint) and "2020" not in str(refused.value)
    for numbers in [[1, 2], numpy.array([1.0, 2.0]), polars.Series([1, 2])]:
        with pytest.raises(suum.DataError, match="does not hold dates or times like the bounds"):
            suum.mean(numbers, **IN_DAYS)
    with pytest.raises(suum.DataError, match="row 1: not a date or time"):
        suum.mean(["a", "b"], **IN_DAYS)
    with pytest.raises(suum.ParameterError, match="bounds: expected two numbers"):
        suum.mean(DAYS, epsilon=1.0, bounds=(Date(2020, 1, 1), 5))


def test_files_and_answers_of_a_survey_have_dates(tmp_path: Path) -> None:
    rows = "".join(f"{day},{n}.0,1\n" for n, day in enumerate(DAYS))
    path = tmp_path / "days.csv"
    path.write_text(f"day,n,e\n{rows}")
    bounds = IN_DAYS["bounds"]
    found = suum.mean(path, value="day", epsilon="e", bounds=bounds, insecure_seed=1)
    in_memory = suum.mean(DAYS, epsilon=1.0, bounds=bounds, insecure_seed=1)
    assert found.estimate == in_memory.estimate
    assert found.as_datetime() == in_memory.as_datetime()
    answers = [
        {"statistic": "mean", "value": "day", "bounds": bounds},
        {"statistic": "mean", "value": "n", "bounds": (0, 3)},
    ]
    data = {"day": DAYS, "n": [0.0, 1.0, 2.0, 3.0], "e": [1.0] * 4}
    for source in [data, path]:
        survey = suum.run({"answers": answers, "epsilon": "e", "insecure_seed": 1}, source)
        assert survey[0].as_datetime().estimate.year > 1900
        with pytest.raises(suum.RequestError, match="no dates"):
            survey[1].as_datetime()


def test_times_of_day_are_values() -> None:
    times = [datetime.time(7, 30), datetime.time(16, 30)]
    day: dict[str, Any] = {"epsilon": float("inf"), "bounds": (datetime.time(0), "24:00")}
    for column in [times, pyarrow.array(times), polars.Series(times)]:
        assert suum.mean(column, **day).estimate == pytest.approx(12 * 3600)


def test_missing_dates_are_refused_or_replaced() -> None:
    for missing in [
        [DAYS[0], None], pandas.Series([pandas.Timestamp(DAYS[0]), pandas.NaT]),
        numpy.array([DAYS[0], None], "M8[D]"), polars.Series([DAYS[0], None]),
    ]:  # fmt: skip
        with pytest.raises(suum.DataError, match="row 2: missing value"):
            suum.mean(missing, **IN_DAYS)
        replaced = suum.levels(missing, **IN_DAYS, missing=DAYS[1])
        assert table(replaced) == table(suum.levels(
            [days(DAYS[0]), None], epsilon=1.0, missing=days(DAYS[1]),
            bounds=tuple(map(days, IN_DAYS["bounds"])),
        ))  # fmt: skip


def test_an_answer_of_dates_is_a_date_again() -> None:
    many = [Date(2020, 1, 1) + datetime.timedelta(day) for day in range(366)] * 20
    options: dict[str, Any] = {"epsilon": 1.0, "bounds": ("2020-01-01", "2020-12-31")}
    mean = suum.mean(many, **options).as_datetime()
    assert mean.lower and mean.upper and mean.lower < mean.estimate < mean.upper
    assert abs(mean.estimate - Time(2020, 7, 1)) < datetime.timedelta(20)
    median = suum.median(polars.Series(many), **options).as_datetime().estimate
    # The type says that dates are whole days.
    assert median == Time(median.year, median.month, median.day)
    quantiles = suum.quantile(many, **options, q=[0.25, 0.75], step=1).as_datetime()
    assert quantiles[0.25].estimate < median < quantiles[0.75].estimate
    grouped = suum.mean(many, **options, group_by=[1, 2] * (183 * 20), groups=[1, 2])
    assert grouped[1].as_datetime().estimate.year == 2020
    with pytest.raises(suum.RequestError, match="a variance is no date"):
        suum.variance(many, **options).as_datetime()
    with pytest.raises(suum.RequestError, match="a standard deviation is no date"):
        suum.std(many, **options).as_datetime()
    with pytest.raises(suum.RequestError, match="bounds were no dates"):
        suum.mean([1.0], epsilon=1.0, bounds=(0, 1)).as_datetime()


def test_bins_of_dates() -> None:
    many = [Date(2020, 1, 1), Date(2020, 6, 1), Date(2020, 12, 31)] * 50
    edges = [Date(2020, 1, 1), Date(2020, 7, 1), Date(2020, 12, 31)]
    release = suum.histogram(many, epsilon=1.0, bins=edges)
    assert list(release.estimate) == ["[2020-01-01, 2020-07-01)", "[2020-07-01, 2020-12-31]"]
    halves = suum.histogram(many, epsilon=1.0, bins=2, bounds=("2020-01-01", "2020-12-31"))
    noon = "2020-07-01 12:00:00"
    assert list(halves.estimate) == [f"[2020-01-01, {noon})", f"[{noon}, 2020-12-31]"]
    months = pandas.date_range("2020-01-01", "2021-01-01", freq="MS")
    times = pandas.Series(pandas.to_datetime(many))
    assert len(suum.frequency(times, epsilon=1.0, bins=months).estimate) == 12
    assert release.edges == edges
    of_days = suum.histogram(times, epsilon=1.0, bins=months).edges
    assert of_days is not None and of_days[1] == Date(2020, 2, 1)
    noons = [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 6, 1, 12), months[-1]]
    assert suum.histogram(times, epsilon=1.0, bins=noons).edges == noons


@pytest.mark.parametrize(
    ("count", "bounds"),
    [
        (2, ("2020-01-01", "2020-12-31")),
        (4, (Date(2020, 1, 1), Date(2020, 1, 9))),
        (5, ("2020-01-01", "2020-01-09")),
        (7, (numpy.datetime64("2020-01-01"), numpy.datetime64("2021-01-01"))),
        (3, (pandas.Timestamp("2020-01-01"), pandas.Timestamp("2020-01-08 01:00:01"))),
        (11, ("1969-12-31T23:59:59", "2020-01-08")),
    ],
)
def test_bins_of_dates_have_equal_widths(count: int, bounds: Any) -> None:
    edges = suum.histogram([Date(2020, 1, 2)], epsilon=1.0, bins=count, bounds=bounds).edges
    assert edges is not None and len(edges) == count + 1
    widths = [upper - lower for lower, upper in zip(edges, edges[1:])]
    assert max(widths) - min(widths) <= datetime.timedelta(microseconds=1)
    # Dates are shown where all bins are of whole days.
    assert (type(edges[0]) is Date) == (count == 4)


def test_bins_of_times_of_day() -> None:
    times = [datetime.time(7, 30), datetime.time(16, 30)] * 50
    for bounds in (("00:00", "24:00"), (datetime.time(0), "24:00")):
        release = suum.histogram(times, epsilon=math.inf, bins=4, bounds=bounds)
        six, noon, late = (datetime.time(hour) for hour in (6, 12, 18))
        assert release.edges == [datetime.time(0), six, noon, late, "24:00"]
        assert list(release.estimate.values()) == [0, 0.5, 0.5, 0]
        assert len(release.plot().patches) == 4


LABELS: dict[str, tuple[list[Any], list[str], list[str]]] = {
    "dates": (DAYS, ["2020-01-01", "2020-01-11", "1969-12-31", "2020-01-01"], ["D", "us"]),
    "times": (
        TIMES,
        ["2020-01-01 12:00:00", "2020-01-01 00:00:00.000250", "1969-12-31", "2020-01-03"],
        ["us", "ns"],
    ),
}


@pytest.mark.parametrize("kind", LABELS)
def test_dates_and_times_are_labels(kind: str) -> None:
    items, texts, units = LABELS[kind]
    declared = sorted(set(items))
    expected = suum.levels(texts, epsilon=1.0, categories=sorted(set(texts))).to_json()
    for name, column in columns(items, units).items():
        given = suum.levels(column, epsilon=1.0, categories=declared)
        assert given.to_json() == expected, name
        release = suum.frequency(column, epsilon=1.0, categories=declared)
        assert list(release.estimate) == declared, name
        grouped = suum.count(epsilon=[1.0] * 4, group_by=column, groups=declared)
        assert list(grouped) == declared and grouped[declared[0]] == 1, name
        assert grouped[texts[2]] is grouped[items[2]], name


TRUTHS = [True, False, True, True]


@pytest.mark.parametrize(
    "column",
    [
        TRUTHS, numpy.array(TRUTHS), pandas.Series(TRUTHS), pandas.Series(TRUTHS, dtype="boolean"),
        polars.Series(TRUTHS), pyarrow.array(TRUTHS), pandas.Series(TRUTHS, dtype=object),
    ],
    ids=lambda column: type(column).__name__,
)  # fmt: skip
def test_truth_values_are_labels_and_numbers(column: Any) -> None:
    shares = suum.frequency(column, epsilon=1.0, categories=[True, False], insecure_seed=1)
    assert list(shares.estimate) == [True, False] and shares.estimate[True] > 0
    grouped = suum.count(epsilon=[1.0] * 4, group_by=column, groups=[False, True])
    assert grouped[True] == 3 and grouped[False] == 1 and grouped[numpy.bool_(True)] == 3
    tiers = suum.count(privacy=column, levels={True: 1.0, False: 0.5})
    assert [(tier.level, tier.count) for tier in tiers.privacy] == [("false", 1), ("true", 3)]
    assert suum.levels(column, epsilon=1.0, bounds=(False, True)).to_json() == suum.levels(
        [1, 0, 1, 1], epsilon=1.0, bounds=(0, 1)
    ).to_json()


WHOLE = [1.0, 2.0, 1.0, 3.0]
WITH_POINT: list[Callable[[list[Any]], Any]] = [
    list, numpy.array, pandas.Series, polars.Series, pyarrow.array,
    lambda items: numpy.array(items, "f4"),
    lambda items: pandas.Series(items, dtype="category"),
    lambda items: pandas.Series(items, dtype="Float64"),
]  # fmt: skip


@pytest.mark.parametrize("make", WITH_POINT)
def test_whole_numbers_with_a_point_are_labels_and_persons(make: Any) -> None:
    column = make(WHOLE)
    for declared in [[1, 2, 3], [1.0, 2.0, 3.0], ["1", "2", "3"], numpy.array([1.0, 2.0, 3.0])]:
        grouped = suum.count(epsilon=[1.0] * 4, group_by=column, groups=declared)
        assert grouped[1] == 2 and grouped["2"] == 1 and len(grouped) == 3
        shares = suum.frequency(column, epsilon=1.0, categories=declared)
        assert list(shares.estimate) == list(declared)
    tiers = suum.count(privacy=column, levels={1.0: 0.1, 2: 0.2, 3: 0.3})
    assert [tier.level for tier in tiers.privacy] == ["1", "2", "3"]
    series = suum.count(privacy=column, levels=pandas.Series({1.0: 0.1, 2.0: 0.2, 3.0: 0.3}))
    assert [tier.level for tier in series.privacy] == ["1", "2", "3"]
    assert suum.count(epsilon=[1.0] * 4, person=column) == 3
    assert suum.count(epsilon={1: 0.5, 2: 1, 3: 1}, person=column) == 3


def test_other_numbers_are_labels_as_python_writes_them() -> None:
    shares = suum.frequency(numpy.array([0.5, 2.25, 0.1]), epsilon=1.0, categories=[0.5, 2.25, 0.1])
    assert list(shares.estimate) == [0.5, 2.25, 0.1]
    with pytest.raises(suum.DataError, match="row 2: missing") as refused:
        suum.count(epsilon=[1.0, 1.0], group_by=[1.0, numpy.nan], groups=[1, 2])
    assert refused.value.hint
    with pytest.raises(suum.DataError, match="row 1"):
        suum.frequency(numpy.array([7.0]), epsilon=1.0, categories=[1, 2])


TABLE: dict[str, list[Any]] = {
    "v": [3, 9, 0, 4], "e": [1.0, 0.5, 1.0, 1.0], "g": ["a", "b", "a", "b"],
}  # fmt: skip
ASKED: dict[str, Any] = {"value": "v", "epsilon": "e", "bounds": (0, 10)}


def test_expressions_of_polars_are_columns() -> None:
    expected = suum.levels({**TABLE, "w": [6, 18, 0, 8]}, **{**ASKED, "value": "w"}).to_json()
    for table in [polars.DataFrame(TABLE), polars.LazyFrame(TABLE)]:
        doubled = {**ASKED, "value": (polars.col("v") * 2).alias("w")}
        assert suum.levels(table, **doubled).to_json() == expected
        budget = {**ASKED, "epsilon": polars.lit(1.0)}
        assert suum.mean(table, **budget).privacy[0].count == 4
        same = {**ASKED, "value": polars.col("v"), "epsilon": polars.col("e")}
        assert suum.levels(table, **same).to_json() == suum.levels(TABLE, **ASKED).to_json()
        # Two of one name are told apart.
        own: dict[str, Any] = {"epsilon": "v", "bounds": (0, 20), "public_columns": ["v"]}
        both = suum.levels(table, value=polars.col("v") * 2, **own).to_json()
        assert '"column":"value"' in both
        upper = polars.col("g").str.to_uppercase()
        groups = {"group_by": upper, "groups": ["A", "B"], "public_columns": ["g"]}
        grouped = suum.mean(table, **ASKED, **groups)
        assert list(grouped) == ["A", "B"]
        with pytest.raises(suum.ReadError, match="could not be read"):
            suum.mean(table, value=polars.col("nowhere"), epsilon="e", bounds=(0, 1))
    with pytest.raises(suum.DataError, match="a Expr is no column"):
        suum.mean(TABLE, value=polars.col("v"), epsilon="e", bounds=(0, 1))


ROW_WISE = {
    "arithmetic": (polars.col("v") * 2 - 1).clip(0, 3).round(1).fill_null(0),
    "choice": polars.when(polars.col("g") == "a").then(polars.col("v")).otherwise(0),
    "text": polars.col("g").str.len_chars().cast(polars.Int64).alias("w"),
    "several columns": polars.max_horizontal("v", "e"),
    "set": polars.col("v").is_in([3, 9]),
    "other values": polars.col("v").replace({3: 5}).replace_strict({5: 1}, default=0),
    "list": polars.concat_list("v", "e").list.mean(),
    "text in text": polars.col("g").str.replace("a", polars.col("g")).str.len_bytes(),
}
NOT_ROW_WISE = {
    "largest": polars.col("v").max(),
    "mean": polars.col("v") - polars.col("v").mean(),
    "largest of a group": polars.col("v").max().over("g"),
    "rank": polars.col("v").rank(),
    "row before": polars.col("v").shift(1),
    "end of all": polars.col("v").clip(0, polars.col("v").quantile(0.9)),
    "sum so far": 2 * polars.col("v").cum_sum(),
    "sorted": polars.col("v").sort(),
    "members of a column": polars.col("v").is_in(polars.col("e")),
    "values of a column": polars.col("v").replace(polars.col("v"), polars.col("e")),
    "order of labels": polars.col("g").cast(polars.Categorical).cast(polars.UInt32),
    "order in memory": polars.col("g").cast(polars.Categorical).to_physical(),
    "evaluated": polars.concat_list("v", "e").list.eval(polars.element().max()).list.first(),
    "series": polars.col("v") + polars.lit(polars.Series([1, 2, 3, 4])),
    "guessed form": polars.col("g").str.to_date().dt.year(),
    "Python": polars.col("v").map_batches(lambda values: values),
}


@pytest.mark.parametrize("name", ROW_WISE)
def test_expressions_of_one_row_are_read(name: str) -> None:
    table = polars.DataFrame(TABLE)
    made = table.with_columns(made=ROW_WISE[name])
    expected = json.loads(suum.levels(made, **{**ASKED, "value": "made"}).to_json())["levels"]
    asked = {**ASKED, "public_columns": ["e"]}
    found = suum.levels(table, **{**asked, "value": ROW_WISE[name]}).to_json()
    assert json.loads(found)["levels"] == expected


@pytest.mark.parametrize("name", NOT_ROW_WISE)
def test_expressions_that_may_look_at_other_rows_are_refused(name: str) -> None:
    for table in [polars.DataFrame(TABLE), polars.LazyFrame(TABLE)]:
        with pytest.raises(suum.RequestError, match="value: this expression .* own row") as refused:
            suum.mean(table, **{**ASKED, "value": NOT_ROW_WISE[name]})
        assert "with_columns" in str(refused.value.hint)


def test_large_integers_of_polars() -> None:
    column = polars.Series("v", TABLE["v"], dtype=polars.Int128)
    expected = suum.levels(TABLE, **ASKED).to_json()
    table = polars.DataFrame(TABLE).with_columns(column)
    for given in [table, table.lazy()]:
        assert suum.levels(given, **ASKED).to_json() == expected
    assert suum.count(epsilon=[1.0] * 4, person=column) == 4
    grouped = suum.count(table, epsilon="e", group_by="v", groups=[3, 9, 0, 4])
    assert grouped[9] == 1
    large: list[tuple[Any, int]] = [
        (polars.Int128, 2**127 - 1), (polars.UInt128, 2**127), (polars.Decimal(9, 0), 10**8),
    ]  # fmt: skip
    for kind, most in large:
        values = polars.Series([0, 3, most] * 50, dtype=polars.UInt128).cast(kind)
        assert suum.median(values, epsilon=1.0, bounds=(0, 9)).to_dict()["step"]["size"] == 1
        ends = suum.frequency(values, epsilon=9.0, bins=[0, 2, 4, 9], other="more").estimate
        assert ends["more"] > 0.2


def test_a_dataset_of_pyarrow_and_only_its_columns(tmp_path: Any) -> None:
    table = pyarrow.table({**TABLE, "more": [{"x": 1}] * 4})
    pyarrow.dataset.write_dataset(table, tmp_path, format="parquet")
    dataset = pyarrow.dataset.dataset(tmp_path)
    expected = suum.levels(TABLE, **ASKED).to_json()
    for given in [dataset, pyarrow.dataset.dataset(table)]:
        assert suum.levels(given, **ASKED).to_json() == expected
        assert suum.count(given, epsilon=1.0) == 4
        keyed = suum.mean(given, value="v", person="g", epsilon={"a": 1, "b": 0.5}, bounds=(0, 9))
        assert keyed.privacy[0].count == 1
    with pytest.raises(suum.RequestError, match="read as they come"):
        suum.mean(dataset, value="v", epsilon=[1.0] * 4, bounds=(0, 1))


WITHOUT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "mean": ({"v": [1.0, None, 3.0] * 50}, {"bounds": (0, 10)}),
    "std": ({"v": [1.0, None, 3.0] * 50}, {"bounds": (0, 10)}),
    "median": ({"v": [1.0, None, 3.0] * 50}, {"bounds": (0, 10)}),
    "frequency": ({"v": ["x", None, "y"] * 50}, {"categories": ["x", "y"]}),
}


@pytest.mark.parametrize("budgets", ["number", "tiers", "column"])
@pytest.mark.parametrize("name", WITHOUT)
def test_records_without_a_value_are_left_out_as_on_the_command_line(
    name: str, budgets: str
) -> None:
    """Who has a value is hidden then, whether the relation is named or not."""
    table, options = WITHOUT[name]
    table = {**table, "t": ["low", "high", "high"] * 50, "e": [1.0, 0.5, 1.0] * 50}
    own: dict[str, Any] = {
        "number": {"epsilon": 1.0},
        "tiers": {"privacy": "t", "levels": {"low": 0.5, "high": 1.0}},
        "column": {"epsilon": "e", "epsilon_range": (0.5, 1)},
    }[budgets]
    asked = {**options, **own, "value": "v", "missing": "exclude", "insecure_seed": 1}
    function = getattr(suum, name)
    found, expected = function(table, **asked), function(table, **asked, neighbors="both")
    assert found.to_pandas().equals(expected.to_pandas())
    assert found.to_dict()["protects"] == expected.to_dict()["protects"]
    del asked["insecure_seed"]
    people = {one: asked[one] for one in asked if one != "epsilon_range"}
    assert suum.levels(table, **people)
