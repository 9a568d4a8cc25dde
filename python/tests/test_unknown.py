"""What users of pandas type first, and what they are told to type in its place."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pytest
import suum

FRAME = pandas.DataFrame(
    {"id": ["p1", "p2"] * 20, "wage": [1.0, 9.0] * 20, "sex": ["f", "m"] * 20, "eps": [1.0] * 40}
)
POLARS, ARROW = polars.from_pandas(FRAME), pyarrow.Table.from_pandas(FRAME)
B: dict[str, Any] = {"bounds": (0, 10)}
ASKED: dict[str, Any] = {"value": "wage", "epsilon": "eps", **B}


def mean(data: Any, **options: Any) -> suum.Number:
    return suum.mean(data, **{**ASKED, **options})


TABLES: dict[str, Any] = {
    "pandas": FRAME,
    "polars": POLARS,
    "lazy": POLARS.lazy(),
    "arrow": ARROW,
    "dataset": pyarrow.dataset.dataset(ARROW),
    "duckdb": duckdb.from_arrow(ARROW),
    "dictionary": {name: FRAME[name].tolist() for name in FRAME},
}


@pytest.mark.parametrize("form", TABLES)
def test_names_of_no_column_have_the_nearest_one_as_a_hint(form: str) -> None:
    for name, hint in [("Wages", "did you mean wage?"), ("zzz", "one of id, wage, sex, eps")]:
        with pytest.raises(suum.DataError, match=f"column {name}: .* none of that name") as refused:
            mean(TABLES[form], value=name)
        assert hint in str(refused.value.hint)


@pytest.mark.parametrize(
    "values", [[1.0], (1.0,), numpy.ones(1), pandas.Series([1.0]), polars.Series([1.0])],
    ids=lambda values: type(values).__module__,
)
def test_values_alone_do_not_say_what_they_allow(values: Any) -> None:
    with pytest.raises(suum.RequestError, match="it is not said what each") as refused:
        suum.mean(values, **B)
    assert "epsilon=1.0" in str(refused.value.hint)


INTERVALS = pandas.cut(FRAME["wage"], [0, 5, 10])

WRONG: dict[str, tuple[Callable[[], object], str, str]] = {
    "index": (lambda: mean(FRAME.set_index("id"), person="id"), "column id", "reset_index()"),
    "number as name": (
        lambda: suum.mean(pandas.DataFrame({0: [1.0]}), value="0", epsilon=1.0, **B),
        "column 0", "rename(columns=str)",
    ),
    "name that is a number": (
        lambda: mean(pandas.DataFrame({0: [1.0]}), value=0, epsilon=1.0), "value", "columns=str",
    ),
    "several levels of columns": (
        lambda: mean(pandas.DataFrame({("a", "b"): [1.0]}), value=("a", "b"), epsilon=1.0),
        "value", "rename",
    ),
    "groups of several columns": (
        lambda: mean(FRAME, group_by=["sex", "id"], groups=["f", "m"]), "group_by", "[[A, B]",
    ),
    "no label": (lambda: mean(FRAME, group_by="sex", groups=["f", None]), "groups", "leave it out"),
    "no category": (
        lambda: suum.frequency(FRAME, value="sex", epsilon=1.0, categories=["f", numpy.nan]),
        "categories", "missing=NAME",
    ),
    "other groups": (
        lambda: mean(FRAME, group_by=["sex"], groups={"gender": ["f", "m"]}), "groups", "for each",
    ),
    "groups of pandas": (lambda: mean(FRAME.groupby("sex")), "data", "group_by=COL"),
    "groups beside": (
        lambda: suum.mean(FRAME.groupby("sex")["wage"], epsilon=1.0, **B), "column", "group_by=COL",
    ),
    "groups of polars": (lambda: mean(POLARS.group_by("sex")), "data", "group_by=COL"),
    "intervals": (lambda: mean(FRAME.assign(wage=INTERVALS)), "column wage", "bins=[EDGE"),
    "intervals alone": (
        lambda: mean(FRAME.assign(wage=pandas.arrays.IntervalArray(list(INTERVALS)))),
        "column wage", "bins=[EDGE",
    ),
    "durations": (
        lambda: mean(FRAME.assign(wage=pandas.to_timedelta(FRAME["wage"], unit="h"))),
        "column wage", "timedelta64",
    ),
    "periods": (
        lambda: mean(FRAME.assign(wage=pandas.period_range("2020", periods=40, freq="D"))),
        "column wage", "to_timestamp()",
    ),
    "tiers by person": (lambda: mean(FRAME, epsilon={"f": 1}), "epsilon", "privacy=COL"),
    "duckdb": (lambda: mean(duckdb.connect()), "data", "suum.duckdb.levels(con"),
    "sqlite": (lambda: mean(sqlite3.connect(":memory:")), "data", "suum.sql.levels(connection"),
    "rows": (lambda: mean([(1.0, 1.0)]), "data", "pandas.DataFrame(data)"),
    "records": (lambda: mean(FRAME[["wage"]].to_records()), "data", "pandas.DataFrame(data)"),
    "file": (lambda: mean(io.StringIO("wage,eps")), "data", "pandas.read_csv(data)"),
    "table and budgets": (
        lambda: suum.mean(suum.levels(FRAME, **ASKED), epsilon=1.0), "epsilon", "leave it out",
    ),
    "url": (
        lambda: suum.sql.levels("postgresql://x/y", "people", **ASKED), "connection", "table=NAME",
    ),
    "nothing": (lambda: suum.mean(), "mean", 'suum.mean("people.csv", value="age", bounds=(0, 120'),
    "part of a bin": (lambda: suum.histogram(FRAME, **ASKED, bins=1.5), "bins", "bins=20"),
    "bins of words": (lambda: suum.histogram(FRAME, **ASKED, bins="auto"), "bins", "bins=20"),
    "queries": (
        lambda: suum.run([{"statistic": "mean"}], FRAME),  # type: ignore[arg-type]
        "query", '"answers"',
    ),
    "release": (
        lambda: suum.Release.from_json(5),  # type: ignore[arg-type]
        "release", "to_json()",
    ),
    "list of releases": (lambda: suum.Release.from_json("[1]"), "release", "to_json()"),
    "no pair": (
        lambda: suum.audit_function(lambda data, seed: 1.0, [(0, 1)]),  # type: ignore[list-item]
        "pairs: number 1", "(epsilon, one, other)",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_refusals_say_what_to_type_in_its_place(name: str) -> None:
    use, what, hint = WRONG[name]
    with pytest.raises(suum.Error) as refused:
        use()
    assert refused.value.message.startswith(what), refused.value
    assert hint in str(refused.value.hint), refused.value


def test_groups_can_be_given_by_the_names_of_their_columns() -> None:
    asked: dict[str, Any] = {"insecure_seed": 1, "group_by": ["sex", "id"]}
    listed = mean(FRAME, **asked, groups=[["f", "m"], ["p1", "p2"]])
    for data in [FRAME, POLARS.lazy()]:
        named = mean(data, **asked, groups={"id": ["p1", "p2"], "sex": ["f", "m"]})
        assert named.to_json() == listed.to_json() and named["f", "p1"] == listed["f", "p1"]
    one = mean(FRAME, group_by="sex", groups={"sex": ["f", "m"]})
    assert list(one) == ["f", "m"]


def test_groups_of_arrow_are_those_of_python() -> None:
    for groups in [pyarrow.array(["f", "m"]), pyarrow.chunked_array([["f"], ["m"]])]:
        assert list(mean(ARROW, group_by="sex", groups=groups)) == ["f", "m"]


def test_what_is_missing_is_told_in_words_of_python() -> None:
    query: Any = {"statistic": "mean", "value": "v", "epsilon": "eps", "bounds": (0, 10)}
    with pytest.raises(suum.ParameterError, match="give a path, a table, a column"):
        suum.run(query)
    numbers: Any = {1: 2.0, 3: 4.0}
    for options in ({"epsilon": 1.0}, {"value": "v", "epsilon": "eps"}):
        with pytest.raises(suum.DataError, match="a column by each name"):
            suum.mean(numbers, bounds=(0, 10), **options)


def test_groups_that_are_not_there_are_told_from_empty_ones() -> None:
    people: Any = {"site": ["a", "b"] * 50, "v": [3.0, 4.0] * 50, "eps": [1.0] * 100}
    asked: Any = {"value": "v", "epsilon": "eps", "bounds": (0, 10), "group_by": "site"}
    release = suum.mean(people, **asked, groups=["a", "b", "c"])
    for found in (release, release.groups):
        with pytest.raises(KeyError, match="group 'c' has no records"):
            found["c"]
        with pytest.raises(KeyError, match="there is no 'z': choose one of 'a', 'b'"):
            found["z"]
    with pytest.raises(suum.RequestError, match="give the whole release"):
        suum.run(release["a"], people)
    again = suum.run(release.to_dict(), people)
    assert list(again) == ["a", "b"]
