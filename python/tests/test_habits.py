"""Habits of data scientists: what they write works, or is refused with a way out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy
import pandas
import polars
import pytest
import sqlalchemy
import suum

FRAME = pandas.DataFrame({
    "v": [1.0, 2.0, 3.0, 4.0] * 50, "r": ["n", "s"] * 100, "t": ["a", "b"] * 100, "e": 1.0,
})  # fmt: skip
V: dict[str, Any] = {"value": "v", "epsilon": "e", "bounds": (0, 5)}
ONE: dict[str, Any] = {"epsilon": 1.0, "bounds": (0, 5)}
STATISTICS: dict[str, Callable[[Any], Any]] = {
    "mean": lambda it: suum.mean(it, **ONE),
    "median": lambda it: suum.median(it, **ONE),
    "quantile": lambda it: suum.quantile(it, **ONE),
    "summary": lambda it: suum.summary(it, **ONE),
    "variance": lambda it: suum.variance(it, **ONE),
    "histogram": lambda it: suum.histogram(it, **ONE),
}


@pytest.mark.parametrize("name", STATISTICS)
def test_pandas_aggregates_with_statistics(name: str) -> None:
    found = FRAME.groupby("r")["v"].agg(STATISTICS[name])
    assert list(found.index) == ["n", "s"]
    assert all(isinstance(one, suum.Release) for one in found)
    frames = FRAME.groupby("r")[["v", "e"]].apply(lambda it: suum.mean(it, **V))
    assert all(0 <= one.estimate <= 5 for one in frames)
    both = FRAME[["v", "e"]].agg(STATISTICS[name])
    assert list(both.index) == ["v", "e"]


def test_statistics_stand_in_a_pipe() -> None:
    assert 0 <= FRAME.pipe(suum.mean, **V).estimate <= 5
    assert 0 <= polars.from_pandas(FRAME).pipe(suum.mean, **V).estimate <= 5
    columns = {"v": suum.number(0, 5)}
    study = FRAME.pipe(suum.Study, consent=suum.budgets("e"), columns=columns)
    assert 0 <= study.mean("v").estimate <= 5
    with pytest.raises(TypeError, match="unexpected keyword argument 'bound'"):
        FRAME.pipe(suum.mean, value="v", epsilon="e", bound=(0, 5))
    # Names that other programs have are known, too.
    for name, own in [("eps", "epsilon"), ("by", "group_by"), ("ci", "confidence")]:
        with pytest.raises(TypeError, match=f"argument '{name}': did you mean {own}"):
            suum.mean(FRAME, "v", **{name: 1})
    with pytest.raises(TypeError, match="argument 'categories': leave it out"):
        suum.mean(FRAME, "v", categories=["a"])  # type: ignore[call-overload]


def test_numbers_stand_in_expressions_and_texts() -> None:
    mean = suum.mean(FRAME, **V)
    assert float(f"{mean}") == mean.estimate and f"{mean:.1f}" == f"{mean.estimate:.1f}"
    assert numpy.isclose(mean + 1, mean.estimate + 1) and (FRAME["v"] > mean).sum() in range(201)


def test_one_name_in_a_list_names_a_column_of_groups() -> None:
    asked: dict[str, Any] = {**V, "groups": ["n", "s"]}
    for by in (["r"], ("r",)):
        for data in (FRAME, FRAME.to_dict("list"), FRAME.to_dict("records")):
            assert list(suum.mean(data, **asked, group_by=by)) == ["n", "s"]
        assert list(suum.plan(FRAME, **asked, group_by=by).groups) == ["n", "s"]
    # A column of one row beside the value of that row.
    alone = suum.mean([3.0], **ONE, group_by=["n"], groups=["n", "s"])
    assert list(alone) == ["n"]


def test_records_are_dictionaries() -> None:
    found = suum.mean([{"v": 1.0, "e": 1.0}, {"v": 2.0, "e": 1.0, "more": 3}] * 50, **V)
    assert found.privacy[0].count == 100
    with pytest.raises(suum.DataError, match="column v, row 2"):
        suum.mean([{"v": 1.0, "e": 1.0}, {"e": 1.0}], **V)


def test_sparse_columns_are_columns() -> None:
    sparse = pandas.arrays.SparseArray([0.0, 1.0] * 100)
    for data in (sparse, pandas.Series(sparse)):
        assert suum.mean(data, **ONE).privacy[0].count == 200
    assert suum.mean(FRAME.assign(v=sparse), **V).privacy[0].count == 200


def test_statements_of_sqlalchemy_are_queries() -> None:
    engine = sqlalchemy.create_engine("sqlite://")
    v, e = sqlalchemy.column("v"), sqlalchemy.column("e")
    people = sqlalchemy.table("people")
    with engine.connect() as connection:
        FRAME.to_sql("people", connection)
        expected = json.loads(suum.levels(FRAME, **V, adapt=False).to_json())["levels"]
        sources: list[Any] = [
            sqlalchemy.text("SELECT v, e FROM people"), sqlalchemy.select(v, e).select_from(people),
            people,
        ]  # fmt: skip
        for source in sources:
            table = suum.sql.levels(connection, source, **V, adapt=False)
            assert json.loads(table.to_json())["levels"] == expected
        query: Any = sqlalchemy.text("SELECT v, e FROM people")
        assert 0 <= suum.mean(connection, query=query, **V).estimate <= 5
        study = suum.Study(
            connection, table="people", consent=suum.budgets("e"), columns={"v": suum.number(0, 5)}
        )
        assert 0 <= study.mean("v").estimate <= 5
    with pytest.raises(suum.DataError) as refused:
        suum.mean(query, **V)
    assert refused.value.hint == "give its connection as data, and this as query="


TIERS = pandas.DataFrame({"tier": ["a", "b"], "eps": [1, 2]})
WRONG: dict[str, tuple[Callable[[], object], str, str]] = {
    "one end": (
        lambda: suum.mean(FRAME, **{**V, "bounds": (0, None)}),
        "bounds: expected a number, not NoneType", "give both ends from public knowledge",
    ),
    "no number": (
        lambda: suum.mean(FRAME, **{**V, "bounds": (object(), 5)}),
        "bounds: expected a number, not object", "give both ends",
    ),
    "number": (lambda: suum.number(0), "number: its range has one end", "number(0, 100)"),
    "levels": (
        lambda: suum.mean(FRAME, **{**V, "epsilon": None, "privacy": "t", "levels": TIERS}),
        "levels: expected a dictionary or a Series, not a DataFrame", 'levels={"strict": 0.1',
    ),
    "tiers": (
        lambda: suum.tiers("t", TIERS),  # type: ignore[arg-type]
        "levels: expected a dictionary or a Series, not a DataFrame", 'tiers("privacy", strict',
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_habits_are_refused_with_a_way_out(name: str) -> None:
    call, message, hint = WRONG[name]
    with pytest.raises(suum.Error) as refused:
        call()
    assert message in refused.value.message and hint in str(refused.value.hint)
